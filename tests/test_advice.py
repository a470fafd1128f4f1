"""What newcomers get wrong: that it is noticed, and that the message says what to do."""

import numpy as np
import pytest

import cinta as tf


@pytest.fixture
def x():
    return tf.constant([1.0, 2.0])


def refused(error, *words):
    """Expect this error, with all of these words in its message."""
    return pytest.raises(error, match="".join(f"(?=.*{word})" for word in words))


# -- lists that were forgotten ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("axis", "error"),
    [
        (tf.constant([3.0, 4.0]), ValueError),
        (tf.constant([3, 4]), ValueError),
        ([0], ValueError),
        (None, ValueError),
        (1.5, TypeError),
    ],
)
def test_concat_of_one_value_needs_an_axis(x, axis, error):
    with refused(error, r"tf\.concat\(\[a, b\], axis=0\)"):
        tf.concat(x, axis)
    with refused(error, r"tf\.concat\(\[a, b\], axis=0\)"):
        tf.concat([x], axis)


@pytest.mark.parametrize("axis", [0, 5, np.int64(1), tf.constant(0)])
def test_concat_of_one_value_takes_any_axis(x, axis):
    assert tf.concat([x], axis).numpy().tolist() == [1, 2]


def test_a_length_is_no_dtype():
    with refused(TypeError, r"tf\.zeros\(\[2, 3\]\)"):
        tf.zeros(2, 3)
    with refused(TypeError, r"tf\.ones\(\[2, 3, 4\]\)"):
        tf.ones([2, 3], 4)


def test_a_dtype_is_no_answer_to_whether_a_variable_is_trainable():
    with pytest.warns(UserWarning, match=r"`trainable`.*Write dtype=tf\.float32") as caught:
        v = tf.Variable([1, 2], tf.float32)
    assert v.dtype == tf.int32
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "given", [[1.0, 2.0], (1.0, 2.0), [[1.0, 2.0]], [tf.constant(1.0), np.float32(2.0)]]
)
def test_output_gradients_of_one_tensor_may_be_a_list_of_numbers(x, given):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x, output_gradients=given).numpy().tolist() == [2, 8]
    assert tape.gradient([y], x, output_gradients=given).numpy().tolist() == [2, 8]


def test_such_a_list_has_the_shape_of_the_tensor(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = tf.reduce_sum(y)
    with refused(tf.errors.InvalidArgumentError, "shapes of the targets"):
        tape.gradient(y, x, output_gradients=[1.0, 2.0, 3.0])
    assert tape.gradient(y, x, output_gradients=[3.0]).numpy().tolist() == [6, 12]
    assert tape.gradient(z, x, output_gradients=[3.0, 4.0]).numpy().tolist() == [6, 12]


# -- functions that leave tf on their way ----------------------------------------------------------

LEAVING = {
    "grad": lambda f, x: tf.grad(lambda x: float(f(x)[0]))(x),
    "value_and_grad": lambda f, x: tf.value_and_grad(lambda x: float(f(x)[0]))(x),
    "elementwise_grad": lambda f, x: tf.elementwise_grad(f)(x),
    "per_example_gradient": lambda f, x: tf.per_example_gradient(lambda w, x: f(x))(x, x),
    "jacobian": lambda f, x: tf.jacobian(f)(x),
    "hessian": lambda f, x: tf.hessian(lambda x: float(f(x)[0]))(x),
    "hvp": lambda f, x: tf.hvp(lambda x: float(f(x)[0]))(x, x),
    "jvp": lambda f, x: tf.jvp(f, [x], [x]),
    "vjp": lambda f, x: tf.vjp(f, x),
    "linearize": lambda f, x: tf.linearize(f, x),
    "taylor": lambda f, x: tf.autodiff.taylor(f, x, 2),
    "sparse_jacobian": lambda f, x: tf.autodiff.sparse_jacobian(f)(x),
    "sparse_hessian": lambda f, x: tf.autodiff.sparse_hessian(lambda x: float(f(x)[0]))(x),
    "root": lambda f, x: tf.optimize.root(f, x),
    "least_squares": lambda f, x: tf.optimize.least_squares(f, x),
}


@pytest.mark.parametrize("way", LEAVING.values(), ids=LEAVING)
def test_a_function_that_leaves_tf_is_noticed_at_the_line_of_the_user(x, way):
    with pytest.warns(UserWarning, match="so its derivative is zero") as caught:
        way(lambda x: np.asarray(x) - 1.0, x)
    assert {w.filename for w in caught} == {__file__}


@pytest.mark.parametrize(
    ("f", "what"),
    [
        (lambda x: float(x) ** 2, "a Python number, 9.0"),
        (lambda x: x.numpy() ** 2, "a NumPy value"),
        (lambda x: tf.constant(1.0), "a tensor that was computed without x"),
    ],
)
def test_minimize_needs_a_value_that_depends_on_x(f, what):
    with refused(ValueError, "does not depend on x through tf's functions", what, "Nelder-Mead"):
        tf.optimize.minimize(f, 3.0)


def test_methods_without_derivatives_take_any_function():
    found = tf.optimize.minimize(lambda x: float(x) ** 2, 3.0, method="Nelder-Mead")
    assert abs(float(found.x)) < 1e-3
    assert tf.optimize.root(lambda x: np.asarray(x) - 1, 3.0, method="krylov").success


# -- names from elsewhere --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "name", "words"),
    [
        (tf.constant(1.0), "assign", "Was a tf.Variable replaced by a tensor"),
        (tf.constant(1.0), "assign_sub", "w.assign_sub"),
        (tf.constant(1.0), "backward", "tape.gradient"),
        (tf.Variable(1.0), "grad", "tape.gradient"),
        (tf.Variable(1.0), "requires_grad", "tape.watch"),
        (tf.GradientTape(), "gradients", "tape.gradient"),
        (tf.GradientTape(), "backward", "tape.gradient"),
    ],
)
def test_names_from_elsewhere_lead_to_ours(value, name, words):
    with refused(AttributeError, f"has no attribute '{name}'", words):
        getattr(value, name)


def test_none_is_no_change():
    with refused(ValueError, "unsupported type", "A gradient that is None"):
        tf.Variable(1.0).assign_sub(None)


def test_a_variable_keeps_its_shape():
    with refused(ValueError, "variable 'Variable:0': Shape mismatch", r"shape=tf\.TensorShape"):
        tf.Variable([1.0, 2.0]).assign([1.0, 2.0, 3.0])


def test_variables_are_formatted_as_tensors():
    v = tf.Variable(1.2)
    assert f"{v:.2f}" == f"{tf.constant(1.2):.2f}" == "1.20"
    assert f"{v}" == str(v)
