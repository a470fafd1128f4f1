"""Dtypes that are promoted by a lattice, and weak tensors: TensorFlow's modes "all" and "safe"."""

import subprocess
import sys

import numpy as np
import pytest

import cinta as tf
from cinta.experimental.numpy.lattice import Kind, promoted
from tests.numpy_modes import modes_end_here

tnp = tf.experimental.numpy
ENABLE = tnp.experimental_enable_numpy_behavior


@pytest.fixture(autouse=True)
def as_before():
    with modes_end_here():
        yield


SHORT = {
    "b": "bool",
    "bf": "bfloat16",
    "i*": "int32*",
    "f*": "float32*",
    "c*": "complex128*",
    **{
        f"{short}{n}": f"{name}{8 * n}"
        for short, name, sizes in (
            ("u", "uint", (1, 2, 4, 8)),
            ("i", "int", (1, 2, 4, 8)),
            ("f", "float", (2, 4, 8)),
            ("c", "complex", (8, 16)),
        )
        for n in sizes
    },
    "d*": "float64*",
}
ORDER = "b u1 u2 u4 u8 i1 i2 i4 i8 bf f2 f4 f8 c8 c16 i* f* c*"
ALL = """
b  b  u1 u2 u4 u8 i1 i2 i4 i8 bf f2 f4 f8 c8  c16 i* f* c*
u1 u1 u1 u2 u4 u8 i2 i2 i4 i8 bf f2 f4 f8 c8  c16 u1 d* c*
u2 u2 u2 u2 u4 u8 i4 i4 i4 i8 bf f2 f4 f8 c8  c16 u2 d* c*
u4 u4 u4 u4 u4 u8 i8 i8 i8 i8 bf f2 f4 f8 c8  c16 u4 d* c*
u8 u8 u8 u8 u8 u8 d* d* d* d* bf f2 f4 f8 c8  c16 u8 d* c*
i1 i1 i2 i4 i8 d* i1 i2 i4 i8 bf f2 f4 f8 c8  c16 i1 d* c*
i2 i2 i2 i4 i8 d* i2 i2 i4 i8 bf f2 f4 f8 c8  c16 i2 d* c*
i4 i4 i4 i4 i8 d* i4 i4 i4 i8 bf f2 f4 f8 c8  c16 i4 d* c*
i8 i8 i8 i8 i8 d* i8 i8 i8 i8 bf f2 f4 f8 c8  c16 i8 d* c*
bf bf bf bf bf bf bf bf bf bf bf f4 f4 f8 c8  c16 bf bf c8
f2 f2 f2 f2 f2 f2 f2 f2 f2 f2 f4 f2 f4 f8 c8  c16 f2 f2 c8
f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f4 f8 c8  c16 f4 f4 c8
f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 f8 c16 c16 f8 f8 c16
i* i* u1 u2 u4 u8 i1 i2 i4 i8 bf f2 f4 f8 c8  c16 i* f* c*
f* f* d* d* d* d* d* d* d* d* bf f2 f4 f8 c8  c16 f* f* c*
c* c* c* c* c* c* c* c* c* c* c8 c8 c8 c16 c8 c16 c* c* c*
"""
"""TensorFlow's dtype of two: a row has the first dtype, and then those with each other one."""

REFUSED = {  # by mode "safe": TensorFlow's, less what is refused in the other order too
    *("u1 i1", "u1 f*", "u2 i1", "u2 i2", "u2 bf", "u2 f2", "u2 f*", "u4 i1", "u4 i2", "u4 i4"),
    *("u4 bf", "u4 f2", "u4 f4", "u4 c8", "u4 f*", "u8 i1", "u8 i2", "u8 i4", "u8 i8", "u8 bf"),
    *("u8 f2", "u8 f4", "u8 f8", "u8 c8", "u8 c16", "u8 f*", "u8 c*", "i1 f*", "i2 bf", "i2 f2"),
    *("i2 f*", "i4 bf", "i4 f2", "i4 f4", "i4 c8", "i4 f*", "i8 bf", "i8 f2", "i8 f4", "i8 f8"),
    *("i8 c8", "i8 c16", "i8 f*", "i8 c*", "bf f2", "bf c*", "f2 c*", "f4 c*", "f8 c8"),
}


