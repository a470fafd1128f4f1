"""Models of Keras in saved models, and what ``model.export`` writes."""

import numpy as np
import onnxruntime
import pytest

import cinta as tf


@pytest.fixture(scope="module")
def model():
    layers = tf.keras.layers
    made = tf.keras.Sequential(
        [
            tf.keras.Input([3]),
            *(layers.Dense(4, "relu"), layers.BatchNormalization()),
            *(layers.Dropout(0.5), layers.Dense(2)),
        ]
    )
    made.compile("sgd", "mse")
    made.fit(np.ones([8, 3], "float32"), np.ones([8, 2], "float32"), verbose=0)
    return made


@pytest.fixture
def x():
    return tf.random.stateless_normal([5, 3], [1, 2])


def test_a_module_may_have_a_model(tmp_path, model, x):
    class Scaled(tf.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def __call__(self, x):
            return self.model(x) * 2.0

    tf.saved_model.save(Scaled(), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    np.testing.assert_array_equal(loaded(x), model(x) * 2.0)
    assert len(loaded.trainable_variables) == len(model.trainable_variables)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(loaded(x) ** 2)
    assert all(g is not None for g in tape.gradient(y, loaded.trainable_variables))


def test_a_model_has_a_signature(tmp_path, model, x):
    tf.saved_model.save(model, tmp_path)
    found = tf.saved_model.load(tmp_path).signatures["serving_default"](x)
    np.testing.assert_array_equal(next(iter(found.values())), model(x))


def test_a_model_is_exported(tmp_path, model, x, capsys):
    model.export(tmp_path / "model", verbose=True)
    assert "Saved artifact at" in capsys.readouterr().out
    loaded = tf.saved_model.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.serve(x), model(x))
    assert list(loaded.signatures) == ["serve", "serving_default"]
    assert len(loaded.variables) == len(model.variables)


def test_a_model_is_exported_to_onnx(tmp_path, model, x):
    model.export(tmp_path / "model.onnx", format="onnx", verbose=False)
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx")
    found = session.run(None, {session.get_inputs()[0].name: x.numpy()})
    np.testing.assert_allclose(found[0], model(x), rtol=1e-5, atol=1e-6)
