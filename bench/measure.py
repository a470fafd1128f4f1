"""The measurements: each function returns a `Table`; peers take turns, round after round."""

import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field

from bench.worker import Worker

WORKLOADS = {
    "square": "scalar x²",
    "chain": "chain of 100 × (·1.01, sin), scalar",
    "mlp": "MLP 784-512-512-10, batch 128, 6 gradients",
    "elementwise": "Σ sigmoid·tanh + exp(−x²), 1000×1000",
    "embedding": "256 rows of 100 000×64, sparse gradient",
}
LAYERS = {
    "attention": "attention block 8×64×128, 4 heads, with norms and GELU layers",
    "convolution": "convolution 32×28×28×16 → 32, 3×3, of the filters only",
    "convolution_of_colors": "convolution 32×32×32×3 → 16, 3×3",
    "convolution_transposed": "transposed convolution 32×14×14×32 → 28×28×16, 4×4, stride 2",
    "convolution_of_lines": "convolution 32×256×16 → 32, 5",
    "depthwise": "depthwise convolution 32×28×28×16, 3×3",
    "max_pool": "max pooling 32×28×28×16, 2×2",
    "max_pool_overlapping": "max pooling 32×28×28×16, 3×3, stride 2",
    "average_pool": "average pooling 32×28×28×16, 2×2",
    "average_pool_overlapping": "average pooling 32×28×28×16, 3×3, stride 2",
    "cross_entropy": "softmax cross-entropy 256×1000",
    "layer_norm": "layer normalization 512×512",
    "segments": "sums of 10 000 rows of 64 in 1000 groups",
}
JACOBIANS = {
    "jacobian": "Jacobian of tanh(x W), 8×20 and 20×20, by W",
    "per_example": "gradients for each of 512 examples of an MLP 64-128-10, vectorized_map",
    "batch_jacobian": "batch Jacobian of 256×64 → 64 → 32",
    "dense_hessian": "dense Hessian by 200 numbers",
    "hessian_product": "the same Hessian times a vector, reverse over reverse",
    "hessian_tangent": "the same Hessian times a vector, forward over reverse",
    "tangent": "chain of 100 × (·1.01, sin), forwards",
}
DRAWS = {
    "normals": "10⁶ normal numbers, float32",
    "uniforms": "10⁶ uniform numbers, float32",
}
DATASETS = {
    "iteration": "an epoch of 60 000×784 rows, shuffled by 10 000, in batches of 128, prefetched",
    "iteration_mapped": "the same, each batch divided by 255",
    "elements": "10 000 numbers mapped and filtered one by one, in batches of 128",
    "feeding": "an epoch of those rows, with the gradients of the MLP for each batch",
}
QUIET = 0.1  # the share of a processor that other processes may take while we measure
PATIENCE = 3  # how many times more rounds than asked for may be tried, on a busy machine
TOLERANCES = {"fingerprint": 2e-3, "moments": 2e-2}  # moments of a million numbers vary
MEMORY_BATCH = 4096
ON_ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "CINTA_THREADS"), "1"),
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
"""The environment in which processor time is that of one thread."""
GROWTH = (100, 1_000, 10_000, 100_000, 1_000_000)
LONGEST = 8.0  # seconds; a peer that would take longer leaves the growing chain


@dataclass
class Table:
    """Rows by title; in each row, a number for each peer that took part."""

    title: str
    unit: str
    rows: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))


def gradients(names, rounds, question="seconds"):
    """Results that depend on the processor alone."""
    yield speed("Value and gradients", WORKLOADS, names, rounds, question=question)
    yield speed("Layers: value and gradients", LAYERS, names, rounds, question=question)
    yield speed("Jacobians and Hessians", JACOBIANS, names, rounds, question=question)


def everything(names, rounds):
    yield from gradients(names, rounds)
    yield speed("Random numbers", DRAWS, names, rounds, "moments")
    yield speed("Datasets", DATASETS, names, rounds)
    yield growth(names)
    yield memory(names)
    yield imports(names, rounds)


