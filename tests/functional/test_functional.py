"""grad, value_and_grad, elementwise_grad."""

import collections

import numpy as np
import pytest

import cinta as tf

Pair = collections.namedtuple("Pair", ["a", "b"])


def product(a, b):
    return a * b


def values(gradients):
    return tf.nest.map_structure(lambda g: g.numpy().tolist(), gradients)


# -- which argument --------------------------------------------------------------------------------


def test_the_first_argument_counts():
    assert values(tf.grad(product)(2.0, 5.0)) == 5


@pytest.mark.filterwarnings("ignore:the function to be differentiated returned a Python number")
@pytest.mark.parametrize(
    ("argnums", "expected"),
    [
        (0, 5),
        (1, 2),
        (-1, 2),
        (np.int64(1), 2),
        ((0,), (5,)),
        ((0, 1), (5, 2)),
        ([1, 0], (2, 5)),
        ((), ()),
    ],
)
def test_argnums_says_which_argument_counts(argnums, expected):
    gradients = tf.grad(product, argnums)(2.0, 5.0)
    assert type(gradients) is type(expected) or isinstance(gradients, tf.Tensor)
    assert values(gradients) == expected


@pytest.mark.parametrize("argnums", [2, -3, (0, 2)])
def test_an_argument_that_is_not_there_is_refused(argnums):
    with pytest.raises(ValueError, match="called with 2 of them"):
        tf.grad(product, argnums)(2.0, 5.0)


def test_arguments_are_named_by_position():
    with pytest.raises(TypeError, match="Expected int for argument 'argnums' not 'b'"):
        tf.grad(product, "b")(2.0, 5.0)


def test_an_argument_passed_by_keyword_has_no_position():
    with pytest.raises(ValueError, match="passed by keyword have no position"):
        tf.grad(product, 1)(2.0, b=5.0)


def test_other_arguments_pass_unchanged():
    seen = []

    def f(x, n, *, flag, items):
        seen.extend([n, flag, items])
        return x * n

    assert values(tf.grad(f)(2.0, 3, flag="text", items=[1, None])) == 3
    assert seen == [3, "text", [1, None]]


# -- arguments -------------------------------------------------------------------------------------


ARGUMENTS = {
    "float": (2.0, tf.float32),
    "NumPy scalar": (np.float64(2), tf.float64),
    "array": (np.array([2.0, 3.0], np.float32), tf.float32),
    "tensor": (tf.constant([2.0, 3.0], tf.float64), tf.float64),
    "variable": (tf.Variable([2.0, 3.0]), tf.float32),
    "unwatched variable": (tf.Variable([2.0, 3.0], trainable=False), tf.float32),
    "half": (tf.constant([2.0], tf.bfloat16), tf.bfloat16),
}


@pytest.mark.parametrize(("x", "dtype"), ARGUMENTS.values(), ids=ARGUMENTS.keys())
def test_gradients_have_the_shape_and_dtype_of_the_argument(x, dtype):
    g = tf.grad(lambda x: tf.reduce_sum(x * x))(x)
    assert g.dtype == dtype
    assert g.shape == np.shape(x)
    assert np.all(g.numpy() == 2 * np.asarray(x))


def test_gradients_have_the_structure_of_the_argument():
    def f(p):
        return p["z"] * p["a"].a * p["a"].b[0]

    g = tf.grad(f)({"z": 2.0, "a": Pair(3.0, [5.0, 7.0])})
    assert values(g) == {"z": 15, "a": Pair(10, [6, 0])}
    assert type(g["a"]) is Pair
    assert list(g) == ["z", "a"]


@pytest.mark.parametrize("x", [3, True, np.int64(3), [3.0, 3], tf.constant(3), tf.Variable(3)])
def test_integers_are_refused(x):
    with pytest.raises(TypeError, match=r"Write 3\.0 instead of 3"):
        tf.grad(lambda x: x)(x)


@pytest.mark.parametrize("x", [None, object()])
def test_what_is_no_tensor_is_refused(x):
    with pytest.raises(ValueError, match="Attempt to convert a value"):
        tf.grad(lambda x: x)(x)


def test_what_is_no_function_is_refused():
    for make in (tf.grad, tf.value_and_grad, tf.elementwise_grad):
        with pytest.raises(TypeError, match="Expected a function"):
            make(5.0)


# -- constants -------------------------------------------------------------------------------------


def test_the_same_tensor_is_constant_where_it_comes_by_another_way():
    x, v = tf.constant(3.0), tf.Variable(3.0)
    assert values(tf.grad(lambda y: x * y)(x)) == 3
    assert values(tf.grad(lambda y: v * y)(v)) == 3


