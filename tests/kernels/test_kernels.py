"""The compiled functions: their errors, and that ops which call them give the numbers of ops."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import mpmath
import numpy as np
import pytest

import cinta as tf

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)
from tests.kernels import measuring  # noqa: E402

UNITS = {
    "exp": 1.1,
    "log": 1.0,
    "log1p": 1.0,
    "softplus": 1.6,
    "tanh": 1.5,
    "sigmoid": 2.0,
    "sigmoid_slope": 1.1,
    "silu": 1.1,
    "gelu": 1.5,
}
"""The errors that are promised, in units of the last place."""
ABSOLUTE = {"silu_slope": 3e-7, "gelu_slope": 3e-7, "tanh_gelu": 3e-7, "tanh_gelu_slope": 3e-7}
"""The same where results pass through 0, or where the argument of a function is rounded first."""
KINDS = ["base", "avx2", "avx512"]
OPS = "onv or lstm or elu or igmoid or anh or ilu or oftmax or epthwise or Exp or ayer or ntropy"
IN_DOUBLE_PRECISION = "finite_differences or jacobians_of_jacobians or stacked or three_orders"
"""Tests that call none of the functions: these are for float32."""
TABLES = [
    "tests/test_op_table.py",
    "tests/ops/nn/test_normalized_rows.py",
    "tests/ops/nn/test_networks.py",
    "tests/ops/nn/test_convolution.py",
    "tests/ops/nn/test_recurrent.py",
]


def run(*arguments, kind):
    environment = {**os.environ, "CINTA_KERNELS": kind}
    environment.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("kind", KINDS[: KINDS.index(cinta_kernels.processor) + 1])
def test_errors_are_as_small_as_promised(kind):
    done = run("-m", "tests.kernels.measuring", kind=kind)
    assert done.returncode == 0, done.stderr
    measured = json.loads(done.stdout)
    assert measured["processor"] == kind
    for name, (units, absolute) in measured["worst"].items():
        assert units <= UNITS[name] if name in UNITS else absolute <= ABSOLUTE[name], name


ALL_OF_NUMBERS = [
    name for name in cinta_kernels.__all__ if getattr(getattr(cinta_kernels, name), "nin", 0)
]


@pytest.mark.parametrize("name", [n for n in ALL_OF_NUMBERS if n in {*UNITS, *ABSOLUTE}])
def test_a_result_does_not_depend_on_where_a_number_stands(name):
    function = getattr(cinta_kernels, name)
    x = np.random.default_rng(0).normal(scale=4, size=1000).astype(np.float32)
    given = [x] * function.nin
    whole = function(*given)
    one_by_one = [function(*[a[i : i + 1] for a in given])[0] for i in range(x.size)]
    assert np.array_equal(whole, one_by_one, equal_nan=True)
    for part in (slice(None, None, -1), slice(1, None, 3), slice(7, 500)):
        again = function(*[a[part] for a in given])
        assert np.array_equal(whole[part], again, equal_nan=True)
    own = x.copy()
    function(*[own] * function.nin, out=own)
    assert np.array_equal(own, whole, equal_nan=True)


@pytest.mark.parametrize("name", [n for n in ALL_OF_NUMBERS if n in {*UNITS, *ABSOLUTE}])
def test_nan_stays_nan_and_zeros_keep_their_sign(name):
    function = getattr(cinta_kernels, name)
    nan, zeros = np.full(3, np.nan, np.float32), np.array([0.0, -0.0], np.float32)
    assert np.isnan(function(*[nan] * function.nin)).all()
    if name in {"tanh", "silu", "gelu", "tanh_gelu", "log1p"}:
        assert np.signbit(function(zeros)).tolist() == [False, True]


EAGER_AND_REPLAY = """
import numpy as np
import cinta as tf
from cinta.engine import c_kernels
from cinta.ops.elementwise.unary import Sigmoid
assert c_kernels.processor() is not None
def f(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.silu(x) * tf.sigmoid(x) + tf.nn.gelu(x) + tf.exp(-x * x) * tf.tanh(x)
        y += tf.nn.gelu(x, approximate=True)
    return y, tape.gradient(y, x)
replayed = tf.function(f)
for shape in [(), (1,), (7,), (1000, 700)]:
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        x = tf.cast(tf.random.normal(shape), dtype)
        for _ in range(3):
            for a, b in zip(f(x), replayed(x)):
                assert a.dtype == x.dtype
                assert np.array_equal(a.numpy(), b.numpy(), equal_nan=True), (shape, dtype)
def rows(x, labels):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.relu(tf.keras.ops.layer_normalization(x, x[0], x[1])) * tf.nn.softmax(x)
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, 9.0 * y)
    return y, loss, tape.gradient(loss, x)
replayed = tf.function(rows)
for shape in [(2, 1), (5, 7), (2, 3, 64), (700, 600)]:
    x = tf.random.normal(shape)
    labels = tf.random.uniform(shape[:-1], maxval=shape[-1], dtype="int32")
    for _ in range(3):
        for a, b in zip(rows(x, labels), replayed(x, labels)):
            assert np.array_equal(a.numpy(), b.numpy()), shape
