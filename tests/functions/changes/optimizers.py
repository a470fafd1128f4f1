"""Keras: what is trained, optimizers, losses, metrics and settings."""

import numpy as np

import cinta as tf
from tests.functions.changes.keras_layers import ROWS, Scaled, dense
from tests.functions.changes.table import Box, change


@change
def what_is_trainable_in_a_layer():
    layer = dense()

    def f(x):
        with tf.GradientTape() as tape:
            y = layer(x)
        return tape.gradient(y, layer.trainable_variables)

    yield f, ROWS
    layer.trainable = False
    yield


@change
def what_is_trainable_in_a_model():
    model = tf.keras.Sequential([dense(), dense()])
    model.build((None, 2))
    yield (lambda x: x * len(model.trainable_variables)), ROWS
    model.layers[0].trainable = False
    yield


@change
def a_layer_that_is_added_to_a_model():
    model = tf.keras.Sequential([dense()])
    yield (lambda x: model(x)), ROWS
    model.add(Scaled(3.0))
    yield


@change
def a_layer_that_is_taken_from_a_model():
    model = tf.keras.Sequential([dense(), Scaled(3.0)])
    yield (lambda x: model(x)), ROWS
    model.pop()
    yield


@change
def weights_that_are_set():
    layer = dense()
    yield (lambda x: layer(x)), ROWS
    layer.set_weights([np.full((2, 2), 3.0), np.zeros(2)])
    yield


@change
def a_weight_that_is_replaced():
    layer = Scaled(Box(v=tf.Variable(2.0)))
    layer.call = lambda x: x * layer.k.v
    yield (lambda x: layer(x)), ROWS
    layer.k.v = tf.Variable(3.0)
    yield


@change
def a_regularizer():
    layer = dense(kernel_regularizer=tf.keras.regularizers.L2(1.0))

    def f(x):
        return layer(x) + sum(layer.losses)

    yield f, ROWS
    layer.kernel_regularizer.l2 = 3.0
    yield


@change
def an_initializer_that_is_called():
    initializer = tf.keras.initializers.Constant(2.0)
    yield (lambda x: x * initializer((2,))), ROWS
    initializer.value = 3.0
    yield


@change
def the_learning_rate_of_an_optimizer():
    optimizer = tf.keras.optimizers.SGD(1.0)
    v = tf.Variable(1.0)

    def f(x):
        optimizer.apply_gradients([(x, v)])
        return v + 0.0

    yield f
    optimizer.learning_rate = 10.0
    yield


@change
def the_learning_rate_of_an_optimizer_that_is_assigned():
    optimizer = tf.keras.optimizers.SGD(1.0)
    v = tf.Variable(1.0)

    def f(x):
        optimizer.apply_gradients([(x, v)])
        return v + 0.0

    yield f
    optimizer.learning_rate.assign(10.0)
    yield


@change
def how_an_optimizer_clips():
    optimizer = tf.keras.optimizers.SGD(1.0, clipvalue=1.0)
    v = tf.Variable(1.0)

    def f(x):
        optimizer.apply_gradients([(x, v)])
        return v + 0.0

    yield f
    optimizer.clipvalue = 0.5
    yield


@change
def the_momentum_of_an_optimizer():
    optimizer = tf.keras.optimizers.SGD(1.0, momentum=0.5)
    v = tf.Variable(1.0)

    def f(x):
        optimizer.apply_gradients([(x, v)])
        return v + 0.0

    yield f
    optimizer.momentum = 0.9
    yield


@change
def a_schedule():
    class Steps(tf.keras.optimizers.schedules.LearningRateSchedule):
        rate = 1.0

        def __call__(self, step):
            return self.rate

    schedule, v = Steps(), tf.Variable(1.0)
    optimizer = tf.keras.optimizers.SGD(schedule)

    def f(x):
        optimizer.apply_gradients([(x, v)])
        return v + 0.0

    yield f
    schedule.rate = 10.0
    yield


@change
def a_loss():
    loss = tf.keras.losses.Huber(delta=1.0)
    yield (lambda x: loss(tf.zeros_like(x), x)), 10.0 * ROWS
    loss._fn_kwargs["delta"] = 3.0
    yield


@change
def a_loss_of_its_own():
    class Weighted(tf.keras.losses.Loss):
        weight = 2.0

        def call(self, y_true, y_pred):
            return self.weight * (y_true - y_pred) ** 2

    loss = Weighted()
    yield (lambda x: loss(tf.zeros_like(x), x)), ROWS
    loss.weight = 3.0
    yield


@change
def a_metric():
    metric = tf.keras.metrics.Mean()

    def f(x):
        metric.update_state(x)
        return metric.result()

    yield f, ROWS
    metric.reset_state()
    metric.update_state(100.0)
    yield


@change
def the_threshold_of_a_metric():
    metric = tf.keras.metrics.BinaryAccuracy(threshold=0.4)

    def f(x):
        metric.update_state(tf.ones_like(x), x)
        return metric.result()

    yield f, ROWS
    metric._fn_kwargs["threshold"] = 0.9
    yield


@change
def a_setting_of_keras():
    before = tf.keras.backend.epsilon()
    yield (lambda x: x * tf.keras.backend.epsilon()), ROWS
    tf.keras.backend.set_epsilon(1.0)
    try:
        yield
    finally:
        tf.keras.backend.set_epsilon(before)


@change
def whether_to_train():
    layer, box = tf.keras.layers.Dropout(0.999, seed=1), Box(training=False)

    def f(x):
        return tf.math.count_nonzero(layer(x, training=box.training)) > 32

    yield f, tf.ones([1, 64])
    box.training = True
    yield


@change
def a_layer_by_its_name():
    model = tf.keras.Sequential([Scaled(2.0, name="scaled")])
    model.build((None, 2))
    yield (lambda x: model.get_layer("scaled")(x)), ROWS
    model.get_layer("scaled").k = 3.0
    yield


@change
def what_a_lookup_holds():
    lookup = tf.keras.layers.StringLookup(vocabulary=["a", "b"])
    yield (lambda x: x * tf.cast(lookup(tf.constant(["b"])), tf.float32)), ROWS
    lookup.set_vocabulary(["b", "a"])
    yield
