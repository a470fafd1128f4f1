"""More programs, as people write them, about which there is nothing to say."""

import threading

import numpy as np
import pytest

import cinta as tf


def keras_model_by_hand():
    keras = pytest.importorskip("keras")
    layers = keras.layers
    hidden = layers.Dense(4, activation="relu", kernel_initializer="ones")
    model = keras.Sequential([hidden, layers.Dense(1, kernel_initializer="ones")])
    optimizer = tf.optimizers.Adam(0.01)
    x, y = tf.ones([8, 3]), tf.zeros([8, 1])
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))


def function_over_a_pipeline():
    w = tf.Variable([[1.0], [0.5]])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ w) ** 2)
        w.assign_sub(0.01 * tape.gradient(loss, w))
        return loss

    rows = np.random.default_rng(0).normal(size=(12, 2)).astype(np.float32)
    for batch in tf.data.Dataset.from_tensor_slices(rows).batch(4):
        step(batch)


def evaluation_with_numpy():
    w = tf.Variable([1.0, 2.0])
    for _ in range(2):
        with tf.GradientTape() as tape:
            p = tf.sigmoid(w)
            loss = -tf.reduce_sum(tf.math.log(p))
            accuracy = np.mean((p.numpy() > 0.5).astype(np.float32))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        assert accuracy >= 0.0


def running_mean_beside_the_loss():
    w, mean = tf.Variable(1.0), tf.Variable(0.0, trainable=False)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = w * w
            mean.assign(0.9 * mean + 0.1 * loss)
        w.assign_sub(0.1 * tape.gradient(loss, w))


def threads_that_train():
    def work(start):
        w = tf.Variable(start)
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.tanh(w) ** 2
            w.assign_sub(0.1 * tape.gradient(loss, w))

    threads = [threading.Thread(target=work, args=(start,)) for start in (1.0, 2.0)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def safe_where():
    w = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        inside = tf.where(w > 0.0, w, tf.ones_like(w))
        loss = tf.reduce_sum(tf.where(w > 0.0, tf.sqrt(inside), 0.0))
    tape.gradient(loss, w)


def infinity_as_a_start():
    best = tf.constant(np.inf)
    w = tf.Variable(2.0)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = (w - 1.0) ** 2
        best = tf.minimum(best, loss)
        w.assign_sub(0.2 * tape.gradient(loss, w))


def two_shapes_with_one_signature():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def total(x):
        return tf.reduce_sum(x * x)

    for n in (2, 3, 4):
        total(tf.ones([n]))


def frozen_keras_layer():
    keras = pytest.importorskip("keras")
    layer = keras.layers.Dense(1)
    layer.build((None, 2))
    layer.trainable = False
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.ones([1, 2])))
    tape.gradient(loss, layer.kernel)


def where_around_a_root():
    w = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        safe = tf.where(w > 0.0, tf.sqrt(w), tf.zeros_like(w))
        loss = tf.reduce_sum(safe)
    tape.gradient(loss, w)


def method_with_a_signature():
    class Model:
        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def total(self, x):
            return tf.reduce_sum(x)

    model = Model()
    for n in (2, 3):
        model.total(tf.ones([n]))


def hessian_by_forward_over_reverse():
    x = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x**3)
        slope = tape.gradient(y, x)
    assert acc.jvp(slope) is not None
    assert acc.jvp(tf.constant(1.0), unconnected_gradients="zero").numpy() == 0.0
