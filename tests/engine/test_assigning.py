"""tf.Variable: changing it, whole or in parts."""

import numpy as np
import pytest

import cinta as tf
from tests.shorthand import values

IAE = tf.errors.InvalidArgumentError


@pytest.fixture
def v():
    return tf.Variable([1.0, 2.0])


# -- assigning -------------------------------------------------------------------------------------


def test_assignments_change_the_value(v):
    v.assign([3.0, 4.0])
    assert values(v) == [3, 4]
    v.assign_add([1.0, 1.0])
    assert values(v) == [4, 5]
    v.assign_sub(tf.constant([2.0, 2.0]))
    assert values(v) == [2, 3]


def test_what_assign_returns_shows_the_live_value(v):
    shown = v.assign([3.0, 4.0])
    v.assign([5.0, 6.0])
    assert values(shown) == [5, 6]
    assert v.assign([3.0, 4.0], read_value=False) is None
    assert v.assign_add([3.0, 4.0], read_value=False) is None


def test_gradients_flow_through_what_assign_returns(v):
    with tf.GradientTape() as tape:
        y = v.assign_add([1.0, 1.0]) * v
    assert values(tape.gradient(y, v)) == [4, 6]


@pytest.mark.parametrize("new", [5, [5, 5], True, np.ones(2, np.float64), np.int64(5)])
def test_numbers_and_arrays_are_converted(new):
    v = tf.Variable(tf.zeros(np.shape(new)))
    v.assign(new)
    assert v.dtype == tf.float32
    assert np.all(v.numpy() == new)


def test_assign_refuses_other_shapes(v):
    for new in ([1.0, 2.0, 3.0], 1.0, [[1.0, 2.0]]):
        with pytest.raises(ValueError, match="Cannot assign value to variable 'Variable:0'"):
            v.assign(new)
    assert values(v) == [1, 2]


@pytest.mark.parametrize("delta", [[1.0, 2.0, 3.0], 1.0])
@pytest.mark.parametrize("update", ["assign_add", "assign_sub"])
def test_updates_refuse_other_shapes(v, update, delta):
    with pytest.raises(IAE, match=r"Cannot update variable with shape \[2\] using a Tensor"):
        getattr(v, update)(delta)


@pytest.mark.parametrize(
    ("new", "error"),
    [
        (tf.constant([1, 2]), ValueError),
        (tf.Variable([1, 2]), ValueError),
        (["a", "b"], TypeError),
        (None, ValueError),
    ],
)
def test_assign_refuses_what_is_not_converted(v, new, error):
    for assign in (v.assign, v.assign_add):
        with pytest.raises(error):
            assign(new)


def test_state_stops_gradients(v):
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        v.assign(x * x)
        y = v * x
    assert [values(g) for g in tape.gradient(y, [x, v])] == [[9, 16], [3, 4]]


def test_gradients_of_all_reads_are_summed(v):
    with tf.GradientTape() as tape:
        y = v * v
        v.assign([10.0, 10.0])
        y = y + v * v
    assert values(tape.gradient(y, v)) == [22, 24]


# -- parts -----------------------------------------------------------------------------------------


@pytest.fixture
def table():
    return tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


SLICES = {
    "row": (lambda v: v[0], [9.0, 9.0], [[9, 9], [3, 4], [5, 6]]),
    "broadcast": (lambda v: v[0], 9.0, [[9, 9], [3, 4], [5, 6]]),
    "element": (lambda v: v[1, 0], 9.0, [[1, 2], [9, 4], [5, 6]]),
    "slice": (lambda v: v[1:], [[7.0, 8.0], [9.0, 0.0]], [[1, 2], [7, 8], [9, 0]]),
    "reversed": (lambda v: v[::-1, 0], [7.0, 8.0, 9.0], [[9, 2], [8, 4], [7, 6]]),
    "ellipsis": (lambda v: v[..., 1], 0.0, [[1, 0], [3, 0], [5, 0]]),
}


@pytest.mark.parametrize(("part", "new", "expected"), SLICES.values(), ids=SLICES.keys())
def test_slices_can_be_assigned(table, part, new, expected):
    before = tf.convert_to_tensor(table)
    result = part(table).assign(new)
    assert values(table) == values(result) == expected
    assert values(before) == [[1, 2], [3, 4], [5, 6]]


def test_a_scalar_can_be_assigned_as_a_slice():
    v = tf.Variable(1.0)
    v[...].assign(5.0)
    assert values(v) == 5
    assert repr(v + 1.0) == repr(tf.constant(6.0))


