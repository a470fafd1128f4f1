"""Time half precision with the compiled functions and without.

    python -m bench.halves [--rounds 5]

Sums of two arrays, in nanoseconds for each element, and training steps of the MLP, as multiples of
the same step in float32. Fresh processes take turns; figures are the least processor times, on one
thread. The compiled functions must be installed.
"""

import argparse
import json
import os
import subprocess
import sys

from bench.measure import ON_ONE_THREAD

DTYPES = "float16", "bfloat16"

CODE = """
import json, sys, time
import numpy as np
import cinta as tf
from bench import data

def least(run, repeats=7):
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return min(times)

def added(dtype, size=1 << 18):
    x = np.random.default_rng(0).normal(size=size).astype(tf.as_dtype(dtype).as_numpy_dtype)
    return 1e9 * least(lambda: x + x) / size

def trained(dtype):
    images, labels, parameters = data.mlp(data.BATCH)
    images = tf.cast(images, dtype)
    weights = [tf.Variable(tf.cast(each, dtype)) for each in parameters]
    def step():
        with tf.GradientTape() as tape:
            h = tf.nn.relu(images @ weights[0] + weights[1])
            h = tf.nn.relu(h @ weights[2] + weights[3])
            logits = h @ weights[4] + weights[5]
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
            loss = tf.reduce_mean(losses)
        for weight, gradient in zip(weights, tape.gradient(loss, weights)):
            weight.assign_sub(tf.cast(0.01, dtype) * gradient)
    step()
    return least(step, 3)

tf.ones([2]) + 1.0
dtypes = sys.argv[1:]
print(json.dumps([[added(each), trained(each)] for each in ("float32", *dtypes)]))
"""


def measured(rounds):
    """By dtype, without the compiled functions and with: nanoseconds a sum, multiples of a step."""
    found = {"0": [], "1": []}
    for _ in range(rounds):
        for kernels, times in found.items():
            env = {**os.environ, **ON_ONE_THREAD, "CINTA_KERNELS": kernels}
            command = [sys.executable, "-c", CODE, *DTYPES]
            done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
            times.append(json.loads(done.stdout))
    rows = {}
    for place, dtype in enumerate(DTYPES, 1):
        sums = [min(each[place][0] for each in times) for times in found.values()]
        steps = [
            min(each[place][1] for each in times) / min(each[0][1] for each in times)
            for times in found.values()
        ]
        rows[dtype] = (*sums, *steps)
    return rows


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.halves", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="default: %(default)s")
    rounds = parser.parse_args().rounds
    print("| | a sum, ns | compiled | a step, times that of float32 | compiled |")
    print("| - | -: | -: | -: | -: |")
    for dtype, row in measured(rounds).items():
        print(f"| {dtype} | {' | '.join(f'{each:.2f}' for each in row)} |")


if __name__ == "__main__":
    main()
