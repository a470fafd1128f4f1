"""jvp, vjp, linearize, hvp, vhp, jacobian, hessian, per_example_gradient."""

import collections

import numpy as np
import pytest

import cinta as tf

Pair = collections.namedtuple("Pair", ["a", "b"])


def values(x):
    return tf.nest.map_structure(lambda x: x.numpy().tolist(), x)


def f(x, y):
    return {"product": x * y, "sum": [tf.reduce_sum(x + y * y)]}


X, Y = tf.constant([1.0, 2.0]), tf.constant(3.0)


# -- jvp, vjp, linearize ---------------------------------------------------------------------------


def test_jvp_gives_the_value_and_its_derivative():
    value, tangent = tf.jvp(f, [X, Y], [tf.constant([1.0, 0.0]), 10.0])
    assert values(value) == {"product": [3, 6], "sum": [21]}
    assert values(tangent) == {"product": [13, 20], "sum": [121]}


def test_vjp_gives_the_value_and_a_function_that_may_be_called_again():
    value, pullback = tf.vjp(f, X, Y)
    assert values(value) == {"product": [3, 6], "sum": [21]}
    for factor in (1.0, 2.0):
        w = {"product": tf.constant([factor, 0.0]), "sum": [factor]}
        assert values(pullback(w)) == ([4 * factor, factor], 13 * factor)


def test_linearize_gives_the_value_and_a_linear_function():
    calls = []

    def g(x, y):
        calls.append(1)
        return f(x, y)

    value, push = tf.linearize(g, X, Y)
    assert values(value) == {"product": [3, 6], "sum": [21]}
    for v, dy in (([1.0, 0.0], 10.0), ([0.5, -1.0], 0.0)):
        expected = tf.jvp(f, [X, Y], [tf.constant(v), dy])[1]
        assert values(push(tf.constant(v), dy)) == values(expected)
    assert len(calls) == 1


def test_forwards_and_backwards_are_transposes():
    rng = np.random.default_rng(0)
    x, w = tf.constant(rng.standard_normal((4, 3))), tf.constant(rng.standard_normal((3, 5)))
    v = [tf.constant(rng.standard_normal(t.shape)) for t in (x, w)]
    u = tf.constant(rng.standard_normal((4, 5)))

    def g(x, w):
        return tf.nn.softmax(tf.tanh(x @ w))

    forwards = tf.reduce_sum(u * tf.jvp(g, [x, w], v)[1])
    backwards = sum(tf.reduce_sum(a * b) for a, b in zip(tf.vjp(g, x, w)[1](u), v, strict=True))
    linear = tf.reduce_sum(u * tf.linearize(g, x, w)[1](*v))
    assert float(forwards) == pytest.approx(float(backwards), rel=1e-12)
    assert float(forwards) == pytest.approx(float(linear), rel=1e-12)


def test_structures_of_arguments():
    p = Pair(tf.constant(2.0), [3.0])
    g = lambda p: p.a * p.b[0]  # noqa: E731
    assert values(tf.jvp(g, [p], [Pair(1.0, [10.0])])[1]) == 23
    (gradient,) = tf.vjp(g, p)[1](1.0)
    assert type(gradient) is Pair
    assert values(gradient) == Pair(3, [2])
    assert values(tf.linearize(g, p)[1](Pair(1.0, [10.0]))) == 23


def test_no_dependence_gives_zeros():
    one = lambda x: tf.ones([2])  # noqa: E731
    assert values(tf.jvp(one, [X], [X])[1]) == [0, 0]
    assert values(tf.vjp(one, X)[1](tf.ones([2]))) == ([0, 0],)
    assert values(tf.linearize(one, X)[1](X)) == [0, 0]
    assert values(tf.jacobian(one)(X)) == [[0, 0], [0, 0]]
    assert values(tf.hessian(lambda x: tf.ones([]))(X)) == [[0, 0], [0, 0]]
    assert values(tf.hvp(lambda x: tf.ones([]))(X, X)) == [0, 0]