def layers(x, weights):
    with tf.GradientTape() as tape:
        tape.watch([x, weights])
        y = tf.nn.softmax(tf.nn.relu(x @ weights + x[0]) * x) / (x * x + 1)
        loss = tf.reduce_sum(tf.cast(tf.maximum(y, x) - tf.sqrt(x * x + 1), "float32"))
    return loss, *tape.gradient(loss, [x, weights])
replayed = tf.function(layers)
for dtype in ("float32", "float16", "bfloat16"):
    x, weights = (tf.cast(tf.random.normal([48, 48]), dtype) for _ in range(2))
    for _ in range(3):
        for a, b in zip(layers(x, weights), replayed(x, weights)):
            assert a.dtype == b.dtype
            assert np.array_equal(a.numpy(), b.numpy()), dtype
x = np.linspace(-3, 3, 7, dtype=np.float32)
import cinta_kernels
assert np.array_equal(tf.sigmoid(x).numpy(), cinta_kernels.sigmoid(x))
print("the same")
"""


@pytest.mark.parametrize("name", ["tanh", "exp", "sigmoid"])
def test_functions_that_refer_to_them_are_replayed(name):
    function = getattr(tf, name)
    recorded = tf.function(lambda x: function(x))
    for _ in range(3):
        recorded(tf.ones([4]))
    assert recorded.report().replays == 2


def test_eager_and_replay_are_equal_bit_by_bit():
    done = run("-c", EAGER_AND_REPLAY, kind="best")
    assert done.stdout == "the same\n", done.stderr


REPLAYED = """
import cinta as tf

@tf.function
def f(x):
    return tf.tanh(x) + tf.exp(x) + tf.sigmoid(x) + tf.nn.gelu(x) + tf.nn.silu(x)

for _ in range(5):
    f(tf.ones([3]))
print(f.report().replays)
"""


def test_functions_that_call_them_are_replayed():
    done = run("-c", REPLAYED, kind=cinta_kernels.processor)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 3


@pytest.mark.parametrize("kind", KINDS[: KINDS.index(cinta_kernels.processor) + 1])
def test_convolutions_are_those_of_double_precision(kind):
    done = run("-m", "tests.kernels.convolving", kind=kind)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) > 90


def test_ops_keep_their_tables_with_compiled_functions():
    chosen = "-k", f"({OPS}) and not ({IN_DOUBLE_PRECISION})"
    done = run("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *TABLES, *chosen, kind="best")
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(done.stdout.rsplit(" passed", 1)[0].split()[-1]) > 250


def test_layers_and_products_are_right_with_compiled_functions():
    files = ["tests/kernels/test_in_layers.py", "tests/kernels/test_products.py"]
    done = run("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *files, kind="best")
    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout


def test_they_can_be_switched_off():
    code = "from cinta.engine import c_kernels; print(c_kernels.processor())"
    assert run("-c", code, kind="0").stdout == "None\n"


OLDER = """
import cinta_kernels
del cinta_kernels.gelu, cinta_kernels.silu
import cinta as tf
print(float(tf.nn.gelu([1.0])[0] + tf.nn.silu([0.0])[0]))
"""


def test_without_the_newest_functions_numpy_computes_and_a_warning_says_so_once():
    done = run("-c", OLDER, kind=cinta_kernels.processor)
    assert done.returncode == 0, done.stderr
    assert abs(float(done.stdout) - 0.8413447) < 1e-6
    assert done.stderr.count("pip install ./kernels") == 1


@pytest.mark.parametrize("kind", KINDS[: KINDS.index(cinta_kernels.processor)])
def test_functions_of_rows_and_windows_are_right_for_lesser_processors(kind):
    files = [f"tests/kernels/test_{name}.py" for name in ("attention", "rows", "windows")]
    done = run("-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *files, kind=kind)
    assert done.returncode == 0, done.stdout[-3000:]


EXACT = {
    "exp": mpmath.exp,
    "tanh": mpmath.tanh,
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "sigmoid_slope": lambda x: mpmath.exp(-x) / (1 + mpmath.exp(-x)) ** 2,
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "gelu": lambda x: x * mpmath.ncdf(x),
    "log": mpmath.log,
    "log1p": mpmath.log1p,
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
}
LEAST = {"log": 1e-30, "log1p": -1.0}
"""Where functions begin that are not for all numbers."""


@pytest.mark.parametrize("name", UNITS)
def test_references_in_double_precision_are_exact_enough(name):
    drawn = np.random.default_rng(0).uniform(-12, 12, 300).astype(np.float32)
    x = drawn[drawn > LEAST.get(name, -np.inf)].astype(np.float64)
    with mpmath.workdps(60):
        exact = np.array([float(EXACT[name](mpmath.mpf(each))) for each in x])
    np.testing.assert_allclose(measuring.OF_ONE[name](x), exact, rtol=1e-12)
