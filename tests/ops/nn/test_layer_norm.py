"""Layer, group and RMS normalization as one op: by formula, large and small, in Keras."""

import numpy as np
import pytest

import cinta as tf
from cinta.keras_engine import normalization
from cinta.ops.nn import normalized_rows
from cinta.ops.nn.layer_norm import LayerNorm, layer_norm

keras = tf.keras
CASES = {
    "rows": ((150, 96), (96,), (-1,), True),
    "matrices": ((30, 20, 24), (20, 24), (-2, -1), True),
    "squares": ((150, 96), (96,), (-1,), False),
    "groups": ((4, 25, 8, 12), (8, 12), (-3, -1), True),
    "channels in front": ((4, 6, 25, 16), (6, 1, 1), (-2, -1), True),
}
each_case = pytest.mark.parametrize("name", CASES)


def inputs(name, middle=0.0, dtype="float64"):
    shape, weights, _, _ = CASES[name]
    draw = np.random.default_rng(0).normal
    x = draw(size=shape) * 2 + middle
    return [each.astype(dtype) for each in (x, draw(size=weights), draw(size=weights))], draw(
        size=shape
    ).astype(dtype)


def function(name):
    _, _, axis, centered = CASES[name]
    return lambda x, scale, offset: layer_norm(
        x, scale, offset, axis=axis, epsilon=1e-5, centered=centered
    )


def summed_to(array, shape):
    front = array.ndim - len(shape)
    axes = (*range(front), *[front + i for i, n in enumerate(shape) if n == 1])
    return array.sum(axes).reshape(shape)


def by_hand(name, x, scale, offset, g):
    """The result and its gradients in double precision."""
    x, scale, offset, g = (each.astype("float64") for each in (x, scale, offset, g))
    _, shape, axis, centered = CASES[name]

    def mean(u):
        return u.mean(axis, keepdims=True)

    away = x - mean(x) if centered else x
    factor = (mean(away**2) + 1e-5) ** -0.5
    h, own = away * factor, g * scale
    by_x = own - h * mean(own * h) - (mean(own) if centered else 0)
    return h * scale + offset, by_x * factor, summed_to(g * h, shape), summed_to(g, shape)


def derivatives(name, given, g):
    given = [tf.constant(each) for each in given]
    with tf.GradientTape() as tape:
        tape.watch(given)
        y = function(name)(*given)
    return [y, *tape.gradient(y, given, output_gradients=tf.constant(g))]


@each_case
@pytest.mark.parametrize("middle", [0.0, 3.0, 1000.0])
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-10), ("float32", 1e-4)])
def test_values_and_gradients(name, middle, dtype, tolerance):
    given, g = inputs(name, middle, dtype)
    for value, expected in zip(derivatives(name, given, g), by_hand(name, *given, g), strict=True):
        assert value.dtype.name == dtype
        error = np.abs(value.numpy() - expected).max() / np.abs(expected).max()
        assert error < tolerance * (1 + middle / 1000)


@each_case
def test_half_precision_is_rounded_once(name):
    (x, scale, offset), g = inputs(name, 0.0, "float32")
    x, g = x.astype("float16"), g.astype("float16")
    found = derivatives(name, (x, scale, offset), g)
    assert [each.dtype.name for each in found] == ["float16", "float16", "float32", "float32"]
    for value, expected in zip(found, by_hand(name, x, scale, offset, g), strict=True):
        error = np.abs(value.numpy() - expected).max() / np.abs(expected).max()
        assert error < 1e-3


@each_case
def test_replays_give_the_same_numbers(name):
    given, g = inputs(name, 1.0, "float32")
    eager = derivatives(name, given, g)
    for _ in range(3):
        replayed = tf.function(derivatives)(name, given, g)
    for ours, theirs in zip(eager, replayed, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@each_case
def test_second_derivatives_are_those_of_small_arrays(name, monkeypatch):
    given, g = inputs(name, 1.0)

    def second():
        sources = [tf.constant(each) for each in given]
        with tf.GradientTape() as outer:
            outer.watch(sources)
            total = sum(tf.reduce_sum(d**2) for d in derivatives(name, sources, g)[1:])
        return outer.gradient(total, sources[:2])

    large = second()
    monkeypatch.setattr(normalized_rows, "_LARGE", 1 << 30)
    for found, expected in zip(large, second(), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@each_case
def test_gradients_with_axes_in_front(name):
    given, g = inputs(name)
    x, scale, offset = (tf.constant(each) for each in given)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, scale, offset])
        y = function(name)(x, scale, offset)
        several = tf.stack([tf.reduce_sum(y * g), tf.reduce_sum(y * g**2)])
    for source in (x, scale, offset):
        rows = tape.jacobian(several, source)
        for row, seed in zip(rows, (g, g**2), strict=True):
            alone = tape.gradient(y, source, output_gradients=tf.constant(seed))
            np.testing.assert_allclose(row, alone, atol=1e-9)


