"""Arrays that are read-only, and arrays whose form is changed in place."""

import collections
import threading

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def a_read_only_view_of_a_writable_array():
    base = np.ones(20000, np.float32)
    view = base.view()
    view.flags.writeable = False
    yield lambda x: tf.reduce_sum(tf.constant(view)) * x
    base[0] = 5.0
    yield


@change
def a_read_only_view_given():
    base = np.ones(20000, np.float32)
    view = base.view()
    view.flags.writeable = False
    yield (lambda v: tf.reduce_sum(v), view)
    base[0] = 5.0
    yield view


@change
def a_frozen_array_thawed_and_frozen():
    a = np.ones(20000, np.float32)
    a.flags.writeable = False
    yield lambda x: tf.reduce_sum(x * a)
    a.flags.writeable = True
    a[0] = 7.0
    a.flags.writeable = False
    yield


@change
def a_frozen_array_given_thawed_and_frozen():
    a = np.ones(20000, np.float32)
    a.flags.writeable = False
    yield (lambda a: tf.reduce_sum(a), a)
    a.flags.writeable = True
    a[0] = 7.0
    a.flags.writeable = False
    yield a


@change
def a_small_frozen_array_given_thawed_and_frozen():
    a = np.ones(20, np.float32)
    a.flags.writeable = False
    yield (lambda a: tf.reduce_sum(a), a)
    a.flags.writeable = True
    a[0] = 7.0
    a.flags.writeable = False
    yield a


@change
def a_frozen_array_over_bytes():
    held = bytearray(np.ones(20000, np.float32).tobytes())
    a = np.frombuffer(memoryview(held).toreadonly(), np.float32)
    yield lambda x: tf.reduce_sum(tf.constant(a) * x)
    held[0:4] = np.float32(9.0).tobytes()
    yield


@change
def a_large_array_given_in_a_dict():
    a = np.ones(20000, np.float32)
    yield lambda d: tf.reduce_sum(d["a"]), {"a": a}
    a[0] = 5.0
    yield {"a": a}


@change
def an_array_whose_shape_is_set():
    a = np.arange(6.0, dtype=np.float32)
    yield lambda x: x * float(a.shape[0])
    a.shape = (2, 3)
    yield


@change
def an_array_whose_type_is_set():
    a = np.ones(2, np.float32)
    yield (lambda x: x * tf.cast(tf.reduce_sum(tf.constant(a)), tf.float32))
    a.dtype = np.int32
    yield


@change
def an_array_sorted_in_place():
    a = np.array([3.0, 1.0, 2.0], np.float32)
    yield lambda x: x * a[0]
    a.sort()
    yield


@change
def a_diagonal_filled():
    a = np.zeros((3, 3), np.float32)
    yield lambda x: x * tf.linalg.trace(a)
    np.fill_diagonal(a, 2.0)
    yield


@change
def an_array_by_put_from_another_thread():
    a = np.ones(30000, np.float32)
    yield lambda x: tf.reduce_sum(a * x)
    t = threading.Thread(target=lambda: np.put(a, [0], 9.0))
    t.start()
    t.join()
    yield


@change
def an_array_that_is_resized():
    a = np.ones(3, np.float32)
    yield lambda x: x * tf.reduce_sum(tf.constant(a))
    a.resize(5, refcheck=False)
    a[3:] = 4.0
    yield


@change
def an_array_in_a_named_tuple_in_a_dict():
    P = collections.namedtuple("P", "a")
    d = {"p": P(np.ones(3, np.float32))}
    yield lambda x: x * tf.reduce_sum(d["p"].a)
    d["p"].a[0] = 5.0
    yield


@change
def a_large_array_in_a_list_of_a_dict():
    d = {"p": [np.ones(30000, np.float32)]}
    yield lambda x: tf.reduce_sum(x * d["p"][0])
    d["p"][0][0] = 5.0
    yield


@change
def a_large_array_sliced():
    a = np.ones((300, 100), np.float32)
    b = Box(n=10)
    yield lambda x: tf.reduce_sum(x * a[: b.n])
    a[0, 0] = 5.0
    yield
    b.n = 20
    yield


@change
def a_zero_dimensional_array():
    a = np.array(2.0, np.float32)
    yield lambda x: x * a
    a[...] = 3.0
    yield


@change
def a_field_of_an_array_of_records():
    a = np.zeros(2, [("p", "f4"), ("q", "f4")])
    yield lambda x: x + a["p"].sum()
    a["p"] += 2.0
    yield


@change
def a_numpy_int_of_another_width():
    b = Box(k=np.int32(2))
    yield lambda x: tf.constant(b.k)
    b.k = np.int64(2)
    yield
