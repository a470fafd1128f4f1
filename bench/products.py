"""Time products of matrices: by kernels of OpenBLAS, and while others keep the cores busy.

    python -m bench.products [--coretypes Haswell ...] [--busy 8] [--rounds 9]

OpenBLAS chooses its kernels when it is loaded, so each choice works in processes of its own, in
turn, and the best rate of all counts. A step is the gradient of the MLP by a plain tape, with
products that are timed, and with a number of threads that stays
(`tf.config.experimental.enable_op_determinism()`).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import numpy as np

PRODUCTS = (
    ("float32", 128, 784, 512),
    ("float32", 512, 512, 512),
    ("float32", 1000, 1000, 1000),
    ("float64", 1000, 1000, 1000),
)
OWN = "own choice"
STEPS = {"timed": "", "on all threads": "tf.config.experimental.enable_op_determinism()"}

RATES = """
import json
from bench.products import PRODUCTS, rate
print(json.dumps([rate(*each) for each in PRODUCTS]))
"""
STEP = """
import json, time
import cinta as tf
from bench.peers.tapes import Workloads
{setting}
step, times = Workloads(tf).mlp(), []
step()
for _ in range({steps}):
    begin = time.perf_counter()
    step()
    times.append(1e3 * (time.perf_counter() - begin))
print(json.dumps(times))
"""
BUSY = "while True: pass"


def rate(dtype, rows, inner, columns, repeats=30):
    """GFLOP/s of the fastest of some products."""
    a, b = np.ones((rows, inner), dtype), np.ones((inner, columns), dtype)
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        a @ b
        times.append(time.perf_counter() - begin)
    return 2e-9 * rows * inner * columns / min(times)


def told(code, **environment):
    """The numbers that a fresh process prints."""
    env = {**os.environ, **environment}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=env
    )
    return json.loads(done.stdout)


def rates(coretypes, rounds):
    """The best rates of each product, by the kernels of OpenBLAS."""
    found = {name: [] for name in (*coretypes, OWN)}
    for _ in range(rounds):
        for name, times in found.items():
            times.append(told(RATES, **({} if name == OWN else {"OPENBLAS_CORETYPE": name})))
    return {name: [*map(max, zip(*times, strict=True))] for name, times in found.items()}


@contextmanager
def busy(count):
    """So many processes that compute without rest."""
    with ExitStack() as stack:
        for _ in range(count):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", BUSY]))
            stack.callback(process.kill)
        yield


def steps(rounds, each=20):
    """Milliseconds of steps, with products that are timed and without."""
    found = {name: [] for name in STEPS}
    for _ in range(rounds):
        for name, setting in STEPS.items():
            found[name] += told(STEP.format(setting=setting, steps=each))
    return found


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.products", description=__doc__)
    parser.add_argument("--coretypes", nargs="*", default=["Haswell"], metavar="TYPE")
    parser.add_argument("--busy", type=int, default=8, help="processes (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="default: %(default)s")
    args = parser.parse_args()
    names = [*args.coretypes, OWN]
    print(f"| GFLOP/s | {' | '.join(names)} |\n|{' - |' * (len(names) + 1)}")
    found = rates(args.coretypes, args.rounds)
    for k, (dtype, rows, inner, columns) in enumerate(PRODUCTS):
        cells = " | ".join(f"{found[name][k]:.0f}" for name in names)
        print(f"| {dtype}, {rows}×{inner} · {inner}×{columns} | {cells} |", flush=True)
    print(
        f"\n| a step with {args.busy} busy processes, ms | median | least | most |\n{'| - ' * 4}|"
    )
    with busy(args.busy):
        for name, times in steps(args.rounds).items():
            cells = f"{statistics.median(times):.1f} | {min(times):.1f} | {max(times):.1f}"
            print(f"| {name} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
