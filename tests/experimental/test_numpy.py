"""tf.experimental.numpy: NumPy's results and dtypes, with gradients."""

import doctest
import inspect
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import cinta as tf
from tests.checking import check_gradients

tnp = tf.experimental.numpy

X = np.array([[1.5, -2.0, 0.5], [3.0, 0.25, -1.0]])
P = np.abs(X) / 4
K = np.array([[3, 1, 2], [-4, 5, 0]])
V = np.array([1.0, 2.0, 3.0])
C = np.array([1 + 2j, 3 - 1j])
CUBE = np.arange(24.0).reshape(2, 3, 4)
M = np.array([True, False, True])

UNARY_IN_DOMAIN = {
    "arccosh": 1 + P,
    "log1p": P,
    "log": P,
    "log2": P,
    "log10": P,
    "sqrt": P,
} | dict.fromkeys(("arccos", "arcsin", "arctanh"), P)


def words(text):
    return text.split()


UNARY = words(
    """abs absolute arccos arccosh arcsin arcsinh arctan arctanh cbrt ceil cos cosh deg2rad exp exp2
    expm1 fabs floor log log10 log1p log2 negative positive rad2deg reciprocal sign sin sinc sinh
    sqrt square tan tanh isnan isfinite isinf isposinf isneginf isreal iscomplex signbit fix
    logical_not real imag conj conjugate around round sum prod mean std var max min amax amin all
    any ptp nansum nanmean nanprod cumsum cumprod count_nonzero argmax argmin sort argsort average
    ravel transpose fliplr flipud flip vstack hstack dstack atleast_1d atleast_2d atleast_3d
    diagonal trace tril triu diag diagflat diff ndim size rot90 squeeze copy array asarray
    asanyarray ascontiguousarray zeros_like ones_like iscomplexobj isrealobj isscalar nonzero"""
)
BINARY = words(
    """add subtract multiply divide true_divide floor_divide mod remainder maximum minimum arctan2
    hypot logaddexp logaddexp2 heaviside nextafter equal not_equal greater greater_equal less
    less_equal logical_and logical_or logical_xor isclose allclose divmod outer kron inner append"""
)