def kind(short):
    return Kind(SHORT[short].rstrip("*"), "*" in short)


def test_the_dtype_of_two_is_tensorflows_in_each_order_and_mode():
    for row in ALL.strip().splitlines():
        x, *found = row.split()
        for y, expected in zip(ORDER.split(), found, strict=True):
            assert promoted(kind(x), kind(y), False) == kind(expected), (x, y)
            assert promoted(kind(y), kind(x), False) == kind(expected), (x, y)
            if f"{x} {y}" in REFUSED or f"{y} {x}" in REFUSED:
                with pytest.raises(TypeError, match=r"tf\.cast"):
                    promoted(kind(x), kind(y), True)
            else:
                assert promoted(kind(x), kind(y), True) == kind(expected), (x, y)


VALUES = {  # TensorFlow 2.21's
    "tf.constant(5)": "shape=(), dtype=int32, numpy=5, weak=True>",
    "tf.constant(5, tf.int32)": "shape=(), dtype=int32, numpy=5>",
    "tf.constant(True)": "shape=(), dtype=bool, numpy=True>",
    "tf.constant('a')": "shape=(), dtype=string, numpy=b'a'>",
    "tf.constant(np.array([1]))": "shape=(1,), dtype=int64, numpy=array([1])>",
    "tf.constant(tf.constant(10, tf.int16), tf.float32)": "shape=(), dtype=float32, numpy=10.0>",
    "tf.constant(1.25) + tf.constant(3.0, tf.float16)": "dtype=float16, numpy=4.25>",
    "tf.constant(10, tf.int32) + tf.constant(5.0, tf.float32)": "dtype=float32, numpy=15.0>",
    "tf.constant(10, tf.int8) + tf.constant(5, tf.uint32)": "dtype=int64, numpy=15>",
    "tf.constant(5, tf.int16) - tf.constant(1, tf.float32)": "dtype=float32, numpy=4.0>",
    "tf.constant(1) + 1": "dtype=int32, numpy=2, weak=True>",
    "tf.constant(1) + 1.5": "dtype=float32, numpy=2.5, weak=True>",
    "tf.constant(1) + True": "dtype=int32, numpy=2, weak=True>",
    "tf.constant(1) + np.float16(2)": "dtype=float16, numpy=3.0>",
    "np.float16(2) + tf.constant(1)": "dtype=float16, numpy=3.0>",
    "1.5 * tf.constant([1, 2], tf.int8)": "dtype=float64, numpy=array([1.5, 3. ]), weak=True>",
    "-tf.constant(5)": "dtype=int32, numpy=-5, weak=True>",
    "abs(tf.constant(-1))": "dtype=int32, numpy=1, weak=True>",
    "~tf.constant(1)": "dtype=int32, numpy=-2, weak=True>",
    "tf.constant(7) // 2": "dtype=int32, numpy=3, weak=True>",
    "7 % tf.constant(4.0)": "dtype=float32, numpy=3.0, weak=True>",
    "tf.constant(1) / 2": "dtype=float64, numpy=0.5, weak=True>",
    "tf.constant(1, tf.int32) / 2": "dtype=float64, numpy=0.5>",
    "tf.constant(2) ** 2": "dtype=int32, numpy=4, weak=True>",
    "tf.constant(3, tf.uint8) + 300": "dtype=uint8, numpy=47>",
    "tf.constant(1) == tf.constant(1.0)": "dtype=bool, numpy=True>",
    "tf.add(1, 2)": "dtype=int32, numpy=3, weak=True>",
    "tf.add(1, tf.constant(2, tf.int8))": "dtype=int8, numpy=3>",
    "tf.math.abs([100.0, 4.0])": "numpy=array([100.,   4.], dtype=float32), weak=True>",
    "tf.sqrt(4.0)": "dtype=float32, numpy=2.0, weak=True>",
    "tf.reduce_sum(tf.constant([1, 2]))": "dtype=int32, numpy=3, weak=True>",
    "tf.expand_dims(1, 0)": "dtype=int32, numpy=array([1], dtype=int32), weak=True>",
    "tf.constant([1, 2])[0]": "dtype=int32, numpy=1>",
    "tf.cast(tf.constant(1), tf.float16)": "dtype=float16, numpy=1.0>",
    "tf.zeros([2])": "dtype=float32, numpy=array([0., 0.], dtype=float32)>",
    "tnp.array(1)": "dtype=int32, numpy=1, weak=True>",
    "tnp.asarray([1.0])": "dtype=float32, numpy=array([1.], dtype=float32), weak=True>",
    "tnp.asarray(np.ones(2))": "dtype=float64, numpy=array([1., 1.])>",
    "tf.stack([tf.constant(1), tf.constant(2)])": "numpy=array([1, 2], dtype=int32)>",
    "tf.add([tf.constant(1), 2], 1.5)": "numpy=array([2.5, 3.5], dtype=float32), weak=True>",
    "tnp.sin(0)": "dtype=float32, numpy=0.0, weak=True>",
    "tnp.exp(tf.constant(0, tf.int64))": "dtype=float32, numpy=1.0>",
    "tnp.mean([1, 2])": "dtype=float32, numpy=1.5, weak=True>",
    "tnp.sum([1, 2])": "dtype=int32, numpy=3, weak=True>",
    "tnp.sum(tf.constant([1, 2], tf.uint8))": "dtype=uint32, numpy=3>",
    "tnp.sum(tf.constant([1, 2], tf.int64))": "dtype=int64, numpy=3>",
    "tnp.ones(2)": "dtype=float32, numpy=array([1., 1.], dtype=float32)>",
    "tnp.array([1], int)": "dtype=int32, numpy=array([1], dtype=int32)>",
    "tnp.add(tf.constant([1], tf.float32), tf.constant(2, tf.int32))": "numpy=array([3.])>",
    "tnp.add(tf.constant(1.0, tf.float16), 2.0)": "dtype=float16, numpy=3.0>",
    "tnp.maximum(True, [1.5])": "numpy=array([1.5], dtype=float32)>",
}


