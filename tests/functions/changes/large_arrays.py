"""Large arrays of NumPy that functions convert to tensors, or look at in Python."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change

LENGTH = 1 << 18
"""So many numbers take 1 MB."""

SHARED = np.ones(LENGTH, np.float32)


def ones():
    return np.ones(LENGTH, np.float32)


@change
def all_of_one():
    ks = ones()
    yield lambda x: x * tf.reduce_sum(tf.constant(ks))
    ks *= 2
    yield


@change
def one_element():
    ks = ones()
    yield lambda x: x * tf.reduce_sum(tf.constant(ks))
    ks[LENGTH // 3] = 100
    yield


@change
def one_element_through_a_view():
    ks = ones()
    part = ks.reshape(2, -1)[:, ::2]
    yield lambda x: x * tf.reduce_sum(tf.convert_to_tensor(ks))
    part[1, 7] = 100
    yield


@change
def a_global_one():
    SHARED[:] = 1
    yield lambda x: tf.reduce_sum(tf.multiply(x, SHARED))
    SHARED[5] = 100
    yield


@change
def another_one():
    ks = ones()
    yield lambda x: tf.reduce_sum(tf.add(ks, x))
    ks = 2 * ones()
    yield


@change
def one_in_another_shape():
    ks = ones()
    yield lambda x: x * tf.constant(ks)
    ks.shape = 2, -1
    yield


@change
def one_of_another_dtype():
    ks = ones()
    yield lambda x: tf.cast(tf.constant(ks), tf.float32) + x
    ks.dtype = np.int32
    yield


@change
def one_that_is_returned():
    ks = ones()
    results = []

    def function(x):
        return tf.constant(ks)

    yield function
    results.append(tf.function(function)(1.0))
    ks[:] = 3
    yield


@change
def one_that_numpy_computes_with_too():
    ks = ones()
    yield lambda x: tf.reduce_sum(tf.multiply(x, ks)) + float(ks[0])
    ks[0] = 100
    yield


@change
def one_that_decides_too():
    ks = ones()
    yield lambda x: tf.reduce_sum(tf.multiply(x, ks)) if ks[0] > 0 else x
    ks[0] = -1
    yield


@change
def one_that_decides_as_a_tensor():
    ks = ones()
    yield lambda x: x * 2.0 if tf.reduce_sum(tf.constant(ks)) > 0 else x * 3.0
    ks *= -1
    yield


@change
def one_in_reach_in_another_way():
    ks = ones()
    box = Box(ks=ks)
    yield lambda x: tf.reduce_sum(tf.multiply(x, ks)) + float(box.ks[0])
    ks[0] = 100
    yield


@change
def one_that_is_assigned():
    ks, v = ones(), tf.Variable(tf.zeros(LENGTH))
    yield lambda x: tf.reduce_sum(v.assign(tf.multiply(x, ks)))
    ks[0] = 100
    yield


@change
def one_under_a_tape():
    ks = ones()

    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.multiply(x * x, ks))
        return tape.gradient(y, x)

    yield function
    ks[0] = 100
    yield


@change
def one_in_init_scope():
    ks = ones()

    def function(x):
        with tf.init_scope():
            k = tf.reduce_sum(tf.constant(ks))
        return x * k

    yield function
    ks[0] = 100
    yield


@change
def one_in_the_body_of_a_loop():
    ks = ones()

    def function(x):
        def body(i, y):
            return i + 1, y + tf.reduce_sum(tf.multiply(x, ks))

        return tf.while_loop(lambda i, y: i < 3, body, (0, x))[1]

    yield function
    ks[0] = 100
    yield


@change
def one_in_a_function_of_map_fn():
    ks = ones()

    def function(x):
        rows = tf.stack([x, x + 1.0])
        each = tf.map_fn(lambda row: tf.reduce_sum(tf.multiply(row, ks)), rows)
        return each, tf.vectorized_map(lambda row: tf.reduce_sum(tf.multiply(row, ks)), rows)

    yield function
    ks[0] = 100
    yield


@change
def one_in_a_gradient_function():
    ks = ones()

    @tf.custom_gradient
    def scaled(x):
        return x * 2.0, lambda g: g * tf.reduce_sum(tf.constant(ks))

    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return tape.gradient(y, x)

    yield function
    ks[0] = 100
    yield


@change
def one_in_a_function_within():
    ks = ones()
    inner = tf.function(lambda: tf.reduce_sum(tf.constant(ks)))
    yield lambda x: x * inner()
    ks[0] = 100
    yield


@change
def one_that_a_class_gives_to_its_own():
    ks = ones()

    def function(x):
        class Mine:
            tf = Box(constant=lambda array: float(array[0]))
            k = tf.constant(ks)

        return x * Mine.k

    yield function
    ks[0] = 100
    yield
