"""Sparse tensors: each function is the dense one on what they stand for."""

import numpy as np
import pytest

import cinta as tf

sparse = tf.sparse
InvalidArgument = tf.errors.InvalidArgumentError

INDICES = [[0, 1], [0, 3], [2, 0], [2, 2]]
VALUES = [2.0, 3.0, 1.0, -4.0]
DENSE = np.array([[0, 2, 0, 3], [0, 0, 0, 0], [1, 0, -4, 0]], np.float32)
CUBE = np.where(np.arange(24).reshape(2, 3, 4) % 3 == 1, 0, np.arange(24.0).reshape(2, 3, 4))


def matrix(values=VALUES, indices=INDICES, shape=(3, 4)):
    return tf.SparseTensor(indices, values, shape)


def dense(x):
    """The entries of a sparse tensor, whatever the order of its values."""
    assert isinstance(x, tf.SparseTensor)
    return sparse.to_dense(sparse.reorder(x)).numpy()


# -- the class ---------------------------------------------------------------------------------


def test_a_sparse_tensor_says_what_it_is():
    x = matrix()
    assert (x.shape, x.dtype, x.indices.dtype) == ((3, 4), tf.float32, tf.int64)
    assert x.get_shape().as_list() == [3, 4]
    assert x.dense_shape.numpy().tolist() == [3, 4]
    assert "dense_shape=tf.Tensor([3 4], shape=(2,), dtype=int64)" in repr(x)
    assert tf.SparseTensor.from_value(x).values is x.values


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((INDICES, VALUES, [3]), ValueError),
        ((INDICES[:2], VALUES, [3, 4]), ValueError),
        ((INDICES, [[1.0]], [3, 4]), ValueError),
        (([0, 1], VALUES, [3, 4]), ValueError),
        (([[0.5, 1.0]], [1.0], [3, 4]), TypeError),
    ],
)
def test_parts_that_do_not_go_together_are_refused(arguments, error):
    with pytest.raises(error):
        tf.SparseTensor(*arguments)


def test_a_tape_watches_the_values_and_differentiates_nothing_sparse():
    x = matrix(tf.constant(VALUES))
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.reduce_sum(sparse.to_dense(x) ** 2)
    assert tape.gradient(y, x.values).numpy().tolist() == [4, 6, 2, -8]
    with pytest.raises(ValueError, match="values"):
        tape.gradient(y, x)
    with pytest.raises(ValueError, match="values"):
        tape.gradient(x, x.values)


def test_a_sparse_tensor_does_not_become_a_dense_one_by_itself():
    for function in (tf.convert_to_tensor, tf.reduce_sum, tf.zeros_like):
        with pytest.raises(ValueError, match="unsupported type"):
            function(matrix())


@pytest.mark.parametrize("function", [tf.abs, tf.sin, tf.square, tf.sign, tf.identity])
def test_functions_of_elements_work_on_the_values(function):
    np.testing.assert_array_equal(dense(function(matrix())), function(DENSE))


def test_shape_size_rank_and_dtype_are_those_of_the_dense_tensor():
    x = matrix()
    assert tf.shape(x).numpy().tolist() == [3, 4]
    assert (int(tf.size(x)), int(tf.rank(x))) == (12, 2)
    assert tf.cast(x, tf.float64).dtype == tf.float64


# -- dense and back ----------------------------------------------------------------------------


@pytest.mark.parametrize("value", [DENSE, CUBE, [True, False], ["a", "", "b"], [[0, 7]]])
def test_a_dense_tensor_comes_back(value):
    assert np.array_equal(dense(sparse.from_dense(value)), tf.constant(value).numpy())


def test_what_is_not_there_is_the_default():
    assert sparse.to_dense(matrix(), 7.0).numpy()[1].tolist() == [7, 7, 7, 7]
    with pytest.raises(InvalidArgument, match="scalar"):
        sparse.to_dense(matrix(), [1.0, 2.0])


