"""Errors have the key phrases of TensorFlow's, by which people search for them."""

import re

import numpy as np
import pytest

import cinta as tf
from cinta.errors import OpError

MATRIX = tf.constant([[1.0, 2.0], [3.0, 4.0]])
SPARSE = tf.sparse.from_dense(MATRIX)
BYTES = tf.constant([[100, 100], [100, 100]], tf.int8)
linalg = tf.linalg
IMAGE = tf.ones([1, 4, 4, 1])


def _dense_table(deleted_key=-1, **options):
    kinds = tf.int64, tf.int64
    return tf.lookup.experimental.DenseHashTable(*kinds, -1, 0, deleted_key, **options)


def _of_rows(rows):
    first = tf.function(lambda x: x)
    return first.get_concrete_function(tf.ragged.constant([[1, 2], [3]]))(rows)


REFUSALS = [
    (lambda: tf.cumsum(MATRIX, -3), "Expected scan axis in the range [-2, 2)"),
    (lambda: tf.math.cumulative_logsumexp(MATRIX, 2), "Expected scan axis in the range [-2, 2)"),
    (lambda: tf.reduce_sum(MATRIX, 2), "Invalid reduction dimension 2"),
    (lambda: tf.sparse.reduce_sum(SPARSE, -3), "Invalid reduction dimension -3"),
    (lambda: tf.reduce_sum(MATRIX, [1, -1]), "Axes contains duplicate dimension: 1"),
    (lambda: tf.reverse(MATRIX, [-30]), "is out of range"),
    (lambda: tf.roll(MATRIX, 1, 2), "is out of range"),
    (lambda: tf.stack([MATRIX], 3), "Argument `axis` = 3 not in range [-3, 3)"),
    (lambda: tf.unstack(MATRIX, axis=-3), "Argument `axis` = -3 not in range [-2, 2)"),
    (lambda: tf.sparse.split(SPARSE, 2, 2), "axis should be in range [-2, 2)"),
    (lambda: tf.sort(tf.constant(1.0)), "out of bounds"),
    (lambda: tf.argmin(tf.zeros([0, 2]), 0), "Reduction axis 0 is empty in shape [0,2]"),
    (lambda: tf.expand_dims(MATRIX, [0, 1]), "must be a tensor with a single value"),
    (lambda: tf.reshape([1], [1] * 256), "too many dimensions"),
    (lambda: tf.reshape([1], [2**40, 2**40]), "too many elements"),
    (lambda: tf.unravel_index([2], [3, 0]), "dims cannot contain a dim of zero"),
    (
        lambda: tf.unravel_index([2], [2**20, 2**20]),
        "Input dims product is causing integer overflow",
    ),
    (lambda: tf.gather(MATRIX, [[7]]), "indices[0,0] = 7 is not in [0, 2)"),
    (lambda: tf.gather(MATRIX, 0.0), "list of allowed values: int16, int32, int64"),
    (lambda: tf.pad(MATRIX, [1, 2]), "paddings must be a matrix with 2 columns"),
    (lambda: tf.pad(MATRIX, [[1, 2]]), "paddings must be the rank of inputs"),
    (lambda: tf.pad(MATRIX, [[1, 2]] * 2, "weird"), "Received `mode` = WEIRD"),
    (
        lambda: tf.broadcast_to([1, 2, 3], [4, 2]),
        "Unable to broadcast tensor of shape [3] to [4,2]",
    ),
    (lambda: tf.reverse_sequence(MATRIX, [1], 1), "Length of seq_lengths != input.dims(0)"),
    (lambda: tf.math.segment_sum(1.0, [0]), "must be at least rank 1"),
    (lambda: tf.nn.max_pool(IMAGE, -1, 1, "SAME"), "Sliding window ksize must be positive"),
    (lambda: tf.nn.max_pool(MATRIX, 1, 1, "SAME"), "`input.shape.rank` must be 3, 4 or 5"),
    (
        lambda: tf.nn.conv2d(IMAGE, tf.ones([1, 1, 1, 1]), [2, 1, 1, 1], "SAME"),
        "strides in the batch and depth",
    ),
    (
        lambda: tf.nn.fractional_max_pool(IMAGE, [1.0, 5.0, 1.0, 1.0]),
        "Pooling ratio is higher than input dimension size for dimension 1",
    ),
    (
        lambda: tf.nn.fractional_max_pool(IMAGE, [1.0, -5.0, 1.0, 1.0]),
        "pooling_ratio cannot be smaller than 1",
    ),
    (lambda: tf.nn.conv2d(IMAGE, tf.ones([1, 0, 1, 1]), 1, "SAME"), "must not have zero elements"),
    (
        lambda: tf.nn.conv_transpose(IMAGE, tf.ones([1, 1, 1, 1]), 2, 1),
        "`output_shape` must be a tensor or sized collection",
    ),
    (
        lambda: tf.nn.conv_transpose(IMAGE, tf.ones([1, 1, 1, 1]), [1] * 6, 1),
        "`output_shape` must be of length 3, 4 or 5. Received: output_shape=[1, 1, 1, 1, 1, 1] of "
        "length 6",
    ),
    (
        lambda: tf.compat.v1.nn.fused_batch_norm(IMAGE, [1.0, 1.0], [0.0]),
        "scale must have the same number of elements as the channels of x",
    ),
    (
        lambda: tf.compat.v1.nn.fused_batch_norm(
            IMAGE, [1.0], [0.0], [0.0, 0.0], [1.0], is_training=False
        ),
        "When is_training=false, mean must have the same number of elements",
    ),
    (
        lambda: tf.compat.v1.nn.fused_batch_norm(
            IMAGE, [1.0], [0.0], [0.0, 0.0], exponential_avg_factor=0.5
        ),
        "When exponential_avg_factor != 1, mean must have the same number of elements",
    ),
    (
        lambda: tf.nn.conv2d(IMAGE, tf.ones([1, 1, 1, 1]), 1, [[0, 0], [-1, 0], [0, 0], [0, 0]]),
        "All elements of explicit_paddings must be nonnegative",
    ),
    (
        lambda: tf.sparse.split(tf.SparseTensor([[0, 9]], [1.0], [3, 5]), 2, 1),
        "is out of bounds",
    ),
    (lambda: tf.nn.embedding_lookup(None, [1]), "params must be specified"),
    (lambda: tf.nn.embedding_lookup([], [1]), "params should not be empty"),
    (
        lambda: tf.nn.embedding_lookup(MATRIX, tf.ragged.constant([[1.0]])),
        "cannot be processed: all should be indices",
    ),
    (
        lambda: tf.nn.max_pool2d(IMAGE, [1, 2, 2, 2], [1, 1, 1, 2], "SAME"),
        "MaxPooling supports exactly one of pooling across depth",
    ),
    (
        lambda: tf.nn.max_pool2d(IMAGE, [1, 1, 1, 2], [1, 1, 1, 2], "SAME"),
        "to evenly divide the input depth",
    ),
    (
        lambda: tf.nn.max_pool2d(tf.ones([1, 1, 1, 4]), [1, 1, 1, 2], [1, 1, 1, 1], "SAME"),
        "to equal the depth stride",
    ),
    (lambda: tf.SparseTensor([[0]], [1, 2], [3]), "Number of elements 2 and"),
    (lambda: tf.SparseTensor([[0, 0]], [1], [3]), "Index rank 2 and shape rank 1 do not match"),
    (
        lambda: tf.sparse.maximum(SPARSE, tf.sparse.from_dense([1.0])),
        "Operands do not have the same ranks",
    ),
    (
        lambda: tf.sparse.fill_empty_rows(tf.SparseTensor([[0, 1], [9, 0]], [1, 2], [2, 2]), 0),
        "indices(1, 0) is invalid",
    ),
    (
        lambda: tf.sparse.reduce_max(tf.SparseTensor([[1, 2]], [1.0], [2**32, 2**31]), 0),
        "integer overflow",
    ),
    (lambda: tf.sparse.reset_shape(SPARSE, [1, 2]), "should have dimension sizes"),
    (lambda: tf.io.decode_raw(["1234567"], tf.float32), "must be a multiple of"),
    (lambda: tf.image.adjust_contrast(IMAGE, [1.0]), "contrast_factor must be scalar"),
    (
        lambda: tf.image.crop_and_resize(IMAGE, tf.ones([1, 4]), [[0.0]], [1, 1]),
        "box_indices must be rank 1",
    ),
    (
        lambda: tf.quantization.quantize_and_dequantize_v2([2.5], 0.0, 1.0, axis=10),
        "Shape must be at least rank 11 but is rank 1",
    ),
    (lambda: tf.math.sobol_sample(2560, 16384000), "num_results*dim must be less than 2147483647"),
    (lambda: tf.math.sobol_sample(1, 1, 2**31 - 1), "num_results+skip must be less than"),
    (lambda: tf.math.sobol_sample(1, tf.constant([1, 2])), "num_results should be a scalar"),
    (
        lambda: linalg.tridiagonal_solve(tf.ones([2, 3, 4]), tf.ones([3, 4, 1])),
        "Batch shapes (2,) of the diagonals and (3,) of rhs are incompatible",
    ),
    (
        lambda: linalg.tridiagonal_solve(
            [tf.ones([5, 4]), tf.ones([7, 4]), tf.ones([5, 4])], tf.ones([5, 4]), "sequence"
        ),
        "must have the same shape, except for the last dimension",
    ),
    (lambda: tf.image.crop_to_bounding_box(IMAGE, 1, 0, 4, 4), "height must be >= target + offset"),
    (lambda: tf.image.pad_to_bounding_box(IMAGE, 1, 0, 4, 4), "height must be <= target - offset"),
    (lambda: tf.image.central_crop(MATRIX, 0.5), "must have either 3 or 4 dimensions"),
    (lambda: tf.histogram_fixed_width_bins([1.0], [0.0, 5.0], -1), "must > 0"),
    (lambda: tf.histogram_fixed_width([1.0], [0.0]), "should be a vector of 2 elements"),
    (lambda: tf.debugging.assert_rank(MATRIX, 1), "dtype=float32 must have rank 1.  Received rank"),
    (
        lambda: tf.debugging.assert_shapes([(MATRIX, 1)]),
        "Specified shape must be an iterable.  An iterable has the attribute",
    ),
    (
        lambda: tf.debugging.assert_shapes([(MATRIX, ("N", "*"))]),
        "specified shape index 1.  Symbol",
    ),
    (lambda: tf.debugging.assert_proper_iterable(SPARSE), '"proper" iterable'),
    (
        lambda: tf.quantization.fake_quant_with_min_max_vars(MATRIX, 0.0, [1.0]),
        "max must be rank 0",
    ),
    (
        lambda: tf.quantization.fake_quant_with_min_max_vars_per_channel(MATRIX, 0.0, [1.0, 1.0]),
        "min must be rank 1",
    ),
    (
        lambda: tf.quantization.fake_quant_with_min_max_vars_per_channel(MATRIX, [0.0], [1.0]),
        "min has incorrect size",
    ),
    (lambda: tf.matmul(BYTES, BYTES), "list of allowed values:"),
    (lambda: tf.tensordot(BYTES, BYTES, 1), "list of allowed values:"),
    (lambda: tf.einsum("ij,jk->ik", BYTES, BYTES), "list of allowed values:"),
    (lambda: tf.linalg.matvec(BYTES, BYTES[0]), "Sums of products wrap around in int8"),
    (lambda: linalg.LinearOperatorIdentity([2]), "must be a 0-D Tensor"),
    (lambda: linalg.LinearOperatorIdentity(2.0), "must be integer"),
    (lambda: linalg.LinearOperatorIdentity(-2), "must be non-negative"),
    (lambda: linalg.LinearOperatorIdentity(2, batch_shape=2), "must be a 1-D"),
    (lambda: linalg.LinearOperatorIdentity(2, batch_shape=[2.0]), "must be integer"),
    (lambda: linalg.LinearOperatorZeros(2, batch_shape=[-2]), "must be non-negative"),
    (lambda: linalg.LinearOperatorScaledIdentity(-2, 1.0), "must be non-negative"),
    (lambda: linalg.LinearOperatorIdentity(2, is_non_singular=False), "is always non-singular"),
    (
        lambda: linalg.LinearOperatorComposition(
            [linalg.LinearOperatorIdentity(2)], is_non_singular=False
        ),
        "always non-singular",
    ),
    (lambda: linalg.LinearOperatorComposition([]), "non-empty"),
    (lambda: linalg.LinearOperatorFullMatrix([1.0]), "at least 2 dimensions"),
    (
        lambda: tf.convert_to_tensor(tf.TensorShape([2**31]), tf.int32),
        "a dimension is too large. Use tf.int64",
    ),
    (
        lambda: tf.nest.assert_same_structure(1, 2, check_types=MATRIX),
        "more than one element is ambiguous",
    ),
    (
        lambda: tf.train.Checkpoint().restore("no such file"),
        "Error when restoring from checkpoint or SavedModel at no such file",
    ),
    (
        lambda: tf.Variable.SaveSliceInfo.from_spec("a b"),
        "full_shape must be a sequence of integers",
    ),
    (
        lambda: tf.Variable.SaveSliceInfo.from_spec("0 a,0:0:0"),
        "var_offset must be an integer",
    ),
    (
        lambda: _of_rows({"a": tf.constant([1])}),
        "they don't have the same nested structure",
    ),
    (lambda: _of_rows(tf.ragged.constant([[[1]]])), "don't have the same nested structure"),
    (
        lambda: _of_rows(tf.ragged.constant([[1.0], [2.0]])),
        "dtype=tf.float32, name=None) is not cast to TensorSpec(shape=(None,), dtype=tf.int32",
    ),
    (lambda: tf.io.read_file(["a", "b"]), "must be scalar"),
    (lambda: _dense_table(initial_num_buckets=12), "Number of buckets must be at least 4"),
    (
        lambda: _dense_table(deleted_key=[1, 2]),
        "Empty and deleted keys must have same shape, got shapes [] and [2]",
    ),
    (lambda: tf.GradientTape().watch("a"), "not tf.Tensor or tf.Variable"),
    (lambda: tf.fingerprint(1.0), "should have at least one dimension"),
    (lambda: tf.fingerprint([1.0], "md5"), "Unsupported fingerprint method: md5"),
]


@pytest.mark.parametrize(("call", "words"), REFUSALS, ids=[words for _, words in REFUSALS])
def test_phrases(call, words):
    with pytest.raises((OpError, ValueError, TypeError), match=re.escape(words)):
        call()


def test_numpys_methods_are_told_how_to_come():
    with pytest.raises(AttributeError, match="If you are looking for numpy-related methods"):
        MATRIX.astype  # noqa: B018


def test_fingerprints_are_tensorflows():
    found = tf.fingerprint(np.arange(6, dtype=np.int32).reshape(2, 3)).numpy().tolist()
    assert found[0] == [226, 97, 231, 35, 137, 217, 164, 52]
    found = tf.fingerprint([["a", "b"], ["c", "dd"]]).numpy().tolist()
    assert found[1] == [78, 99, 180, 170, 188, 7, 191, 10]
    assert tf.fingerprint(["a"]).numpy()[0].tolist() == [227, 117, 223, 182, 101, 66, 69, 179]
    assert tf.fingerprint([]).shape == [0, 8]
