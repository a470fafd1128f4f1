"""Keras's models on sparse tensors and matrices."""

import numpy as np
import pytest

import cinta as tf
from cinta.ops.sparse.matmul_sparse import sparse_product

scipy_sparse = pytest.importorskip("scipy.sparse")
keras = tf.keras

_RANDOM = np.random.default_rng(0)
X = (_RANDOM.random((20, 6)) * (_RANDOM.random((20, 6)) < 0.4)).astype(np.float32)
Y = _RANDOM.random((20, 1)).astype(np.float32)

GIVEN = {
    "tensor": lambda: tf.sparse.from_dense(X),
    "csr": lambda: scipy_sparse.csr_matrix(X),
    "csc": lambda: scipy_sparse.csc_matrix(X),
    "coo": lambda: scipy_sparse.coo_matrix(X),
    "array": lambda: scipy_sparse.csr_array(X),
    "float64": lambda: scipy_sparse.csr_matrix(X.astype(np.float64)),
    "unsorted": lambda: tf.SparseTensor(*_backwards()),
}


def _backwards():
    whole = tf.sparse.from_dense(X)
    return whole.indices[::-1], whole.values[::-1], whole.dense_shape


def model(sparse=True):
    keras.utils.set_random_seed(1)
    inputs = keras.Input((6,), sparse=sparse)
    hidden = keras.layers.Dense(3, activation="relu")(inputs)
    made = keras.Model(inputs, keras.layers.Dense(1)(hidden))
    made.compile("sgd", "mse")
    return made


def losses(x, *, sparse=True, **options):
    return model(sparse).fit(x, Y, epochs=2, batch_size=6, verbose=0, **options).history


@pytest.mark.parametrize("kind", GIVEN)
def test_fit_as_with_dense_arrays(kind):
    x = GIVEN[kind]()
    expected = losses(X, sparse=False, validation_split=0.25)
    found = losses(x, sparse=kind != "csc", validation_split=0.25)
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        np.testing.assert_allclose(found[key], values, rtol=1e-5)
    expected = model(False).predict(X, verbose=0)
    np.testing.assert_allclose(model().predict(x, verbose=0), expected, rtol=1e-6)
    expected = model(False).evaluate(X, Y, verbose=0)
    np.testing.assert_allclose(model().evaluate(x, Y, verbose=0), expected, rtol=1e-6)


def test_a_dataset_of_sparse_tensors():
    rows = tf.data.Dataset.from_tensor_slices((tf.sparse.from_dense(X), Y)).batch(6)
    found = model().fit(rows, epochs=2, shuffle=False, verbose=0).history["loss"]
    np.testing.assert_allclose(found, losses(X, sparse=False, shuffle=False)["loss"], rtol=1e-5)


def test_products_of_four_axes():
    a, b = _RANDOM.random((2, 3, 4, 5)), _RANDOM.random((2, 3, 5, 2))
    a[a < 0.5] = 0
    found = keras.ops.matmul(tf.sparse.from_dense(a), b)
    np.testing.assert_allclose(found, a @ b, rtol=1e-6)


@pytest.mark.parametrize("front", [(), (2,), (2, 3)])
def test_products_of_two_sparse_tensors(front):
    a, b = _RANDOM.random((*front, 4, 5)), _RANDOM.random((*front, 5, 2))
    a[a < 0.5], b[b < 0.5] = 0, 0
    left, right = tf.sparse.from_dense(a), tf.sparse.from_dense(b)
    values = left.values, right.values
    with tf.GradientTape() as tape:
        tape.watch(values)
        found = keras.ops.matmul(left.with_values(values[0]), right.with_values(values[1]))
        total = tf.reduce_sum(tf.sparse.to_dense(found) ** 2)
    assert isinstance(found, tf.SparseTensor)
    np.testing.assert_allclose(tf.sparse.to_dense(found), a @ b, rtol=1e-6)
    by_left, by_right = tape.gradient(total, values)
    upstream = 2 * (a @ b)
    np.testing.assert_allclose(by_left, (upstream @ b.swapaxes(-1, -2))[a != 0], rtol=1e-6)
    np.testing.assert_allclose(by_right, (a.swapaxes(-1, -2) @ upstream)[b != 0], rtol=1e-6)


def test_sparse_tensors_that_have_no_product():
    with pytest.raises(tf.errors.InvalidArgumentError, match="have no product"):
        sparse_product(tf.sparse.eye(3), tf.sparse.eye(2))
