"""Taylor series: the derivatives of nested accumulators, at a cost that does not explode."""

import gc
import math

import numpy as np
import pytest

import cinta as tf
from cinta.engine import recorders
from cinta.functional import jet as jets
from tests.op_table import rows
from tests.shorthand import differentiable

taylor, jet = tf.autodiff.taylor, tf.autodiff.jet


def derivatives(f, x, order):
    return [float(c) * math.factorial(k) for k, c in enumerate(taylor(f, x, order))]


def wide(x):
    return tf.constant(x, tf.float64)


# -- every op --------------------------------------------------------------------------------------


class Line:
    """The function of a row of the op table along a line through its inputs."""

    def __init__(self, row):
        self.row = row
        self.inputs = [tf.constant(x) for x in row.inputs]
        self.start = differentiable(self.inputs)
        draw = np.random.default_rng(1).standard_normal
        self.direction = [
            tf.cast(
                tf.constant(draw(x.shape) + (1j * draw(x.shape) if x.dtype.is_complex else 0)),
                x.dtype,
            )
            for x in self.start
        ]

    def __call__(self, moving):
        moving = iter(moving)
        given = [
            next(moving) if x.dtype.is_floating or x.dtype.is_complex else x for x in self.inputs
        ]
        return differentiable(tf.nest.flatten(self.row.function(*given)))

    def derivative(self, f):
        def along(moving):
            moving = [tf.identity(x) for x in moving]
            with tf.autodiff.ForwardAccumulator(moving, self.direction) as acc:
                value = f(moving)
            return acc.jvp(value, tf.UnconnectedGradients.ZERO)

        return along


@pytest.mark.parametrize("row", rows(), ids=repr)
def test_coefficients_are_derivatives_over_factorials(row):
    line = Line(row)
    order = 3 if row.order > 1 else 1
    found = taylor(line, line.start, order, line.direction)
    f = line
    for k in range(order + 1):
        for c, expected in zip(found[k], f(line.start), strict=True):
            assert (c.shape, c.dtype) == (expected.shape, expected.dtype)
            expected, derivative = expected.numpy(), c.numpy() * math.factorial(k)
            known = np.isfinite(expected)  # the third derivative of x ** 2 is not, at 0
            bound = 1e-7 * row.loose * (1 + np.max(abs(expected[known]), initial=0))
            np.testing.assert_allclose(derivative[known], expected[known], rtol=1e-6, atol=bound)
            assert np.isfinite(derivative).all()
        f = line.derivative(f)


DOUBLES = {"expm", "expm complex"}  # the slope of an exponential is one of matrices twice as large


@pytest.mark.parametrize(
    "row", [row for row in rows() if row.order > 1 and row.name not in DOUBLES], ids=repr
)
def test_the_number_of_series_grows_in_proportion_to_the_order(row, monkeypatch):
    counts, close = [], jets.Following.close

    def counted(self):
        counts.append(len({*self.known.values(), *self._calls.values()}))
        close(self)

    monkeypatch.setattr(jets.Following, "close", counted)
    line = Line(row)
    for order in (2, 4, 6):
        taylor(line, line.start, order, line.direction)
    first, second, third = counts
    assert third - second <= 1.5 * (second - first) + 4


# -- known series ----------------------------------------------------------------------------------

KNOWN = {
    "exp": (tf.exp, 0.0, [1 / math.factorial(k) for k in range(13)]),
    "log": (tf.math.log, 1.0, [0, *[-((-1) ** k) / k for k in range(1, 13)]]),
    "quotient": (lambda x: (1 + x) / (1 - x), 0.0, [1, *[2] * 12]),
    "tan": (tf.tan, 0.0, [0, 1, 0, 1 / 3, 0, 2 / 15, 0, 17 / 315, 0, 62 / 2835]),
    "atan": (tf.atan, 0.0, [0, 1, 0, -1 / 3, 0, 1 / 5, 0, -1 / 7, 0, 1 / 9]),
    "power": (lambda x: (1 + x) ** 0.5, 0.0, [1, 1 / 2, -1 / 8, 1 / 16, -5 / 128, 7 / 256]),
    "polynomial": (lambda x: x**5, 2.0, [32, 80, 80, 40, 10, 1, 0, 0]),
    "monomial at 0": (lambda x: x**3, 0.0, [0, 0, 0, 1, 0, 0]),
    "tensor as exponent": (lambda x: x ** tf.constant(2.0, tf.float64), 0.0, [0, 0, 1, 0, 0]),
    "negative power": (lambda x: x**-2, 1.0, [1, -2, 3, -4, 5]),
    "sqrt": (tf.sqrt, 4.0, [2, 1 / 4, -1 / 64, 1 / 512]),
    "tanh": (tf.tanh, 0.0, [0, 1, 0, -1 / 3, 0, 2 / 15, 0, -17 / 315]),
    "relu": (tf.nn.relu, 2.0, [2, 1, 0, 0]),
    "constant": (lambda x: tf.ones([]), 2.0, [1, 0, 0]),
    "identity": (lambda x: x, 2.0, [2, 1, 0]),
}