def test_to_dense_refuses_disorder_unless_told():
    repeated = matrix(indices=[[0, 1], [0, 1], [2, 0], [2, 2]])
    for x, what in ((matrix(indices=INDICES[::-1]), "out of order"), (repeated, "repeated")):
        with pytest.raises(InvalidArgument, match=what):
            sparse.to_dense(x)
    assert sparse.to_dense(repeated, validate_indices=False).numpy()[0, 1] == 3
    with pytest.raises(InvalidArgument, match="out of bounds"):
        sparse.to_dense(matrix(shape=(3, 2)))


def test_the_last_of_repeated_values_alone_has_a_gradient():
    values = tf.constant(VALUES)
    with tf.GradientTape() as tape:
        tape.watch(values)
        x = matrix(values, [[0, 1], [0, 1], [2, 0], [2, 2]])
        y = tf.reduce_sum(sparse.to_dense(x, validate_indices=False) ** 2)
    assert tape.gradient(y, values).numpy().tolist() == [0, 6, 2, -8]


def test_indicators_and_the_identity():
    x = tf.SparseTensor(INDICES, [1, 2, 0, 1], [3, 4])
    expected = [[0, 1, 1], [0, 0, 0], [1, 1, 0]]
    assert sparse.to_indicator(x, 3).numpy().astype(int).tolist() == expected
    with pytest.raises(InvalidArgument, match="out of bounds"):
        sparse.to_indicator(x, 2)
    np.testing.assert_array_equal(dense(sparse.eye(3, 2)), np.eye(3, 2))


# -- arithmetic --------------------------------------------------------------------------------

OTHER = matrix([5.0, 6.0, 4.0], [[0, 1], [1, 0], [2, 2]])


def test_two_sparse_tensors_are_added_and_compared():
    other = dense(OTHER)
    np.testing.assert_array_equal(dense(sparse.add(matrix(), OTHER)), DENSE + other)
    np.testing.assert_array_equal(dense(sparse.maximum(matrix(), OTHER)), np.maximum(DENSE, other))
    np.testing.assert_array_equal(dense(sparse.minimum(matrix(), OTHER)), np.minimum(DENSE, other))
    assert sparse.add(matrix(), OTHER).values.shape == [5]
    assert sparse.add(matrix(), OTHER, 0.5).values.shape == [4]  # 4 - 4 is dropped


def test_empty_ones_are_added():
    nothing = matrix([], np.zeros((0, 2), np.int64))
    np.testing.assert_array_equal(dense(sparse.add(nothing, matrix())), DENSE)
    np.testing.assert_array_equal(dense(sparse.add(nothing, nothing)), 0 * DENSE)
    assert sparse.softmax(nothing).values.shape == [0]


def test_sparse_and_dense_ones_are_added_multiplied_and_divided():
    np.testing.assert_array_equal(sparse.add(matrix(), DENSE), 2 * DENSE)
    np.testing.assert_array_equal(dense(matrix() * (DENSE + 1)), DENSE * (DENSE + 1))
    np.testing.assert_array_equal(dense(matrix() / (DENSE + 7)), DENSE / (DENSE + 7))
    np.testing.assert_array_equal(dense(matrix() * [1.0, 2.0, 3.0, 4.0]), DENSE * [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: sparse.add(DENSE, DENSE), TypeError),
        (lambda: sparse.add(matrix(), matrix(shape=(4, 4))), InvalidArgument),
        (lambda: sparse.add(matrix(), sparse.eye(3, 4, tf.float64)), InvalidArgument),
        (lambda: sparse.add(matrix(), tf.ones([1, 4])), InvalidArgument),
        (lambda: matrix() * matrix(), ValueError),
        (lambda: matrix() * tf.ones([5]), InvalidArgument),
        (lambda: sparse.softmax(tf.SparseTensor([[0]], [1.0], [2])), InvalidArgument),
        (lambda: sparse.softmax(matrix([1, 2, 3, 4])), InvalidArgument),
        (lambda: sparse.map_values(tf.multiply, matrix(), OTHER), InvalidArgument),
        (lambda: sparse.map_values(tf.sin, 1.0), ValueError),
        (lambda: sparse.map_values(tf.reduce_sum, matrix()), ValueError),
        (lambda: sparse.reorder(DENSE), TypeError),
    ],
)
def test_arithmetic_refuses(call, error):
    with pytest.raises(error):
        call()


