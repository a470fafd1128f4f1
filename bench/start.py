"""Time what Python takes to import cinta beyond NumPy, and to use a family for the first time.

    python -m bench.start [--rounds 15]

Each figure is the median over interleaved processes that read byte code, in milliseconds. Families
that import SciPy are marked.
"""

import argparse
import os
import statistics
import subprocess
import sys

STATEMENTS = {
    "import numpy": "import numpy",
    "import cinta": "import numpy; import cinta as tf",
    "tf.nn.conv2d": "tf.nn.conv2d(tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1]), 1, 'SAME')",
    "tf.cond": "tf.cond(tf.constant(True), lambda: 1, lambda: 2)",
    "tf.linalg.solve": "tf.linalg.solve([[2.0]], [[1.0]])",
    "tf.image.resize": "tf.image.resize(tf.ones([4, 4, 1]), [2, 2])",
    "tf.signal.fft": "tf.signal.fft(tf.ones([4], tf.complex64))",
    "tf.strings.split": "tf.strings.join(['a', 'b'])",
    "tf.random.normal": "tf.random.normal([2])",
    "tf.sparse": "tf.sparse.to_dense(tf.sparse.from_dense([[1.0]]))",
    "tf.data": "list(tf.data.Dataset.range(2))",
    "tf.function": "tf.function(lambda x: x + 1)(1.0)",
}
CLOCK = "from time import perf_counter as now; "


def seconds(statement):
    """How long a fresh interpreter takes for a statement, and how much of SciPy it loads."""
    before = "" if statement.startswith("import") else "import cinta as tf; "
    code = (
        f"{CLOCK}{before}import sys; start = now(); {statement}; end = now(); "
        "print(end - start, sum(n.split('.')[0] == 'scipy' for n in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    took, modules = done.stdout.split()
    return float(took), int(modules)


def main():
    parser = argparse.ArgumentParser(prog="python -m bench.start", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="default: %(default)s")
    rounds = parser.parse_args().rounds
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    times = {name: [] for name in STATEMENTS}
    scipy = {}
    for turn in range(rounds + 1):  # the first writes byte code
        for name, statement in STATEMENTS.items():
            took, scipy[name] = seconds(statement)
            if turn:
                times[name].append(took * 1e3)
    numpy = statistics.median(times["import numpy"])
    for name, each in times.items():
        took = statistics.median(each) - (numpy if name == "import cinta" else 0)
        note = ", with SciPy" if scipy[name] else ""
        print(f"{name:20} {took:7.1f} ms{' beyond NumPy' if name == 'import cinta' else ''}{note}")


if __name__ == "__main__":
    main()
