"""Time two ways to compute the same: the comparisons of the pages about performance and decisions.

    python -m bench.ways [NAME ...] [--rounds 15] [--scale 1]

Both ways take turns in one process, and must give the same. Figures are the least times of all
rounds. Kept memory is compared in fresh processes, with the page faults of one run and the memory
that a process holds in the end.
"""

import argparse
import os
import subprocess
import sys
import time
from functools import partial
from types import ModuleType

import numpy as np
from scipy.special import erf

import cinta as tf
from cinta.ops.nn.attention import numpy as attention
from cinta.ops.nn.attention.rules import DotProductAttention

WAYS = {}
"""Of each comparison by its name: a function of a scale that gives both ways."""


def compared(make):
    WAYS[make.__name__] = make
    return make


def numbers(*shape, dtype=np.float32):
    return np.random.default_rng(0).normal(size=shape).astype(dtype)


def by_hand(x):
    """The gradient of sum(sigmoid(x) * tanh(x) + exp(-x**2)) in NumPy."""
    s, t = 1 / (1 + np.exp(-x)), np.tanh(x)
    return s * (1 - s) * t + s * (1 - t * t) - 2 * x * np.exp(-x * x)


@tf.function
def recorded(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sigmoid(x) * tf.tanh(x) + tf.exp(-(x**2)))
    return tape.gradient(y, x)


def on_threads(count, f, *args):
    before = tf.config.threading.get_intra_op_parallelism_threads()
    tf.config.threading.set_intra_op_parallelism_threads(count)
    try:
        return f(*args)
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(before)


@compared
def where_of_numpy_and_by_bits(scale):
    x, y = numbers(2, scale << 19)
    chosen = numbers(scale << 19) > 0
    given = map(tf.constant, (chosen, x, np.ascontiguousarray(y)))
    return partial(np.where, chosen, x, y), partial(tf.where, *given)


@compared
def relu_by_maximum_and_by_clip(scale):
    x = numbers(scale << 18)
    return partial(np.maximum, x, 0), partial(np.clip, x, 0, np.inf)


@compared
def largest_by_sorting_and_by_selecting(scale):
    x = numbers(scale << 6, 4096)
    given = tf.constant(x)
    return (
        lambda: np.argsort(-x, axis=1, kind="stable")[:, :8],
        lambda: tf.math.top_k(given, 8).indices,
    )


@compared
def one_hot_by_comparing_and_by_setting(scale):
    index = np.arange(scale << 10) % 1000
    given, places = tf.constant(index), np.arange(1000)
    return lambda: (index[:, None] == places).astype("f4"), lambda: tf.one_hot(given, 1000)


@compared
def maximum_of_rows_and_by_its_place(scale):
    x = numbers(scale << 12, 16)
    return (
        lambda: x.max(axis=1),
        lambda: np.take_along_axis(x, x.argmax(axis=1)[:, None], 1)[:, 0],
    )


@compared
def segments_by_reduceat_and_by_product(scale):
    rows, groups = numbers(scale * 10_000, 64), scale * 1000
    ids = np.sort(np.random.default_rng(1).permutation(np.arange(len(rows)) % groups))
    starts, given = np.searchsorted(ids, np.arange(groups)), (tf.constant(rows), tf.constant(ids))
    return partial(np.add.reduceat, rows, starts), partial(tf.math.segment_sum, *given)


@compared
def gelu_by_erf_and_by_polynomial(scale):
    x = numbers(scale << 16)
    given, root = tf.constant(x), np.float32(np.sqrt(2.0))
    return lambda: x * (1 + erf(x / root)) / 2, lambda: tf.nn.gelu(given)


@compared
def product_of_the_unfolded_matrix_and_convolution(scale):
    images, filters = numbers(scale * 8, 28, 28, 16), numbers(3, 3, 16, 32)
    windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), (1, 2))
    unfolded = np.ascontiguousarray(windows.transpose(0, 1, 2, 4, 5, 3)).reshape(-1, 144)
    matrix, given = filters.reshape(144, 32), (tf.constant(images), tf.constant(filters))
    shape = (scale * 8, 26, 26, 32)
    return (
        lambda: (unfolded @ matrix).reshape(shape),
        lambda: tf.nn.conv2d(*given, 1, "VALID"),
    )


@compared
def depthwise_by_pixels_and_by_rows(scale):
    images, filters = numbers(scale * 8, 28, 28, 16), numbers(3, 3, 16, 1)
    windows = np.lib.stride_tricks.sliding_window_view(images, (3, 3), (1, 2))
    given = tf.constant(images), tf.constant(filters), [1, 1, 1, 1], "VALID"
    return (
        lambda: np.einsum("nhwcij,ijc->nhwc", windows, filters[..., 0]),
        lambda: tf.nn.depthwise_conv2d(*given),
    )


@compared
def column_times_row_by_broadcasting_and_by_blas(scale):
    columns, rows = numbers(scale * 512, 2), numbers(2, 512)
    columns[:, 1] = 0
    return lambda: columns[:, :1] * rows[:1], lambda: columns @ rows


@compared
def product_of_arrays_of_rank_0_and_of_scalars(scale):
    x, y = np.float32(0.5), np.float32(1.5)
    arrays = np.array(x), np.array(y)

    def times(x, y):
        for _ in range(1000 * scale):
            z = x * y
        return z

    return partial(times, *arrays), partial(times, x, y)


@compared
def product_with_warnings_off_and_as_it_is(scale):
    x, y = np.float32(0.5), np.float32(1.5)

    def silent():
        for _ in range(1000 * scale):
            with np.errstate(all="ignore"):
                z = x * y
        return z

    def plain():
        for _ in range(1000 * scale):
            z = x * y
        return z

    return silent, plain


