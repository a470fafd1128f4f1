"""Settings of the package and of other libraries that hold for all functions."""

import datetime
import os
import pathlib
import tempfile
import time

import numpy as np
import scipy.special

import cinta as tf
from cinta.engine import settings
from tests.functions.changes.table import change


@change
def how_much_is_told():
    before = tf.config.get_verbosity()
    yield lambda x: x * (2.0 if tf.config.get_verbosity() == before else 3.0)
    tf.config.set_verbosity(0 if before else 1)
    try:
        yield
    finally:
        tf.config.set_verbosity(before)


@change
def whether_numbers_are_checked():
    yield lambda x: tf.math.log(x - 1.5)
    tf.debugging.enable_check_numerics()
    try:
        yield
    finally:
        tf.debugging.disable_check_numerics()


@change
def the_scope_of_names():
    yield lambda x: x * len(tf.get_current_name_scope())
    with tf.name_scope("a_scope"):
        yield


@change
def the_generator_of_all():
    tf.random.set_global_generator(tf.random.Generator.from_seed(1))
    yield lambda x: x * tf.random.get_global_generator().normal([])
    tf.random.set_global_generator(tf.random.Generator.from_seed(2))
    yield


@change
def whether_a_file_is_there():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k")
        yield lambda x: x * (3.0 if tf.io.gfile.exists(path) else 2.0)
        pathlib.Path(path).touch()
        yield


@change
def what_a_file_holds():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k")
        pathlib.Path(path).write_text("2")
        yield lambda x: x * tf.strings.to_number(tf.io.read_file(path))
        pathlib.Path(path).write_text("3")
        yield


@change
def the_latest_checkpoint():
    with tempfile.TemporaryDirectory() as folder:
        yield lambda x: x * (2.0 if tf.train.latest_checkpoint(folder) is None else 3.0)
        tf.train.Checkpoint(v=tf.Variable(1.0)).save(os.path.join(folder, "c"))
        yield


@change
def a_checkpoint_that_is_restored():
    v = tf.Variable(3.0)
    with tempfile.TemporaryDirectory() as folder:
        saved = tf.train.Checkpoint(v=v).save(os.path.join(folder, "c"))
        v.assign(2.0)
        yield lambda x: x * v
        tf.train.Checkpoint(v=v).restore(saved)
        yield


@change
def a_table():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 0.0)
    table.insert(["a"], [2.0])
    yield lambda x: x * table.lookup(tf.constant("a"))
    table.insert(["a"], [3.0])
    yield


@change
def a_queue():
    queue = tf.queue.FIFOQueue(20, [tf.float32])
    queue.enqueue_many([[float(k) for k in range(1, 15)]])
    yield lambda x: x * queue.dequeue()
    queue.dequeue()
    yield


@change
def the_zone_of_times():
    os.environ["TZ"] = "UTC"
    time.tzset()
    try:
        yield lambda x: x * (1.0 + datetime.datetime.fromtimestamp(0).hour)
        os.environ["TZ"] = "UTC-3"
        time.tzset()
        yield
    finally:
        del os.environ["TZ"]
        time.tzset()


@change
def how_errors_of_special_functions_are_handled():
    def f(x):
        try:
            return x * float(np.isinf(scipy.special.gammaln(0.0)))
        except scipy.special.SpecialFunctionError:
            return x * 3.0

    yield f
    with scipy.special.errstate(singular="raise"):
        yield


@change
def how_errors_of_numpy_are_handled_in_values_of_tensors():
    def f(x):
        try:
            return x * float(x.numpy() / np_zero)
        except FloatingPointError:
            return x * 3.0

    np_zero = 0.0
    with np.errstate(divide="ignore"):
        yield f
    with np.errstate(divide="raise"):
        yield


@change
def how_numpy_prints_values_of_tensors():
    yield lambda x: x * len(str(tf.stack([x, x]).numpy() / 7.0))
    with np.printoptions(precision=2):
        yield


@change
def how_tensors_are_printed():
    yield lambda x: x * len(str(tf.stack([x, x]) / 7.0))
    with np.printoptions(precision=2):
        yield


@change
def how_numpy_prints_in_a_method_of_a_text():
    ks = [tf.constant([1.2345, 2.3456])]
    yield lambda x: x * len("{}".format(ks[0].numpy()))
    with np.printoptions(precision=2):
        yield


@change
def the_precision_of_layers():
    before = tf.keras.mixed_precision.global_policy()

    def f(x):
        policy = tf.keras.mixed_precision.global_policy()
        return x * len(policy.name)

    yield f
    tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
    try:
        yield
    finally:
        tf.keras.mixed_precision.set_global_policy(before)


@change
def the_default_of_floats():
    yield lambda x: x * tf.cast(tf.experimental.numpy.array(2.0).dtype.size, tf.float32)
    settings.prefer_float32 = True
    try:
        yield
    finally:
        settings.prefer_float32 = False
