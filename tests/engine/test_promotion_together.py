"""Dtypes that functions of several arrays give to them, in NumPy's modes: TensorFlow 2.21's."""

import ast

import numpy as np
import pytest

import cinta as tf
from tests.numpy_modes import modes_end_here

tnp = tf.experimental.numpy


@pytest.fixture(autouse=True)
def as_before():
    with modes_end_here():
        yield


BY_LATTICE = {
    "tnp.where([True], i4, f4)": "float32 [1.0]",
    "tnp.where(True, u1, wi)": "uint8 1",
    "tnp.where(True, i4, 2.5)": "float64 1.0",
    "tnp.where(True, u2, tf.constant(1,tf.bfloat16))": "bfloat16 1.0",
    "tnp.concatenate([[i4],[f4]])": "float32 [1.0, 2.5]",
    "tnp.concatenate([[u1],[1]])": "uint8 [1, 1]",
    "tnp.concatenate([[1], np.ones(1, np.float16)])": "float16 [1.0, 1.0]",
    "tnp.stack([f2, 1])": "float16 [1.5, 1.0]",
    "tnp.vstack([u1, wi])": "uint8 [[1], [1]]",
    "tnp.hstack([f2, 2])": "float16 [1.5, 2.0]",
    "tnp.append(f2, 1.5)": "float16 [1.5, 1.5]",
    "tnp.select([[True]], [i4], 0.5)": "float64 [1.0]",
    "tnp.add(u1, [1, 2])": "uint8 [2, 3]",
    "tnp.add(f2, [1.5])": "float16 [3.0]",
    "tnp.add(i4, f4)": "float64 3.5",
    "tnp.matmul([[1]], [[2]])": "int32 weak [[2]]",
    "tnp.maximum(i4, [2.5])": "float64 [2.5]",
    "tnp.clip(u1, 0, 3)": "uint8 1",
    "tnp.kron(i4, f4)": "float32 2.5",
    "tnp.einsum('i,i->', [i4], [f4])": "float32 2.5",
    "tnp.equal(u2, tf.constant(1,tf.bfloat16))": "bool True",
    "tnp.average([1, 2], weights=[1, 3])": "float32 weak 1.75",
    "tnp.linspace(0, 1, 3)": "float32 [0.0, 0.5, 1.0]",
    "tnp.linspace(i4, 2, 3)": "float64 [1.0, 1.5, 2.0]",
    "tnp.linspace(f2, 2, 3)": "float16 [1.5, 1.75, 2.0]",
    "tnp.geomspace(1, 4, 3)": "float64 [1.0, 2.0, 4.0]",
    "tnp.arange(3)": "int32 weak [0, 1, 2]",
    "tnp.arange(i4, 3)": "int32 [1, 2]",
    "tnp.argsort([2, 1])": "int32 [1, 0]",
    "tnp.full_like([1], 2)": "int32 weak [2]",
    "tnp.expand_dims(1, 0)": "int32 weak [1]",
    "tnp.reshape([1], [1, 1])": "int32 weak [[1]]",
    "tnp.array([1, np.float16(2)])": "float16 [1.0, 2.0]",
    "tnp.array(1, int)": "int32 1",
    "tf.maximum(1, 2)": "int32 2",
    "tf.maximum(i4, f4)": "float32 2.5",
    "tf.tensordot([1, 2], [0.5, 1.0], 1)": "float32 2.5",
    "tf.math.scalar_mul(2, 1.5)": "float32 weak 3.0",
    "tf.cast(wf, tf.float32)": "float32 1.0",
    "tf.convert_to_tensor(wi)": "int32 1",
    "wi & 1": "int32 1",
    "wf.mean()": "float32 weak 1.0",
    "wi.reshape((1,))": "int32 weak [1]",
    "tf.constant([1, np.float16(2)])": "float16 [1.0, 2.0]",
    "tf.concat([[i4],[f4]], 0)": "int32 [1, 2]",
    "tnp.hypot(3, 4.0)": "float32 weak 5.0",
    "tnp.floor_divide(True, True)": "int8 1",
    "tnp.clip(5, [1, 2], [3, 9])": "int32 [3, 5]",
}
BY_NUMPY = {
    "tnp.linspace(f4, 2, 3)": "float32 [2.5, 2.25, 2.0]",
    "tnp.linspace(f2, 2.0, 3)": "float16 [1.5, 1.75, 2.0]",
    "tnp.linspace(0, 2j, 3)": "complex128 [0j, 1j, 2j]",
    "tnp.linspace(0, 1, 3)": "float64 [0.0, 0.5, 1.0]",
    "tnp.linspace(i4, 2, 3)": "float64 [1.0, 1.5, 2.0]",
    "tnp.logspace(f4, 2, 3)": "float32 [316.22775, 177.82794, 100.0]",
    "tnp.geomspace(f4, 4, 3)": "float64 [2.5, 3.16227766, 4.0]",
    "tnp.concatenate([[f2],[1.5]])": "float16 [1.5, 1.5]",
    "tnp.stack([u1, 1])": "uint8 [1, 1]",
    "tnp.average(i4, weights=f4)": "float64 1.0",
    "tf.divide(i4, f4)": "float64 0.4",
    "tf.divide(i4, 2.5)": "float64 0.4",
    "tf.divide(3, f2)": "float16 2.0",
    "tnp.array([1, np.float16(2)])": "float16 [1.0, 2.0]",
    "tnp.clip(5, [1, 2], [3, 9])": "int64 [3, 5]",
    "tnp.mod(True, True)": "int8 0",
}


def names():
    """The values that the expressions of the tables name."""
    return {
        "tf": tf,
        "tnp": tnp,
        "np": np,
        "i4": tf.constant(1, tf.int32),
        "f4": tf.constant(2.5, tf.float32),
        "u1": tf.constant(1, tf.uint8),
        "u2": tf.constant(1, tf.uint16),
        "f2": tf.constant(1.5, tf.float16),
        "wi": tf.constant(1),
        "wf": tf.constant(1.0),
    }


def check(text, expected):
    """Compare the value of an expression, its dtype and whether it is weak."""
    found = eval(text, names())
    dtype, numbers = expected.replace(" weak", "*").split(" ", 1)
    assert found.dtype.name + "*" * ("weak=True" in repr(found)) == dtype
    np.testing.assert_allclose(found.numpy(), ast.literal_eval(numbers), rtol=1e-6)


@pytest.mark.parametrize("text", BY_LATTICE)
def test_functions_promote_by_the_lattice(text):
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
    check(text, BY_LATTICE[text])


@pytest.mark.parametrize("text", BY_NUMPY)
def test_functions_promote_by_numpys_rules(text):
    tnp.experimental_enable_numpy_behavior()
    check(text, BY_NUMPY[text])


@pytest.mark.parametrize("text", ["tnp.where(True, i4, f4)", "tnp.concatenate([[u1], [f4], [1j]])"])
def test_a_safe_mode_refuses_them(text):
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="safe")
    with pytest.raises(TypeError, match="safe"):
        eval(text, names())


def test_a_tensor_that_is_no_longer_weak_is_another_one():
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
    weak = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(weak)
        y = tf.cast(weak, tf.float32) * tf.convert_to_tensor(weak) * tf.constant(1, tf.int32)
    assert (y.dtype, y.numpy()) == (tf.float32, 4.0)
    assert tape.gradient(y, weak).numpy() == 4.0
    assert "weak=True" in repr(weak)