@compared
def lookups_in_a_module_with_getattr_and_without(scale):
    modules = ModuleType("hooked"), ModuleType("plain")
    modules[0].__getattr__ = None
    for each in modules:
        each.sin = 1.0

    def looked_up(module):
        for _ in range(1000 * scale):
            found = module.sin
        return found

    return [partial(looked_up, each) for each in modules]


@compared
def calls_through_a_decorator_that_catches_and_direct(scale):
    def direct(x):
        return x

    def decorated(*args, **kwargs):
        try:
            return direct(*args, **kwargs)
        except ValueError as error:
            raise error.with_traceback(None) from None

    def called(f):
        for _ in range(1000 * scale):
            found = f(1.0)
        return found

    return partial(called, decorated), partial(called, direct)


@compared
def structures_flattened_by_optree_and_by_python(scale):
    from optree import tree_leaves  # Keras brings it

    variables = {"b": 1.0, "w": [2.0, 3.0]}

    def flattened(flatten):
        for _ in range(1000 * scale):
            found = flatten(variables)
        return found

    return partial(flattened, tree_leaves), partial(flattened, tf.nest.flatten)


def _attention(scale, causal):
    """The gradient of attention between 1024 positions, with all weights at once and by blocks."""
    q, k, v = map(tf.constant, numbers(3, 1, 4, 1024 * scale, 64) / 8)
    hidden = tf.zeros([0], tf.bool)

    def gradient(limit):
        before, attention._LIMIT = attention._LIMIT, limit
        try:
            with tf.GradientTape() as tape:
                tape.watch(q)
                y = DotProductAttention(q, k, v, hidden, causal=causal)[0]
            return tape.gradient(y, q)
        finally:
            attention._LIMIT = before

    return partial(gradient, 1 << 40), partial(gradient, attention._LIMIT)


@compared
def attention_at_once_and_by_blocks(scale):
    return _attention(scale, causal=False)


@compared
def causal_attention_at_once_and_by_blocks(scale):
    return _attention(scale, causal=True)


@compared
def first_call_of_a_function_and_eager_call(scale):
    x = tf.Variable(0.5)

    def step():
        with tf.GradientTape() as tape:
            y = x
            for _ in range(100 * scale):
                y = tf.sin(y) * 1.01
        return tape.gradient(y, x)

    return lambda: tf.function(lambda: step())(), step


@compared
def dense_jacobian_by_structure_and_by_the_tape(scale):
    weights = [tf.constant(numbers(100 * scale, 100 * scale) / 10) for _ in range(5)]
    x = tf.Variable(numbers(100 * scale))

    def f(x):
        for each in weights:
            x = tf.tanh(tf.linalg.matvec(each, x))
        return x

    def dense():
        with tf.GradientTape() as tape:
            y = f(x)
        return tape.jacobian(y, x)

    return lambda: tf.autodiff.sparse_jacobian(f)(x).toarray(), dense


MEMORY = """
import resource, statistics, sys, time
import numpy as np
import cinta
from bench.ways import by_hand, numbers
x = numbers(int(sys.argv[1]), int(sys.argv[1]), dtype=sys.argv[3])
times, faults = [], []
for _ in range(int(sys.argv[2])):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    begin = time.perf_counter()
    by_hand(x)
    times.append(time.perf_counter() - begin)
    faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
held = int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
print(1e3 * statistics.median(times), statistics.median(faults), held)
"""
SETTINGS = {"CINTA_TUNE": "off"}, {}, {"MALLOC_MMAP_MAX_": "0"}
"""The environment in which glibc works as it does by itself, keeps memory, and keeps all of it."""


def memory_kept(size, rounds, dtype="f4"):
    """Milliseconds, page faults of a run and MB held, by the three settings."""
    found = []
    for setting in SETTINGS:
        command = [sys.executable, "-c", MEMORY, str(size), str(rounds), dtype]
        env = {**os.environ, **setting}
        out = subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout
        found.append(tuple(map(float, out.split())))
    return found


def least(ways, rounds):
    """The least seconds of each way; all must agree."""
    first, *others = [np.asarray(way()) for way in ways]
    for other in others:
        np.testing.assert_allclose(first, other, rtol=1e-4, atol=1e-5)
    times = [[] for _ in ways]
    for _ in range(rounds):
        for found, way in zip(times, ways, strict=True):
            begin = time.perf_counter()
            way()
            found.append(time.perf_counter() - begin)
    return [*map(min, times)]


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.ways", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--rounds", type=int, default=15, help="default: %(default)s")
    parser.add_argument("--scale", type=int, default=1, help="of sizes (default: %(default)s)")
    args = parser.parse_args()
    print("| | first, ms | second, ms | first / second |\n| - | -: | -: | -: |")
    for name in args.names or WAYS:
        first, second = least(WAYS[name](args.scale), args.rounds)
        cells = f"{1e3 * first:.3f} | {1e3 * second:.3f} | {first / second:.1f}"
        print(f"| {name.replace('_', ' ')} | {cells} |", flush=True)
    if args.names:
        return
    titles = "glibc by itself", "memory kept", "all memory kept"
    print(f"\n| ms, page faults of a run, MB held | {' | '.join(titles)} |\n{'| - ' * 4}|")
    for size, dtype in ((1000, "f4"), (1000, "f8"), (2000, "f4"), (2800, "f4"), (4096, "f4")):
        found = memory_kept(size, args.rounds, dtype)
        cells = " | ".join(f"{ms:.1f}, {faults:.0f}, {held:.0f}" for ms, faults, held in found)
        print(f"| {size}×{size} {dtype} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
