"""A process for a peer, which answers the driver's questions one at a time and sleeps between.

So the peers' thread pools do not disturb one another. Nothing here may import NumPy before the
peers themselves are imported.
"""

import contextlib
import ctypes
import gc
import os
import statistics
import time
from multiprocessing import get_context
from pathlib import Path

from bench import peers


class Worker:
    """The driver's end. `worker.ask("seconds", ...)` calls `Answers.seconds(...)` over there."""

    def __init__(self, names):
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        context.Process(target=serve, args=(theirs, names), daemon=True).start()
        theirs.close()

    def ask(self, question, *details):
        self._pipe.send((question, *details))
        return self._pipe.recv()

    def close(self):
        self._pipe.close()


def serve(pipe, names):
    answers = Answers(names)
    with contextlib.suppress(EOFError):
        while True:
            question, *details = pipe.recv()
            pipe.send(getattr(answers, question)(*details))


class Answers:
    """The questions that a worker answers about the workloads of its peers."""

    def __init__(self, names):
        self._workloads = {name: peers.workloads(name) for name in names}
        self._calls = {}

    def offers(self, peer, workload):
        return hasattr(self._workloads[peer], workload)

    def fingerprint(self, peer, workload):
        """For each array of a result: how large it is, and a sum that depends on its order."""
        import numpy as np

        arrays = [np.asarray(array, dtype=float).ravel() for array in self._call(peer, workload)()]
        return [(abs(a).sum().item(), (a @ np.cos(np.arange(a.size))).item()) for a in arrays]

    def moments(self, peer, workload):
        """For each array of a result: the means of its magnitudes and of its squares."""
        import numpy as np

        arrays = [np.asarray(array, dtype=float) for array in self._call(peer, workload)()]
        return [(abs(a).mean().item(), np.square(a).mean().item()) for a in arrays]

    def seconds(self, peer, workload, warm_up=0.1, measured=0.15):
        """The time of one call, as the median over batches, and how disturbed it was.

        It is the share of a processor that other processes took meanwhile. The warm-up also lets
        the threads of the peer that was asked before go to sleep.
        """
        call = self._call(peer, workload)
        batch = max(1, len(timed(call, warm_up)) // 50)
        busy, own, started = busy_seconds(), time.process_time(), time.perf_counter()
        times = timed(call, measured, batch)
        busy, own = busy_seconds() - busy, time.process_time() - own
        return statistics.median(times), (busy - own) / (time.perf_counter() - started)

    def cpu_seconds(self, peer, workload, measured=0.5):
        """The least processor time of one call, which hardly depends on who else is at work."""
        call = self._call(peer, workload)
        call()
        times, started = [], time.perf_counter()
        while len(times) < 3 or time.perf_counter() - started < measured:
            before = time.process_time()
            call()
            times.append(time.process_time() - before)
        return min(times), 0.0

    def rates(self, by_processor):
        """The rates of products and copies: see `limits`."""
        from bench import limits

        return limits.rates(time.process_time if by_processor else time.perf_counter)

    def once(self, peer, workload, *size):
        """The time of a single call, for calls that take long."""
        call = self._call(peer, workload, *size)
        before = time.perf_counter()
        call()
        return time.perf_counter() - before

    def first(self, peer, workload):
        """The time of the first call of a new function; what is loaded once, is loaded."""
        self._call(peer, workload)()
        return timed(getattr(self._workloads[peer], workload)(), 0.0)[0]

    def second(self, peer, workload):
        """The time of the second call of a new function, which compiles what was recorded."""
        self._call(peer, workload)()
        call = getattr(self._workloads[peer], workload)()
        call()
        return timed(call, 0.0)[0]

    def first_two(self, peer, workload, *size):
        """The time of the first two calls of a new function, one of which compiles it."""
        self._call(peer, workload, 8)()  # brings in the code that is loaded when first used
        call = getattr(self._workloads[peer], workload)(*size)
        before = time.perf_counter()
        call()
        call()
        return time.perf_counter() - before

    def peak_bytes(self, peer, workload, size):
        """How far memory rises above its level before the call; of use in a fresh process only."""
        call = self._call(peer, workload, size)
        self._call(peer, workload, 1)()  # brings in the code that is loaded when first used
        give_back()
        Path("/proc/self/clear_refs").write_text("5")  # the peak starts again from here
        before = kilobytes("VmRSS")
        call()
        return 1024 * (kilobytes("VmHWM") - before)

    def kept_bytes(self, peer, workload, size):
        """How much more memory a process has after the forward part of a call than before it."""
        call = self._call(peer, workload, size)
        self._call(peer, workload, 1)()
        give_back()
        before = kilobytes("VmRSS")
        kept = call.forward()
        give_back()
        after = kilobytes("VmRSS")
        del kept
        return 1024 * (after - before)

    def _call(self, peer, workload, *size):
        key = peer, workload, *size
        if key not in self._calls:
            self._calls[key] = getattr(self._workloads[peer], workload)(*size)
        return self._calls[key]


def timed(call, duration, batch=1):
    """The times of a call, one for each batch of calls, for as long as `duration`."""
    times, started = [], time.perf_counter()
    while not times or time.perf_counter() - started < duration:
        before = time.perf_counter()
        for _ in range(batch):
            call()
        times.append((time.perf_counter() - before) / batch)
    return times


def busy_seconds():
    """The time for which all processors together have worked: user, nice, system and so on."""
    user, nice, system, _idle, _waiting, *rest = Path("/proc/stat").read_text().split()[1:9]
    return sum(map(int, (user, nice, system, *rest))) / os.sysconf("SC_CLK_TCK")


def give_back():
    """Collect garbage, and give memory that glibc keeps back to the system."""
    gc.collect()
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)


def kilobytes(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))