SCATTERS = {
    "scatter_add": [[1, 2], [3 + 30, 4 + 40], [5, 6]],
    "scatter_sub": [[1, 2], [3 - 30, 4 - 40], [5, 6]],
    "scatter_mul": [[1, 2], [3 * 10 * 20, 4 * 20 * 20], [5, 6]],
    "scatter_div": [[1, 2], [np.float32(3) / 10 / 20, np.float32(4) / 20 / 20], [5, 6]],
    "scatter_max": [[1, 2], [20, 20], [5, 6]],
    "scatter_min": [[1, 2], [3, 4], [5, 6]],
    "scatter_update": [[1, 2], [20, 20], [5, 6]],
}


@pytest.mark.parametrize("method", SCATTERS)
def test_rows_can_be_scattered(table, method):
    rows = tf.IndexedSlices(tf.constant([[10.0, 20.0], [20.0, 20.0]]), tf.constant([1, 1]))
    before = tf.convert_to_tensor(table)
    result = getattr(table, method)(rows)
    np.testing.assert_allclose(table.numpy(), SCATTERS[method], rtol=1e-6)
    assert values(result) == values(table)
    assert values(before) == [[1, 2], [3, 4], [5, 6]]


def test_rows_that_are_listed_once_and_rows_that_are_listed_twice_are_updated_alike(table):
    other = tf.Variable(table)
    rows = tf.constant([[10.0, 20.0], [30.0, 40.0]])
    table.scatter_mul(tf.IndexedSlices(rows, tf.constant([2, 0])))
    twice = tf.concat([rows, tf.ones([1, 2])], axis=0)
    other.scatter_mul(tf.IndexedSlices(twice, tf.constant([2, 0, 2])))
    assert values(table) == values(other) == [[30, 80], [3, 4], [50, 120]]


def test_a_division_by_zero_makes_no_noise(table):
    table.scatter_div(tf.IndexedSlices(tf.zeros([1, 2]), tf.constant([0])))
    assert values(table)[0] == [np.inf, np.inf]


@pytest.mark.parametrize("compiled", [None, False, True])
def test_integers_are_not_divided_by_zero(compiled):
    v = tf.Variable([7, 8])

    def divide(by):
        v.scatter_div(tf.IndexedSlices(by, tf.constant([0])))

    if compiled:
        pytest.importorskip("jax")
    if compiled is not None:
        divide = tf.function(divide, jit_compile=compiled)
    divide(tf.constant([2]))
    with pytest.raises(IAE, match="must not contain 0"):
        divide(tf.constant([0]))
    assert values(v) == [3, 8]


