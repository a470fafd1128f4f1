"""LSTM and GRU as one op each: by formulas, by op after op, in Keras's layers."""

import numpy as np
import pytest

import cinta as tf
from cinta.ops.nn.recurrent.functions import gru, lstm
from tests.checking import check_gradients

keras = tf.keras
TIME, BATCH, SIZE, UNITS = 4, 3, 2, 5
KEEP = np.random.default_rng(1).random((TIME, BATCH, 1)) < 0.4


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm_by_formula(x, h, c, kernel, recurrent, bias, keep=None):
    outputs, cells = [], []
    for t, at in enumerate(x):
        i, f, new, o = np.split(at @ kernel + h @ recurrent + bias, 4, axis=1)
        after = sigmoid(f) * c + sigmoid(i) * np.tanh(new)
        shown = sigmoid(o) * np.tanh(after)
        stays = False if keep is None else keep[t]
        c, h = np.where(stays, c, after), np.where(stays, h, shown)
        outputs.append(h)
        cells.append(c)
    return np.stack(outputs), np.stack(cells)


def gru_by_formula(x, h, kernel, recurrent, bias, recurrent_bias, keep=None):
    outputs = []
    for t, at in enumerate(x):
        x_z, x_r, x_new = np.split(at @ kernel + bias, 3, axis=1)
        h_z, h_r, h_new = np.split(h @ recurrent + recurrent_bias, 3, axis=1)
        z = sigmoid(x_z + h_z)
        after = z * h + (1 - z) * np.tanh(x_new + sigmoid(x_r + h_r) * h_new)
        h = np.where(False if keep is None else keep[t], h, after)
        outputs.append(h)
    return np.stack(outputs)


def drawn(*shapes):
    random = np.random.default_rng(0)
    return [0.7 * random.normal(size=shape) for shape in shapes]


OF_LSTM = drawn(
    *((TIME, BATCH, SIZE), (BATCH, UNITS), (BATCH, UNITS)),
    *((SIZE, 4 * UNITS), (UNITS, 4 * UNITS), (4 * UNITS,)),
)
OF_GRU = drawn(
    *((TIME, BATCH, SIZE), (BATCH, UNITS)),
    *((SIZE, 3 * UNITS), (UNITS, 3 * UNITS), (3 * UNITS,), (3 * UNITS,)),
)
each_mask = pytest.mark.parametrize("keep", [None, KEEP], ids=["all", "masked"])
each_dtype = pytest.mark.parametrize(
    ("dtype", "tolerance"), [("float64", 1e-14), ("float32", 1e-6), ("float16", 3e-3)]
)


def of_lstm(keep):
    return lambda *given: lstm(*given, keep=None if keep is None else tf.constant(keep))[:2]


def of_gru(keep):
    return lambda *given: gru(*given, keep=None if keep is None else tf.constant(keep))


@each_mask
@each_dtype
def test_values(keep, dtype, tolerance):
    given = [tf.constant(x, dtype) for x in OF_LSTM]
    for found, expected in zip(of_lstm(keep)(*given), lstm_by_formula(*OF_LSTM, keep), strict=True):
        assert found.dtype == dtype
        np.testing.assert_allclose(found, expected, atol=tolerance)
    found = of_gru(keep)(*[tf.constant(x, dtype) for x in OF_GRU])
    assert found.dtype == dtype
    np.testing.assert_allclose(found, gru_by_formula(*OF_GRU, keep), atol=tolerance)


def test_bfloat16():
    given = [tf.cast(x, "bfloat16") for x in OF_GRU]
    found = of_gru(None)(*given)
    assert found.dtype == "bfloat16"
    np.testing.assert_allclose(tf.cast(found, "float64"), gru_by_formula(*OF_GRU), atol=0.05)


@each_mask
@pytest.mark.parametrize(("make", "given"), [(of_lstm, OF_LSTM), (of_gru, OF_GRU)])
def test_derivatives_of_three_orders(make, given, keep):
    check_gradients(make(keep), *given, order=3, rtol=1e-5, atol=1e-6)