@pytest.mark.parametrize(("f", "x", "expected"), KNOWN.values(), ids=KNOWN.keys())
def test_known_series(f, x, expected):
    found = [float(c) for c in taylor(f, wide(x), len(expected) - 1)]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


def three_sines(x):
    return tf.sin(tf.sin(tf.sin(x)))


def test_the_tenth_derivative_of_three_sines_is_exact():
    # the series of sin composed with itself in rational arithmetic, at 0
    from fractions import Fraction

    sine = [Fraction((-1) ** (k // 2), math.factorial(k)) if k % 2 else 0 for k in range(16)]

    def times(a, b):
        return [sum(a[i] * b[k - i] for i in range(k + 1)) for k in range(16)]

    def composed(inner):
        total, power = [Fraction(0)] * 16, [Fraction(1)] + [Fraction(0)] * 15
        for c in sine:
            total = [t + c * p for t, p in zip(total, power, strict=True)]
            power = times(power, inner)
        return total

    expected = [float(c) for c in composed(composed(sine))]
    found = [float(c) for c in taylor(three_sines, wide(0.0), 15)]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_a_high_order_needs_no_more_series_than_a_low_one(monkeypatch):
    """Tapes in tapes would need a formula more for each of them."""
    made, make = [], jets.Following._series
    monkeypatch.setattr(jets.Following, "_series", lambda *args: made.append(args) or make(*args))
    counts = []
    for order in (2, 10, 40):
        made.clear()
        taylor(three_sines, wide(0.3), order)
        counts.append(len(made))
    assert counts[0] == counts[1] == counts[2] > 0


def test_long_computations_need_no_deep_stack():
    def f(x):
        for _ in range(3000):
            x = tf.sin(x) + 0.1
        return x

    value, slope = taylor(f, wide(0.3), 1)
    x = wide(0.3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert (float(value), float(slope)) == (float(y), pytest.approx(float(tape.gradient(y, x))))


# -- how they are called ---------------------------------------------------------------------------


def test_the_derivatives_of_jet_are_those_of_nested_tapes_along_a_curve():
    def curve(t):
        return tf.exp(t), tf.stack([tf.sin(t), t * t])

    def f(x, y):
        return {"a": x * y, "b": tf.reduce_sum(y) / x}

    t = wide(0.4)
    given = [
        [tf.constant(math.exp(0.4), tf.float64)] * 3,
        [
            wide([math.cos(0.4), 0.8]),
            wide([-math.sin(0.4), 2.0]),
            wide([-math.cos(0.4), 0.0]),
        ],
    ]
    value, found = jet(f, curve(t), given)
    expected = taylor(lambda t: f(*curve(t)), t, 3)
    for k, derivative in enumerate([value, *found]):
        for name in ("a", "b"):
            c = expected[k][name].numpy()
            np.testing.assert_allclose(derivative[name].numpy(), c * math.factorial(k), rtol=1e-12)


def test_order_0_is_the_value():
    assert [float(c) for c in taylor(tf.exp, 0.0, 0)] == [1.0]
    value, derivatives = jet(tf.exp, [0.0], [[]])
    assert (float(value), derivatives) == (1.0, [])


def test_nests_and_directions():
    x = {"a": wide([1.0, 2.0]), "b": [wide(3.0)]}
    v = {"a": wide([1.0, 0.0]), "b": [2.0]}
    found = taylor(lambda p: (p["a"] * p["b"][0], p["b"][0]), x, 2, v)
    assert [c[0].numpy().tolist() for c in found] == [[3.0, 6.0], [5.0, 4.0], [2.0, 0.0]]
    assert [float(c[1]) for c in found] == [3.0, 2.0, 0.0]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex128"])
def test_the_dtype_is_kept(dtype):
    found = taylor(lambda x: tf.exp(x) / (x * x + 1.5), tf.constant([0.5, 1.0], dtype), 4)
    assert all(c.dtype == dtype and c.shape == (2,) for c in found)


def test_several_results_of_one_op():
    def f(x):
        a, b = tf.split(tf.sin(x), 2)
        return tf.reduce_sum(a * b), tf.unstack(x)[0]

    x = wide([0.1, 0.2, 0.3, 0.4])
    found = taylor(f, x, 2)
    again = taylor(lambda x: tf.reduce_sum(tf.sin(x)[:2] * tf.sin(x)[2:]), x, 2)
    assert [float(c[0]) for c in found] == pytest.approx([float(c) for c in again])
    assert [float(c[1]) for c in found] == [0.1, 1.0, 0.0]


def test_custom_gradients_count():
    @tf.custom_gradient
    def odd(x):
        return x * x, lambda g: g * tf.exp(x)

    assert [float(c) for c in taylor(odd, wide(0.0), 3)] == [0.0, 1.0, 0.5, pytest.approx(1 / 6)]


def test_recomputed_functions():
    f = tf.recompute_grad(three_sines)
    assert [float(c) for c in taylor(f, wide(0.3), 4)] == pytest.approx(
        [float(c) for c in taylor(three_sines, wide(0.3), 4)]
    )


def test_stop_gradient_is_constant():
    assert [float(c) for c in taylor(lambda x: x * tf.stop_gradient(x), wide(3.0), 2)] == [9, 3, 0]


def test_an_op_without_gradient_says_so():
    with pytest.raises(LookupError, match="gradient registry has no entry"):
        taylor(lambda x: tf.image.adjust_contrast(x, 2.0), tf.ones([2, 2, 3]), 2)


def test_gradients_inside():
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = three_sines(x)
        return tape.gradient(y, x)

    whole = derivatives(three_sines, wide(0.3), 6)
    np.testing.assert_allclose(derivatives(slope, wide(0.3), 5), whole[1:], rtol=1e-12)


def test_tapes_and_accumulators_outside():
    whole = derivatives(three_sines, wide(0.3), 4)
    x = wide(0.3)
    with tf.autodiff.ForwardAccumulator(x, wide(1.0)) as acc, tf.GradientTape() as tape:
        tape.watch(x)
        third = taylor(three_sines, x, 3)[3] * 6.0
    assert float(tape.gradient(third, x)) == pytest.approx(whole[4])
    assert float(acc.jvp(third)) == pytest.approx(whole[4])


def test_taylor_in_taylor():
    whole = derivatives(three_sines, wide(0.3), 4)
    found = taylor(lambda x: taylor(three_sines, x, 2)[2] * 2.0, wide(0.3), 2)
    assert [float(c) * math.factorial(k) for k, c in enumerate(found)] == pytest.approx(whole[2:])


def test_nothing_is_left_behind():
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        for _ in range(20):
            taylor(three_sines, wide(0.3), 5)
        assert len(gc.get_objects()) - before < 50
    finally:
        gc.enable()
    assert not recorders.recording()


def test_an_exception_inside_leaves_nothing_behind():
    with pytest.raises(ZeroDivisionError):
        taylor(lambda x: 1 // 0, 1.0, 2)
    assert not recorders.recording()


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="order is the number of the last coefficient"):
        taylor(tf.sin, 1.0, -1)
    with pytest.raises(TypeError, match=r"Write 3\.0 instead of 3"):
        taylor(tf.sin, 1, 2)
    with pytest.raises(TypeError, match="`primals` is a list or tuple"):
        jet(tf.sin, wide(1.0), [[1.0]])
    with pytest.raises(ValueError, match="one list of derivatives for each of 1 arguments"):
        jet(tf.sin, [1.0], [[1.0], [1.0]])
    with pytest.raises(ValueError, match="lengths \\[1, 2\\]"):
        jet(tf.multiply, [1.0, 2.0], [[1.0], [1.0, 0.0]])
    with pytest.raises(TypeError, match="`series` has a list of derivatives for each argument"):
        jet(tf.sin, [1.0], [1.0])
    with pytest.raises(TypeError, match="Expected int for argument 'order'"):
        taylor(tf.sin, 1.0, 1.5)
    with pytest.raises(TypeError, match="is a `return` missing"):
        taylor(lambda x: None, 1.0, 2)