@pytest.mark.parametrize("text", VALUES)
def test_values_are_tensorflows(text):
    ENABLE(dtype_conversion_mode="all")
    found = repr(eval(text, {"tf": tf, "tnp": tnp, "np": np}))
    assert found.endswith(VALUES[text]), found


def test_the_order_of_operations_does_not_matter():
    ENABLE(dtype_conversion_mode="all")
    a, b, c = np.array(1, np.int8), tf.constant(1), np.array(1, np.float16)
    for y in tf.add(tf.add(a, b), c), tf.add(tf.add(b, a), c), a + b + c:
        assert (y.dtype, y.numpy()) == (tf.float16, 3.0)
    assert str(b) == "tf.Tensor(1, shape=(), dtype=int32, weak=True)"


def test_a_safe_promotion_loses_nothing():
    ENABLE(dtype_conversion_mode="safe")
    with pytest.raises(TypeError, match="int32 and float32 become float32"):
        tf.constant(10, tf.int32) + tf.constant(5.0, tf.float32)
    with pytest.raises(TypeError, match="int8 and uint32 become int64"):
        tf.constant(10, tf.int8) + tf.constant(5, tf.uint32)
    assert (tf.constant(10) + tf.constant(5.0, tf.float32)).dtype == tf.float32


def test_variables_are_assigned_what_can_be_promoted_to_their_dtype():
    ENABLE(dtype_conversion_mode="all")
    v, w = tf.Variable(10), tf.Variable(1.5)
    v.assign_add(tf.constant(5, tf.int16))
    w.assign(tf.constant(3, tf.int8))
    w.assign_sub(1)
    assert (v.numpy(), w.numpy()) == (15, 2.0)
    assert (v + 1.5).dtype == tf.float64
    for assign in (lambda: v.assign_add(1.5), lambda: w.assign(np.float64(1.0))):
        with pytest.raises(TypeError, match="dtype is immutable"):
            assign()
    assert (v.numpy(), w.numpy()) == (15, 2.0)


