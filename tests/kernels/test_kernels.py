"""The compiled functions: their errors, and that ops which call them give the numbers of ops."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

cinta_kernels = pytest.importorskip(
    "cinta_kernels", reason="no compiled functions here: pip install ./kernels, with a C compiler"
)

UNITS = {
    "exp": 1.1,
    "tanh": 1.4,
    "sigmoid": 2.0,
    "sigmoid_slope": 2.8,
    "silu": 3.0,
    "gelu": 5.5,
}
"""The errors that are promised, in units of the last place."""
ABSOLUTE = {"silu_slope": 3e-7, "gelu_slope": 3e-7, "tanh_gelu": 3e-7, "tanh_gelu_slope": 3e-7}
"""The same where results pass through 0, or where the argument of a function is rounded first."""
KINDS = ["base", "avx2", "avx512"]
OPS = "elu or igmoid or anh or ilu or oftmax or epthwise or Exp or ayer or ntropy"
TABLES = ["tests/test_op_table.py", "tests/test_normalized_rows.py", "tests/test_networks.py"]


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
    assert np.array_equal(whole, one_by_one)
    for part in (slice(None, None, -1), slice(1, None, 3), slice(7, 500)):
        assert np.array_equal(whole[part], function(*[a[part] for a in given]))
    own = x.copy()
    function(*[own] * function.nin, out=own)
    assert np.array_equal(own, whole)


@pytest.mark.parametrize("name", [n for n in ALL_OF_NUMBERS if n in {*UNITS, *ABSOLUTE}])
def test_nan_stays_nan_and_zeros_keep_their_sign(name):
    function = getattr(cinta_kernels, name)
    nan, zeros = np.full(3, np.nan, np.float32), np.array([0.0, -0.0], np.float32)
    assert np.isnan(function(*[nan] * function.nin)).all()
    if name in {"tanh", "silu", "gelu", "tanh_gelu"}:
        assert np.signbit(function(zeros)).tolist() == [False, True]


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("width", [0, 1, 5, 64, 200])
def test_exponentials_of_rows(width, step):
    x = np.random.default_rng(0).normal(size=(4, width * step)).astype(np.float32)[:, ::step]
    powers, total, top = cinta_kernels.exponentials(x)
    assert np.array_equal(top, x.max(axis=1, initial=-np.inf))
    np.testing.assert_allclose(powers, np.exp(x - top[:, None]), rtol=3e-7)
    np.testing.assert_allclose(total, powers.sum(axis=1, dtype=np.float64), rtol=1e-6)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("width", [0, 1, 33, 100])
def test_windows(width, step):
    random = np.random.default_rng(0)
    seen = random.normal(size=(2, 4, 3, 2, width * step)).astype(np.float32)[..., ::step]
    weights = random.normal(size=(3, 2, width)).astype(np.float32)
    given = random.normal(size=(2, 4, width)).astype(np.float32)
    found = cinta_kernels.weighted(seen, weights)
    np.testing.assert_allclose(found, np.einsum("nhijr,ijr->nhr", seen, weights), atol=1e-5)
    back = cinta_kernels.gathered_weights(seen, given)
    np.testing.assert_allclose(back, np.einsum("nhijr,nhr->nijr", seen, given), atol=1e-5)


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
x = np.linspace(-3, 3, 7, dtype=np.float32)
import cinta_kernels
assert np.array_equal(tf.sigmoid(x).numpy(), cinta_kernels.sigmoid(x))
print("the same")
"""


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


def test_ops_keep_their_tables_with_compiled_functions():
    done = run(
        "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *TABLES, "-k", OPS, kind="best"
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(done.stdout.rsplit(" passed", 1)[0].split()[-1]) > 300


def test_they_can_be_switched_off():
    code = "from cinta.engine import c_kernels; print(c_kernels.processor())"
    assert run("-c", code, kind="0").stdout == "None\n"


@pytest.mark.parametrize("width", [1, 7, 64, 150])
@pytest.mark.parametrize("centered", [0.0, 1.0])
def test_normalized_rows_and_their_gradients(width, centered):
    random = np.random.default_rng(0)
    x, g = random.normal(2, size=(2, 5, width)).astype(np.float32)
    scale, offset = random.normal(size=(2, width)).astype(np.float32)
    mean, factor = cinta_kernels.row_statistics(x, 0.5, centered)
    wide = x.astype(np.float64)
    middle = centered * wide.mean(axis=1)
    np.testing.assert_allclose(mean, middle, rtol=1e-6)
    variance = np.square(wide - middle[:, None]).mean(axis=1)
    np.testing.assert_allclose(factor, (variance + 0.5) ** -0.5, rtol=1e-6)
    h = (wide - middle[:, None]) * factor[:, None]
    found = cinta_kernels.normalized(x, mean, factor, scale, offset)
    np.testing.assert_allclose(found, h * scale + offset, atol=1e-5)
    by_x, by_scale, by_offset = cinta_kernels.normalized_gradients(
        g, x, mean, factor, scale, centered
    )
    own = g * scale
    rest = own - h * (own * h).mean(axis=1, keepdims=True)
    rest -= centered * own.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(by_x, rest * factor[:, None], atol=1e-5)
    np.testing.assert_allclose(by_scale, (g * h).sum(axis=0), atol=1e-5)
    np.testing.assert_allclose(by_offset, g.sum(axis=0), atol=1e-5)


def test_rows_with_gaps_are_refused():
    x = np.ones((3, 8), np.float32)
    with pytest.raises(ValueError, match="contiguous"):
        cinta_kernels.row_statistics(x[:, ::2], 0.0, 1.0)
