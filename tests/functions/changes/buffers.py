"""Bytes, buffers, arrays of Python, memory of C."""

import array
import collections
import ctypes
import mmap
import pickle
import struct

import numpy as np

from tests.functions.changes.table import change


@change
def bytes_in_place():
    raw = bytearray([2])
    yield lambda x: x * raw[0]
    raw[0] = 3
    yield


@change
def bytes_that_grow():
    raw = bytearray([2])
    yield lambda x: x * len(raw)
    raw.append(3)
    yield


@change
def bytes_that_are_replaced():
    raw = b"\x02"
    yield lambda x: x * raw[0]
    raw = b"\x03"
    yield


@change
def bytes_through_a_struct():
    raw = bytearray(struct.pack("d", 2.0))
    yield lambda x: x * struct.unpack("d", raw)[0]
    raw[:] = struct.pack("d", 3.0)
    yield


@change
def bytes_through_numpy():
    raw = bytearray(struct.pack("d", 2.0))
    yield lambda x: x * float(np.frombuffer(raw)[0])
    raw[:] = struct.pack("d", 3.0)
    yield


@change
def a_view():
    raw = bytearray([2])
    view = memoryview(raw)
    yield lambda x: x * view[0]
    raw[0] = 3
    yield


@change
def a_view_that_is_cast():
    raw = bytearray(struct.pack("d", 2.0))
    view = memoryview(raw).cast("d")
    yield lambda x: x * view[0]
    raw[:] = struct.pack("d", 3.0)
    yield


@change
def a_view_of_a_numpy_array():
    ks = np.array([2.0])
    view = memoryview(ks)
    yield lambda x: x * view[0]
    ks[0] = 3.0
    yield


@change
def a_view_that_is_released():
    view = memoryview(bytearray([2]))
    yield lambda x: x * view[0]
    view.release()
    yield


@change
def a_view_of_another_shape():
    raw = bytearray(4)
    view = memoryview(raw)
    yield lambda x: x * view.ndim
    view = view.cast("B", (2, 2))
    yield


@change
def an_array():
    ks = array.array("d", [2.0])
    yield lambda x: x * ks[0]
    ks[0] = 3.0
    yield


@change
def an_array_that_grows():
    ks = array.array("d", [2.0])
    yield lambda x: x * sum(ks)
    ks.append(3.0)
    yield


@change
def an_array_with_another_type():
    ks = array.array("b", [2])
    yield lambda x: x * ks.itemsize
    ks = array.array("d", [2])
    yield


@change
def an_array_with_the_same_bytes():
    ks = array.array("i", [1])
    yield lambda x: x * float(ks[0])
    ks = array.array("f", ks.tobytes())
    yield


@change
def a_number_of_c():
    k = ctypes.c_double(2.0)
    yield lambda x: x * k.value
    k.value = 3.0
    yield


@change
def an_array_of_c():
    ks = (ctypes.c_double * 2)(2.0, 3.0)
    yield lambda x: x * ks[0]
    ks[0] = 5.0
    yield


@change
def a_structure_of_c():
    class Point(ctypes.Structure):
        _fields_ = (("a", ctypes.c_double),)

    point = Point(2.0)
    yield lambda x: x * point.a
    point.a = 3.0
    yield


@change
def a_pointer_of_c():
    k = ctypes.c_double(2.0)
    pointer = ctypes.pointer(k)
    yield lambda x: x * pointer.contents.value
    k.value = 3.0
    yield


@change
def a_pointer_into_a_numpy_array():
    ks = np.array([2.0])
    pointer = ks.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    yield lambda x: x * pointer[0]
    ks[0] = 3.0
    yield


@change
def a_numpy_array_in_memory_of_c():
    ks = (ctypes.c_double * 1)(2.0)
    array_ = np.ctypeslib.as_array(ks)
    yield lambda x: x * float(array_[0])
    ks[0] = 3.0
    yield


@change
def a_function_of_c():
    k = 2.0
    called = ctypes.CFUNCTYPE(ctypes.c_double)(lambda: k)
    yield lambda x: x * called()
    k = 3.0
    yield


@change
def a_text_buffer_of_c():
    text = ctypes.create_string_buffer(b"2")
    yield lambda x: x * float(text.value)
    text.value = b"3"
    yield


@change
def memory_that_is_mapped():
    with mmap.mmap(-1, 8) as memory:
        memory[:1] = b"2"
        yield lambda x: x * float(memory[:1])
        memory[:1] = b"3"
        yield


@change
def a_numpy_array_in_mapped_memory():
    memory = mmap.mmap(-1, 8)
    ks = np.frombuffer(memory)
    ks[0] = 2.0
    yield lambda x: x * float(ks[0])
    memory[:] = struct.pack("d", 3.0)
    yield


@change
def something_pickled():
    raw = [pickle.dumps(2.0)]
    yield lambda x: x * pickle.loads(raw[0])
    raw[0] = pickle.dumps(3.0)
    yield


@change
def the_state_of_an_object_that_is_copied():
    class C:
        def __reduce__(self):
            return float, (k,)

    k, c = 2.0, C()
    yield lambda x: x * pickle.loads(pickle.dumps(c))
    k = 3.0
    yield


@change
def a_bound_method_of_bytes():
    raw = bytearray(b"2")
    decode = raw.decode
    yield lambda x: x * float(decode())
    raw[:] = b"3"
    yield


@change
def a_bound_method_of_an_array():
    ks = array.array("d", [2.0])
    listed = ks.tolist
    yield lambda x: x * listed()[0]
    ks[0] = 3.0
    yield


@change
def a_bound_method_of_a_queue():
    queue = collections.deque([2.0])
    count = queue.count
    yield lambda x: x * count(3.0)
    queue.append(3.0)
    yield