CALLS = [
    *[(name, (UNARY_IN_DOMAIN.get(name, X),), {}) for name in UNARY],
    *[(name, (K,), {}) for name in ("sum", "prod", "mean", "std", "cumsum", "abs", "sin", "cos")],
    *[(name, (C,), {}) for name in ("real", "imag", "conj", "angle", "abs", "sum", "exp", "sign")],
    *[(name, (X, V), {}) for name in BINARY],
    *[(name, (K, 2), {}) for name in ("add", "divide", "floor_divide", "mod", "bitwise_and")],
    *[(name, (K, K + 1), {}) for name in ("gcd", "lcm", "bitwise_or", "bitwise_xor", "multiply")],
    *[(name, (M, M), {}) for name in ("add", "multiply", "maximum", "minimum", "less")],
    *[
        (name, (CUBE + 1,), {"axis": axis, "keepdims": keepdims})
        for name in ("sum", "prod", "mean", "std", "var", "max", "min", "all", "any", "nansum")
        for axis, keepdims in ((0, False), (-1, True), ((0, 2), False))
    ],
    ("array_equal", (X, X), {}),
    ("array_equal", (X, V), {}),
    ("var", (X,), {"ddof": 1}),
    ("sum", (K,), {"dtype": np.float32}),
    ("average", (X,), {"axis": 1, "weights": [1, 2, 3]}),
    ("average", (X,), {"axis": 1, "weights": [1, 2, 3], "returned": True}),
    ("average", (np.array([1.0, np.inf]),), {}),
    ("average", (np.array([1.0, np.inf]),), {"weights": [1, 2], "returned": True}),
    ("trace", (np.full((3, 3), 100, np.int8),), {}),
    ("trace", (np.full((3, 3), 200, np.uint8),), {}),
    ("trace", (np.full((3, 3), 100, np.int8),), {"dtype": np.int16}),
    ("cumsum", (X,), {"axis": 1}),
    ("sort", (X,), {"axis": None}),
    ("argsort", (X,), {"axis": 0}),
    ("argmax", (X,), {"axis": 1}),
    ("clip", (X, 0, 1), {}),
    ("clip", (X, None, 1), {}),
    ("clip", (X, 0, None), {}),
    ("around", (X * 1.234, 1), {}),
    ("around", (X * 123, -1), {}),
    ("around", (K * 12, -1), {}),
    ("power", (P, V), {}),
    ("bitwise_not", (K,), {}),
    ("angle", (C, True), {}),
    ("identity", (3,), {}),
    ("eye", (2, 3, 1), {}),
    ("tri", (2, 3, 1), {}),
    ("zeros", ((2, 3),), {}),
    ("ones", (2, bool), {}),
    ("full", ((2, 3), 7), {}),
    ("full_like", (K, 2.5), {}),
    ("arange", (5,), {}),
    ("arange", (1, 2, 0.25), {}),
    ("arange", (5, 1, -2), {}),
    ("arange", (3,), {"dtype": np.float32}),
    ("linspace", (0, 1, 5), {}),
    ("linspace", (0, 1, 5, False), {}),
    ("linspace", (0, 1, 1), {}),
    ("linspace", (0, 1, 0), {}),
    ("linspace", (0, 1, 5), {"retstep": True}),
    ("linspace", ([0, 1], [2, 3], 3), {"axis": -1}),
    ("logspace", (0, 2, 3), {"base": 2}),
    ("geomspace", (1, 1000, 4), {}),
    ("geomspace", (-1, -100, 3, False), {}),
    ("vander", (V,), {}),
    ("vander", (V, 2), {"increasing": True}),
    ("meshgrid", (V, [4, 5]), {}),
    ("meshgrid", (V, [4, 5], [6]), {"indexing": "ij"}),
    ("ix_", ([0, 1], [2, 3]), {}),
    ("ix_", ([True, False], [2]), {}),
    ("reshape", (X, (3, -1)), {}),
    ("reshape", (X, (3, 2)), {"order": "F"}),
    ("swapaxes", (CUBE, 0, -1), {}),
    ("moveaxis", (CUBE, (0, 1), (2, 0)), {}),
    ("transpose", (CUBE, (1, 0, 2)), {}),
    ("expand_dims", (X, -1), {}),
    ("broadcast_to", ([1, 2], (3, 2)), {}),
    ("broadcast_arrays", ([1, 2], [[1], [2]]), {}),
    ("flip", (X, (0, 1)), {}),
    ("roll", (X, 1), {}),
    ("roll", (X, (1, 1), (0, 1)), {}),
    ("rot90", (CUBE, -1, (1, 2)), {}),
    ("repeat", (X, [1, 2, 0], 1), {}),
    ("repeat", (X, 2), {}),
    ("tile", (V, (2, 2)), {}),
    ("tile", (CUBE, 2), {}),
    ("pad", (X, [[1, 0], [0, 2]], "constant"), {"constant_values": 3}),
    ("pad", (X, [[1, 1], [1, 1]], "reflect"), {}),
    ("pad", (X, [[1, 1], [1, 1]], "symmetric"), {}),
    ("concatenate", ([X, K],), {}),
    ("concatenate", ([X, X],), {"axis": None}),
    ("stack", ([V, V],), {"axis": -1}),
    ("vstack", ([V, [1, 2, 3]],), {}),
    ("hstack", ([V, V],), {}),
    ("dstack", ([V, V],), {}),
    ("split", (V, 3), {}),
    ("split", ([1, 2, 3, 4], [1, 3]), {}),
    ("split", (X, [1], 1), {}),
    ("vsplit", (X, 2), {}),
    ("hsplit", (X, 3), {}),
    ("dsplit", (CUBE, 2), {}),
    ("take", (X, [0, 7]), {"mode": "clip"}),
    ("take", (X, [[0, 1], [2, -5]], 1), {"mode": "wrap"}),
    ("take_along_axis", (X, np.array([[1, 0, 1]]), 0), {}),
    ("compress", ([False, True], X, 0), {}),
    ("compress", ([True, False, True], X), {}),
    ("where", (X > 0, X, 0), {}),
    ("where", (X > 0,), {}),
    ("select", ([X > 1, X < 0], [X, -X], 9), {}),
    ("diag", (X, 1), {}),
    ("diag", (V, -1), {}),
    ("diagflat", (X, 1), {}),
    ("diagonal", (CUBE, 0, 1, 2), {}),
    ("trace", (CUBE, 1, 1, 2), {}),
    ("tril", (CUBE, 1), {}),
    ("diff", (X, 2), {}),
    ("diff", (CUBE,), {"axis": 0}),
    ("diff", (M,), {}),
    ("diff", (V, 7), {}),
    ("matmul", (CUBE, [1, 2, 3, 4]), {}),
    ("matmul", (V, V), {}),
    ("matmul", ([1.0, 2], X), {}),
    ("dot", (CUBE, np.ones((4, 2))), {}),
    ("dot", (2, X), {}),
    ("inner", (X, X), {}),
    ("vdot", (C, C), {}),
    ("tensordot", (X, X, ([0], [0])), {}),
    ("tensordot", (X, X), {}),
    ("einsum", ("ij,kj->ik", X, K), {}),
    ("kron", (X, [[1, 2]]), {}),
    ("cross", (V, [4, 5, 6]), {}),
    ("cross", (X, 2 * X + 1), {}),
    ("cross", (X.T, 2 * X.T + 1), {"axis": 0}),
    ("polyval", ([1, 2, 3], X), {}),
    ("nanmean", ([[1, np.nan], [3, 4]],), {"axis": 0}),
    ("isclose", ([1, np.nan], [1, np.nan]), {"equal_nan": True}),
    ("logaddexp", (np.inf, [np.inf, -np.inf]), {}),
    ("sinc", ([0, 1e-3, 0.5, 1],), {}),
    ("promote_types", ("int32", "float32"), {}),
    ("issubdtype", (np.float32, np.inexact), {}),
]


