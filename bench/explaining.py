"""Time what explanations cost, off and on, and look whether memory stays flat while they are on.

    python -m bench.explaining [--against PATH] [--rounds 9] [--steps 20000] [--keep]

``--against`` is the `src` folder of another version, such as one from before explanations; the same
programs run on it, in processes that take turns. Figures are the least of all rounds: microseconds
of the processor for one op of a chain under a tape, gradient included.
"""

import argparse
import json
import os
import subprocess
import sys

from bench.report import RESULTS

OPS = 200
SIZES = {"scalars": (), "10^4": (10_000,), "10^5": (100_000,), "10^6": (1_000_000,)}

CHAIN = """
import sys, time
import cinta as tf
shape, on, ops = {shape!r}, {on!r}, {ops!r}
x = tf.Variable(tf.fill(shape, 0.5))
def step():
    with tf.GradientTape() as tape:
        y = x
        for _ in range(ops // 2):
            y = tf.sin(y) * 1.01
    return tape.gradient(y, x)
def least(run):
    times = []
    for _ in range({repeats}):
        begin = time.thread_time()
        run()
        times.append(time.thread_time() - begin)
    return min(times) / ops * 1e6
step()
if on:
    with tf.debugging.explaining():
        step()
        print(least(step))
else:
    print(least(step))
"""

MEMORY = """
import gc
import numpy as np
import cinta as tf
w = tf.Variable(np.ones(100, np.float32))
def train(steps):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * 2.0 - 1.0) ** 2)
        w.assign_sub(0.001 * tape.gradient(loss, w))
def resident():
    gc.collect()
    with open('/proc/self/statm') as file:
        return int(file.read().split()[1]) * 4096 / 1e6
with tf.debugging.explaining():
    for _ in range({parts}):
        train({steps} // {parts})
        print(round(resident()), end=' ')
"""


def run(code, source=None):
    """The output of a program, run on the version whose folder is given."""
    env = {**os.environ, "PYTHONPATH": source or "src"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=env).stdout


def chain(size, on, repeats=5):
    ops = OPS if size != "10^6" else OPS // 10
    return CHAIN.format(shape=SIZES[size], on=on, ops=ops, repeats=repeats)


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.explaining", description=__doc__)
    parser.add_argument("--against", metavar="PATH")
    parser.add_argument("--rounds", type=int, default=9, help="default: %(default)s")
    parser.add_argument("--steps", type=int, default=20_000, help="default: %(default)s")
    parser.add_argument("--keep", action="store_true", help=f"write {RESULTS}/explaining.json")
    args = parser.parse_args()
    ways = {"off": (False, None), "on": (True, None)}
    if args.against:
        ways["against"] = False, args.against
    print("| arrays |", " | ".join(f"{way}, µs an op" for way in ways), "| on / off |")
    print("| --- |" + " ---: |" * (len(ways) + 1))
    kept = {}
    for size in SIZES:
        times = {way: [] for way in ways}
        for _ in range(args.rounds):
            for way, (on, source) in ways.items():
                times[way].append(float(run(chain(size, on), source)))
        least = {way: min(found) for way, found in times.items()}
        kept[size] = {way: round(value, 3) for way, value in least.items()}
        figures = " | ".join(f"{value:.2f}" for value in least.values())
        print(f"| {size} | {figures} | {least['on'] / least['off']:.2f} |", flush=True)
    resident = run(MEMORY.format(steps=args.steps, parts=5)).split()
    print(f"\nMB resident after each fifth of {args.steps} steps: {', '.join(resident)}")
    if args.keep:
        (RESULTS / "explaining.json").write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
