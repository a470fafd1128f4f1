"""Common parts of the tests of saved models: saving and loading at once, and models."""

import numpy as np

import cinta as tf

FLOATS = tf.TensorSpec([None])


def loaded(tmp_path, thing, signatures=None, **options):
    options = tf.saved_model.SaveOptions(**options)
    tf.saved_model.save(thing, tmp_path / "model", signatures, options)
    return tf.saved_model.load(tmp_path / "model")


def module(**attributes):
    made = tf.Module()
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def of_specs(*specs):
    return tf.function(input_signature=[tf.TensorSpec(*each) for each in specs])


def same(one, other):
    """Assert that tensors, or those in structures, are the same."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        one, other = [*one.values()], [other[key] for key in one]
    if isinstance(one, (list, tuple)):
        for a, b in zip(one, other, strict=True):
            same(a, b)
    else:
        np.testing.assert_array_equal(one, other)


class Dense(tf.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([inputs, outputs], [1, 2]), name="w")
        self.b = tf.Variable(tf.ones([outputs]), name="b")

    def __call__(self, x):
        return x @ self.w + self.b


class Network(tf.Module):
    def __init__(self):
        super().__init__(name="net")
        self.layers = [Dense(3, 4), tf.nn.relu, Dense(4, 2)]
        self.calls = tf.Variable(0, trainable=False)

    @of_specs(([None, 3],))
    def __call__(self, x):
        self.calls.assign_add(1)
        for layer in self.layers:
            x = layer(x)
        return x

    @tf.function
    def scaled(self, x, factor=2, *, shift=None):
        result = self(x) * factor
        return {"result": result if shift is None else result + shift, "factor": factor}