def op_by_op(*given):
    """An LSTM written with ops."""
    x, h, c, kernel, recurrent, bias = given
    outputs = []
    for at in tf.unstack(x):
        i, f, new, o = tf.split(at @ kernel + h @ recurrent + bias, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(new)
        h = tf.sigmoid(o) * tf.tanh(c)
        outputs.append(h)
    return tf.stack(outputs)


def test_jacobians_and_tangents():
    given = [tf.constant(x) for x in OF_LSTM]
    found, expected = [], []
    for function, into in ((lambda *a: of_lstm(None)(*a)[0], found), (op_by_op, expected)):
        with tf.GradientTape() as tape:
            tape.watch(given)
            y = function(*given)
        into += tape.jacobian(y, given)
        with tf.autodiff.ForwardAccumulator(given, [tf.ones_like(x) for x in given]) as forward:
            y = function(*given)
        into.append(forward.jvp(y))
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


@each_mask
@pytest.mark.parametrize(("make", "given"), [(of_lstm, OF_LSTM), (of_gru, OF_GRU)])
def test_engines_agree(make, given, keep):
    pytest.importorskip("jax")
    given = [tf.constant(x) for x in given]

    def second(*given):
        with tf.GradientTape() as outer:
            outer.watch(given)
            with tf.GradientTape() as tape:
                tape.watch(given)
                y = sum(tf.reduce_sum(x**2) for x in tf.nest.flatten(make(keep)(*given)))
            first = tape.gradient(y, given)
            total = sum(tf.reduce_sum(x**3) for x in first)
        return [*first, *outer.gradient(total, given)]

    expected = second(*given)
    for jit_compile in (False, True):
        function = tf.function(second, jit_compile=jit_compile)
        for _ in range(2):
            for ours, theirs in zip(function(*given), expected, strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11)


def test_one_step_and_no_samples():
    x, h, c, *weights = OF_LSTM
    one = lstm(*[tf.constant(a) for a in (x[:1], h, c, *weights)])[0]
    np.testing.assert_allclose(one, lstm_by_formula(x[:1], h, c, *weights)[0], atol=1e-14)
    empty = [tf.constant(a) for a in (x[:, :0], h[:0], c[:0], *weights)]
    with tf.GradientTape() as tape:
        tape.watch(empty)
        y = lstm(*empty)[0]
    assert y.shape == (TIME, 0, UNITS)
    assert not np.any(tape.gradient(y, empty)[4])


# -- in Keras's layers -----------------------------------------------------------------------------

MASK = np.array([[0, 0, 1, 1, 0, 1], [1, 1, 1, 0, 0, 0], [0] * 6, [1] * 6], bool)


def layer_results(kind, by_steps, mask=None, backwards=False, dtype="float32"):
    """The results of a layer, with its gradients: by the op, or by Keras's own loop over steps."""
    keras.utils.set_random_seed(3)
    layer = kind(
        UNITS,
        return_sequences=True,
        return_state=True,
        go_backwards=backwards,
        use_cudnn=False if by_steps else "auto",
        bias_initializer="random_normal",
        dtype=dtype,
    )
    random = np.random.default_rng(2)
    x = tf.constant(random.normal(size=(4, 6, SIZE)), dtype)
    count = 2 if kind is keras.layers.LSTM else 1
    states = [tf.constant(random.normal(size=(4, UNITS)), dtype) for _ in range(count)]
    with tf.GradientTape() as tape:
        tape.watch([x, *states])
        results = layer(x, mask=mask, initial_state=states)
        total = sum(tf.reduce_sum(tf.sin(each)) for each in results)
    weights = [v.value for v in layer.trainable_variables]
    return [*results, *tape.gradient(total, [x, *states, *weights])]


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("mask", [None, MASK], ids=["all", "masked"])
@pytest.mark.parametrize("kind", [keras.layers.LSTM, keras.layers.GRU])
def test_layers_do_what_they_do_step_by_step(kind, mask, backwards):
    found = layer_results(kind, False, mask, backwards, "float64")
    expected = layer_results(kind, True, mask, backwards, "float64")
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)


@pytest.mark.parametrize("kind", [keras.layers.LSTM, keras.layers.GRU])
def test_layers_use_the_op_where_they_may(kind):
    x = tf.ones([2, 3, SIZE])

    def ops(layer):
        layer(x)
        recording = tf.function(lambda x: layer(x)).recording(x)
        return [step.op.name for step in recording.calls]

    name = f"{kind.__name__}Steps"
    assert name in ops(kind(UNITS))
    assert name in ops(kind(UNITS, use_bias=kind is keras.layers.GRU))
    assert name not in ops(kind(UNITS, activation="relu"))
    assert name not in ops(kind(UNITS, unroll=True))


def test_masked_outputs_may_be_zeros():
    for kind in (keras.layers.LSTM, keras.layers.GRU):
        layer = kind(UNITS, return_sequences=True, zero_output_for_mask=True)
        y = layer(tf.ones([4, 6, SIZE]), mask=MASK).numpy()
        assert not y[~MASK].any()
        assert y[MASK].all()


def test_models_with_such_layers_compile():
    pytest.importorskip("jax")
    model = keras.Sequential([keras.Input([3, SIZE]), keras.layers.LSTM(UNITS)])
    model.compile("sgd", "mse", jit_compile=True)
    assert model.jit_compile
    assert np.isfinite(model.evaluate(np.ones([4, 3, SIZE]), np.ones([4, UNITS]), verbose=0))


def test_half_precision_trains():
    keras.utils.set_random_seed(1)
    layer = keras.layers.GRU(UNITS, dtype="mixed_float16")
    with tf.GradientTape() as tape:
        y = layer(tf.ones([2, 3, SIZE]))
        total = tf.reduce_sum(tf.cast(y, "float32"))
    gradients = tape.gradient(total, [v.value for v in layer.trainable_variables])
    assert y.dtype == "float16"
    assert all(np.isfinite(g).all() and g.dtype == "float32" for g in gradients)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_sequences_of_whole_numbers(kind):
    layer = getattr(keras.layers, kind)(3)
    numbers = np.arange(24).reshape(2, 3, 4) % 5
    expected = layer(numbers.astype("float32"))
    np.testing.assert_allclose(layer(numbers), expected, rtol=1e-5)
