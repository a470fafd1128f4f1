"""Gathering and scattering: indices that must fit, and gradients that hold only what was read."""

import tracemalloc

import numpy as np
import pytest

import cinta as tf

TABLE = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize("indices", [2, [0, 2, 0], [[1], [2]], np.zeros((2, 0), np.int32)])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_gather_is_take(indices, axis):
    expected = np.take(TABLE, np.asarray(indices), axis)
    np.testing.assert_array_equal(tf.gather(TABLE, indices, axis=axis).numpy(), expected)


def test_batches_have_indices_of_their_own():
    x = np.arange(24.0).reshape(2, 3, 4)
    indices = np.array([[0, 3], [2, 2]])
    got = tf.gather(x, indices, axis=2, batch_dims=1).numpy()
    np.testing.assert_array_equal(got, [x[b][:, indices[b]] for b in range(2)])
    got = tf.gather_nd(x, [[[1, 3]], [[0, 0]]], batch_dims=1).numpy()
    np.testing.assert_array_equal(got, [[x[0, 1, 3]], [x[1, 0, 0]]])


@pytest.mark.parametrize("source", [tf.constant(TABLE), tf.Variable(TABLE)], ids=["tensor", "var"])
def test_the_gradient_of_a_lookup_holds_the_rows_as_they_came(source):
    with tf.GradientTape() as tape:
        tape.watch(source)
        y = tf.gather(source, [[2, 0], [2, 2]]) * 3.0
    slices = tape.gradient(y, source)
    assert isinstance(slices, tf.IndexedSlices)
    np.testing.assert_array_equal(slices.indices.numpy(), [2, 0, 2, 2])
    np.testing.assert_array_equal(slices.values.numpy(), np.full((4, 4), 3.0))
    dense = tf.convert_to_tensor(slices).numpy()
    np.testing.assert_array_equal(dense, [[3] * 4, [0] * 4, [9] * 4])


@pytest.mark.parametrize(
    "read",
    [
        lambda x: tf.gather(x, [0], axis=1),
        lambda x: tf.gather(x, [[0], [1], [0]], batch_dims=1),
        lambda x: tf.gather_nd(x, [[0, 1]]),
        lambda x: tf.boolean_mask(x, [True, False, True]),
        lambda x: tf.repeat(x, [1, 0, 2], axis=0),
        lambda x: x[0],
    ],
)
def test_other_reads_have_dense_gradients(read):
    x = tf.constant(TABLE)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = read(x)
    assert isinstance(tape.gradient(y, x), tf.Tensor)


