"""Time large elementwise work on one thread and on all, and a chain array by array and by blocks.

    python -m bench.threads [--rounds 15]

Both ways take turns in one process. Figures are the least times of all rounds, in milliseconds.
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import cinta as tf
from bench.ways import by_hand, least, numbers, on_threads, recorded

POWERS = 19, 20, 22
FUNCTIONS = {
    "exp, float32": (tf.exp, "f4"),
    "tanh, float32": (tf.tanh, "f4"),
    "exp, float64": (tf.exp, "f8"),
    "sin, float64": (tf.sin, "f8"),
    "sum of two arrays, float32 (not shared)": (lambda x: x + x, "f4"),
    "softmax": (lambda x: tf.nn.softmax(tf.reshape(x, [-1, 1024])), "f4"),
    "reduce_logsumexp": (lambda x: tf.reduce_logsumexp(tf.reshape(x, [-1, 1024]), -1), "f4"),
    "erf": (tf.math.erf, "f4"),
    "sum of all elements, float32 (not shared)": (tf.reduce_sum, "f4"),
    "logarithm of gamma": (lambda x: tf.math.lgamma(tf.abs(x) + 1.0), "f4"),
}


def shared(name, size):
    """A function of so many numbers on one thread, and on all."""
    f, dtype = FUNCTIONS[name]
    x = tf.constant(numbers(size, dtype=dtype))
    return partial(on_threads, 1, f, x), partial(on_threads, 0, f, x)


def started(rounds):
    """The median of the seconds until a thread that waits has begun."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(time.perf_counter).result()
        times = []
        for _ in range(rounds):
            time.sleep(0.01)  # so that the thread waits
            begin = time.perf_counter()
            times.append(pool.submit(time.perf_counter).result() - begin)
    return statistics.median(times)


def chain(side):
    """The gradient of a chain: array by array in NumPy, by blocks on one thread, and on all."""
    x = numbers(side, side)
    given = tf.constant(x)
    blocks = [partial(on_threads, count, recorded, given) for count in (1, 0)]
    return {"array by array": partial(by_hand, x), "by blocks": blocks[0], "on all": blocks[1]}


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.threads", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="default: %(default)s")
    rounds = parser.parse_args().rounds
    titles = " | ".join(f"2^{power} elements" for power in POWERS)
    print(f"| one thread → all, ms | {titles} |\n{'| - ' * (len(POWERS) + 1)}|")
    for name in FUNCTIONS:
        pairs = [least(shared(name, 1 << power), rounds) for power in POWERS]
        cells = " | ".join(f"{1e3 * one:.3f} → {1e3 * all_:.3f}" for one, all_ in pairs)
        print(f"| {name} | {cells} |", flush=True)
    print(f"\nA thread starts after {1e6 * started(10 * rounds):.0f} µs.")
    print("\n| gradient of a chain, ms | array by array | by blocks | on all threads |")
    print("| - " * 4 + "|")
    for side in (1000, 2000):
        times = least([*chain(side).values()], rounds)
        cells = " | ".join(f"{1e3 * each:.2f}" for each in times)
        print(f"| {side}×{side} float32 | {cells} |", flush=True)


if __name__ == "__main__":
    main()
