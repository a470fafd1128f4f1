"""Programs that compile, use threads, Keras and Python, about which there is nothing to say."""

import functools
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import cinta as tf


def compiled_step():
    w = tf.Variable([1.0, 2.0])

    @tf.function(jit_compile=True)
    def loss_of(x):
        return tf.reduce_sum((w * x) ** 2)

    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = loss_of(tf.constant([1.0, 0.5]))
        tape.gradient(loss, w)


def losses_on_a_pool():
    def train(start):
        w = tf.Variable(start)
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = (w - 1.0) ** 2 + float(start)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        return float(loss)

    with ThreadPoolExecutor(3) as pool:
        assert len(list(pool.map(train, [2.0, 3.0, 4.0]))) == 3


def logger_on_another_thread():
    w, seen = tf.Variable([1.0, 2.0]), []

    def log():
        seen.append(float(tf.reduce_sum(w)))

    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
            thread = threading.Thread(target=log)
            thread.start()
            thread.join()
        w.assign_sub(0.1 * tape.gradient(loss, w))


def stable_losses():
    logits = tf.Variable([[100.0, -100.0, 0.0]])
    with tf.GradientTape() as tape:
        a = tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 0.5, 0.5]], logits=logits)
        b = tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([1, 3]), logits=logits)
        c = tf.reduce_logsumexp(logits) + tf.reduce_sum(tf.nn.softplus(logits))
        loss = tf.reduce_sum(a) + tf.reduce_sum(b) + c
    tape.gradient(loss, logits)


def infinities_that_are_masked():
    scores = tf.Variable([[1.0, 2.0, 3.0]])
    keep = tf.constant([[True, True, False]])
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(tf.where(keep, scores, -np.inf))
        loss = tf.reduce_sum(p**2)
    tape.gradient(loss, scores)


def missing_values_that_are_replaced():
    x = tf.constant([1.0, np.nan, 3.0])
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        clean = tf.where(tf.math.is_nan(x), 0.0, x)
        loss = tf.reduce_sum((w * clean) ** 2)
    tape.gradient(loss, w)


def nanmean_of_measurements():
    table = np.array([[1.0, np.nan], [2.0, 3.0]], np.float32)
    means = np.nanmean(table, axis=0)
    w = tf.Variable([1.0, 1.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w - means) ** 2)
    tape.gradient(loss, w)


def least_of_all_so_far():
    w, least = tf.Variable(3.0), tf.Variable(np.inf, trainable=False)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = (w - 1.0) ** 2
        least.assign(tf.minimum(least, loss))
        w.assign_sub(0.1 * tape.gradient(loss, w))


def scalars_of_a_configuration():
    config = {"momentum": 0.5, "rate": 0.1}
    w, v = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 0.0], trainable=False)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2) * config["momentum"]
        v.assign(config["momentum"] * v + tape.gradient(loss, w))
        w.assign_sub(config["rate"] * v)


def partial_and_map():
    def scaled(x, by):
        return tf.exp(x * by)

    w = tf.Variable([0.1, 0.2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.map_fn(functools.partial(scaled, by=2.0), w))
    tape.gradient(loss, w)


def minimum_is_reached():
    w = tf.Variable([3.0, 4.0])
    for _ in range(60):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w - 1.0) ** 2)
        w.assign_sub(0.25 * tape.gradient(loss, w))


def keras_model_that_is_fitted():
    keras = pytest.importorskip("keras")
    keras.utils.set_random_seed(0)
    layers = [keras.layers.Dense(8, "tanh"), keras.layers.Dropout(0.5), keras.layers.Dense(1)]
    model = keras.Sequential(layers)
    model.compile("adam", "mse", metrics=["mae"])
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(16, 3)), rng.normal(size=(16, 1))
    model.fit(x, y, batch_size=8, epochs=2, verbose=0, validation_split=0.5)
    model.predict(x, verbose=0)


def keras_batch_normalization_by_hand():
    keras = pytest.importorskip("keras")
    keras.utils.set_random_seed(0)
    model = keras.Sequential(
        [keras.layers.Dense(4), keras.layers.BatchNormalization(), keras.layers.Dense(1)]
    )
    x = tf.random.stateless_normal([8, 3], [1, 2])
    optimizer = keras.optimizers.SGD(0.1)
    model(x)
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - 1.0) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))


def own_gradient_that_is_right():
    @tf.custom_gradient
    def cube(x):
        return x**3, lambda dy: dy * 3.0 * x**2

    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(cube(w * 2.0))
    tape.gradient(loss, w)


def python_in_the_middle_with_gradients():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.py_function(lambda x: x * x, [w * 1.0], tf.float32))
    tape.gradient(loss, w)


def recomputed_block():
    w = tf.Variable([0.5, 0.25])
    block = tf.recompute_grad(lambda x: tf.exp(tf.sin(x) * w))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(block(tf.constant([1.0, 2.0])))
    tape.gradient(loss, w)
