"""Tensors and variables that a function refers to."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def a_tensor_that_is_replaced():
    k = tf.constant(2.0)
    yield lambda x: x * k
    k = tf.constant(3.0)
    yield


@change
def a_tensor_in_an_object():
    box = Box(k=tf.constant(2.0))
    yield lambda x: x * box.k
    box.k = tf.constant(3.0)
    yield


@change
def a_tensor_in_a_list():
    ks = [tf.constant(2.0)]
    yield lambda x: x * ks[0]
    ks[0] = tf.constant(3.0)
    yield


@change
def a_tensor_that_python_looks_at():
    k = tf.constant(2.0)
    yield lambda x: x * 2.0 if k > 1.0 else x * 3.0
    k = tf.constant(0.0)
    yield


@change
def a_tensor_of_another_shape():
    k = tf.constant([2.0])
    yield lambda x: x * k
    k = tf.constant([2.0, 3.0])
    yield


@change
def a_tensor_of_another_dtype():
    k = tf.constant(2.0)
    yield lambda x: tf.cast(x, k.dtype) * k
    k = tf.constant(2.0, tf.float64)
    yield


@change
def a_tensor_that_becomes_a_number():
    k = tf.constant(2.0)
    yield lambda x: x * k
    k = 3.0
    yield


@change
def a_number_that_becomes_a_variable():
    k = 2.0
    yield lambda x: x * k
    k = tf.Variable(3.0)
    yield


@change
def a_text_of_a_tensor():
    k = tf.constant(2.0)
    yield lambda x: x * float(str(k.numpy()))
    k = tf.constant(3.0)
    yield


@change
def the_text_of_an_argument():
    k = tf.Variable(2.0)
    yield (lambda x, v: x * float(f"{v.numpy()}")), tf.constant(1.5), k
    k.assign(3.0)
    yield


@change
def a_sparse_tensor():
    k = tf.SparseTensor([[0]], [2.0], [2])
    yield lambda x: x * tf.sparse.to_dense(k)
    k = tf.SparseTensor([[1]], [2.0], [2])
    yield


@change
def the_array_behind_a_tensor():
    array = np.ones(2, np.float32)
    k = tf.constant(array)
    yield lambda x: x * k * array
    array[0] = 5.0
    yield


@change
def a_variable_that_is_assigned():
    v = tf.Variable(2.0)
    yield lambda x: x * v
    v.assign(3.0)
    yield


@change
def a_variable_that_is_replaced():
    v = tf.Variable(2.0)
    yield lambda x: x * v
    v = tf.Variable(3.0)
    yield


@change
def a_variable_that_python_looks_at():
    v = tf.Variable(2.0)
    yield lambda x: x * 2.0 if v > 1.0 else x * 3.0
    v.assign(0.0)
    yield


@change
def a_variable_as_a_number():
    v = tf.Variable(2.0)
    yield lambda x: x * float(v.numpy())
    v.assign(3.0)
    yield


@change
def a_variable_in_a_list():
    vs = [tf.Variable(2.0)]
    yield lambda x: x * tf.add_n(vs)
    vs.append(tf.Variable(3.0))
    yield


@change
def a_variable_in_a_dictionary():
    vs = {"k": tf.Variable(2.0)}
    yield lambda x: x * vs["k"]
    vs["k"] = tf.Variable(3.0)
    yield


@change
def a_variable_that_takes_the_place_of_another():
    v, w = tf.Variable(2.0), tf.Variable(3.0)

    def f(x):
        v.assign_add(1.0)
        return x * v + w

    yield f
    v, w = w, v
    yield


@change
def a_variable_that_grows():
    v = tf.Variable([1.0], shape=tf.TensorShape(None))
    yield lambda x: x * v
    v.assign([1.0, 2.0])
    yield


@change
def the_name_of_a_variable():
    vs = [tf.Variable(1.0, name="two")]
    yield lambda x: x * len(vs[0].name)
    vs[0] = tf.Variable(1.0, name="three")
    yield


@change
def whether_a_variable_is_trainable():
    vs = [tf.Variable(2.0)]
    yield lambda x: x * (2.0 if vs[0].trainable else 3.0)
    vs[0] = tf.Variable(2.0, trainable=False)
    yield


@change
def an_attribute_of_a_variable():
    v = tf.Variable(2.0)
    v.scale = 2.0
    yield lambda x: x * v.scale
    v.scale = 3.0
    yield


@change
def a_variable_that_the_function_assigns():
    v = tf.Variable(0.0)
    yield lambda x: v.assign_add(x)
    v.assign(40.0)
    yield


@change
def a_variable_that_is_assigned_in_a_part():
    v = tf.Variable([1.0, 2.0])
    yield lambda x: x * v
    v[0].assign(5.0)
    yield


@change
def a_variable_that_is_assigned_through_a_view():
    v = tf.Variable([1.0, 2.0])
    yield lambda x: x * v[1:]
    v.scatter_nd_update([[1]], [5.0])
    yield


@change
def a_variable_of_its_own():
    class Scaled(tf.Variable):
        scale = 2.0

        def scaled(self):
            return self * self.scale

    v = Scaled(1.0)
    yield lambda x: x * v.scaled()
    v.scale = 3.0
    yield


@change
def an_attribute_of_a_module():
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.k = 2.0

        def __call__(self, x):
            return x * self.k

    model = Model()
    yield model
    model.k = 3.0
    yield


@change
def a_part_of_a_module():
    class Layer(tf.Module):
        k = 2.0

        def __call__(self, x):
            return x * self.k

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Layer(), Layer()]

        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    model = Model()
    yield model
    model.layers[1].k = 3.0
    yield


@change
def parts_of_a_module_that_are_added():
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [lambda x: 2.0 * x]

        def __call__(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    model = Model()
    yield model
    model.layers.append(lambda x: 3.0 * x)
    yield


@change
def variables_of_a_module():
    class Model(tf.Module): ...

    model = Model()
    model.a = tf.Variable(2.0)
    yield lambda x: x * tf.add_n(model.trainable_variables)
    model.b = tf.Variable(3.0)
    yield


@change
def submodules_of_a_module():
    model = tf.Module()
    model.a = tf.Module()
    yield lambda x: x * len(model.submodules)
    model.a.b = tf.Module()
    yield


@change
def a_property_of_a_module():
    class Model(tf.Module):
        @property
        def k(self):
            return self._settings["k"]

    model = Model()
    model._settings = {"k": 2.0}
    yield lambda x: x * model.k
    model._settings["k"] = 3.0
    yield


@change
def the_name_of_a_module():
    modules = [tf.Module(name="two")]
    yield lambda x: x * len(modules[0].name)
    modules[0] = tf.Module(name="three")
    yield


@change
def the_training_mode_of_a_module():
    class Dropout(tf.Module):
        training = False

        def __call__(self, x):
            return x * 2.0 if self.training else x

    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.drop = Dropout()

        def train(self, mode):
            for module in self.submodules:
                module.training = mode

    model = Model()
    yield lambda x: model.drop(x)
    model.train(True)
    yield
