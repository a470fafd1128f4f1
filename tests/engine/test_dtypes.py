"""DTypes: their attributes, what they equal, what NumPy makes of them."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

import cinta as tf
from cinta import dtypes

EVERY = [value for value in vars(dtypes).values() if isinstance(value, dtypes.DType)]
NUMERIC = [dtype for dtype in EVERY if dtype.is_numeric]
ENUM = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "string": 7,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "qint8": 11,
    "quint8": 12,
    "qint32": 13,
    "bfloat16": 14,
    "qint16": 15,
    "quint16": 16,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "resource": 20,
    "variant": 21,
    "uint32": 22,
    "uint64": 23,
    "float8_e5m2": 24,
    "float8_e4m3fn": 25,
    "float8_e4m3fnuz": 26,
    "float8_e4m3b11fnuz": 27,
    "float8_e5m2fnuz": 28,
    "int4": 29,
    "uint4": 30,
    "int2": 31,
    "uint2": 32,
    "float4_e2m1fn": 33,
}


def test_numbers_are_tensorflows():
    assert {dtype.name: dtype.as_datatype_enum for dtype in EVERY} == ENUM


def test_aliases():
    assert dtypes.half is dtypes.float16
    assert dtypes.double is dtypes.float64


@pytest.mark.parametrize("dtype", EVERY)
def test_repr_and_str(dtype):
    assert repr(dtype) == f"tf.{dtype.name}"
    assert str(dtype) == f"<dtype: '{dtype.name}'>"


@pytest.mark.parametrize("dtype", EVERY)
def test_there_is_one_of_each(dtype):
    assert pickle.loads(pickle.dumps(dtype)) is dtype
    assert copy.copy(dtype) is dtype
    assert copy.deepcopy(dtype) is dtype
    assert dtypes.as_dtype(dtype.name) is dtype
    assert dtypes.as_dtype(dtype.as_datatype_enum) is dtype
    assert dtypes.as_dtype(dtype.kernel_name) is dtype
    assert dtype.base_dtype is dtype


def test_immutable():
    with pytest.raises(AttributeError, match=r"'name' of tf\.float32 cannot be changed"):
        dtypes.float32.name = "float64"


@pytest.mark.parametrize("dtype", NUMERIC)
def test_numpy_takes_a_dtype(dtype):
    assert np.dtype(dtype) == dtype.dtype
    assert np.zeros(2, dtype).dtype == np.dtype(dtype.as_numpy_dtype)
    assert np.asarray([1, 2], dtype=dtype).astype(dtype).dtype == dtype
    assert dtypes.of(np.dtype(dtype)) is dtype


@pytest.mark.parametrize(
    ("dtype", "scalar"),
    [
        (dtypes.float16, np.float16),
        (dtypes.bfloat16, ml_dtypes.bfloat16),
        (dtypes.complex128, np.complex128),
        (dtypes.uint8, np.uint8),
        (dtypes.bool, np.bool_),
        (dtypes.string, object),
    ],
)
def test_as_numpy_dtype(dtype, scalar):
    assert dtype.as_numpy_dtype is scalar


@pytest.mark.parametrize(
    ("dtype", "traits"),
    [
        (dtypes.float32, {"is_floating", "is_numeric"}),
        (dtypes.bfloat16, {"is_floating", "is_numeric"}),
        (dtypes.float8_e4m3fn, {"is_floating", "is_numeric"}),
        (dtypes.complex64, {"is_complex", "is_numeric"}),
        (dtypes.int32, {"is_integer", "is_numeric"}),
        (dtypes.uint64, {"is_integer", "is_numeric", "is_unsigned"}),
        (dtypes.bool, {"is_bool"}),
        (dtypes.string, set()),
        (dtypes.resource, set()),
    ],
)
def test_traits(dtype, traits):
    every = ("is_floating", "is_complex", "is_integer", "is_bool", "is_numeric", "is_unsigned")
    assert {trait for trait in every if getattr(dtype, trait)} == traits


@pytest.mark.parametrize(
    ("dtype", "size", "low", "high", "limits"),
    [
        (dtypes.uint8, 1, 0, 255, (0, 255)),
        (dtypes.int32, 4, -(2**31), 2**31 - 1, (0, 2**31 - 1)),
        (dtypes.uint64, 8, 0, 2**64 - 1, (0, 2**64 - 1)),
        (dtypes.float16, 2, np.float16(-65504), np.float16(65504), (0, 1)),
        (dtypes.float32, 4, np.finfo("f4").min, np.finfo("f4").max, (0, 1)),
        (dtypes.bfloat16, 2, -3.3895314e38, 3.3895314e38, (0, 1)),
    ],
)
def test_size_and_limits(dtype, size, low, high, limits):
    assert dtype.size == size
    assert float(dtype.min) == pytest.approx(float(low), rel=1e-6)
    assert float(dtype.max) == pytest.approx(float(high), rel=1e-6)
    assert dtype.limits == limits


@pytest.mark.parametrize("dtype", [dtypes.complex64, dtypes.bool, dtypes.string])
def test_dtypes_without_extremes(dtype):
    with pytest.raises(TypeError, match="Cannot find minimum value of <dtype: "):
        _ = dtype.min
    with pytest.raises(TypeError, match="Cannot find maximum value of <dtype: "):
        _ = dtype.max


@pytest.mark.parametrize("dtype", [dtypes.complex64, dtypes.string])
def test_dtypes_without_limits(dtype):
    with pytest.raises(ValueError, match="does not have defined limits"):
        _ = dtype.limits


def test_bool_limits_and_string_size():
    assert dtypes.bool.limits == (0, 1)
    assert dtypes.string.size == 0


def test_real_dtype():
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128.real_dtype is dtypes.float64
    assert dtypes.int8.real_dtype is dtypes.int8


@pytest.mark.parametrize("same", ["float32", "float", np.float32, np.dtype("f4"), float, 1])
def test_equality(same):
    assert dtypes.float32 == same
    assert same == dtypes.float32
    assert (dtypes.float32 != same) is False
    assert dtypes.float64 != same


@pytest.mark.parametrize("other", [None, "foo", "f4", object(), [1], int, np.dtype("M8[s]")])
def test_inequality(other):
    assert dtypes.float32 != other


def test_hash_agrees_with_equality():
    assert len(set(EVERY)) == len(EVERY) - 2  # half and double are there twice
    assert {dtypes.float32: "found"}["float32"] == "found"


def test_is_compatible_with():
    assert dtypes.float32.is_compatible_with("float32")
    assert not dtypes.float32.is_compatible_with(dtypes.float64)
    with pytest.raises(TypeError, match="'foo'"):
        dtypes.float32.is_compatible_with("foo")


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        (float, dtypes.float32),
        (bool, dtypes.bool),
        (object, dtypes.string),
        ("half", dtypes.float16),
        ("double", dtypes.float64),
        (np.int64, dtypes.int64),
        (np.intc, dtypes.int32),
        (np.longlong, dtypes.int64),
        (np.ulonglong, dtypes.uint64),
        (np.object_, dtypes.string),
        (np.str_, dtypes.string),
        (np.dtype("S3"), dtypes.string),
        (np.dtype("T"), dtypes.string),
        (ml_dtypes.bfloat16, dtypes.bfloat16),
        (np.array(1.0), dtypes.float64),
        (np.float32(1), dtypes.float32),
    ],
)
def test_as_dtype(given, dtype):
    assert dtypes.as_dtype(given) is dtype


REFUSED_TYPES = [int, complex, str, range, np.void, np.generic, np.floating, np.longdouble]
REFUSED_VALUES = [None, "foo", "f4", 99, [1], np.dtype("M8[s]"), np.dtype([("x", "f4")]), np.array]


@pytest.mark.parametrize("given", REFUSED_TYPES + REFUSED_VALUES)
def test_as_dtype_refuses(given):
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`: "):
        dtypes.as_dtype(given)


def test_of_takes_strings_and_any_byte_order():
    assert dtypes.of(np.dtype("U5")) is dtypes.string
    assert dtypes.of(np.dtype(object)) is dtypes.string
    assert dtypes.of(np.dtype(">i2")) is dtypes.int16


def test_is_differentiable():
    flowing = {dtype.name for dtype in EVERY if dtypes.is_differentiable(np.dtype(dtype))}
    expected = {dtype.name for dtype in EVERY if dtype.is_floating or dtype.is_complex}
    assert flowing == expected
    assert "bfloat16" in flowing


def test_kernel_names():
    short = {dtype.name: dtype.kernel_name for dtype in EVERY if dtype.kernel_name != dtype.name}
    assert short == {"float16": "half", "float32": "float", "float64": "double"}


@pytest.mark.parametrize(
    ("name", "numbers", "enum"),
    [
        ("qint8", "i1", 11),
        ("quint8", "u1", 12),
        ("qint32", "i4", 13),
        ("qint16", "i2", 15),
        ("quint16", "u2", 16),
    ],
)
def test_quantized_dtypes_are_told_from_plain_ones(name, numbers, enum):
    dtype = getattr(tf, name)
    assert dtype is tf.as_dtype(name) is tf.as_dtype(enum)
    assert dtype.as_numpy_dtype == np.dtype([(name, numbers)])
    assert (dtype.is_quantized, dtype.is_integer, dtype.is_numeric) == (True, False, False)
    assert dtype.size == np.dtype(numbers).itemsize
    with pytest.raises(TypeError, match="minimum"):
        _ = dtype.min
    held = tf.constant(np.array([(1,), (2,)], dtype.as_numpy_dtype))
    assert (held.dtype, held.shape) == (dtype, [2])
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
        held + held


SMALL = [tf.experimental.int2, tf.experimental.uint2, tf.experimental.int4, tf.experimental.uint4]


@pytest.mark.parametrize("dtype", SMALL)
def test_small_integers_are_moved_and_cast(dtype):
    x = tf.constant([0, 1, 1], dtype)
    assert x.dtype is dtype
    assert dtype.is_integer
    assert tf.cast(tf.concat([x[1:], tf.zeros([1], dtype)], 0), tf.int32).numpy().tolist() == [
        1,
        1,
        0,
    ]
    assert tf.make_ndarray(tf.make_tensor_proto(x)).tolist() == [0, 1, 1]
    assert dtype.limits == (0, dtype.max)


def test_limits_of_small_integers():
    assert [(dtype.min, dtype.max) for dtype in SMALL] == [(-2, 1), (0, 3), (-8, 7), (0, 15)]


def test_small_integers_are_not_floating():
    x = tf.constant([1], tf.experimental.int4)
    with pytest.raises(tf.errors.InvalidArgumentError, match="of int4 is not in the list"):
        tf.sin(x)
    with pytest.raises(TypeError, match=r"Cannot convert 1\.5"):
        tf.constant(1.5, tf.experimental.int4)
    with tf.GradientTape() as tape, pytest.warns(match="int4"):
        tape.watch(x)
    assert not tape.watched_variables()


@pytest.mark.parametrize("name", ["int4", "float8_e5m2fnuz", "float4_e2m1fn"])
def test_small_dtypes_go_into_messages(name):
    dtype = getattr(tf.experimental, name)
    for values in ([1, -2, 3], 3):
        x = tf.constant(values, dtype)
        found = tf.make_ndarray(tf.make_tensor_proto(x))
        assert found.dtype == dtype.dtype
        assert found.tolist() == values
        assert tf.io.parse_tensor(tf.io.serialize_tensor(x), dtype).numpy().tolist() == values
    again = tf.make_ndarray(tf.make_tensor_proto(1, dtype, shape=[2]))
    assert again.tolist() == [1, 1]
