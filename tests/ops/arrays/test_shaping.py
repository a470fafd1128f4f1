"""Shapes, joining, tiling, padding: edges and errors; the derivatives are in the op table."""

import numpy as np
import pytest

import cinta as tf

ERROR = tf.errors.InvalidArgumentError
MATRIX = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    "shape", [[3, 2], (6,), -1, [2, -1], tf.constant([3, -1]), [tf.constant(3), 2], np.array([6])]
)
def test_reshape_takes_shapes_of_every_kind(shape):
    plain = shape.numpy() if isinstance(shape, tf.Tensor) else shape
    expected = MATRIX.reshape(tuple(np.atleast_1d([int(n) for n in np.atleast_1d(plain)])))
    np.testing.assert_array_equal(tf.reshape(MATRIX, shape).numpy(), expected)


def test_an_empty_tensor_can_be_flattened_by_batches():
    assert tf.reshape(tf.zeros([0, 2, 3]), [0, -1]).shape == (0, 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.reshape(MATRIX, [4]), "6 values, but the requested shape has 4"),
        (lambda: tf.reshape(MATRIX, [4, -1]), "requires a multiple of 4"),
        (lambda: tf.reshape(MATRIX, [-1, -1]), "Only one input size may be -1, not both 0 and 1"),
        (lambda: tf.reshape(MATRIX, [-2]), "Size 0 must be non-negative, not -2"),
        (lambda: tf.reshape(MATRIX, [2.5]), "must be whole numbers"),
        (lambda: tf.transpose(MATRIX, [0]), "expects a vector of size 2"),
        (lambda: tf.transpose(MATRIX, [0, 0]), r"1 is missing from \{0,0\}"),
        (lambda: tf.expand_dims(MATRIX, 3), "Invalid axis 3: it is out of range"),
        (lambda: tf.expand_dims(MATRIX, [0, 1]), "single value"),
        (lambda: tf.squeeze(MATRIX, 0), r"Can not squeeze dim\[0\], expected .* 1, got 2"),
        (lambda: tf.ensure_shape(MATRIX, [3, None]), r"\[2, 3\] is not compatible with"),
        (lambda: tf.concat([MATRIX, MATRIX[0]], 0), "Ranks of all input tensors should match"),
        (lambda: tf.concat([MATRIX, MATRIX[:, :2]], 0), "Dimension 1 in both shapes must be equal"),
        (lambda: tf.concat([MATRIX, MATRIX], 2), "Invalid axis 2: it is out of range"),
        (lambda: tf.concat([], 0), "at least one tensor"),
        (lambda: tf.concat([tf.zeros(1), tf.constant([1])], 0), "expected to be a float tensor"),
        (lambda: tf.stack([MATRIX, MATRIX[0]]), "Shapes of all inputs must match"),
        (lambda: tf.unstack(MATRIX, num=3), "must equal 3"),
        (lambda: tf.split(MATRIX, 2, axis=1), "evenly divide"),
        (lambda: tf.split(MATRIX, [1, 1], axis=1), "match input shape along split_dim"),
        (lambda: tf.split(MATRIX, [-1, -1], axis=1), "only be one -1"),
        (lambda: tf.broadcast_to(MATRIX, [2, 2]), r"tensor of shape \[2,3\] to \[2,2\]"),
        (lambda: tf.broadcast_dynamic_shape([2], [3]), "Incompatible shapes"),
        (lambda: tf.tile(MATRIX, [2]), "vector of length 2 but got length 1"),
        (lambda: tf.tile(MATRIX, [-1, 1]), "Expected multiples >= 0"),
        (lambda: tf.repeat(MATRIX, -1, 0), "must not be negative"),
        (lambda: tf.pad(MATRIX, [[1, 1]]), r"expected shape \[2,2\], got \[1,2\]"),
        (lambda: tf.pad(MATRIX, [[-1, 1], [0, 0]]), "must be non-negative"),
        (lambda: tf.pad(MATRIX, [[2, 0], [0, 0]], "REFLECT"), "must be less than"),
        (lambda: tf.pad(MATRIX, [[3, 0], [0, 0]], "SYMMETRIC"), "must be no greater than"),
        (lambda: tf.reverse(MATRIX, [0, -2]), "specified more than once"),
        (lambda: tf.reverse(MATRIX, [2]), "Invalid axis 2"),
        (lambda: tf.roll(MATRIX, [1, 2], 0), "must have the same size"),
        (lambda: tf.reverse_sequence(MATRIX, [4, 0], 1), r"must be in \[0, 3\]"),
        (lambda: tf.reverse_sequence(MATRIX, [1], 1), "one length for each of 2"),
        (lambda: tf.space_to_batch(tf.zeros([1, 3, 1]), [2], [[0, 0]]), "divisible by the block"),
        (lambda: tf.batch_to_space(tf.zeros([3, 2, 1]), [2], [[0, 0]]), "not divisible by product"),
        (lambda: tf.batch_to_space(tf.zeros([2, 1, 1]), [2], [[0, 3]]), "take more than there is"),
        (lambda: tf.nn.space_to_depth(tf.zeros([1, 3, 2, 1]), 2), "divisible by block_size"),
        (lambda: tf.nn.depth_to_space(tf.zeros([1, 2, 2, 3]), 2), "divisible by: 4"),
        (lambda: tf.nn.depth_to_space(MATRIX, 2), "Input rank should be: 4"),
    ],
)
def test_what_does_not_fit_is_named(call, message):
    with pytest.raises(ERROR, match=message):
        call()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: tf.stack([MATRIX], axis=3), ValueError),
        (lambda: tf.unstack(MATRIX, axis=2), ValueError),
        (lambda: tf.repeat(MATRIX, [1, 2, 3], 0), ValueError),
        (lambda: tf.repeat(MATRIX, 2, 2), ValueError),
        (lambda: tf.pad(MATRIX, [[0, 0], [0, 0]], "WRAP"), ValueError),
        (lambda: tf.meshgrid([1], indexing="no"), ValueError),
        (lambda: tf.linalg.matrix_transpose([1.0]), ValueError),
        (lambda: tf.broadcast_static_shape([2, 2], [3]), ValueError),
        (lambda: tf.reverse_sequence(MATRIX, [1, 1]), TypeError),
        (lambda: tf.parallel_stack([MATRIX]), RuntimeError),
    ],
)
def test_errors_of_other_types_are_those_of_tensorflow(call, error):
    with pytest.raises(error):
        call()


