"""Surroundings of layers of Keras: policies, scopes, names, and objects that they were given."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change, doubled, tripled


@change
def whether_a_layer_around_trains():
    drop = tf.keras.layers.Dropout(0.5, seed=3)
    helper = tf.function(lambda x: tf.reduce_max(drop(tf.ones([64]))) * x)

    class Outer(tf.keras.layers.Layer):
        def call(self, x, training=None):
            return helper(x)

    o = Outer()
    results = [float(o(tf.constant(1.0), training=False)) for _ in range(3)]

    def outside(x):
        return x

    yield (outside, tf.constant(results[-1]))
    results = [float(o(tf.constant(1.0), training=True)) for _ in range(3)]
    yield tf.constant(results[-1])


@change
def the_global_policy_of_a_layer_made_inside():
    yield lambda x: tf.keras.layers.ReLU()(tf.ones([3]) * x / 3.0)
    old = tf.keras.config.dtype_policy()
    tf.keras.config.set_dtype_policy("mixed_bfloat16")
    try:
        yield
    finally:
        tf.keras.config.set_dtype_policy(old)


@change
def a_custom_object_of_keras():
    tf.keras.utils.get_custom_objects()["mine"] = doubled
    try:
        yield lambda x: tf.keras.utils.get_registered_object("mine")(x)
        tf.keras.utils.get_custom_objects()["mine"] = tripled
        yield
    finally:
        del tf.keras.utils.get_custom_objects()["mine"]


@change
def what_a_custom_object_of_keras_refers_to():
    k = 2.0
    tf.keras.utils.get_custom_objects()["mine"] = lambda x: x * k
    try:
        yield lambda x: tf.keras.utils.get_registered_object("mine")(x)
        k = 3.0
        yield
    finally:
        del tf.keras.utils.get_custom_objects()["mine"]


@change
def the_policy_of_a_layer_around():
    class Mine(tf.keras.layers.Layer):
        def __init__(self, **kw):
            super().__init__(**kw)
            self.v = self.add_weight(shape=(), initializer="ones")

        def call(self, x):
            return helper(x, self)

    helper = tf.function(lambda x, layer: x * layer.v)
    a = Mine(dtype="float32")
    b = Mine(dtype="mixed_bfloat16")
    box = Box(m=a)
    yield (lambda x: box.m(x), tf.ones([2]))
    box.m = b
    yield


@change
def a_variable_cast_by_a_layer_around():
    v = tf.keras.Variable(tf.constant(1.0), dtype="float32")
    helper = tf.function(lambda x: v * 2.0)

    class Mine(tf.keras.layers.Layer):
        def call(self, x):
            return helper(x)

    a, b = (Mine(dtype="float32"), Mine(dtype="mixed_bfloat16"))
    flag = Box(m=a)
    yield (lambda x: flag.m(x), tf.ones([2]))
    flag.m = b
    yield


@change
def a_variable_cast_by_a_layer_around_an_inner_function():
    v = tf.keras.Variable(tf.constant(1.0), dtype="float32")
    helper = tf.function(lambda x: v * 2.0)

    class Mine(tf.keras.layers.Layer):
        def call(self, x):
            return helper(x)

    a, b = (Mine(dtype="float32"), Mine(dtype="mixed_bfloat16"))
    x = tf.ones([2])
    kinds = [float(a(x).dtype == tf.float32) for _ in range(3)]
    yield lambda x: x, tf.constant(kinds[-1])
    kinds = [float(b(x).dtype == tf.float32) for _ in range(3)]
    yield tf.constant(kinds[-1])


@change
def another_dtype_policy_of_a_layer():
    m = tf.keras.layers.Rescaling(2.0)
    yield (lambda x: m(x), tf.ones([1, 2]))
    m.dtype_policy = "bfloat16"
    yield


@change
def the_seed_of_a_layer_of_noise():
    layer = tf.keras.layers.GaussianNoise(1.0, seed=1)
    yield (lambda x: layer(tf.ones([3]), training=True) * x)
    layer.seed_generator.state.assign([7, 7])
    yield


@change
def a_number_in_the_settings_of_a_layer():
    class Mine(tf.keras.layers.Layer):
        def __init__(self, config):
            super().__init__()
            self.config = config

        def call(self, x):
            return x * self.config["k"]

    config = {"k": 2.0}
    layer = Mine(config)
    yield lambda x: layer(x)
    layer.config["k"] = 3.0
    yield


@change
def a_dictionary_of_layers_in_a_model():
    class Mine(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.blocks = {"a": tf.keras.layers.Rescaling(2.0)}

        def call(self, x):
            return self.blocks["a"](x)

    m = Mine()
    yield lambda x: m(x)
    m.blocks["a"].scale = 4.0
    yield


@change
def a_lambda_layer_over_a_closure():
    k = 2.0
    m = tf.keras.Sequential([tf.keras.layers.Lambda(lambda x: x * k)])
    yield (lambda x: m(x), tf.ones([1, 1]))
    k = 3.0
    yield


@change
def a_regularizer_with_a_number():
    class R(tf.keras.regularizers.Regularizer):
        def __init__(self, k):
            self.k = k

        def __call__(self, w):
            return self.k * tf.reduce_sum(w)

    layer = tf.keras.layers.Dense(1, kernel_initializer="ones", kernel_regularizer=R(1.0))
    layer.build((1, 2))

    def f(x):
        return layer(x) + sum(layer.losses)

    yield (f, tf.ones([1, 2]))
    layer.kernel_regularizer.k = 5.0
    yield


@change
def a_loss_class_with_a_number():
    class L(tf.keras.losses.Loss):
        def __init__(self):
            super().__init__()
            self.k = 2.0

        def call(self, y, p):
            return self.k * tf.reduce_mean(tf.abs(y - p), -1)

    loss = L()
    yield (lambda x: loss(tf.zeros([1, 2]), x), tf.ones([1, 2]))
    loss.k = 3.0
    yield


@change
def a_schedule_with_a_number():
    class S(tf.keras.optimizers.schedules.LearningRateSchedule):
        def __init__(self):
            self.k = 0.5

        def __call__(self, step):
            return self.k

    s = S()
    v = tf.Variable(1.0)
    o = tf.keras.optimizers.SGD(s)
    o.build([v])

    def f(x):
        o.apply([x], [v])
        return v * 1.0

    yield (f, tf.constant(1.0))
    s.k = 5.0
    yield


@change
def the_loss_of_a_compiled_model():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    m.build((1, 2))
    m.compile(loss="mse")
    yield (lambda x: m.compute_loss(x, tf.zeros([1, 1]), m(x)), tf.ones([1, 2]))
    m.compile(loss="mae")
    yield


@change
def weights_that_are_loaded():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    m.build((1, 2))
    yield (lambda x: m(x), tf.ones([1, 2]))
    m.set_weights([np.full((2, 1), 3.0), np.ones(1)])
    yield


@change
def a_mode_of_the_class_of_a_layer():
    class Mine(tf.keras.layers.Layer):
        mode = "train"

        def call(self, x):
            return x * (2.0 if self.mode == "train" else 3.0)

    m = Mine()
    yield lambda x: m(x)
    Mine.mode = "test"
    yield


@change
def a_string_lookup():
    layer = tf.keras.layers.StringLookup(vocabulary=["a", "b"])
    yield (lambda x: layer(x), tf.constant(["b"]))
    layer.set_vocabulary(["b", "a"])
    yield


@change
def a_session_of_keras_cleared():
    tf.keras.config.set_floatx("float32")
    old = tf.keras.config.dtype_policy()
    tf.keras.config.set_dtype_policy("bfloat16")
    yield (lambda x: tf.keras.layers.ReLU()(tf.ones([3]) * x))
    tf.keras.backend.clear_session()
    yield
    tf.keras.config.set_dtype_policy(old)