def test_gradients_have_the_dtypes_of_their_sources():
    ENABLE(dtype_conversion_mode="all")
    x, y = tf.constant(3.0, tf.float16), tf.constant(2.0, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x * y * 2.0
    assert z.dtype == tf.float64
    found = tape.gradient(z, [x, y])
    assert [(g.dtype, g.numpy()) for g in found] == [(tf.float16, 4.0), (tf.float64, 6.0)]


def test_functions_take_weak_tensors_and_return_none():
    ENABLE(dtype_conversion_mode="all")
    f = tf.function(lambda x: (x + 1.5, tf.constant(2) * 3))
    for x, dtype in 2 * [(tf.constant(1), "float32"), (tf.constant(1, tf.int32), "float64")]:
        y, z = f(x)
        assert repr(y) == f"<tf.Tensor: shape=(), dtype={dtype}, numpy=2.5>"
        assert repr(z) == "<tf.Tensor: shape=(), dtype=int32, numpy=6>"


def test_what_differs_from_tensorflow():
    ENABLE(dtype_conversion_mode="all")
    one = tf.constant(1, tf.int32)
    assert one < 2.5
    assert not one >= np.float16(1.5)
    assert (one & tf.constant(3, tf.int8)).dtype == tf.int32
    assert (tf.constant(True) * 2.5).numpy() == 2.5  # TensorFlow gives a bool
    assert tnp.array(1.5, np.dtype("float64")).dtype == tf.float64  # there float32


@pytest.mark.parametrize("wrong", ["none", 3, None])
def test_other_modes_are_refused(wrong):
    with pytest.raises(ValueError, match="'legacy'"):
        ENABLE(dtype_conversion_mode=wrong)


def test_functions_are_recorded_anew_in_another_mode():
    one, half = tf.constant(1, tf.int32), tf.constant(0.5, tf.float16)
    f = tf.function(lambda x, y: x + y)
    for mode, dtype in ("legacy", tf.float64), ("all", tf.float16), ("legacy", tf.float64):
        ENABLE(dtype_conversion_mode=mode)
        assert f(one, half).dtype == dtype
    ENABLE(dtype_conversion_mode="safe")
    with pytest.raises(TypeError, match="safe"):
        f(one, half)


def test_modes_can_be_left():
    ENABLE(dtype_conversion_mode="all")
    ENABLE(dtype_conversion_mode="off")
    assert "weak" not in repr(tf.constant(1))
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant(1) + tf.constant(1.5)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.add(tf.constant(1), tf.constant(1.5))
    ENABLE()
    assert (tf.constant(1) + 1.5).dtype == tf.float64
    with pytest.raises(ValueError, match=r"Variable|dtype"):
        tf.Variable(1.0).assign(tf.constant(1))


PROGRAM = """
import tensorflow as tf
from tensorflow.experimental.numpy import experimental_enable_numpy_behavior as enable

before = tf.add, tf.math.add
for mode in ("all", "legacy", "safe", "off"):
    enable(dtype_conversion_mode=mode)
    print(mode, "weak" in repr(tf.add(1, 2)), "weak" in repr(tf.math.add(1, 2)))
assert (tf.add, tf.math.add) == before
"""


def test_programs_for_tensorflow_see_the_functions_of_the_mode():
    run = [sys.executable, "-m", "cinta", "run", "-c", PROGRAM]
    shown = subprocess.run(run, capture_output=True, text=True, check=True).stdout
    assert shown.splitlines() == [
        "all True True",
        "legacy False False",
        "safe True True",
        "off False False",
    ]