def test_softmax_is_over_what_is_there():
    x = np.where(CUBE == 0, -np.inf, CUBE)
    expected = np.where(CUBE == 0, 0, tf.nn.softmax(x))
    np.testing.assert_allclose(dense(sparse.softmax(sparse.from_dense(CUBE))), expected)


# -- sums, maxima, products --------------------------------------------------------------------


@pytest.mark.parametrize("axis", [None, 0, 1, -1, [0, 2], [1, 1], []])
@pytest.mark.parametrize("keepdims", [None, True])
def test_sums_are_those_of_the_dense_tensor(axis, keepdims):
    x = sparse.from_dense(CUBE)
    axes = tuple(set(axis)) if isinstance(axis, list) else axis
    expected = CUBE.sum(axes, keepdims=bool(keepdims))
    np.testing.assert_allclose(sparse.reduce_sum(x, axis, keepdims), expected)
    found = sparse.reduce_sum(x, axis, keepdims, output_is_sparse=True)
    if expected.ndim:
        np.testing.assert_allclose(dense(found), expected)
    else:
        assert found.shape == []
        assert found.values.numpy() == [expected]


def test_maxima_are_of_what_is_there():
    assert sparse.reduce_max(matrix([-2.0, -3.0, -1.0, -4.0]), 1).numpy().tolist() == [-2, 0, -1]
    with pytest.raises(InvalidArgument, match="Invalid axis 2"):
        sparse.reduce_max(matrix(), 2)


@pytest.mark.parametrize("adjoint_a", [False, True])
@pytest.mark.parametrize("adjoint_b", [False, True])
@pytest.mark.parametrize("size", [4, 90])
def test_products_are_those_of_dense_matrices(adjoint_a, adjoint_b, size):
    draw = np.random.default_rng(0)
    a = draw.standard_normal((size, size)) + 1j * draw.standard_normal((size, size))
    a[draw.random(a.shape) < 0.5] = 0
    b = draw.standard_normal((size, size)) * 1j
    expected = tf.matmul(a, b, adjoint_a=adjoint_a, adjoint_b=adjoint_b)
    x, y = sparse.from_dense(a), sparse.from_dense(b)
    options = {"adjoint_a": adjoint_a, "adjoint_b": adjoint_b}
    np.testing.assert_allclose(sparse.sparse_dense_matmul(x, b, **options), expected)
    np.testing.assert_allclose(sparse.sparse_dense_matmul(a, y, **options), expected)


def test_gradients_of_a_large_product_are_those_of_dense_matrices():
    a, b = np.random.default_rng(1).standard_normal((2, 80, 80))
    a[::2, ::3] = 0
    values, weights = tf.constant(a[a != 0]), tf.constant(b)

    def product(values, weights):
        x = tf.SparseTensor(np.argwhere(a), values, a.shape)
        return sparse.sparse_dense_matmul(x, weights)

    with tf.GradientTape(persistent=True) as tape:
        tape.watch([values, weights])
        y = tf.reduce_sum(product(values, weights) ** 2)
    of_a, of_b = tape.gradient(y, [values, weights])
    np.testing.assert_allclose(of_a, (2 * a @ b @ b.T)[a != 0])
    np.testing.assert_allclose(of_b, 2 * a.T @ a @ b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (matrix(), tf.ones([3, 2])),
        (matrix(), tf.ones([4])),
        (matrix(), tf.ones([4, 2], tf.float64)),
        (matrix(shape=(3, 2)), tf.ones([2, 2])),
        (sparse.from_dense(CUBE), tf.ones([4, 2], tf.float64)),
    ],
)
def test_products_that_cannot_be_are_refused(a, b):
    with pytest.raises(InvalidArgument):
        sparse.sparse_dense_matmul(a, b)