def test_the_same_tensor_twice_is_two_arguments():
    assert values(tf.jvp(lambda x, y: x * y, [X, X], [tf.ones([2]), tf.zeros([2])])[1]) == [1, 2]
    assert values(tf.vjp(lambda x, y: x * x * y, X, X)[1](tf.ones([2]))) == ([2, 8], [1, 4])


def test_variables_elsewhere_are_constant_and_their_tapes_are_not():
    v = tf.Variable(5.0)
    assert values(tf.jvp(lambda x: x * v, [2.0], [1.0])[1]) == 5
    with tf.GradientTape() as tape:
        y = tf.jvp(lambda x: x * x * v, [2.0], [1.0])[1] + tf.vjp(lambda x: x * v, 2.0)[1](3.0)[0]
    assert values(tape.gradient(y, v)) == 4 + 3


def test_complex_arguments():
    z, v = tf.constant([1.0 + 2.0j]), tf.constant([0.5 - 1.0j])
    assert values(tf.jvp(lambda z: z * z, [z], [v])[1]) == [2 * (1 + 2j) * (0.5 - 1j)]
    np.testing.assert_allclose(
        tf.linearize(lambda z: z * z, z)[1](v).numpy(), [2 * (1 + 2j) * (0.5 - 1j)]
    )
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = z * z
    assert values(tf.vjp(lambda z: z * z, z)[1](v)) == (values(tape.gradient(y, z, v)),)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_the_dtype_is_kept(dtype):
    x = tf.constant([0.5, 1.0], dtype)
    g = lambda x: tf.reduce_sum(tf.exp(x) * x)  # noqa: E731
    found = [tf.jvp(g, [x], [x])[1], *tf.vjp(g, x)[1](tf.ones([], dtype))]
    found += [tf.linearize(g, x)[1](x), tf.hvp(g)(x, x), tf.vhp(g)(x, x)]
    found += [tf.hvp(g, mode="forward-over-reverse")(x, x), tf.jacobian(g)(x), tf.hessian(g)(x)]
    assert {t.dtype for t in found} == {tf.as_dtype(dtype)}


def test_empty_arrays():
    x = tf.zeros([0, 2])
    g = lambda x: tf.reduce_sum(x * x)  # noqa: E731
    assert values(tf.jvp(g, [x], [x])[1]) == 0
    assert tf.hessian(g)(x).shape == (0, 2, 0, 2)
    assert tf.hvp(g)(x, x).shape == (0, 2)
    assert tf.jacobian(lambda x: x * x)(x).shape == (0, 2, 0, 2)


# -- jacobian and hessian --------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", "forward", "reverse"])
def test_a_jacobian_has_the_structure_of_the_value_and_then_of_the_argument(mode):
    found = tf.jacobian(f, argnums=(0, 1), mode=mode)(X, Y)
    assert values(found) == {
        "product": ([[3, 0], [0, 3]], [1, 2]),
        "sum": [([1, 1], 12)],
    }


def test_a_jacobian_hands_on_what_is_auxiliary():
    g = lambda x: (x * x, {"text": "text", "x": x})  # noqa: E731
    found, aux = tf.jacobian(g, has_aux=True)(X)
    assert (values(found), aux["text"], values(aux["x"])) == ([[2, 0], [0, 4]], "text", [1, 2])


def test_a_jacobian_refuses_other_modes():
    with pytest.raises(ValueError, match="'auto', 'forward' or 'reverse'"):
        tf.jacobian(f, mode="sideways")(X, Y)


def test_a_hessian_has_the_structure_of_the_argument_twice():
    g = lambda p, c: c * tf.reduce_sum(p["a"] ** 2) * p["b"] ** 2  # noqa: E731
    h = tf.hessian(g)({"a": X, "b": Y}, 1.0)
    assert values(h) == {
        "a": {"a": [[18, 0], [0, 18]], "b": [12, 24]},
        "b": {"a": [12, 24], "b": 10},
    }
    h = tf.hessian(lambda x, y: x * x * y, argnums=(0, 1))(2.0, 3.0)
    assert values(h) == ((6, 4), (4, 0))


