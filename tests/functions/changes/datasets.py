"""Datasets, nests and ops that a function chooses."""

import functools

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def a_dataset_that_maps():
    k = 2.0

    def f(x):
        rows = tf.data.Dataset.range(2).map(lambda i: tf.cast(i, tf.float32) * k)
        return x * sum(rows)

    yield f
    k = 3.0
    yield


@change
def a_dataset_over_a_list():
    ks = [1.0]

    def f(x):
        return x * sum(tf.data.Dataset.from_generator(lambda: iter(ks), tf.float32))

    yield f
    ks.append(2.0)
    yield


@change
def a_dataset_that_is_made_before():
    ks = np.array([1.0, 2.0], np.float32)
    rows = tf.data.Dataset.range(2).map(lambda i: tf.gather(ks, i))
    yield lambda x: x * sum(rows)
    ks[0] = 5.0
    yield


@change
def the_iterator_of_a_dataset():
    rows = iter(tf.data.Dataset.range(100))
    yield lambda x: x * tf.cast(next(rows), tf.float32)
    next(rows)
    yield


@change
def a_nest():
    k = 2.0
    yield lambda x: tf.nest.map_structure(lambda y: y * k, {"a": x, "b": [x]})
    k = 3.0
    yield


@change
def a_partial_over_an_op():
    scaled = functools.partial(tf.multiply, 2.0)
    yield lambda x: scaled(x)
    scaled = functools.partial(tf.multiply, 3.0)
    yield


@change
def which_op():
    op = tf.sin
    yield lambda x: op(x)
    op = tf.cos
    yield


@change
def which_op_by_its_name():
    box = Box(activation="sigmoid")
    yield lambda x: getattr(tf.nn, box.activation)(x)
    box.activation = "relu"
    yield


@change
def an_op_that_is_replaced():
    before = tf.sin
    try:
        yield lambda x: tf.sin(x)
        tf.sin = tf.cos
        yield
    finally:
        tf.sin = before


@change
def a_seed():
    seed = [1, 2]
    yield lambda x: x * tf.random.stateless_normal([2], seed)
    seed[0] = 2
    yield
