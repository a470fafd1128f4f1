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


@pytest.mark.parametrize("shuffle", [False, "batch", True])
@pytest.mark.parametrize("kind", ["tensor", "coo", "csc", "ragged", "dense"])
def test_the_dataset_of_arrays_has_batches_of_their_kind(kind, shuffle):
    given = {**GIVEN, "ragged": lambda: tf.RaggedTensor.from_tensor(X), "dense": lambda: X}
    adapters = pytest.importorskip("keras.src.trainers.data_adapters.array_data_adapter")
    adapter = adapters.ArrayDataAdapter(given[kind](), Y, batch_size=6, shuffle=shuffle)
    rows = []
    for x, y in adapter.get_tf_dataset():
        if kind == "ragged":
            assert isinstance(x, tf.RaggedTensor)
            x = x.to_tensor()
        elif kind != "dense":
            assert isinstance(x, tf.SparseTensor)
            x = tf.sparse.to_dense(x)
        rows += [tuple(row) for row in np.concatenate([x, y], 1)]
    whole = [tuple(row) for row in np.concatenate([X, Y], 1)]
    assert (rows if shuffle is False else sorted(rows)) == (
        whole if shuffle is False else sorted(whole)
    )


class Lengths(keras.Model):
    """Predicts the lengths of rows."""

    def call(self, x):
        return x.row_lengths()[:, None]


@pytest.mark.filterwarnings("ignore:Your input ran out of data")
def test_ragged_tensors_are_cut_into_ragged_batches():
    rows = tf.ragged.constant([[1.0], [], [2.0, 3.0], [4.0, 5.0, 6.0], [7.0]])
    found = Lengths().predict(rows, batch_size=2, verbose=0)
    np.testing.assert_array_equal(found, [[1], [0], [2], [3], [1]])
    found = Lengths().predict(((rows[i : i + 1],) for i in range(5)), verbose=0)
    np.testing.assert_array_equal(found, [[1], [0], [2], [3], [1]])


def test_the_size_of_batches_is_known_behind_stages_that_keep_it():
    utils = pytest.importorskip("keras.src.utils.dataset_utils")
    batches = tf.data.Dataset.range(10).batch(4)
    assert utils.get_batch_size(batches.shuffle(2).prefetch(1).repeat(2)) == 4
    assert utils.get_batch_size(batches.unbatch()) is None


def test_keras_knows_ragged_tensors_and_jax_arrays_that_are_sparse():
    utils = pytest.importorskip("keras.src.utils.tf_utils")
    rows = tf.ragged.constant([[1.0], []])
    assert utils.is_ragged_tensor(rows)
    assert not utils.is_ragged_tensor(tf.constant(1.0))
    uniform = tf.RaggedTensor.from_tensor(X)
    assert tf.gather(uniform, [0, 2]).shape.as_list() == [2, None]  # as TensorFlow's
    sparse = pytest.importorskip("jax.experimental.sparse")
    found = model().predict(((sparse.BCOO.fromdense(X[:4]),) for _ in range(1)), verbose=0, steps=1)
    np.testing.assert_allclose(found, model(False).predict(X[:4], verbose=0), rtol=1e-5)


def test_sparse_and_ragged_tensors_become_arrays():
    sparse, ragged = tf.sparse.from_dense(X), tf.RaggedTensor.from_tensor(X)
    for tensor in (sparse, ragged):
        assert not tf.experimental.dtensor.is_dtensor(tensor)
        np.testing.assert_array_equal(keras.ops.convert_to_numpy(tensor), X)


@pytest.mark.parametrize(
    ("function", "is_sparse"),
    [
        (lambda x, y: keras.ops.transpose(x, (0, 2, 1)), True),
        (lambda x, y: keras.ops.expand_dims(x, -1), True),
        (lambda x, y: keras.ops.add(x, x), True),
        (lambda x, y: keras.ops.multiply(x, y), True),
        (lambda x, y: keras.ops.matmul(x, x), True),
        (lambda x, y: keras.ops.matmul(x, y), False),
        (lambda x, y: keras.ops.add(x, y), False),
        (lambda x, y: keras.ops.sum(y, axis=1, keepdims=True), False),
    ],
)
def test_what_becomes_of_sparse_inputs(function, is_sparse):
    x, y = keras.Input((3, 3), sparse=True), keras.Input((3, 3))
    found = function(x, y)
    assert found.sparse is is_sparse
    assert found.shape[:3:2] == (None, 3)