def speed(title, workloads, names, rounds, proof="fingerprint", question="seconds"):
    """The times of workloads, for which all peers must give the same answer to the proof.

    Random numbers are others for everybody, but their moments are alike.
    """
    workers = start(names)
    asked = [
        (workload, name)
        for workload in workloads
        for name in names
        if workers[name].ask("offers", name, workload)
    ]
    agree(workers, asked, proof)
    table = Table(title, "µs")
    for (workload, name), times in in_quiet(workers, asked, rounds, question).items():
        table.rows[workloads[workload]][name] = 1e6 * statistics.median(times)
    stop(workers)
    return table


def in_quiet(workers, asked, rounds, question):
    """For each that is asked, as many times as there are rounds, taken while nobody else worked.

    On a machine that does not come to rest, the least disturbed ones.
    """
    samples = {each: [] for each in asked}
    for _ in range(PATIENCE * rounds):
        missing = [each for each in asked if quiet(samples[each]) < rounds]
        if not missing:
            break
        for workload, name in missing:
            seconds, disturbance = workers[name].ask(question, name, workload)
            samples[workload, name].append((disturbance, seconds))
    return {each: [seconds for _, seconds in sorted(samples[each])[:rounds]] for each in asked}


def quiet(samples):
    """How many of the samples were taken while nobody else worked."""
    return sum(disturbance < QUIET for disturbance, _ in samples)


def agree(workers, asked, proof="fingerprint"):
    """Raise unless all peers compute the same, so that nobody is fast by being wrong."""
    reference = {}
    for workload, name in asked:
        found = workers[name].ask(proof, name, workload)
        expected = reference.setdefault(workload, found)
        for (size, order), (size_here, order_here) in zip(expected, found, strict=True):
            tolerance = TOLERANCES[proof] * size
            if not (
                math.isclose(size, size_here, abs_tol=tolerance)
                and math.isclose(order, order_here, abs_tol=tolerance)
            ):
                raise ArithmeticError(
                    f"{name} computes another {workload}: {found}, not {expected}"
                )


def growth(names):
    """The time of one operation, in chains that grow."""
    workers = start(names)
    table = Table("A scalar chain that grows, forward and backward: time of one operation", "µs")
    seconds = dict.fromkeys(workers, 0.0)
    for operations in GROWTH:
        for name, worker in workers.items():
            if 10 * seconds[name] < LONGEST:
                runs = [worker.ask("once", name, "chain", operations // 2) for _ in range(3)]
                seconds[name] = min(runs)
                table.rows[f"{operations:,} operations"][name] = 1e6 * seconds[name] / operations
    stop(workers)
    return table


def memory(names):
    """How far memory rises during the gradient of the MLP, each time in a fresh process."""
    table = Table("Peak memory", "MB")
    for name in names:
        workers = start(["cinta", name] if name == "numpy" and "cinta" in names else [name])
        peak = workers[name].ask("peak_bytes", name, "mlp", MEMORY_BATCH)
        table.rows[f"gradient of the MLP, batch {MEMORY_BATCH}"][name] = peak / 1e6
        stop(workers)
    return table


def imports(names, rounds):
    """The time of `import`, on top of what Python itself takes to start."""
    times, libraries = defaultdict(list), [name for name in names if "-" not in name]
    with tempfile.TemporaryDirectory() as cache:
        # All are compiled once, as pip compiles what it installs, whatever this shell says.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
        for _ in range(rounds + 1):
            for name in ("sys", *libraries):  # Python has sys already: importing it takes no time
                before = time.perf_counter()
                command = [sys.executable, "-c", f"import {name}"]
                subprocess.run(command, check=True, env=environment)
                times[name].append(time.perf_counter() - before)
    # The first round, when files come from the disk and are compiled, does not count.
    medians = {name: 1e3 * statistics.median(seconds[1:]) for name, seconds in times.items()}
    table = Table("Start-up", "ms")
    table.rows["import"] = {name: medians[name] - medians["sys"] for name in libraries}
    return table


def start(names):
    """A worker for each name. NumPy shares cinta's, and so its settings of BLAS and malloc."""
    on_numpy = [name for name in ("cinta", "cinta-eager", "cinta-replay") if name in names]
    together = [*on_numpy, "numpy"] if on_numpy and "numpy" in names else []
    shared = Worker(together) if together else None
    return {name: shared if shared and name in together else Worker([name]) for name in names}


def stop(workers):
    for worker in set(workers.values()):
        worker.close()
