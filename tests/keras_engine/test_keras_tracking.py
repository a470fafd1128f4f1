"""Keras's layers in modules; variables and modules of ours in Keras's layers."""

import numpy as np

import cinta as tf

k = tf.keras
X = np.ones([4, 3], "float32")


class Pair(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [k.layers.Dense(2), k.layers.BatchNormalization()]
        self.scale = tf.Variable(1.0, name="scale")

    def __call__(self, x):
        return self.scale * self.layers[1](self.layers[0](x))


def test_a_module_has_the_variables_of_its_layers():
    module = Pair()
    assert [v.name for v in module.variables] == ["scale:0"]
    module(X)
    names = ["kernel", "bias", "gamma", "beta", "moving_mean", "moving_variance", "scale:0"]
    assert [v.name for v in module.variables] == names
    assert module.trainable_variables[0] is module.layers[0].kernel
    module.layers[0].trainable = False
    assert [v.name for v in module.trainable_variables] == ["gamma", "beta", "scale:0"]
    assert module.submodules == ()


def test_the_variables_of_a_module_can_be_trained():
    module, optimizer = Pair(), k.optimizers.SGD(0.1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(module(X) ** 2) + module.scale
    variables = module.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
    assert float(module.scale) < 1.0


class Own(k.layers.Layer):
    def __init__(self):
        super().__init__()
        self.factor = tf.Variable([2.0, 3.0, 4.0], name="factor")
        self.steps = tf.Variable(0.0, trainable=False, name="steps")
        self.pair = Pair()

    def call(self, x):
        return self.factor * x + self.pair.scale


def test_a_layer_trains_variables_and_modules_of_ours():
    layer = Own()
    assert [v.name for v in layer.trainable_variables] == ["factor", "scale"]
    assert [v.name for v in layer.non_trainable_variables] == ["steps"]
    model = k.Sequential([layer])
    model.compile(k.optimizers.SGD(0.1), "mse")
    model.fit(X, 0 * X, verbose=0)
    assert (layer.factor.numpy() < [2.0, 3.0, 4.0]).all()
    assert float(layer.pair.scale) < 1.0


def test_a_layer_takes_a_module_that_does_not_tell_its_variables_yet():
    class Late(tf.Module):
        @property
        def variables(self):
            raise ValueError("no variables yet")

    class Layer(k.layers.Layer):
        def __init__(self, module):
            super().__init__()
            self.module = module

    assert Layer(Late()).variables == []
    late = Late()
    late.w = tf.Variable(2.0)
    (found,) = Layer(late).trainable_variables
    assert found.value is late.w