def test_some_elements_of_a_product():
    left, right = np.arange(12.0).reshape(2, 3, 2), np.arange(16.0).reshape(2, 2, 4)
    places = [[[0, 1], [2, 3]], [[1, 0], [1, 1]]]
    values = np.ones((2, 2))
    indices, found, shape = sparse.sampled_addmm(
        places, values, [3, 4], left, right, beta=10.0, output_type=tf.float64
    )
    product = left @ right
    expected = [[product[0, 0, 1], product[0, 2, 3]], [product[1, 1, 0], product[1, 1, 1]]]
    np.testing.assert_allclose(found, np.array(expected) + 10)
    assert (indices.shape, shape.numpy().tolist()) == ([2, 2, 2], [3, 4])


def test_counting():
    numbers = np.array([[1, 1, 3], [0, 3, 3]])
    expected = [[0, 2, 0, 1], [1, 0, 0, 2]]
    np.testing.assert_array_equal(dense(sparse.bincount(numbers, axis=-1)), expected)
    np.testing.assert_array_equal(dense(sparse.bincount(numbers)), np.sum(expected, 0))
    binary = sparse.bincount(numbers, axis=-1, binary_output=True)
    np.testing.assert_array_equal(dense(binary), np.minimum(expected, 1))
    short = sparse.bincount(numbers, axis=-1, minlength=9, maxlength=2)
    np.testing.assert_array_equal(dense(short), [[0, 2], [1, 0]])
    weighed = sparse.bincount(numbers, weights=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], axis=-1)
    np.testing.assert_array_equal(dense(weighed), [[0, 3, 0, 3], [4, 0, 0, 11]])
    for call, error in (
        (lambda: sparse.bincount(numbers, axis=1), ValueError),
        (lambda: sparse.bincount(-numbers), InvalidArgument),
        (lambda: sparse.bincount(numbers, weights=[1.0]), InvalidArgument),
        (lambda: sparse.bincount(numbers, weights=matrix()), ValueError),
    ):
        with pytest.raises(error):
            call()


# -- places ------------------------------------------------------------------------------------


def test_values_are_put_into_other_places():
    x = sparse.from_dense(CUBE)
    np.testing.assert_array_equal(dense(sparse.transpose(x)), CUBE.T)
    np.testing.assert_array_equal(dense(sparse.transpose(x, [1, 2, 0])), CUBE.transpose(1, 2, 0))
    np.testing.assert_array_equal(dense(sparse.reshape(x, [4, -1])), CUBE.reshape(4, 6))
    for axis in (None, 0, 1, 3, -1, -4):
        expected = np.expand_dims(CUBE, -1 if axis is None else axis)
        np.testing.assert_array_equal(dense(sparse.expand_dims(x, axis)), expected)
    np.testing.assert_array_equal(dense(sparse.slice(x, [0, 1, 1], [2, 9, 2])), CUBE[:, 1:, 1:3])
    for axis, count in ((0, 2), (1, 2), (-1, 3)):
        parts = sparse.split(x, count, axis)
        expected = np.array_split(CUBE, count, axis)
        for part, wanted in zip(parts, expected, strict=True):
            np.testing.assert_array_equal(dense(part), wanted)
        np.testing.assert_array_equal(dense(sparse.concat(axis, parts)), CUBE)


def test_joined_ones_may_differ_in_length_if_told():
    joined = sparse.concat(0, [sparse.eye(1, 2), sparse.eye(1, 3)], expand_nonconcat_dims=True)
    assert dense(joined).tolist() == [[1, 0, 0], [1, 0, 0]]


