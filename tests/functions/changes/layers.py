"""Keras: attributes of layers, models and optimizers."""

import numpy as np

import cinta as tf
from tests.functions.changes.keras_layers import ROWS, Scaled, dense
from tests.functions.changes.table import change


@change
def an_attribute_of_a_layer():
    layer = Scaled(2.0)
    yield (lambda x: layer(x)), ROWS
    layer.k = 3.0
    yield


@change
def an_attribute_of_a_layer_called_directly():
    layer = Scaled(2.0)
    yield layer.call, ROWS
    layer.k = 3.0
    yield


@change
def a_list_of_a_layer():
    layer = Scaled(2.0)
    layer.ks = [2.0]
    layer.call = lambda x: x * sum(layer.ks)
    yield (lambda x: layer(x)), ROWS
    layer.ks.append(3.0)
    yield


@change
def an_attribute_of_a_layer_in_a_layer():
    class Outer(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.inner = Scaled(2.0)

        def call(self, x):
            return self.inner(x) + 1.0

    outer = Outer()
    yield (lambda x: outer(x)), ROWS
    outer.inner.k = 3.0
    yield


@change
def an_attribute_of_a_layer_in_a_list():
    class Outer(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.blocks = [Scaled(2.0), Scaled(2.0)]

        def call(self, x):
            for block in self.blocks:
                x = block(x)
            return x

    outer = Outer()
    yield (lambda x: outer(x)), ROWS
    outer.blocks[1].k = 3.0
    yield


@change
def an_attribute_of_a_layer_in_a_model():
    model = tf.keras.Sequential([Scaled(2.0), dense()])
    yield (lambda x: model(x)), ROWS
    model.layers[0].k = 3.0
    yield


@change
def an_attribute_of_a_layer_in_a_functional_model():
    inputs = tf.keras.Input((2,))
    layer = Scaled(2.0)
    model = tf.keras.Model(inputs, layer(inputs))
    yield (lambda x: model(x)), ROWS
    layer.k = 3.0
    yield


@change
def an_attribute_of_a_model():
    class Mine(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.k = 2.0

        def call(self, x):
            return x * self.k

    model = Mine()
    yield (lambda x: model(x)), ROWS
    model.k = 3.0
    yield


@change
def a_dictionary_of_a_model():
    class Mine(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.settings = {"k": 2.0}

        def call(self, x):
            return x * self.settings["k"]

    model = Mine()
    yield (lambda x: model(x)), ROWS
    model.settings["k"] = 3.0
    yield


@change
def an_array_of_a_layer():
    layer = Scaled(np.ones(2, np.float32))
    yield (lambda x: layer(x)), ROWS
    layer.k[0] = 5.0
    yield


@change
def a_property_of_a_layer():
    class Mine(Scaled):
        @property
        def twice(self):
            return 2.0 * self.k

        def call(self, x):
            return x * self.twice

    layer = Mine(2.0)
    yield (lambda x: layer(x)), ROWS
    layer.k = 3.0
    yield


@change
def a_method_of_a_layer():
    class Mine(Scaled):
        def factor(self):
            return 2.0

        def call(self, x):
            return x * self.factor()

    layer = Mine(1.0)
    yield (lambda x: layer(x)), ROWS
    Mine.factor = lambda self: 3.0
    yield


@change
def the_call_of_a_layer():
    class Mine(Scaled):
        def call(self, x):
            return x * 2.0

    layer = Mine(1.0)
    yield (lambda x: layer(x)), ROWS
    Mine.call = lambda self, x: x * 3.0
    yield


@change
def the_base_of_a_layer():
    class Mine(Scaled):
        def call(self, x):
            return super().call(x) + 1.0

    layer = Mine(2.0)
    before = Scaled.call
    try:
        yield (lambda x: layer(x)), ROWS
        Scaled.call = lambda self, x: x * 3.0
        yield
    finally:
        Scaled.call = before


@change
def the_activation_of_a_layer():
    layer = dense(activation="relu")
    yield (lambda x: layer(x)), ROWS
    layer.activation = tf.keras.activations.sigmoid
    yield


@change
def the_activation_of_a_layer_that_is_a_function():
    k = 2.0
    layer = dense(activation=lambda x: x * k)
    yield (lambda x: layer(x)), ROWS
    k = 3.0
    yield


@change
def whether_a_layer_has_a_bias():
    layer = dense(bias_initializer="ones")
    yield (lambda x: layer(x)), ROWS
    layer.bias = None
    yield


@change
def the_rate_of_a_dropout():
    layer = tf.keras.layers.Dropout(0.001, seed=1)
    yield (lambda x: tf.math.count_nonzero(layer(x, training=True)) > 32), tf.ones([1, 64])
    layer.rate = 0.999
    yield


@change
def the_slope_of_a_relu():
    layer = tf.keras.layers.LeakyReLU(negative_slope=0.1)
    yield (lambda x: layer(x)), ROWS
    layer.negative_slope = 0.5
    yield


@change
def the_scale_of_a_rescaling():
    layer = tf.keras.layers.Rescaling(2.0)
    yield (lambda x: layer(x)), ROWS
    layer.scale = 3.0
    yield


@change
def the_function_of_a_lambda_layer():
    k = 2.0
    layer = tf.keras.layers.Lambda(lambda x: x * k)
    yield (lambda x: layer(x)), ROWS
    k = 3.0
    yield


@change
def another_function_of_a_lambda_layer():
    layer = tf.keras.layers.Lambda(lambda x: x * 2.0)
    yield (lambda x: layer(x)), ROWS
    layer.function = lambda x: x * 3.0
    yield


@change
def the_epsilon_of_a_normalization():
    layer = tf.keras.layers.LayerNormalization(epsilon=1e-3)
    yield (lambda x: layer(x)), ROWS
    layer.epsilon = 1.0
    yield


@change
def the_momentum_of_a_normalization():
    layer = tf.keras.layers.BatchNormalization(momentum=0.5)

    def f(x):
        layer(x, training=True)
        return layer.moving_mean + 0.0

    yield f, ROWS
    layer.momentum = 0.0
    yield


@change
def whether_a_normalization_is_trainable():
    layer = tf.keras.layers.BatchNormalization(momentum=0.5)
    yield (lambda x: layer(x, training=True)), tf.constant([[0.5, -0.25], [3.0, 4.0]])
    layer.trainable = False
    yield
