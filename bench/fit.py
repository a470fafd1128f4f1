"""How long Keras takes to train with each of its engines, and to get going.

    python -m bench.fit [--engines ENGINE ...] [--rounds N] [--keep]

One and the same script, in a fresh process for each engine and round: Keras's `fit` as it is, with
the same data in the same order and the same weights to begin with. The losses of the first epoch
must agree.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import time
from importlib.util import find_spec

from bench import report
from bench.measure import Table

ENGINES = {
    "cinta": "cinta",
    "xla": "cinta with XLA",
    "tensorflow": "TensorFlow",
    "torch": "PyTorch",
    "jax": "JAX",
}
MODELS = {
    "mlp": "MLP 784-512-512-10, 60 000 rows, batch 128",
    "cnn": "CNN 28×28×1, convolutions to 16 and 32, 3×3, 6000 images, batch 128",
}
EPOCHS = 3
TOLERANCE = 0.02  # by how much of itself the loss may differ from cinta's
PARTS = {"first": "to the first finished step, imports included", "epoch": "one epoch"}


# -- in the process of an engine -----------------------------------------------------------------


def load(engine):
    """Keras with this engine."""
    if engine in ("cinta", "xla"):
        os.environ["CINTA_ENGINE"] = "xla" if engine == "xla" else "numpy"
        from cinta import keras

        return keras
    os.environ["KERAS_BACKEND"] = engine
    import keras

    return keras


def data(model):
    import numpy as np

    random = np.random.default_rng(0)
    rows, shape = (60_000, [784]) if model == "mlp" else (6000, [28, 28, 1])
    labels = random.integers(0, 10, rows)
    x = random.standard_normal((rows, *shape), dtype="float32")
    x.reshape(rows, -1)[np.arange(rows), labels] += 5.0  # so that there is something to learn
    return x, labels


def build(keras, model):
    """The model, with weights that are drawn by NumPy, so that all engines begin alike."""
    import numpy as np

    k, random = keras.layers, np.random.default_rng(1)
    if model == "mlp":
        parts = [k.Dense(512, "relu"), k.Dense(512, "relu"), k.Dense(10)]
    else:
        parts = [
            *(k.Conv2D(16, 3, padding="same", activation="relu"), k.MaxPooling2D()),
            *(k.Conv2D(32, 3, padding="same", activation="relu"), k.MaxPooling2D()),
            *(k.Flatten(), k.Dense(10)),
        ]
    built = keras.Sequential(parts)
    built.build([None, 784] if model == "mlp" else [None, 28, 28, 1])
    for weight in built.trainable_variables:
        if len(weight.shape) > 1:
            fan = math.prod(weight.shape[:-1])
            weight.assign(random.standard_normal(weight.shape) * fan**-0.5)
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    built.compile(keras.optimizers.Adam(1e-3), loss, metrics=["accuracy"])
    return built


def train(engine, model):
    """The output of an engine's process: when it had made a step, seconds of epochs, a loss."""
    keras = load(engine)
    x, y = data(model)
    built = build(keras, model)
    options = {"batch_size": 128, "shuffle": False, "verbose": 0}
    built.fit(x[:128], y[:128], **options)
    first, epochs, losses = time.time(), [], []
    for _ in range(EPOCHS):
        before = time.perf_counter()
        losses += built.fit(x, y, **options).history["loss"]
        epochs.append(time.perf_counter() - before)
    return {"first": first, "epochs": epochs, "loss": losses[0]}


# -- in the process that asks --------------------------------------------------------------------


def ask(engine, model):
    """The numbers of one run in a fresh process."""
    started = time.time()
    command = [sys.executable, "-m", "bench.fit", "--run", engine, model]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.splitlines()[-1])
    return {
        "first": found["first"] - started,
        "epoch": statistics.median(found["epochs"]),
        "loss": found["loss"],
    }


def measure(engines, rounds):
    """A table of seconds: the medians over the rounds, in which the engines take turns."""
    table = Table("Keras's fit", "s")
    for model, title in MODELS.items():
        runs = {engine: [] for engine in engines}
        for _ in range(rounds):
            for engine in engines:
                runs[engine].append(ask(engine, model))
        check(runs)
        for part, words in PARTS.items():
            for engine in engines:
                seconds = statistics.median(run[part] for run in runs[engine])
                table.rows[f"{title}: {words}"][engine] = seconds
    return table


def check(runs):
    """Raise unless all engines come to the same loss."""
    losses = {engine: found[0]["loss"] for engine, found in runs.items()}
    first = next(iter(losses.values()))
    for engine, loss in losses.items():
        if not math.isclose(loss, first, rel_tol=TOLERANCE):
            raise ArithmeticError(f"{engine} trains to a loss of {loss}, not {first}")


def main():
    present = [engine for engine in ENGINES if find_spec("jax" if engine == "xla" else engine)]
    parser = argparse.ArgumentParser(prog="python -m bench.fit", description=__doc__)
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--engines", nargs="+", choices=present, default=present)
    parser.add_argument("--rounds", type=int, default=3, help="default: %(default)s")
    parser.add_argument("--keep", action="store_true", help="write bench/results/fit.json")
    args = parser.parse_args()

    if args.run:
        print(json.dumps(train(*args.run)))
        return
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # TensorFlow talks while it starts
    table = measure(args.engines, args.rounds)
    print(report.markdown(table, args.engines, ENGINES), report.LEGEND, sep="\n\n")
    if args.keep:
        found = {"machine": report.describe_machine(args.engines), "table": vars(table)}
        path = report.RESULTS / "fit.json"
        path.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
