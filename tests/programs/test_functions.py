"""tf.function: how functions are called, and that tapes see what they do."""

import numpy as np
import pytest

import cinta as tf


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def doubled(a):
    """Twice as much."""
    return a * 2


def test_python_decides_by_values_at_every_call():
    @tf.function
    def f(x):
        total = tf.constant(1.0)
        for element in x:
            if element > 0.0:
                total = total * element + 1.0
        return total

    x = tf.constant([2.0, -1.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(y) == 10.0
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 0.0, 3.0]


def test_has_the_name_the_text_and_the_function_that_it_is_made_of():
    assert doubled.__name__ == "doubled"
    assert doubled.__doc__ == "Twice as much."
    assert doubled.python_function(3.0) == 6.0
    assert doubled.input_signature == (tf.TensorSpec([None], tf.float32),)
    assert repr(doubled) == "<tf.function doubled(a)>"


@pytest.mark.parametrize(
    "given", [[1, 2], [1.0, 2.0], np.array([1.0, 2.0]), tf.Variable([1.0, 2.0])], ids=repr
)
def test_a_signature_makes_tensors_of_all_arguments(given):
    for result in doubled(given), doubled(a=given):
        assert result.dtype == tf.float32
        assert result.numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize(
    ("args", "kwargs", "why"),
    [
        ((tf.ones(2, tf.float64),), {}, "Can not cast TensorSpec"),
        ((tf.ones([2, 2]),), {}, "Can not cast TensorSpec"),
        ((1.0,), {}, "Can not cast TensorSpec"),
        ((), {}, "missing a required argument: 'a'"),
        ((1.0, 2.0), {}, "too many positional arguments"),
        ((), {"b": [1.0]}, "missing a required argument: 'a'"),
        ((None,), {}, "None"),
        (("a",), {}, "Cannot convert 'a'"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(args, kwargs, why):
    with pytest.raises(TypeError, match=r"Binding inputs to tf\.function failed") as caught:
        doubled(*args, **kwargs)
    assert why in str(caught.value)


def test_signatures_may_be_nests_and_fewer_than_the_arguments():
    spec = tf.TensorSpec([], tf.float32)
    f = tf.function(
        lambda d, b=2.0: d["a"] + d["c"][0] * b, input_signature=[{"a": spec, "c": [spec]}]
    )
    assert float(f({"a": 1, "c": [3]})) == 7.0
    with pytest.raises(TypeError, match="has not the structure"):
        f({"a": 1, "c": []})


@pytest.mark.parametrize("wrong", [3, tf.TensorSpec([])])
def test_a_signature_is_a_list(wrong):
    with pytest.raises(TypeError, match="either a tuple or a list"):
        tf.function(lambda a: a, input_signature=wrong)
    with pytest.raises(TypeError, match="contains 1 extra type constraints"):
        tf.function(lambda a: a, input_signature=[tf.TensorSpec([]), tf.TensorSpec([])])


def test_only_functions_are_taken():
    with pytest.raises(TypeError, match="not a callable object"):
        tf.function(3)


def test_arrays_become_tensors_on_the_way_in_and_numbers_on_the_way_out():
    f = tf.function(lambda x, n, **more: {"t": tf.is_tensor(x), "n": n, "more": more, "none": None})
    found = f(np.ones(2), 3, k=np.float32(1.0))
    assert bool(found["t"])
    assert found["n"].dtype == tf.int32
    assert found["more"]["k"].dtype == tf.float32
    assert found["none"] is None
    v = tf.Variable(2.0)
    assert not isinstance(tf.function(lambda: v)(), tf.Variable)
    with pytest.raises(TypeError, match="must return zero or more Tensors"):
        tf.function(object)()


def test_methods_work_and_variables_are_made_once():
    class Layer(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(3.0)
            return self.w * x

    first, second = Layer(), Layer()
    with tf.GradientTape() as tape:
        y = first(2.0) * first(x=1.0)
    assert float(y) == 18.0
    assert float(tape.gradient(y, first.w)) == 12.0
    assert second.w is None
    assert float(Layer()(1.0)) == 3.0


def test_a_concrete_function_keeps_the_constants():
    f = tf.function(lambda a, n: a * n)
    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.float32), 3.0)
    assert concrete(tf.constant([2.0])).numpy().tolist() == [6.0]
    assert concrete([2.0]).numpy().tolist() == [6.0]
    assert concrete(a=[2.0]).numpy().tolist() == [6.0]
    spec = tf.TensorSpec([None], tf.float32, name="a")
    assert concrete.structured_input_signature == ((spec, 3.0), {})
    assert "concrete" in repr(concrete).lower()
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float tensor"):
        concrete(tf.ones(1, tf.float64))
    with pytest.raises(TypeError, match="missing a required argument: 'a'"):
        concrete()
    with pytest.raises(TypeError, match="missing a required argument"):
        f.get_concrete_function()
    assert doubled.get_concrete_function()([1.0]).numpy().tolist() == [2.0]


def test_derivatives_of_higher_order_go_through():
    f = tf.function(lambda a: tf.exp(a) * a)
    x = tf.constant(0.5, tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = f(x)
        g = inner.gradient(y, x)
    assert float(outer.gradient(g, x)) == pytest.approx(np.exp(0.5) * 2.5)


def test_gradients_of_graphs_are_refused_outside_of_functions():
    for refused in tf.gradients, tf.hessians:
        with pytest.raises(RuntimeError, match=r"Use tf\.GradientTape instead"):
            refused(1.0, 2.0)
        with pytest.raises(TypeError, match=r"missing 2 required .*'ys' and 'xs'"):
            refused()