MODES = ["auto", "forward-over-reverse", "reverse-over-reverse"]


@pytest.mark.parametrize("mode", MODES)
def test_a_product_is_the_hessian_times_the_vector(mode):
    rng = np.random.default_rng(0)
    x, v = tf.constant(rng.standard_normal((2, 3))), tf.constant(rng.standard_normal((2, 3)))
    g = lambda x: tf.reduce_sum(tf.exp(x) @ tf.sin(tf.transpose(x)))  # noqa: E731
    expected = np.tensordot(tf.hessian(g)(x).numpy(), v.numpy(), 2)
    np.testing.assert_allclose(tf.hvp(g, mode=mode)(x, v).numpy(), expected, rtol=1e-10)
    np.testing.assert_allclose(tf.vhp(g)(x, v).numpy(), expected, rtol=1e-10)


@pytest.mark.parametrize("mode", MODES)
def test_products_by_several_arguments(mode):
    g = lambda x, y, n: tf.reduce_sum(x**n) * y * y  # noqa: E731
    found = tf.hvp(g, argnums=(0, 1), mode=mode)(X, Y, 2, (tf.constant([1.0, 0.0]), 1.0))
    assert values(found) == ([18 + 12, 24], 12 + 10)


def test_products_refuse_other_modes():
    with pytest.raises(ValueError, match="mode is one of"):
        tf.hvp(tf.sin, mode="sideways")


# -- compositions ----------------------------------------------------------------------------------


def fifth(x):
    return tf.reduce_sum(x**5)


V = tf.constant([1.0, -2.0], tf.float64)
P = tf.constant([0.5, 2.0], tf.float64)
THIRD = 60 * P.numpy() ** 2 * V.numpy() ** 2