def test_the_gradient_of_a_lookup_never_makes_the_table():
    table = tf.Variable(tf.zeros([200_000, 16]))
    tracemalloc.start()
    try:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [7, 70_000]) ** 2)
        tape.gradient(y, table)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: tf.gather(TABLE, [0, 3]), r"indices\[1\] = 3 is not in \[0, 3\)"),
        (lambda: tf.gather(TABLE, -1), r"= -1 is not in \[0, 3\)"),
        (lambda: tf.gather(TABLE, [[0, 4]], axis=1), r"indices\[0,1\] = 4 is not in \[0, 4\)"),
        (lambda: tf.gather(TABLE, [0], axis=2), "Invalid axis 2: it is out of range"),
        (lambda: tf.gather(TABLE, [0.5]), "'Tindices' of float"),
        (lambda: tf.gather(TABLE, [[0], [0]], batch_dims=1), "batch_dims = 1"),
        (lambda: tf.gather_nd(TABLE, [[0, 4]]), r"indices\[0\] = \[0, 4\] does not index"),
        (lambda: tf.gather_nd(TABLE, [[0, -1]]), r"indices\[0\] = \[0, -1\] does not index"),
        (lambda: tf.gather_nd(TABLE, [[0, 0, 0]]), "length 3"),
        (lambda: tf.gather_nd(TABLE, 0), "at least a vector"),
        (lambda: tf.scatter_nd([[3]], [1.0], [3]), r"indices\[0\] = \[3\] does not index"),
        (lambda: tf.scatter_nd([[0]], [1.0, 2.0], [3]), "must match dimensions"),
        (lambda: tf.tensor_scatter_nd_update(TABLE, [[0]], [[1.0]]), "must match dimensions"),
        (lambda: tf.unravel_index([12], [3, 4]), "out of bounds"),
        (lambda: tf.dynamic_partition([1, 2], [0, 2], 2), r"partitions\[1\] = 2 is not in"),
        (lambda: tf.dynamic_partition([1, 2], [0], 2), "must start with partitions.shape"),
        (lambda: tf.dynamic_stitch([[-1]], [[1]]), "must not be negative"),
        (lambda: tf.dynamic_stitch([[0], [1]], [[1], 2]), r"data\[1\].shape"),
    ],
)
def test_indices_must_fit(read, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        read()


def test_batches_must_be_axes_of_the_indices():
    with pytest.raises(ValueError, match="batch_dims"):
        tf.gather_nd(TABLE, [[0]], batch_dims=2)


def test_a_table_may_be_looked_up_in_parts():
    parts = [tf.constant(TABLE[:2]), tf.constant(TABLE[2:])]
    for ids in ([[2, 0], [1, 2]], [1, 0], tf.zeros([0], tf.int32)):
        found = tf.nn.embedding_lookup(parts, ids)
        np.testing.assert_array_equal(found, tf.gather(TABLE, ids))
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in"):
        tf.nn.embedding_lookup(parts, [3])
    with pytest.raises(ValueError, match="at least one part"):
        tf.nn.embedding_lookup([], [0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="at least a vector"):
        tf.nn.embedding_lookup([tf.constant(1.0), tf.constant(2.0)], [0])


def test_scattered_values_are_added_where_they_meet():
    got = tf.scatter_nd([[1], [1], [0]], [1, 2, 4], [3])
    np.testing.assert_array_equal(got.numpy(), [4, 3, 0])
    got = tf.tensor_scatter_nd_sub(TABLE, [[0, 0], [0, 0]], np.array([1.0, 2.0]))
    assert got.numpy()[0, 0] == -3.0


def test_scattered_extremes_share_the_gradient_among_ties():
    x, u = tf.constant([1.0, 5.0]), tf.constant([1.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch([x, u])
        y = tf.tensor_scatter_nd_max(x, [[0], [0]], u)
    of_x, of_u = tape.gradient(y, [x, u])
    np.testing.assert_allclose(of_x.numpy(), [1 / 3, 1.0], rtol=1e-6)
    np.testing.assert_allclose(of_u.numpy(), [1 / 3, 1 / 3], rtol=1e-6)


def test_stitching_lets_the_last_of_a_row_win_and_have_the_gradient():
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.dynamic_stitch([[0, 3, 0]], [x])
    np.testing.assert_array_equal(y.numpy(), [3.0, 0.0, 0.0, 2.0])
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [0.0, 1.0, 1.0])


def test_negative_batch_dims_are_the_axis_too():
    params = np.arange(24).reshape(2, 3, 4)
    found = tf.gather(params, [[0], [1]], batch_dims=-1)
    np.testing.assert_array_equal(found, np.stack([params[0, :, [0]].T, params[1, :, [1]].T]))
    np.testing.assert_array_equal(tf.gather(params, [1], axis=1, batch_dims=None), params[:, [1]])


MATRIX = [[1, 2], [3, 4]]
IGNORED = [  # TensorFlow's values
    (lambda nd: nd.gather(MATRIX, [[5]]), [[0, 0]]),
    (lambda nd: nd.gather(MATRIX, [[0, 0], [5, 0], [-1, 0]]), [1, 0, 0]),
    (lambda nd: nd.gather(MATRIX, [[[5]], [[1]]]), [[[0, 0]], [[3, 4]]]),
    (lambda nd: nd.gather(MATRIX, [[5], [1]], batch_dims=1), [0, 4]),
    (lambda nd: nd.gather(["a", "b"], [[3], [0]]), [b"", b"a"]),
    (lambda nd: nd.gather(tf.zeros([0, 2]), [[0], [3]]), [[0, 0], [0, 0]]),
    (lambda nd: nd.scatter([[5], [0]], [1, 2], [3]), [2, 0, 0]),
    (lambda nd: nd.scatter([[-1], [0]], [1, 2], [3]), [2, 0, 0]),
    (lambda nd: nd.add([1, 2, 3], [[5], [0]], [7, 8]), [9, 2, 3]),
    (lambda nd: nd.sub([1, 2, 3], [[5], [0]], [7, 8]), [-7, 2, 3]),
    (lambda nd: nd.max([1, 2, 3], [[5], [0]], [7, 8]), [8, 2, 3]),
    (lambda nd: nd.min([1, 2, 3], [[5], [0]], [-7, 0]), [0, 2, 3]),
    (lambda nd: nd.update([1, 2, 3], [[5], [0]], [7, 8]), [8, 2, 3]),
]


class Ignoring:
    """The functions that take index vectors, which pass over bad ones."""

    def __getattr__(self, name):
        whole = {"gather": "gather_nd", "scatter": "scatter_nd"}
        function = getattr(tf, whole.get(name, f"tensor_scatter_nd_{name}"))
        return lambda *args, **kwargs: function(*args, bad_indices_policy="IGNORE", **kwargs)


@pytest.mark.parametrize(("call", "expected"), IGNORED)
def test_bad_indices_can_be_passed_over(call, expected):
    assert call(Ignoring()).numpy().tolist() == expected
    assert tf.function(lambda: call(Ignoring()))().numpy().tolist() == expected


def test_functions_pass_over_the_bad_indices_of_each_call():
    f = tf.function(lambda at: tf.gather_nd([1, 2], at, bad_indices_policy="IGNORE"))
    for at, expected in (0, 1), (7, 0), (1, 2), (-1, 0):
        assert f(tf.constant([[at]])).numpy() == [expected]
    small = tf.constant([[-1], [99], [1]], tf.int16)  # which does not hold the length
    assert Ignoring().gather(tf.range(99_999), small).numpy().tolist() == [0, 99, 1]


def test_gradients_pass_over_bad_indices():
    v, u, at = tf.Variable([1.0, 2.0, 3.0]), tf.Variable([1.0, 2.0]), [[5], [0]]
    for call, expected in [
        (lambda nd: nd.gather(v, [[5], [0], [0]]), [[4, 0, 0], None]),
        (lambda nd: nd.scatter(at, u, [3]), [None, [0, 4]]),
        (lambda nd: nd.add(v, at, u), [[6, 4, 6], [0, 6]]),
        (lambda nd: nd.update(v, at, u), [[0, 4, 6], [0, 4]]),
        (lambda nd: nd.max(v, at, u), [[0, 4, 6], [0, 4]]),
    ]:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(call(Ignoring()) ** 2)
        found = tape.gradient(y, [v, u])
        assert [g if g is None else tf.convert_to_tensor(g).numpy().tolist() for g in found] == (
            expected
        )


def test_ragged_tensors_have_no_bad_indices_to_pass_over():
    with pytest.raises(ValueError, match="ragged"):
        Ignoring().gather(tf.ragged.constant([[1], [2, 3]]), [[5]])