@pytest.mark.parametrize("compiled", [None, False, True])
@pytest.mark.parametrize(
    ("dtype", "first", "quotient"),
    [
        (tf.int64, [-7, 7, 2**62 + 1], [-3, -3, (2**62 + 1) // 3]),
        (tf.int32, [-7, 7, 2**30 + 1], [-3, -3, (2**30 + 1) // 3]),
    ],
)
def test_integers_are_divided_exactly(compiled, dtype, first, quotient):
    v = tf.Variable(first, dtype=dtype)

    def divide(by, rows):
        v.scatter_div(tf.IndexedSlices(by, rows))

    if compiled:
        pytest.importorskip("jax")
    if compiled is not None:
        divide = tf.function(divide, jit_compile=compiled)
    divide(tf.constant([2, -2, 3], dtype), tf.constant([0, 1, 2]))
    assert v.numpy().tolist() == quotient
    divide(tf.constant([2, 3], dtype), tf.constant([2, 2]))
    assert v.numpy().tolist() == [-3, -3, quotient[2] // 2 // 3]
    divide(tf.zeros([0], dtype), tf.zeros([0], tf.int32))
    assert v.numpy().tolist() == [-3, -3, quotient[2] // 2 // 3]


def test_rows_of_integers_are_divided():
    v = tf.Variable([[2**60 + 1, 200], [7, -9]], dtype=tf.int64)
    v.scatter_div(tf.IndexedSlices(tf.constant([[3, 7], [2, 2]], tf.int64), tf.constant([0, 1])))
    assert values(v) == [[(2**60 + 1) // 3, 28], [3, -4]]


@pytest.mark.parametrize("delta", [3.0, [[1.0, 2.0]], None])
def test_scattering_needs_slices(table, delta):
    with pytest.raises(TypeError, match=r"must be a `tf\.IndexedSlices`"):
        table.scatter_add(delta)


@pytest.mark.parametrize("index", [3, -1])
def test_scattering_refuses_rows_that_are_not_there(table, index):
    rows = tf.IndexedSlices(tf.constant([[1.0, 1.0]]), tf.constant([index]))
    with pytest.raises(IAE, match=rf"indices\[0\] = \[{index}\] does not index into shape"):
        table.scatter_add(rows)
    assert values(table) == [[1, 2], [3, 4], [5, 6]]


def test_slices_can_be_assigned_by_index_vectors(table):
    table.scatter_nd_add([[0], [0]], [[1.0, 1.0], [1.0, 1.0]])
    table.scatter_nd_sub([[2, 1]], [6.0])
    table.scatter_nd_update([[1, 0], [1, 1]], [7.0, 8.0])
    assert values(table) == [[3, 4], [7, 8], [5, 0]]
    table.scatter_nd_max([[0, 0], [0, 1]], [9.0, 1.0])
    table.scatter_nd_min([[1, 0], [1, 1]], [9.0, 1.0])
    assert values(table) == [[9, 4], [7, 1], [5, 0]]
    with pytest.raises(IAE):
        table.scatter_nd_add([[3]], [[1.0, 1.0]])


def test_lookups(table):
    with tf.GradientTape(persistent=True) as tape:
        rows = table.sparse_read([2, 0])
        elements = table.gather_nd([[2, 0], [0, 1]])
    assert values(rows) == [[5, 6], [1, 2]]
    assert values(elements) == [5, 2]
    assert isinstance(tape.gradient(rows, table), tf.IndexedSlices)
    assert values(tape.gradient(elements, table)) == [[0, 1], [0, 0], [1, 0]]


# -- in place, but never seen ----------------------------------------------------------------------


HOLDERS = {
    "a tensor": tf.convert_to_tensor,
    "a view": lambda v: tf.reshape(v, [2, 1]),
    "a slice": lambda v: v[1:],
    "an array": lambda v: np.asarray(tf.convert_to_tensor(v)),
    "another variable": tf.Variable,
    "a transposition": lambda v: tf.transpose(tf.reshape(v, [1, 2])),
}


@pytest.mark.parametrize("hold", HOLDERS.values(), ids=HOLDERS.keys())
@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.assign_add([10.0, 10.0]),
        lambda v: v.assign_sub([10.0, 10.0]),
        lambda v: v[0].assign(10.0),
        lambda v: v[1].assign(10.0),
        lambda v: v.scatter_nd_update([[0], [1]], [10.0, 10.0]),
    ],
)
def test_updates_do_not_change_what_others_hold(v, hold, change):
    v.assign_add([0.0, 0.0])  # so that the array is the variable's own
    held = hold(v)
    before = np.array(held)
    change(v)
    assert np.array(held).tolist() == before.tolist()


@pytest.mark.parametrize("view", [lambda t: tf.reshape(t, [2]), lambda t: t[0], tf.squeeze])
def test_updates_do_not_change_the_tensor_of_which_a_part_was_assigned(view):
    t = tf.constant([[1.0, 2.0]])
    v = tf.Variable(view(t))
    v.assign_add([10.0, 10.0])
    v.assign(view(t))
    v.assign_add([10.0, 10.0])
    assert values(t) == [[1, 2]]
    assert values(v) == [11, 12]


def test_updates_do_not_change_the_array_that_was_given():
    array = np.array([1.0, 2.0])
    v = tf.Variable(array)
    v.assign_add([10.0, 10.0])
    array[:] = 100
    v.assign(array)
    v.assign_add([1.0, 1.0])
    assert array.tolist() == [100, 100]
    array[:] = 0
    assert values(v) == [101, 101]


def test_a_variable_can_be_added_to_itself(v):
    v.assign_add(v)
    assert values(v) == [2, 4]


def test_updates_between_recording_and_gradient_do_not_matter(v):
    with tf.GradientTape() as tape:
        y = v * v
    v.assign_add([10.0, 10.0])
    v[0].assign(100.0)
    assert values(tape.gradient(y, v)) == [2, 4]


def test_slices_are_replaced_in_each_batch():
    v = tf.Variable(tf.zeros([2, 3, 2]))
    replace = tf.function(lambda at, x: v.batch_scatter_update(tf.IndexedSlices(x, at)))
    for n in (1.0, 2.0):
        replace(tf.constant([[int(n)], [0]]), tf.fill([2, 1, 2], n))
    expected = [[[0, 0], [1, 1], [2, 2]], [[2, 2], [0, 0], [0, 0]]]
    np.testing.assert_array_equal(v, expected)
    rows = tf.Variable([1.0, 2.0])
    np.testing.assert_array_equal(
        rows.batch_scatter_update(tf.IndexedSlices([5.0], [1])), [1.0, 5.0]
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not index"):
        v.batch_scatter_update(tf.IndexedSlices(tf.ones([2, 1, 2]), [[3], [0]]))