def test_no_dependence_gives_zeros():
    assert values(tf.grad(lambda x: tf.constant(1.0))(tf.ones([2]))) == [0, 0]
    with pytest.warns(UserWarning, match="a Python number, 5.0, so its derivative is zero"):
        assert values(tf.grad(lambda x: 5.0)(2.0)) == 0
    assert values(tf.grad(lambda x, y: x * 2.0, argnums=(0, 1))(2.0, 3.0)) == (2, 0)


def test_a_tape_outside_watches_the_variables_and_arguments():
    v, x = tf.Variable(5.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.grad(lambda x: v * x * x)(x)
    assert values(tape.gradient(y, [v, x])) == [6, 10]


def test_a_lookup_gives_a_dense_gradient():
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    g = tf.grad(lambda t: tf.reduce_sum(tf.gather(t, [1, 1])))(table)
    assert isinstance(g, tf.Tensor)
    assert values(g) == [[0, 0], [2, 2]]


# -- results ---------------------------------------------------------------------------------------


def test_value_and_grad_gives_both():
    value, g = tf.value_and_grad(product, (0, 1))(2.0, 5.0)
    assert (values(value), values(g)) == (10, (5, 2))


def test_an_auxiliary_result_is_handed_on():
    def f(x):
        return x * x, {"double": 2 * x, "text": "text"}

    g, aux = tf.grad(f, has_aux=True)(3.0)
    assert (values(g), values(aux["double"]), aux["text"]) == (6, 6, "text")
    (value, aux), g = tf.value_and_grad(f, has_aux=True)(3.0)
    assert (values(value), aux["text"], values(g)) == (9, "text", 6)


@pytest.mark.parametrize("returned", [1.0, (1.0,), [1.0, 2.0]])
def test_an_auxiliary_result_comes_in_a_pair(returned):
    with pytest.raises(TypeError, match=r"must return a pair \(value, aux\)"):
        tf.grad(lambda x: returned, has_aux=True)(3.0)


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: None, "is a `return` missing"),
        (lambda x: tf.stack([x, x]), "must return a scalar"),
        (lambda x: [x], "must return a scalar"),
        (lambda x: tf.cast(x, tf.int32), "must return floating-point or complex numbers"),
    ],
)
def test_the_result_must_be_a_number(f, message):
    with pytest.raises(TypeError, match=message):
        tf.grad(f)(3.0)


def test_a_result_that_numpy_computed_is_noticed():
    with pytest.warns(UserWarning, match=r"what NumPy computes is not recorded") as caught:
        assert tf.grad(lambda x: np.sum(x.numpy()))(tf.constant([1.0, 2.0])).numpy().tolist() == [
            0,
            0,
        ]
    assert caught[0].filename == __file__


def test_elementwise_grad_takes_results_of_any_shape():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert values(tf.elementwise_grad(lambda x: x * x)(x)) == [[2, 4], [6, 8]]
    assert values(tf.elementwise_grad(product, 1)(x, 2.0)) == 10


def test_names_and_signatures_are_kept():
    for make in (tf.grad, tf.value_and_grad, tf.elementwise_grad):
        made = make(product)
        assert (made.__name__, made.__wrapped__) == ("product", product)


def test_methods_and_modules_can_be_differentiated():
    class Scale(tf.Module):
        def __init__(self):
            super().__init__()
            self.factor = tf.Variable(5.0)

        def __call__(self, x):
            return self.factor * x

    scale = Scale()
    assert values(tf.grad(scale)(2.0)) == 5
    assert not hasattr(tf.grad(scale), "factor")


# -- higher orders ---------------------------------------------------------------------------------


def test_gradients_of_gradients():
    def f(x):
        return x**5

    found = []
    for _ in range(6):
        found.append(values(f(tf.constant(2.0, tf.float64))))
        f = tf.grad(f)
    np.testing.assert_allclose(found, [32, 80, 160, 240, 240, 120])


def test_a_linear_function_has_a_second_derivative_of_zero():
    assert values(tf.grad(tf.grad(lambda x: 2.0 * x))(3.0)) == 0


def test_mixed_derivatives():
    f = tf.grad(tf.grad(lambda x, y: x * x * y * y, 0), 1)
    assert values(f(3.0, 5.0)) == 4 * 3 * 5


def test_inner_variables_are_not_confused_with_outer_ones():
    def outer(x):
        return x * tf.grad(lambda y: x + y)(1.0)

    assert values(tf.grad(outer)(3.0)) == 1
    assert values(tf.grad(lambda x: tf.grad(lambda x: x * x)(x) * x)(3.0)) == 12


def test_elementwise_derivatives_nest():
    x = tf.constant([0.5, 1.0, 2.0], tf.float64)
    third = tf.elementwise_grad(tf.elementwise_grad(tf.elementwise_grad(tf.sin)))
    np.testing.assert_allclose(third(x).numpy(), -np.cos(x.numpy()))
