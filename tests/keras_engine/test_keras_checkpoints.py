"""Models and optimizers of Keras in checkpoints, those of TensorFlow's Keras among them."""

import numpy as np
import pytest

import cinta as tf
from tests.references import REFERENCES

FOLDER = REFERENCES / "checkpoints"
ROWS = np.random.default_rng(1).uniform(size=(8, 4)).astype(np.float32)


def model(built=True):
    keras = tf.keras
    layers = [keras.Input([4])] if built else []
    layers += [keras.layers.Dense(3, "relu"), keras.layers.BatchNormalization()]
    made = keras.Sequential([*layers, keras.layers.Dense(1)])
    made.compile("adam", "mse")
    return made


def checkpoint(trained):
    return tf.train.Checkpoint(model=trained, optimizer=trained.optimizer)


def trained_model():
    trained = model()
    trained.fit(ROWS, ROWS.sum(1), batch_size=4, verbose=0)
    return trained


@pytest.mark.parametrize("built", [True, False])
def test_a_model_of_tensorflow_gets_its_values(built):
    restored = model(built)
    rows, results = tf.Variable(tf.zeros([8, 4])), tf.Variable(tf.zeros([8, 1]))
    whole = checkpoint(restored)
    whole.rows, whole.results = rows, results
    status = whole.read(FOLDER / "keras")
    np.testing.assert_allclose(restored(rows), results, rtol=1e-5)
    assert restored.optimizer.iterations.numpy() == 2
    restored.optimizer.build(restored.trainable_variables)
    status.assert_consumed()


@pytest.mark.parametrize("built", [True, False])
def test_training_goes_on_as_if_nothing_had_happened(tmp_path, built):
    first = trained_model()
    path = checkpoint(first).save(tmp_path / "ckpt")
    second = model(built)
    status = checkpoint(second).restore(path)
    for each in (first, second):
        each.fit(ROWS, ROWS.sum(1), batch_size=4, shuffle=False, verbose=0)
    status.assert_consumed()
    np.testing.assert_allclose(second.predict(ROWS, verbose=0), first.predict(ROWS, verbose=0))


class Blocks(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [tf.keras.layers.Dense(4, "relu") for _ in range(2)]
        self.heads = {"one": tf.keras.layers.Dense(1)}
        self.scale = tf.Variable(1.0)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.heads["one"](x) * self.scale


def test_layers_in_lists_and_tables(tmp_path):
    first, second = Blocks(), Blocks()
    first.scale.assign(2.0)
    first(ROWS)
    path = tf.train.Checkpoint(first).write(tmp_path / "ckpt")
    names = [name for name, _ in tf.train.list_variables(path)]
    assert "blocks/1/_kernel/.ATTRIBUTES/VARIABLE_VALUE" in names
    assert len(names) == 7
    status = tf.train.Checkpoint(second).read(path)
    np.testing.assert_array_equal(second(ROWS), first(ROWS))
    status.assert_consumed()