WAYS = {
    "jvp of hvp": lambda: tf.jvp(lambda x: tf.hvp(fifth)(x, V), [P], [V])[1],
    "hvp of jvp": lambda: tf.hvp(lambda x: tf.jvp(fifth, [x], [V])[1])(P, V),
    "hvp forwards of jvp": lambda: tf.hvp(
        lambda x: tf.jvp(fifth, [x], [V])[1], mode="forward-over-reverse"
    )(P, V),
    "vhp of linearize": lambda: tf.vhp(lambda x: tf.linearize(fifth, x)[1](V))(P, V),
    "gradient of a quadratic form": lambda: tf.grad(
        lambda x: tf.reduce_sum(V * tf.hvp(fifth)(x, V))
    )(P),
    "jacobian of hvp": lambda: tf.linalg.matvec(tf.jacobian(lambda x: tf.hvp(fifth)(x, V))(P), V),
    "jacobian of hessian": lambda: tf.einsum("ijk,j,k->i", tf.jacobian(tf.hessian(fifth))(P), V, V),
    "hessian of jvp": lambda: tf.linalg.matvec(
        tf.hessian(lambda x: tf.jvp(fifth, [x], [V])[1])(P), V
    ),
    "jvp of jvp of grad": lambda: tf.jvp(lambda x: tf.jvp(tf.grad(fifth), [x], [V])[1], [P], [V])[
        1
    ],
    "vjp of vjp of grad": lambda: tf.vjp(lambda x: tf.vjp(tf.grad(fifth), x)[1](V)[0], P)[1](V)[0],
    "taylor of grad": lambda: tf.autodiff.taylor(tf.grad(fifth), P, 2, V)[2] * 2.0,
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_third_order(way):
    np.testing.assert_allclose(way().numpy(), THIRD, rtol=1e-12)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_third_order_under_a_tape(way):
    with tf.GradientTape() as tape:
        tape.watch(V)
        y = tf.reduce_sum(way())
    expected = 120 * P.numpy() ** 2 * V.numpy()
    np.testing.assert_allclose(tape.gradient(y, V).numpy(), expected, rtol=1e-12)


# -- per_example_gradient --------------------------------------------------------------------------


def losses(p, x, y):
    return (tf.linalg.matvec(x, p["w"]) + p["b"] - y) ** 2


@pytest.mark.parametrize("count", [0, 1, 5, 16, 17, 40])
def test_each_example_has_its_gradient(count):
    rng = np.random.default_rng(0)
    p = {"w": tf.constant(rng.standard_normal(3)), "b": tf.constant(0.5, tf.float64)}
    x, y = tf.constant(rng.standard_normal((count, 3))), tf.constant(rng.standard_normal(count))
    found = tf.per_example_gradient(losses)(p, x, y)
    assert (found["w"].shape, found["b"].shape) == ((count, 3), (count,))
    for k in range(count):
        one = tf.grad(lambda p, k=k: losses(p, x[k : k + 1], y[k : k + 1])[0])(p)
        np.testing.assert_allclose(found["w"][k].numpy(), one["w"].numpy(), rtol=1e-12)
        np.testing.assert_allclose(found["b"][k].numpy(), one["b"].numpy(), rtol=1e-12)


def test_gradients_by_several_arguments():
    w, b = tf.constant([1.0, 2.0]), tf.constant(1.0)
    x = tf.constant([[1.0, 0.0], [0.0, 3.0]])
    found = tf.per_example_gradient(lambda x, w, b: tf.linalg.matvec(x, w) * b, (1, 2))(x, w, b)
    assert values(found) == ([[1, 0], [0, 3]], [1, 6])


def test_bad_batches_are_refused():
    w, x = tf.ones([2]), tf.ones([3, 2])
    g = tf.per_example_gradient(lambda w, x, y: tf.linalg.matvec(x, w) - y)
    with pytest.raises(ValueError, match="as many examples along their first axes"):
        g(w, x, tf.ones([4]))
    with pytest.raises(ValueError, match="as many examples along their first axes"):
        g(w, x, 1.0)
    with pytest.raises(ValueError, match="needs one loss for each example"):
        tf.per_example_gradient(lambda w, x: tf.reduce_mean(x @ w[:, None]))(w, x)


# -- refusals --------------------------------------------------------------------------------------

REFUSED = [
    (lambda: tf.jvp(f, X, X), TypeError, "takes the arguments in a list or tuple"),
    (lambda: tf.jvp(f, [X, Y], [X]), ValueError, "same nested structure"),
    (lambda: tf.jvp(tf.sin, [X], [tf.ones([3])]), ValueError, "Dimensions must be equal"),
    (lambda: tf.jvp(tf.sin, [3], [1]), TypeError, "Write 3.0 instead of 3"),
    (lambda: tf.jvp(lambda x: None, [X], [X]), TypeError, "is a `return` missing"),
    (lambda: tf.vjp(tf.sin, 3), TypeError, "Write 3.0 instead of 3"),
    (lambda: tf.vjp(tf.argmax, X), TypeError, "must return floating-point"),
    (lambda: tf.vjp(tf.sin, X)[1](tf.ones([3])), ValueError, "Dimensions must be equal"),
    (lambda: tf.vjp(tf.sin, X)[1](None), ValueError, "None"),
    (lambda: tf.linearize(tf.sin, X)[1](tf.ones([3])), ValueError, "Dimensions must be equal"),
    (lambda: tf.linearize(tf.sin, X)[1](), ValueError, "same nested structure"),
    (lambda: tf.hvp(tf.sin)(X, X), TypeError, "must return a scalar"),
    (lambda: tf.hessian(tf.sin)(X), TypeError, "must return a scalar"),
    (lambda: tf.hessian(tf.sin, 1)(X), ValueError, "argnums names the positional argument 1"),
    (lambda: tf.jacobian(3.0), TypeError, "Expected a function"),
    (lambda: tf.jacobian(lambda x: None)(X), TypeError, "is a `return` missing"),
]


@pytest.mark.parametrize(("call", "error", "message"), REFUSED)
def test_bad_calls_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("make", [tf.jacobian, tf.hessian, tf.hvp, tf.vhp, tf.per_example_gradient])
def test_names_and_signatures_are_kept(make):
    made = make(losses)
    assert (made.__name__, made.__wrapped__) == ("losses", losses)
