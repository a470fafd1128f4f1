"""Arrays of NumPy that are changed in place, and what NumPy has beside them."""

import numpy as np

import cinta as tf
from tests.functions.changes.table import change

LARGE = 5000


@change
def all_of_it():
    ks = np.ones(3, np.float32)
    yield lambda x: x * ks
    ks *= 2
    yield


@change
def one_element():
    ks = np.ones(3, np.float32)
    yield lambda x: x * ks
    ks[1] = 2
    yield


@change
def one_element_of_a_large_one():
    ks = np.ones(LARGE, np.float32)
    yield lambda x: x * tf.reduce_sum(ks)
    ks[LARGE // 3] = 100
    yield


@change
def one_element_and_its_opposite():
    ks = np.ones(4, np.float32)
    yield lambda x: x * ks
    ks[0], ks[1] = 2, 0
    yield


@change
def the_order_of_elements():
    ks = np.arange(3, dtype=np.float32)
    yield lambda x: x * ks
    ks[:] = ks[::-1].copy()
    yield


@change
def an_element_that_python_looks_at():
    ks = np.array([2.0, 3.0])
    yield lambda x: x * float(ks[0])
    ks[0] = 5.0
    yield


@change
def an_element_that_decides():
    ks = np.array([2.0, 3.0])
    yield lambda x: x * 2.0 if ks[0] > 1.0 else x * 3.0
    ks[0] = 0.0
    yield


@change
def through_a_view():
    ks = np.ones((2, 3), np.float32)
    view = ks[1]
    yield lambda x: x * view
    ks[1, 2] = 5
    yield


@change
def through_a_view_of_it():
    ks = np.ones((2, 3), np.float32)
    view = ks[1]
    yield lambda x: x * ks
    view[2] = 5
    yield


@change
def a_transposed_view():
    ks = np.ones((2, 3), np.float32)
    transposed = ks.T
    yield lambda x: x * transposed
    ks[1, 2] = 5
    yield


@change
def a_view_with_steps():
    ks = np.ones(6, np.float32)
    odd = ks[1::2]
    yield lambda x: x * odd
    ks[3] = 5
    yield


@change
def a_view_that_is_made_inside():
    ks = np.ones((4, 3), np.float32)
    yield lambda x: x * ks[1:3, ::-1]
    ks[2, 0] = 5
    yield


@change
def what_is_computed_from_it_inside():
    ks = np.ones(3, np.float32)
    yield lambda x: x * np.sqrt(ks + 3.0).astype(np.float32)
    ks[0] = 6
    yield


@change
def a_view_that_repeats():
    ks = np.ones(1, np.float32)
    repeated = np.broadcast_to(ks, (2, 3))
    yield lambda x: x * repeated
    ks[0] = 5
    yield


@change
def a_view_of_another_type():
    ks = np.ones(2, np.float32)
    bits = ks.view(np.int32)
    yield lambda x: x * tf.cast(bits, tf.float32)
    ks[0] = 5
    yield


@change
def a_read_only_view():
    ks = np.ones(2, np.float32)
    view = ks.view()
    view.flags.writeable = False
    yield lambda x: x * view
    ks[0] = 5
    yield


@change
def a_read_only_one_that_becomes_writable():
    ks = np.ones(2, np.float32)
    ks.flags.writeable = False
    yield lambda x: x * ks
    ks.flags.writeable = True
    ks[0] = 5
    yield


@change
def its_shape():
    ks = np.ones((2, 3), np.float32)
    yield lambda x: x * ks
    ks.resize((3, 2), refcheck=False)
    yield


@change
def its_shape_that_python_looks_at():
    ks = np.ones((2, 3), np.float32)
    yield lambda x: x * ks.shape[0]
    ks.resize((3, 2), refcheck=False)
    yield


@change
def its_size():
    ks = np.ones(2, np.float32)
    yield lambda x: x * len(ks)
    ks.resize(3, refcheck=False)
    yield


@change
def whether_it_is_writable():
    ks = np.ones(2)
    yield lambda x: x * (2.0 if ks.flags.writeable else 3.0)
    ks.flags.writeable = False
    yield


@change
def one_number_in_an_array():
    k = np.array(2.0, np.float32)
    yield lambda x: x * k
    k[...] = 3
    yield


@change
def one_number_that_python_looks_at():
    k = np.array(2.0)
    yield lambda x: x * float(k)
    k[...] = 3
    yield


@change
def an_empty_one_that_is_filled():
    ks = np.zeros(0, np.float32)
    yield lambda x: x * (1.0 + tf.reduce_sum(ks))
    ks.resize(2, refcheck=False)
    ks[:] = 1
    yield


@change
def a_zero_that_changes_its_sign():
    ks = np.zeros(2, np.float32)
    yield lambda x: x / ks
    ks[0] = -0.0
    yield


@change
def a_nan_that_becomes_another_nan():
    ks = np.array([np.nan], np.float32)
    yield lambda x: x * tf.cast(tf.bitcast(ks, tf.int32), tf.float32)
    ks.view(np.int32)[0] += 1 << 10
    yield


@change
def not_a_number_that_becomes_one():
    ks = np.array([np.nan, 1.0], np.float32)
    yield lambda x: x * ks
    ks[0] = 5
    yield


@change
def truths():
    mask = np.array([True, False])
    yield lambda x: x * tf.boolean_mask([2.0, 3.0], mask)
    mask[:] = ~mask
    yield


@change
def truths_that_python_looks_at():
    mask = np.array([True, False])
    yield lambda x: x * int(mask.sum()) * (2.0 if mask.any() else 3.0)
    mask[1] = True
    yield


@change
def places():
    places = np.array([0, 1])
    yield lambda x: x * tf.gather([2.0, 3.0], places)
    places[0] = 1
    yield


@change
def whether_two_arrays_are_one():
    first = np.ones(2)
    ks = [first, first]
    yield lambda x: x * (2.0 if ks[0] is not ks[1] else 3.0)
    ks[1] = first.copy()
    yield
