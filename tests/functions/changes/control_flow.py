"""Functions that functions call: bodies, branches, gradients, functions in functions."""

import cinta as tf
from tests.functions.changes.table import change


@change
def the_body_of_a_loop():
    k = 2.0
    yield lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * k), [0, x])[1]
    k = 3.0
    yield


@change
def the_condition_of_a_loop():
    turns = 2
    yield lambda x: tf.while_loop(lambda i, y: i < turns, lambda i, y: (i + 1, y * 2), [0, x])[1]
    turns = 3
    yield


@change
def a_branch():
    k = 2.0
    yield lambda x: tf.cond(x > 1.0, lambda: x * k, lambda: x)
    k = 3.0
    yield


@change
def the_other_branch():
    k = 2.0
    yield lambda x: tf.cond(x < 1.0, lambda: x, lambda: x * k)
    k = 3.0
    yield


@change
def the_predicate_of_a_branch():
    above = 1.0
    yield lambda x: tf.cond(x > above, lambda: x * 2.0, lambda: x * 3.0)
    above = 2.0
    yield


@change
def one_of_many_branches():
    k = 2.0
    branches = [lambda: tf.constant(1.0), lambda: tf.constant(k)]
    yield lambda x: x * tf.switch_case(tf.constant(1), branches)
    k = 3.0
    yield


@change
def a_list_of_branches():
    branches = [lambda: tf.constant(1.0), lambda: tf.constant(2.0)]
    yield lambda x: x * tf.switch_case(tf.constant(1), branches)
    branches[1] = lambda: tf.constant(3.0)
    yield


@change
def a_case():
    k = 2.0
    yield lambda x: tf.case([(x > 1.0, lambda: x * k)], default=lambda: x)
    k = 3.0
    yield


@change
def a_function_mapped_over_a_tensor():
    k = 2.0
    yield lambda x: tf.map_fn(lambda row: row * k, tf.stack([x, x]))
    k = 3.0
    yield


@change
def a_function_that_is_vectorized():
    k = 2.0
    yield lambda x: tf.vectorized_map(lambda row: row * k, tf.stack([x, x]))
    k = 3.0
    yield


@change
def a_fold():
    k = 2.0
    yield lambda x: tf.foldl(lambda total, row: total * k + row, tf.stack([x, x]))
    k = 3.0
    yield


@change
def a_scan():
    k = 2.0
    yield lambda x: tf.scan(lambda total, row: total * k + row, tf.stack([x, x]))
    k = 3.0
    yield


@change
def a_loop_over_a_range_of_tensors():
    k = 2.0

    def f(x):
        for _ in tf.range(3):
            x = x * k
        return x

    yield f
    k = 3.0
    yield


@change
def the_bound_of_a_loop():
    turns = tf.Variable(2)

    def f(x):
        for _ in tf.range(turns):
            x = x * 2.0
        return x

    yield f
    turns.assign(3)
    yield
