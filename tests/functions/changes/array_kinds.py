"""Arrays of texts, times, objects and records, and arrays in other things."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change

LARGE = 5000


@change
def texts():
    names = np.array(["a", "b"])
    yield lambda x: x * (2.0 if names[0] == "a" else 3.0)
    names[0] = "b"
    yield


@change
def times():
    days = np.array(["2020-01-01"], "datetime64[D]")
    yield lambda x: x * float(days[0].astype(int))
    days += np.timedelta64(1, "D")
    yield


@change
def objects():
    boxes = np.array([Box(k=2.0), None], object)
    yield lambda x: x * boxes[0].k
    boxes[0].k = 3.0
    yield


@change
def objects_that_are_replaced():
    boxes = np.array([Box(k=2.0), None], object)
    yield lambda x: x * boxes[0].k
    boxes[0] = Box(k=3.0)
    yield


@change
def lists_in_objects():
    lists = np.empty(1, object)
    lists[0] = [2.0]
    yield lambda x: x * lists[0][0]
    lists[0][0] = 3.0
    yield


@change
def a_field_of_a_structured_one():
    rows = np.zeros(2, [("a", np.float32), ("b", np.float32)])
    yield lambda x: x + rows["a"]
    rows["a"][1] = 5
    yield


@change
def a_row_of_a_structured_one():
    rows = np.zeros(2, [("a", np.float32), ("b", np.float32)])
    row = rows[1]
    yield lambda x: x + row["a"]
    rows["a"][1] = 5
    yield


@change
def a_record():
    rows = np.rec.array([(2.0, 3.0)], dtype=[("a", np.float32), ("b", np.float32)])
    yield lambda x: x * rows.a
    rows.a[0] = 5
    yield


@change
def a_masked_one():
    ks = np.ma.array([1.0, 2.0], mask=[False, True])
    yield lambda x: x * float(ks.sum())
    ks.mask = [False, False]
    yield


@change
def a_polynomial():
    polynomial = np.polynomial.Polynomial([1.0, 2.0])
    yield lambda x: x * polynomial(2.0)
    polynomial.coef[1] = 5.0
    yield


@change
def one_in_a_list():
    held = [np.ones(2, np.float32)]
    yield lambda x: x * held[0]
    held[0][1] = 5
    yield


@change
def one_in_a_tuple_in_an_object():
    box = Box(ks=(np.ones(2, np.float32),))
    yield lambda x: x * box.ks[0]
    box.ks[0][1] = 5
    yield


@change
def one_as_a_default():
    def g(x, ks=np.ones(2, np.float32)):  # noqa: B008
        return x * ks

    yield lambda x: g(x)
    g.__defaults__[0][1] = 5
    yield


@change
def one_that_is_replaced_by_an_equal_one():
    ks = np.ones(2, np.float32)
    yield lambda x: x * ks
    ks = ks.copy()
    ks[0] = 5
    yield


@change
def one_that_is_replaced_by_one_of_another_dtype():
    ks = np.ones(2, np.float32)
    yield lambda x: tf.cast(x, ks.dtype) * ks
    ks = ks.astype(np.float64)
    yield


@change
def one_that_it_writes_to():
    ks = np.zeros(2, np.float32)

    def f(x):
        ks[0] += 1
        return x * ks

    yield f
    ks[1] = 5
    yield


@change
def one_that_a_helper_writes_to():
    ks = np.zeros(2, np.float32)

    def g():
        np.add(ks, 1.0, out=ks)

    def f(x):
        g()
        return x * ks

    yield f
    ks[1] = 5
    yield


@change
def one_that_shares_memory_with_a_tensor():
    ks = np.ones(2, np.float32)
    tensor = tf.convert_to_tensor(ks)
    yield lambda x: x * tensor * ks
    ks[0] = 5
    yield


@change
def one_that_shares_memory_with_the_result():
    ks = np.ones(2, np.float32)
    yield lambda x: (x * 1.0, tf.convert_to_tensor(ks))
    ks[0] = 5
    yield