def test_lists_take_the_dtype_of_the_first_tensor_among_them():
    half = tf.constant([1.0], tf.float16)
    assert tf.concat([[2.0], half], 0).dtype == tf.float16
    assert tf.stack([half, [2]]).dtype == tf.float16
    assert tf.stack([1, 2.5]).dtype == tf.float32


def test_a_variable_and_a_tensor_can_be_joined():
    v, x = tf.Variable([1.0]), tf.constant([2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.concat([v, x, v], 0) * [1.0, 2.0, 4.0]
    of_v, of_x = tape.gradient(y, [v, x])
    assert (of_v.numpy().item(), of_x.numpy().item()) == (5.0, 2.0)


def test_unknown_lengths_broadcast():
    def shape(*lengths):
        return tf.TensorShape(lengths)

    assert tf.broadcast_static_shape(shape(None, 1), shape(3)).as_list() == [None, 3]
    assert tf.broadcast_static_shape(shape(None), shape(3)).as_list() == [3]
    assert tf.broadcast_static_shape(tf.TensorShape(None), shape(3)).rank is None


@pytest.mark.parametrize("mode", ["REFLECT", "symmetric"])
def test_mirrored_padding_is_numpys(mode):
    around = [[1, 1], [2, 0]]
    np.testing.assert_array_equal(
        tf.pad(MATRIX, around, mode).numpy(), np.pad(MATRIX, around, mode.lower())
    )


def test_padding_of_every_kind_of_element():
    assert tf.pad([True], [[1, 0]]).numpy().tolist() == [False, True]
    assert tf.pad(["a"], [[0, 1]]).numpy().tolist() == [b"a", b""]
    assert tf.pad([1], [[0, 1]], constant_values=7).numpy().tolist() == [1, 7]


@pytest.mark.parametrize(
    ("forth", "back"),
    [
        (
            lambda x: tf.space_to_batch(x, [2, 4], [[0, 0], [1, 3]]),
            lambda x: tf.batch_to_space(x, [2, 4], [[0, 0], [1, 3]]),
        ),
        (lambda x: tf.nn.space_to_depth(x, 2), lambda x: tf.nn.depth_to_space(x, 2)),
        (
            lambda x: tf.nn.depth_to_space(x, 2, "NCHW"),
            lambda x: tf.nn.space_to_depth(x, 2, "NCHW"),
        ),
    ],
)
def test_blocks_that_are_taken_apart_can_be_put_together(forth, back):
    x = np.arange(128.0).reshape(2, 4, 4, 4)
    np.testing.assert_array_equal(back(forth(x)).numpy(), x)


@pytest.mark.parametrize(
    ("arguments", "paddings", "crops"),
    [
        (([5, 7], [2, 3]), [[0, 1], [0, 2]], [[0, 1], [0, 2]]),
        (([5, 7], [2, 3], [[1, 0], [0, 2]]), [[1, 0], [0, 2]], [[0, 0], [0, 0]]),
        (([2, 3], [2, 3], [[0, 1], [0, 0]]), [[0, 2], [0, 0]], [[0, 1], [0, 0]]),
        (([0, 3], [3, 2]), [[0, 0], [0, 1]], [[0, 0], [0, 1]]),
        (([], []), [], []),
    ],
)
def test_paddings_that_blocks_need(arguments, paddings, crops):
    found = tf.required_space_to_batch_paddings(*arguments)
    assert [each.numpy().tolist() for each in found] == [paddings, crops]
    assert [each.dtype for each in found] == [tf.int32, tf.int32]
    assert [each.shape for each in found] == [(len(paddings), 2)] * 2


@pytest.mark.parametrize("compiled", [False, True])
def test_paddings_that_blocks_need_in_functions(compiled):
    @tf.function(jit_compile=compiled)
    def there_and_back(x):
        paddings, crops = tf.required_space_to_batch_paddings(tf.shape(x)[1:], [2, 3])
        blocks = tf.space_to_batch(x, [2, 3], paddings)
        return tf.batch_to_space(blocks, [2, 3], crops), tf.shape(blocks)

    for size in ((5, 7), (4, 3)):
        x = tf.reshape(tf.range(2.0 * size[0] * size[1]), [2, *size])
        same, blocks = there_and_back(x)
        np.testing.assert_array_equal(same, x)
        assert blocks.numpy().tolist() == [12, (size[0] + 1) // 2, (size[1] + 2) // 3]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([5, 7], [2]), ValueError, r"got \[2\], \[1\]"),
        ((5, 3), ValueError, r"got \[\], \[\]"),
        (([5, 7], [2, 3], [[1, 0]]), ValueError, r"got \[2\], \[2\], \[1,2\]"),
        (([5], [2.0]), TypeError, "int32"),
        ((tf.constant([5], tf.int64), [2]), ValueError, "int32"),
        (([5], [0]), ERROR, "division by zero"),
    ],
)
def test_paddings_that_blocks_cannot_need(arguments, error, message):
    with pytest.raises(error, match=message):
        tf.required_space_to_batch_paddings(*arguments)


def test_measures_are_int32_unless_asked():
    assert tf.shape(MATRIX).numpy().tolist() == [2, 3]
    assert tf.shape(MATRIX, tf.int64).dtype == tf.size(MATRIX, tf.int64).dtype == tf.int64
    assert (tf.size(MATRIX).dtype, tf.rank(MATRIX).numpy()) == (tf.int32, 2)
    assert [s.numpy().tolist() for s in tf.shape_n([MATRIX, [1]])] == [[2, 3], [1]]


@pytest.mark.parametrize(
    ("sizes", "num", "pattern"),
    [
        ([2, 2], 1, "must have the same elements"),
        ([5, -2, 1], None, r"at index 1 must be >= 0\. Got: -2"),
        ([-1, -1], None, "only be one -1"),
    ],
)
def test_sizes_of_pieces_that_are_refused(sizes, num, pattern):
    with pytest.raises(tf.errors.InvalidArgumentError, match=pattern):
        tf.split([0, 1, 2, 3], sizes, num=num)