def test_some_values_are_kept():
    kept = sparse.retain(matrix(), [True, False, True, False])
    assert dense(kept).tolist() == [[0, 2, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0]]
    rows = tf.IndexedSlices(tf.constant([1.0, 2.0, 3.0]), tf.constant([4, 5, 6]), [9])
    masked = sparse.mask(rows, [4, 6, 8])
    assert (masked.indices.numpy().tolist(), masked.values.numpy().tolist()) == ([5], [2])


def test_another_shape_around_the_same_values():
    x = matrix(shape=(9, 9))
    np.testing.assert_array_equal(dense(sparse.reset_shape(x)), DENSE)
    assert sparse.reset_shape(x, [10, 11]).shape == [10, 11]
    assert sparse.reset_shape(matrix([], np.zeros((0, 2)))).shape == [0, 0]


def test_empty_rows_are_filled():
    filled, were_empty = sparse.fill_empty_rows(matrix(), 9.0)
    assert dense(filled)[1].tolist() == [9, 0, 0, 0]
    assert were_empty.numpy().tolist() == [False, True, False]
    backwards, _ = sparse.fill_empty_rows(matrix(indices=INDICES[::-1]), 9.0)
    assert backwards.values.numpy().tolist() == [1, -4, 9, 2, 3]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: sparse.transpose(x, [0, 1, 2]), InvalidArgument),
        (lambda x: sparse.expand_dims(x, 3), InvalidArgument),
        (lambda x: sparse.reshape(x, [5, -1]), InvalidArgument),
        (lambda x: sparse.reshape(x, [5, 2]), InvalidArgument),
        (lambda x: sparse.reset_shape(x, [2, 5]), ValueError),
        (lambda x: sparse.reset_shape(x, [4, 5, 6]), ValueError),
        (lambda x: sparse.retain(x, [True, False]), ValueError),
        (lambda x: sparse.slice(x, [0], [3]), InvalidArgument),
        (lambda x: sparse.slice(x, [0, 0], [-1, 2]), InvalidArgument),
        (lambda x: sparse.split(x, 5, 1), InvalidArgument),
        (lambda x: sparse.concat(2, [x, x]), InvalidArgument),
        (lambda x: sparse.concat(1, [x, matrix(shape=(4, 4))]), InvalidArgument),
        (lambda x: sparse.concat(0, []), InvalidArgument),
        (lambda x: sparse.fill_empty_rows(x, [9.0]), InvalidArgument),
        (lambda x: sparse.fill_empty_rows(matrix(shape=(2, 4)), 9.0), InvalidArgument),
    ],
)
def test_rearranging_refuses(call, error):
    with pytest.raises(error):
        call(matrix())


def test_the_parts_of_a_sparse_tensor_are_taken_for_one():
    parts = tf.compat.v1.SparseTensorValue([[0, 1], [1, 0]], [7, 8], [2, 2])
    dense = [[0, 7], [8, 0]]
    assert tf.sparse.to_dense(parts).numpy().tolist() == dense
    assert tf.sparse.to_dense(tf.sparse.add(parts, parts)).numpy().tolist() == [[0, 14], [16, 0]]
    assert tf.sparse.sparse_dense_matmul(parts, [[1], [2]]).numpy().tolist() == [[14], [8]]
    assert tf.type_spec_from_value(parts) == tf.SparseTensorSpec([2, 2], tf.int32)
    rows = tf.data.Dataset.from_tensor_slices((parts, [3, 4])).map(lambda x, _: x)
    assert [tf.sparse.to_dense(row).numpy().tolist() for row in rows] == dense
    mapped = tf.data.Dataset.range(2).map(lambda i: tf.compat.v1.SparseTensorValue([[0]], [i], [1]))
    assert mapped.element_spec == tf.SparseTensorSpec([1], tf.int64)
    assert tf.sparse.to_dense(next(iter(mapped.batch(2)))).numpy().tolist() == [[0], [1]]


def test_a_single_tensor_is_joined_with_nothing_along_any_axis():
    eye = tf.sparse.eye(2)
    assert tf.sparse.concat(7, [eye]) is eye
