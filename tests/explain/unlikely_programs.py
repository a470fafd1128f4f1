"""Programs that look like others: coincidences, sources that no op made, zeros of two kinds."""

import numpy as np

import cinta as tf


def a_range_is_a_source():
    x = tf.range(4)  # <integer-dtype>
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.cast(x, tf.float32) ** 2)
    tape.gradient(y, x)


def ones_of_integers_are_a_source():
    x = tf.ones([3], dtype=tf.int32)  # <integer-dtype>
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)


def numpy_computes_a_number_that_stands_in_the_code():
    w = tf.Variable([[-1.0, -2.0]])
    with tf.GradientTape() as tape:
        out = tf.nn.relu(w)
        loss = tf.constant(np.mean((out - 1.0) ** 2))  # <left-to-numpy>
    tape.gradient(loss, w)


def a_number_of_numpy_in_the_code_and_a_logged_loss():
    w, other = tf.Variable([1.0, 2.0]), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        print(end=f"{np.mean(w * other):.0}"[:0])
        loss = tf.reduce_sum(w * tf.constant(np.float32(2.0)))  # <no-path>
    tape.gradient(loss, other)


def small_factors_underflow():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        small = w * 1e-30  # <underflow>
        loss = small * 1e-30
    tape.gradient(loss, w)


def divisions_underflow():
    h = w = tf.Variable(0.1)
    with tf.GradientTape() as tape:
        for _ in range(60):
            h = h / 10.0  # <underflow>
    tape.gradient(h, w)


def half_precision_underflows():
    w = tf.Variable(tf.constant([0.5, 2.0], tf.float16))
    with tf.GradientTape() as tape:
        scaled = w * 1e-4  # <underflow>
        loss = tf.reduce_sum(scaled * 1e-4)
    tape.gradient(loss, w)


def zeros_of_two_factors():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        error = w * [1.0, 0.0] - 1.0  # <multiplied-by-zero>
        loss = tf.reduce_sum(error**2)
    tape.gradient(loss, w)


def probabilities_sum_to_one():
    z = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(z)  # <cancelled>
        loss = tf.reduce_sum(p)
    tape.gradient(loss, z)


def a_root_behind_a_choice():
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.where(x > 0.0, tf.sqrt(x), 0.0))
    tape.gradient(loss, x)


def a_power_behind_a_choice():
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.where(x > 0.0, x**0.5, 0.0))  # <where-branch>
    tape.gradient(loss, x)
