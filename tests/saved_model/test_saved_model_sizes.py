"""Functions of unknown dimensions: saved once, they run for sizes that nobody recorded."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cinta as tf
from cinta.replay.recording import Constant
from cinta.saved_model.size_formulas import NoPattern, Points, fitted
from cinta.saved_model.sizes import Full, Size

COUNTS = (1, 2, 3, 5, 8, 31)


def reloaded(tmp_path, function, *shapes):
    specs = [tf.TensorSpec(shape, tf.float32) for shape in shapes]
    module = tf.Module()
    module.f = tf.function(function, input_signature=specs)
    tf.saved_model.save(module, tmp_path)
    return tf.saved_model.load(tmp_path).f


def filled(*shape):
    return tf.constant(np.random.default_rng(shape).normal(size=shape), tf.float32)


def assert_close(one, other):
    for a, b in zip(tf.nest.flatten(one), tf.nest.flatten(other), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def assert_gradients_close(one, other, x):
    found = []
    for function in (one, other):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        found.append(tape.gradient(y, x))
    assert_close(*found)


def attention(x):
    heads, (batch, length, width) = 2, x.shape
    split = tf.reshape(x, [batch, length, heads, width // heads])
    split = tf.transpose(split, [0, 2, 1, 3])
    scores = tf.matmul(split, split, transpose_b=True)
    mask = tf.linalg.band_part(tf.ones([length, length]), -1, 0)
    weights = tf.nn.softmax(tf.where(mask > 0, scores, -1e9))
    joined = tf.transpose(tf.matmul(weights, split), [0, 2, 1, 3])
    positions = tf.cast(tf.range(length), tf.float32)
    return tf.reshape(joined, [batch, length, width]) + positions[:, None]


def running(x):
    state = tf.zeros([x.shape[0], 2])
    for t in range(x.shape[1]):
        state = tf.tanh(state * 0.5 + x[:, t])
    return state


def several(x):
    count = tf.shape(x)[0]
    wide = tf.eye(count) + tf.fill([count, count], 0.5)
    return {
        "mean": tf.reduce_sum(x) / tf.cast(count, tf.float32),
        "scaled": x * (1.0 / x.shape[0]) / tf.sqrt(tf.cast(tf.size(x), tf.float32)),
        "mixed": tf.matmul(wide, x),
        "padded": tf.pad(x, [[0, 1], [2, 0]]),
        "shape": tf.shape(x),
        "last": x[x.shape[0] - 1],
        "upper": tf.linalg.band_part(tf.ones([count, count], tf.int32), 0, -1),
    }


@pytest.mark.parametrize(
    ("function", "width"), [(several, 3), (lambda x: tf.reshape(x, [-1]), 4), (tf.nn.softmax, 2)]
)
def test_one_unknown_dimension(tmp_path, function, width):
    f = reloaded(tmp_path, function, [None, width])
    for n in COUNTS:
        assert_close(f(filled(n, width)), function(filled(n, width)))


def test_products_of_unknown_dimensions(tmp_path):
    f = reloaded(tmp_path, attention, [None, None, 4])
    for batch in (1, 2, 9):
        for length in COUNTS:
            x = filled(batch, length, 4)
            assert_close(f(x), attention(x))


def test_gradients_for_other_sizes(tmp_path):
    f = reloaded(tmp_path, attention, [None, None, 4])
    for n in (1, 4):
        assert_gradients_close(f, attention, filled(2, n, 4))


def test_a_loop_over_a_known_dimension(tmp_path):
    f = reloaded(tmp_path, running, [None, 4, 2])
    for n in COUNTS:
        assert_close(f(filled(n, 4, 2)), running(filled(n, 4, 2)))


def test_images_of_any_size_through_convolutions(tmp_path):
    kernel = filled(3, 3, 2, 4)

    def network(x):
        x = tf.nn.relu(tf.nn.conv2d(x, kernel, 2, "SAME"))
        return tf.reduce_mean(tf.nn.max_pool2d(x, 2, 1, "SAME"), [1, 2])

    f = reloaded(tmp_path, network, [None, 8, 8, 2])
    for n in COUNTS:
        assert_close(f(filled(n, 8, 8, 2)), network(filled(n, 8, 8, 2)))


def test_dimensions_that_must_be_equal(tmp_path):
    def loss(x, y):
        return tf.reduce_mean((x - y) ** 2, axis=0)

    f = reloaded(tmp_path, loss, [None, 2], [None, 2])
    for n in COUNTS:
        assert_close(f(filled(n, 2), filled(n, 2) + 1), loss(filled(n, 2), filled(n, 2) + 1))
    with pytest.raises(TypeError, match=r"cannot take .* dimensions must be equal"):
        f(filled(3, 2), filled(4, 2))


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (lambda x, y: x @ y, [(2, 5), (5, 3)]),
        (lambda x, y: (x - y) ** 2, [(2, 5), (2, 5)]),
        (lambda x, y: tf.linalg.solve(x + 30.0 * tf.eye(tf.shape(x)[0]), y), [(5, 5), (5, 2)]),
        (lambda x, y: tf.einsum("bij,bjk->bik", x, y), [(2, 3, 5), (2, 5, 1)]),
    ],
)
def test_as_few_dimensions_as_can_be_are_equal(tmp_path, function, shapes):
    f = reloaded(tmp_path, function, *[[None] * len(shape) for shape in shapes])
    for more in (0, 1, 6):  # lengths that were equal stay so
        given = [filled(*[n + more * (n == 5) for n in shape]) for shape in shapes]
        assert_close(f(*given), function(*given))


def convolutions(x):
    x = tf.nn.relu(tf.nn.conv2d(x, filled(3, 3, 2, 4), 2, "SAME"))
    x = tf.nn.avg_pool2d(tf.nn.max_pool2d(x, 3, 2, "SAME"), 2, 2, "SAME")
    x = tf.nn.depthwise_conv2d(x, filled(3, 3, 4, 2), [1, 2, 2, 1], "SAME")
    return tf.nn.conv1d(x[:, 0], filled(3, 8, 4), 3, "SAME")


def inside(x):
    x = tf.nn.conv2d(x, filled(2, 3, 2, 4), [2, 3], "VALID")
    return tf.nn.max_pool2d(x, 2, 2, "SAME")


@pytest.mark.parametrize(("function", "least"), [(convolutions, 1), (inside, 3)])
def test_padding_depends_on_the_lengths_of_images(tmp_path, function, least):
    f = reloaded(tmp_path, function, [None, None, None, 2])
    for n in (*range(least, 20), 33, 64, 65, 100):
        x = filled(2, n, n + 3, 2)
        assert_close(f(x), function(x))
    assert_gradients_close(f, function, x)


def test_lengths_that_are_the_same_at_small_sizes(tmp_path):
    # behind many strides the images of a recording have one place, which others do not have

    def function(x):
        for _ in range(6):
            x = tf.nn.conv2d(x, filled(3, 3, 2, 2), 2, "SAME")
        return x

    f = reloaded(tmp_path, function, [None, None, 4, 2])
    for n in (1, 64, 65, 128, 129, 200, 321, 700):
        x = filled(1, n, 4, 2)
        assert_close(f(x), function(x))


def test_dimensions_that_have_nothing_to_do_with_each_other(tmp_path):
    f = reloaded(tmp_path, lambda x, y: tf.matmul(x, y, transpose_b=True), [None, 2], [None, 2])
    for n in COUNTS:
        assert_close(f(filled(n, 2), filled(3, 2)), filled(n, 2) @ tf.transpose(filled(3, 2)))


def test_a_size_at_which_python_goes_another_way(tmp_path):
    def f(x, y):
        rows = x * 10.0 if x.shape[0] == 1 else tf.sin(x)
        return rows, y - 1.0 if y.shape[0] == 1 else y

    g = reloaded(tmp_path, f, [None], [None])
    for n in (1, 2, 6):
        for m in (1, 2, 6):
            assert_close(g(filled(n), filled(m)), f(filled(n), filled(m)))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: x if x.shape[0] % 2 else -x, "it takes 0 steps at 3, and 1 at 4"),
        (lambda x: x[: x.shape[0] // 2], "StridedSlice takes"),
        (lambda x: tf.add_n([x[i] for i in range(x.shape[0])]), "steps at 3, and"),
        (lambda x: x * tf.constant(np.sqrt(np.arange(x.shape[0])), tf.float32), "Mul takes"),
        (lambda x: tf.exp(x) if x.shape[0] > 5 else tf.sin(x), "it does Sin at 3, and Exp at 7"),
    ],
)
def test_what_does_not_generalize_is_refused(tmp_path, function, message):
    with pytest.raises(ValueError, match=f"in a way that cannot be written down: .*{message}"):
        reloaded(tmp_path, function, [None])


def test_an_unknown_rank(tmp_path):
    f = reloaded(tmp_path, lambda x: tf.reduce_sum(tf.sin(x), -1) * 2.0, None)
    for shape in ((3,), (2, 5), (1, 2, 3), (2, 1, 3, 2), (1, 2, 1, 2, 2), (2, 1, 1, 2, 1, 3)):
        assert_close(f(filled(*shape)), tf.reduce_sum(tf.sin(filled(*shape)), -1) * 2.0)
    with pytest.raises(TypeError, match=r"was saved in .* for"):
        f(filled(1, 1, 1, 1, 1, 1, 1))


def test_two_unknown_ranks(tmp_path):
    f = reloaded(tmp_path, lambda x, y: x * y, None, None)
    for shapes in (((), ()), ((3,), ()), ((), (2, 5)), ((3,), (2, 3)), ((2, 1, 4), (2, 1, 4))):
        x, y = [filled(*shape) for shape in shapes]
        assert_close(f(x, y), x * y)
    with pytest.raises(TypeError, match=r"was saved in .* for"):
        f(filled(1, 1, 1), filled(2))


# -- fitting ---------------------------------------------------------------------------------------

POINTS = Points((3, 5), (4, 6), (7, 11), (1, 5))
factors = st.integers(-5, 5)


@settings(max_examples=100)
@given(factors, factors, factors, factors, st.integers(1, 50), st.integers(1, 50))
def test_sums_of_products_are_found(a, b, c, d, n, m):
    def value(n, m):
        return (a + b * n + c * m + d * n * m, "x")

    form = fitted([value(*p) for p in POINTS.all], POINTS)
    found = form[0] if isinstance(form[0], int) else form[0].at((n, m))
    assert found == value(n, m)[0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "function",
    [lambda n: n * 2 + 1, lambda n: 1 / n, lambda n: n**0.5, lambda n: 1 / (3 * n) ** 0.5],
)
def test_functions_of_sizes_are_found(function, dtype):
    form = fitted([dtype(function(n * m)) for n, m in POINTS.all], POINTS)
    np.testing.assert_allclose(form.at((20, 30)), dtype(function(600)), rtol=1e-6)
    assert form.at((2, 2)).dtype == dtype


@pytest.mark.parametrize(
    "function",
    [
        lambda n, m: np.arange(n * 2) + m,
        lambda n, m: np.arange(n)[:, None] * 3 + np.arange(m) * 5.0,
        lambda n, m: np.tril(np.ones((n, m)), 1),
        lambda n, m: np.triu(np.full((2, n, n), -np.inf), 1),
        lambda n, m: np.eye(n, m, dtype=bool),
        lambda n, m: np.full((n, 2, m), 1 / (n + m), np.float32),
        lambda n, m: np.array([[n, m], [n * m, 3]]),
    ],
)
def test_arrays_are_found(function):
    form = fitted([function(*p) for p in POINTS.all], POINTS)
    for n, m in ((1, 5), (4, 9), (12, 2)):
        np.testing.assert_array_equal(form.at((n, m)), function(n, m))


def test_other_values_have_no_pattern():
    for function in (lambda n, m: n // 2, lambda n, m: str(n), lambda n, m: (1,) * n):
        with pytest.raises(NoPattern):
            fitted([function(*p) for p in POINTS.all], POINTS)


def test_constants_show_their_formulas():
    ones = Full((Size.number(0), 3), 1.0, np.dtype("float32"))
    assert repr(Constant(ones)) == repr(ones)
    assert repr(Constant(np.zeros(5, "float32"))) == "float32[5]"
