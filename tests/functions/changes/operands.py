"""Large arrays of NumPy that operators take, as they are or from attributes, lists and dicts."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change, defining

LENGTH = 1 << 18
"""So many numbers take 1 MB."""


def ones():
    return np.ones(LENGTH, np.float32)


@change
def an_operand():
    ks = ones()
    yield lambda x: tf.reduce_sum(x * ks)
    ks[5] = 100
    yield


@change
def an_operand_on_the_left():
    ks = ones()
    yield lambda x: tf.reduce_sum(ks / x - ks)
    ks[5] = 100
    yield


@change
def an_operand_of_a_number_too():
    ks = ones()
    yield lambda x: tf.reduce_sum(x * (ks * 2))
    ks[5] = 100
    yield


@change
def an_operand_of_tensors_and_arrays():
    ks = ones()

    def function(x):
        total = tf.constant(0.0)
        for each in (x, np.float32(2), x):
            total += tf.reduce_sum(each * ks)
        return total

    yield function
    ks[5] = 100
    yield


@change
def an_operand_of_what_looks_at_it():
    ks = ones()
    other = defining(matmul=lambda self, array: tf.constant(array) * float(array[5]))
    yield lambda x: tf.reduce_sum(x * (other @ ks))
    ks[5] = 100
    yield


@change
def an_operand_in_a_helper():
    ks = ones()

    def scaled(x):
        return x * ks

    yield lambda x: tf.reduce_sum(scaled(x) + scaled(2.0))
    ks[5] = 100
    yield


@change
def an_operand_where_an_error_is_caught():
    ks = ones()

    def function(x):
        try:
            return x + np.ones(3) @ ks
        except ValueError:
            return tf.reduce_sum(x * ks)

    yield function
    ks[5] = 100
    yield


@change
def an_operand_that_is_an_attribute():
    box = Box(ks=ones())
    yield lambda x: tf.reduce_sum(x * box.ks)
    box.ks[5] = 100
    yield


@change
def another_operand_that_is_an_attribute():
    box = Box(ks=ones())
    yield lambda x: tf.reduce_sum(x * box.ks)
    box.ks = 3 * ones()
    yield


@change
def an_operand_that_becomes_an_attribute_in_the_call():
    box, other = Box(ks=ones()), Box(ks=2 * ones())

    def function(x):
        box.ks = other.ks
        return tf.reduce_sum(x * box.ks)

    yield function
    other.ks[5] = 100
    yield


@change
def an_attribute_that_numpy_computes_with_elsewhere():
    box = Box(ks=ones())

    def mean():
        return float(box.ks.mean())

    yield lambda x: tf.reduce_sum(x * box.ks) + mean()
    box.ks[5] = 100
    yield


@change
def an_attribute_of_a_method_s_object():
    class Layer:
        def __init__(self):
            self.ks = ones()

        def call(self, x):
            return tf.reduce_sum(x * self.ks * self.ks.shape[0])

    layer = Layer()
    yield layer.call
    layer.ks[5] = 100
    yield


@change
def an_attribute_of_a_module():
    module = tf.Module()
    module.ks = ones()
    yield lambda x: tf.reduce_sum(x * module.ks)
    module.ks[5] = 100
    yield


@change
def an_attribute_that_is_computed():
    class Layer:
        def __init__(self):
            self.base = ones()

        @property
        def ks(self):
            return self.base + 1

    layer = Layer()
    yield lambda x: tf.reduce_sum(x * layer.ks)
    layer.base[5] = 100
    yield


@change
def an_item_of_a_dict():
    weights = {"k": ones(), "l": np.float32(2)}
    yield lambda x: tf.reduce_sum(x * weights["k"] * weights["l"])
    weights["k"][5] = 100
    yield


@change
def an_item_of_a_dict_in_an_attribute():
    box = Box(layers=[{"k": ones()}])
    yield lambda x: tf.reduce_sum(x * box.layers[0]["k"])
    box.layers[0]["k"][5] = 100
    yield


@change
def the_last_item_of_a_list():
    weights = [ones(), ones()]
    yield lambda x: tf.reduce_sum(x * weights[-1])
    weights[-1][5] = 100
    yield


@change
def an_item_that_another_way_leads_to():
    weights = {"k": ones()}
    yield lambda x: tf.reduce_sum(x * weights["k"]) + sum(float(k[5]) for k in weights.values())
    weights["k"][5] = 100
    yield


@change
def an_item_by_a_key_that_equals_it():
    weights = {1.0: ones()}
    yield lambda x: tf.reduce_sum(x * weights[1])
    weights[1][5] = 100
    yield


@change
def part_of_an_operand():
    ks = ones()
    yield lambda x: tf.reduce_sum(x * ks[: ks.size // 2])
    ks[5] = 100
    yield


@change
def an_operand_in_its_own_place():
    ks = ones()

    def function(x):
        nonlocal ks
        ks += 1
        return tf.reduce_sum(x * ks)

    yield function
    ks[5] = 100
    yield


@change
def an_operand_of_medium_size_that_numpy_computes_with():
    ks = np.ones(8000, np.float32)
    yield lambda x: tf.reduce_sum(x * ks) + float(ks.sum())
    ks[5] = 100
    yield


@change
def an_operand_in_a_gradient_function():
    ks = ones()

    @tf.custom_gradient
    def scaled(x):
        return x * 2.0, lambda g: tf.reduce_sum(g * ks)

    def function(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return tape.gradient(y, x)

    yield function
    ks[5] = 100
    yield


@change
def an_operand_in_code_that_equals_other_code():
    ks = ones()
    text = "def scaled(x):\n    return x * ks"
    first, second = {"ks": ks}, {"ks": ks}
    exec(compile(text, "first", "exec"), first)
    exec(compile(text, "second", "exec"), second)
    scaled, also = first["scaled"], second["scaled"]
    yield lambda x: tf.reduce_sum(scaled(x) + also(2.0))
    ks[5] = 100
    yield


@change
def an_operand_in_a_generator():
    ks = ones()

    def each(x):
        yield 2.0 * ks
        yield x * ks

    yield lambda x: tf.reduce_sum(sum(each(x)))
    ks[5] = 100
    yield