def test_the_result_is_not_kept():
    x, one = tf.Variable(np.ones([64, 256], "float32")), tf.ones([256])
    with tf.GradientTape() as tape:
        layer_norm(tf.convert_to_tensor(x), one, one, axis=(-1,), epsilon=1e-3)
    (record,) = [each for each in tape._recorder.records if each[0].op is LayerNorm]
    assert not {"out", "offset"} & {*record[0].names}


# -- in Keras --------------------------------------------------------------------------------------

LAYERS = keras.layers
EACH = {
    "layer": (lambda: LAYERS.LayerNormalization(), [4, 6, 8]),
    "layer, two axes": (lambda: LAYERS.LayerNormalization(axis=[1, 2]), [4, 6, 8]),
    "layer, middle": (lambda: LAYERS.LayerNormalization(axis=1, scale=False), [4, 6, 8]),
    "rms": (lambda: LAYERS.RMSNormalization(), [4, 6, 8]),
    "rms, two axes": (lambda: LAYERS.RMSNormalization(axis=[1, 2]), [4, 6, 8]),
    "groups": (lambda: LAYERS.GroupNormalization(2), [4, 5, 5, 8]),
    "groups, channels first": (lambda: LAYERS.GroupNormalization(2, axis=1), [4, 8, 5, 5]),
    "one group": (lambda: LAYERS.GroupNormalization(1, center=False), [4, 5, 8]),
    "instances": (lambda: LAYERS.GroupNormalization(-1, scale=False), [4, 5, 8]),
}


def steps(call, x):
    return [step.op.name for step in tf.function(call).recording(x).calls]


@pytest.mark.parametrize("name", EACH)
@pytest.mark.parametrize("dtype", ["float32", "mixed_float16"])
def test_layers_are_one_op_with_the_numbers_of_formulas(name, dtype, monkeypatch):
    make, shape = EACH[name]
    x = tf.constant(np.random.default_rng(0).normal(2, 3, shape), "float32")
    with_policy = keras.config.dtype_policy()
    keras.config.set_dtype_policy(dtype)
    try:
        layer = make()
        layer.build(shape)
    finally:
        keras.config.set_dtype_policy(with_policy)
    for k, weight in enumerate(layer.weights):
        weight.assign(np.random.default_rng(k).normal(size=weight.shape))
    assert "LayerNorm" in steps(lambda x: layer(x), x)
    fused = layer(x)
    assert fused.dtype == layer.compute_dtype
    monkeypatch.setattr(normalization, "_fits", lambda x: False)
    if not isinstance(layer, LAYERS.GroupNormalization):  # its values are those of Keras with NumPy
        plain = layer(x)
        assert "LayerNorm" not in steps(lambda x: layer(x), x)
        np.testing.assert_allclose(fused, plain, rtol=1e-3 if "16" in dtype else 1e-5, atol=1e-5)


def test_what_the_op_does_not_take_is_left_to_keras():
    x = tf.ones([3, 4])
    assert "LayerNorm" not in steps(lambda x: keras.ops.rms_normalization(x, tf.ones([2, 1, 4])), x)
    assert keras.ops.rms_normalization(x, tf.ones([2, 1, 4])).shape == (2, 3, 4)
    assert "LayerNorm" not in steps(
        lambda x: keras.ops.layer_normalization(x), tf.ones([3], "int32")
    )
    by_row = keras.ops.layer_normalization(
        tf.constant([[1.0, 3.0]] * 2), tf.constant([[1.0], [2.0]])
    )
    np.testing.assert_allclose(by_row, [[-1, 1], [-2, 2]], rtol=1e-5)


def test_functions_take_variables():
    x, ones = tf.Variable([[1.0, 3.0]]), tf.Variable([1.0, 1.0])
    np.testing.assert_allclose(keras.ops.layer_normalization(x, ones, ones), [[0, 2]], rtol=1e-5)
    np.testing.assert_allclose(keras.ops.rms_normalization(x, ones), x / 5**0.5, rtol=1e-5)


def test_nothing_to_normalize():
    for shape in ([0, 4], [3, 0]):
        assert keras.ops.layer_normalization(tf.ones(shape)).shape == shape
    assert keras.layers.GroupNormalization(2)(tf.ones([0, 3, 4])).shape == (0, 3, 4)