def plain(value):
    """The value with arrays for tensors."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.numpy() if isinstance(value, tf.Tensor) else value


def check_same(found, expected):
    if isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            check_same(one, other)
    elif isinstance(expected, (np.ndarray, np.generic)):
        assert np.asarray(found).dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    else:
        assert found == expected


@pytest.mark.parametrize(("name", "args", "kwargs"), CALLS, ids=[call[0] for call in CALLS])
def test_results_and_dtypes_are_numpys(name, args, kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # such as that of `fix` in NumPy 2.5
        expected = getattr(np, name)(*args, **kwargs)
    check_same(plain(getattr(tnp, name)(*args, **kwargs)), expected)


def test_imaginary_parts_of_strings_are_empty_strings():
    found = tnp.imag(tf.constant(["a", "b"]))
    assert (found.dtype, found.numpy().tolist()) == (tf.string, [b"", b""])


def test_every_name_is_tested_or_known():
    tested = {name for name, _, _ in CALLS}
    elsewhere = {
        *("random", "ndarray", "experimental_enable_numpy_behavior", "result_type", "finfo"),
        *("iinfo", "inexact", "e", "pi", "inf", "newaxis", "empty", "empty_like", "shape"),
        *("flatten", "float_power", "diag_indices"),
    }
    functions = {name for name in dir(tnp) if not name.startswith("_") and not name.endswith("_")}
    dtypes = {name for name in functions if isinstance(getattr(tnp, name), type)}
    modules = {name for name in functions if inspect.ismodule(getattr(tnp, name))}
    assert functions - dtypes - modules - tested - elsewhere == set()


OURS = [n for n in dir(tnp) if getattr(getattr(tnp, n), "__module__", "").startswith("cinta")]


@pytest.mark.parametrize("name", [name for name in OURS if inspect.isfunction(getattr(tnp, name))])
def test_functions_say_what_they_do_and_their_examples_hold(name):
    function = getattr(tnp, name)
    assert function.__doc__
    assert function.__name__ == name or getattr(tnp, function.__name__) is function
    runner = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST)
    for example in doctest.DocTestFinder().find(function, name, module=False, globs={}):
        assert runner.run(example).failed == 0


# -- gradients -----------------------------------------------------------------------------------

SMOOTH = {
    "elementwise": lambda x: tnp.hypot(x, tnp.cbrt(x + 5)) * tnp.sinc(x) + tnp.exp2(x) ** 2.0,
    "pairs": lambda x: tnp.logaddexp(x, x**2) + tnp.logaddexp2(1.0, x) + tnp.arctan2(x, 3.0),
    "reductions": lambda x: tnp.var(x, ddof=1) + tnp.nanmean(x, 0) + tnp.ptp(x) + tnp.std(x, 0),
    "average": lambda x: tnp.average(x, axis=1, weights=x[0] + 4),
    "spaces": lambda x: tnp.linspace(x[0], x[1], 4) + tnp.linspace(0, x[0, 0], 3, False)[0],
    "scales": lambda x: tnp.geomspace(x[0] + 4, x[1] + 5, 3) + tnp.logspace(0, x[0], 3),
    "moved": lambda x: tnp.rot90(tnp.tril(x) * tnp.roll(x, 1)) + tnp.trace(tnp.diagflat(x[0])),
    "gathered": lambda x: tnp.take_along_axis(x, [[1, 0, 1]], 0) * tnp.compress([1, 0], x, 0) ** 2,
    "joined": lambda x: tnp.dstack([x, x**2]) * tnp.stack([x, tnp.flip(x)], -1),
    "products": lambda x: tnp.matmul(tnp.kron(x, x), tnp.ones((9, 1))),
    "vectors": lambda x: tnp.cross(x, x[::-1] ** 2) + tnp.inner(x, x)[0, 0] + tnp.polyval(x[0], x),
    "choices": lambda x: tnp.where(x > 0, x**2, 3 * x) + tnp.select([x > 1], [x**3], 0 * x),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_are_right_to_second_order(name):
    check_gradients(SMOOTH[name], X, order=2, rtol=1e-4, atol=1e-4)


# -- dtypes --------------------------------------------------------------------------------------

HALF, SINGLE, WORD = tf.constant([1.5], tf.float16), tf.constant([1.0, 2.0]), tf.constant([1, 2])


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ((1, 2), tf.int64),
        ((1, 2.0), tf.float64),
        ((SINGLE, 2.0), tf.float32),
        ((SINGLE, [1, 2]), tf.float32),
        ((SINGLE, WORD), tf.float64),
        ((WORD, 2.5), tf.float64),
        ((HALF, 2.5), tf.float16),
        ((SINGLE, np.float64(1)), tf.float64),
        ((tf.Variable([1.0, 2.0]), 1), tf.float32),
        ((tf.float32, 1.0), tf.float32),
        (("int8", 1.0), tf.float64),
        ((float,), tf.float64),
    ],
)
def test_dtypes_are_promoted_as_numpy_does(values, dtype):
    assert tnp.result_type(*values) == dtype
    if not isinstance(values[0], (tf.DType, str, type)):
        assert tnp.add(*values).dtype == dtype


def test_arrays_of_tensors_keep_their_gradients():
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tnp.sum(tnp.array([x, x * x, 1.0]))
    assert tape.gradient(y, x).numpy() == 5


def test_names_that_are_not_functions():
    assert tnp.ndarray is tf.Tensor
    assert (tnp.pi, tnp.e, tnp.inf, tnp.newaxis) == (np.pi, np.e, np.inf, None)
    assert tnp.finfo is np.finfo
    assert tnp.iinfo is np.iinfo
    assert tnp.float32 is np.float32
    assert tnp.shape([1, 2]) == [2]
    assert tnp.empty(3, tnp.int8).dtype == tf.int8
    assert tnp.empty_like(SINGLE).shape == [2]
    assert tnp.flatten(X, "F").numpy().tolist() == X.flatten("F").tolist()
    assert tnp.float_power(2.0, 3).numpy() == 8
    assert [i.dtype for i in tnp.diag_indices(2)] == [tf.int32] * 2


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: tnp.sum(X, axis=5), tf.errors.InvalidArgumentError, "axis|dimension"),
        (lambda: tnp.mean(X, out=X), ValueError, "setting out is not supported"),
        (lambda: tnp.sort(X, kind="heap"), ValueError, "Invalid value for argument `kind`"),
        (lambda: tnp.sort(X, order="a"), ValueError, "order"),
        (lambda: tnp.take(X, 0, mode="raise"), ValueError, "'raise' mode to take"),
        (lambda: tnp.take(X, 0, out=X), ValueError, "out argument"),
        (lambda: tnp.pad(X, [[1, 1]] * 2, "wrap"), ValueError, "Unsupported padding mode: wrap"),
        (lambda: tnp.concatenate([]), ValueError, "Need at least one array"),
        (lambda: tnp.size(X, 1), NotImplementedError, "takes no axis"),
        (lambda: tnp.where(X > 0, X), ValueError, "Both x and y"),
        (lambda: tnp.clip(X, None, None), ValueError, "Not more than one"),
        (lambda: tnp.gcd(X, 2), ValueError, "must be integers"),
        (lambda: tnp.linspace(0, 1, -1), ValueError, "non-negative. Got num=-1"),
        (lambda: tnp.arange(1, 2, 0), ValueError, "step must be non-zero"),
        (lambda: tnp.vander(X), ValueError, "one-dimensional"),
        (lambda: tnp.diag(CUBE), ValueError, "1-d or 2-d"),
        (lambda: tnp.diff(X, -1), ValueError, "non-negative"),
        (lambda: tnp.reshape(X, (4, 2)), tf.errors.InvalidArgumentError, "6 values"),
        (lambda: tnp.reshape(X, -1, order="Q"), ValueError, "Unsupported value.*order"),
        (lambda: tnp.meshgrid([1], sparse=True), ValueError, "sparse=True"),
        (lambda: tnp.meshgrid([1], depth=1), TypeError, "depth"),
        (lambda: tnp.ix_(X), ValueError, "1-d"),
        (lambda: tnp.select([M], []), ValueError, "same length"),
        (lambda: tnp.matmul(X, 2), ValueError, "no scalars"),
        (lambda: tnp.cross([1], [2]), ValueError, "two or three elements"),
        (lambda: tnp.full_like(X, 1, order="C"), ValueError, "defaults"),
        (lambda: tnp.einsum("i", V, casting="no"), ValueError, "casting='no'"),
        (lambda: tnp.sign(X, out=X), ValueError, "'out'"),
        (lambda: tnp.average(X, weights=[1, 2]), ValueError, "Axis must be specified"),
        (lambda: tnp.experimental_enable_numpy_behavior(False, "none"), ValueError, "'legacy'"),
        (lambda: tnp.random.randint(2, dtype=float), ValueError, "gives integers"),
        (lambda: tnp.random.rand(1.5), tf.errors.InvalidArgumentError, "`size` must be whole"),
        (lambda: tnp.sin([1, [2]]), ValueError, r"non-rectangular Python sequence.*\[1, \[2\]\]"),
        (lambda: tnp.sin("a"), tf.errors.InvalidArgumentError, r"string.*\[Op:sin\]"),
        (lambda: tnp.add("int8", 1), tf.errors.UnimplementedError, "int64 to string"),
        (lambda: tnp.zeros(2, "no"), TypeError, "Cannot interpret 'no' as a dtype"),
        (lambda: tnp.zeros(2, list), TypeError, "as a dtype"),
        (lambda: tnp.zeros([-1]), tf.errors.InvalidArgumentError, "`shape` is a shape"),
        (lambda: tnp.eye(1.5), TypeError, "int for argument 'N' not 1.5"),
        (lambda: tnp.tril(1), ValueError, "tril: m must be"),
        (lambda: tnp.sum(X, keepdims=[1]), TypeError, "bool for argument 'keepdims'"),
        (lambda: tnp.result_type(), ValueError, "at least one"),
        (lambda: tnp.split(X, 1.5), tf.errors.InvalidArgumentError, "`indices_or_sections`"),
        (lambda: tnp.split(X, [[1]]), ValueError, "a number or a vector"),
        (lambda: tnp.moveaxis(X, 0, (0, 1)), ValueError, "the same number of elements"),
        (lambda: tnp.rot90(CUBE, 1, (0, 1, 2)), ValueError, "`axes` must be two"),
        (lambda: tnp.diagonal(X, 0, 1, -1), ValueError, "cannot be the same"),
        (lambda: tnp.pad(X, [1, 2, 3], "reflect"), tf.errors.InvalidArgumentError, "pad_width"),
        (lambda: tnp.take([], 0), tf.errors.InvalidArgumentError, "no elements"),
        (lambda: tnp.take_along_axis(X, [[7]], 1), IndexError, r"indices must be in \[-3, 3\)"),
        (lambda: tnp.take_along_axis(X, [1], 1), ValueError, "must have 2 axes"),
        (lambda: tnp.compress([0, 0, 1], X, 0), tf.errors.InvalidArgumentError, "element 2"),
        (lambda: tnp.compress(1, X), ValueError, "1-d"),
        (lambda: tnp.arange(np.nan), ValueError, "no range"),
        (lambda: tnp.arange([1, 2]), ValueError, "must be numbers"),
        (lambda: tnp.around(X, 301), ValueError, "`decimals` must be at most"),
        (lambda: tnp.linspace(0, 1, 10**16), tf.errors.ResourceExhaustedError, r"\[Op:linspace\]"),
        (lambda: tnp.diag([1], 10**12), tf.errors.ResourceExhaustedError, r"\[Op:diag\]"),
        (lambda: tnp.tril(X, 10**30), tf.errors.ResourceExhaustedError, "tril"),
        (lambda: tnp.vstack([]), ValueError, "Need at least one array"),
        (lambda: tnp.isneginf(1j), tf.errors.InvalidArgumentError, r"complex128.*\[Op:isneginf\]"),
        (lambda: tnp.gcd([1, 2], [1, 2, 3]), tf.errors.InvalidArgumentError, r"\[2\] vs. \[3\]"),
        (lambda: tnp.mod(1, 0), tf.errors.InvalidArgumentError, r"zero \[Op:FloorMod\]"),
    ],
)
def test_errors_say_what_is_wrong(call, error, match):
    with pytest.raises(error, match=match):
        call()


def test_triangles_of_strings_have_empty_strings_for_zeros():
    assert tnp.triu([["a", "b"], ["c", "d"]]).numpy().tolist() == [[b"a", b"b"], [b"", b"d"]]


def test_variances_without_degrees_of_freedom_are_not_finite():
    assert tnp.var([1.0, 2.0], ddof=2).numpy() == tnp.var([1.0, 2.0], ddof=5).numpy() == np.inf
    assert np.isnan(tnp.var([1.0], ddof=1))


# -- random numbers ------------------------------------------------------------------------------


def test_random_numbers_are_those_of_tf_random():
    tnp.random.seed(3)
    first = tnp.random.randn(2, 3)
    tf.random.set_seed(3)
    assert first.numpy().tolist() == tf.random.normal([2, 3], dtype=tf.float64).numpy().tolist()
    assert first.dtype == tf.float64


def test_random_numbers_have_the_shape_and_the_range_that_was_asked_for():
    random = tnp.random
    assert random.standard_normal().shape == random.randn().shape == []
    assert random.rand(3, 2).shape == random.random((3, 2)).shape == [3, 2]
    drawn = random.uniform([0.0, 10.0], [1.0, 11.0]).numpy()
    assert np.all((drawn >= [0, 10]) & (drawn < [1, 11]))
    assert random.poisson([1.0, 100.0]).shape == [2]
    assert random.poisson(3.0, 4).dtype == tf.int64
    dice = random.randint(1, 7, size=(100,), dtype=np.int8)
    assert dice.dtype == tf.int8
    assert set(dice.numpy().tolist()) <= {1, 2, 3, 4, 5, 6}


def test_it_is_loaded_only_when_it_is_asked_for():
    code = (
        "import sys, cinta as tf\n"
        "print('cinta.experimental.numpy' in sys.modules, 'numpy' in dir(tf.experimental))\n"
        "tf.experimental.numpy.sin(1)\n"
        "print('cinta.experimental.numpy' in sys.modules)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == ["False", "True", "True"]
    with pytest.raises(AttributeError, match="no attribute 'nump'"):
        _ = tf.experimental.nump
