"""The time that the machine needs at least: its products of matrices, and its way through memory.

Both rates are measured where the peers are: the best of NumPy's products and copies. A step needs
as many products as its formula has, and reads and writes the parameters as Adam does.
"""

import time

import numpy as np

from bench import data

REPEATS = 12
ADAM = 7 * 4
"""Bytes for each parameter: it, its gradient and two moments are read, and three are written."""


def rates(clock=time.perf_counter):
    """Floating-point operations a second in products of matrices, and bytes a second in copies."""

    def fastest(call):
        times = []
        for _ in range(REPEATS):
            before = clock()
            call()
            times.append(clock() - before)
        return min(times)

    a, b = np.ones((1024, 1024), np.float32), np.ones(1 << 24, np.float32)
    target = np.ones_like(b)
    flops = 2 * 1024**3 / fastest(lambda: a @ a)
    return flops, 2 * b.nbytes / fastest(lambda: np.copyto(target, b))


def seconds(row, flops, bandwidth):
    """The least time of a training step, from both rates."""
    multiplications, parameters = NEEDS[row]()
    return 2 * multiplications / flops + ADAM * parameters / bandwidth


def add(times, row, flops, bandwidth):
    """Set the limit beside the times of a step, in microseconds. Raises if a time is below it."""
    limit = 1e6 * seconds(row, flops, bandwidth)
    name = min(times, key=times.get)
    if times[name] < limit:
        raise ValueError(
            f"A step of {row} takes {times[name]:.1f} us with {name}, less than the machine needs "
            f"at least, {limit:.1f} us: NEEDS counts too much work for it."
        )
    times["limit"] = limit


def _count(parameters):
    return sum(each.size for each in parameters.values())


def _mlp():
    """Each product has two for its gradients; the first has one, for the input needs none."""
    x, _, p = data.trained_mlp()
    return len(x) * (2 * p["w1"].size + 3 * p["w2"].size + 3 * p["w3"].size), _count(p)


def _cnn():
    x, _, p = data.trained_cnn()
    filters = 2 * 28 * 28 * p["f1"].size + 3 * 14 * 14 * p["f2"].size
    return len(x) * (filters + 3 * p["w"].size), _count(p)


def _transformer():
    """Attention has two products of each position with all of its sequence."""
    x, _, p = data.trained_transformer()
    positions = x.shape[0] * x.shape[1]
    weights = sum(each.size for each in p.values() if each.ndim == 2)
    blocks = sum(name.startswith("qkv/") for name in p)
    return 3 * positions * (weights + 2 * blocks * x.shape[1] * x.shape[2]), _count(p)


def _lstm():
    x, _, p = data.trained_lstm()
    steps = x.shape[0] * x.shape[1] * (2 * p["kernel"].size + 3 * p["recurrent"].size)
    return steps + 3 * x.shape[1] * p["w"].size, _count(p)


NEEDS = {"mlp": _mlp, "cnn": _cnn, "transformer": _transformer, "lstm": _lstm}
"""By row the multiplications in products of matrices, and the number of parameters."""
