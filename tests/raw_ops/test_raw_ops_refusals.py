"""Inputs that raw ops refuse before they compute."""

import numpy as np
import pytest

import cinta as tf

raw = tf.raw_ops
COUNTED = {"size": 2, "weights": [0.0, 0.0], "binary_output": False}
COUNTS = {"minlength": -1, "maxlength": -1, "binary_output": False}
GRAMS = {"separator": "", "ngram_widths": [2], "left_pad": "", "right_pad": ""}


def _ngrams(splits, pad_width=0):
    return raw.StringNGrams(
        data=["a", "b"],
        data_splits=splits,
        pad_width=pad_width,
        preserve_short_sequences=False,
        **GRAMS,
    )


def _sparse_counts(indices, values=(0, 1), weights=()):
    weights = np.array(weights, np.float32)
    return raw.SparseCountSparseOutput(
        indices=indices, values=values, dense_shape=[2, 2], weights=weights, **COUNTS
    )


def _ragged_counts(splits, weights=(1.0, 1.0)):
    return raw.RaggedCountSparseOutput(splits=splits, values=[0, 1], weights=weights, **COUNTS)


def _reserved(count):
    return raw.TensorListReserve(element_shape=-1, num_elements=count, element_dtype=tf.float32)


def _dense(shape, values):
    return raw.SparseToDense(
        sparse_indices=[1, 3], output_shape=shape, sparse_values=values, default_value=-1
    )


def _lstm_cell(**changed):
    one = [[1.0]]
    inputs = {"x": one, "cs_prev": one, "h_prev": one, "w": tf.ones([2, 4]), "b": tf.ones([4])}
    return raw.LSTMBlockCell(**{**inputs, "wci": [1.0], "wcf": [1.0], "wco": [1.0], **changed})


def _pooled_back(rows, output=(1, 2, 2, 1), gradient=(1, 2, 2, 1)):
    return raw.FractionalMaxPoolGrad(
        orig_input=tf.ones([1, 4, 4, 1]),
        orig_output=tf.ones(output),
        out_backprop=tf.ones(gradient),
        row_pooling_sequence=rows,
        col_pooling_sequence=[0, 2, 4],
    )


def _wrong_formats():
    def named(x, source, target):
        return lambda: raw.DataFormatVecPermute(x=x, src_format=source, dst_format=target)

    four = [1, 2, 3, 4]
    yield "must be of length 4 or 5", named(four, "12345678", "87654321")
    yield "must determine a permutation", named(four, "1233", "3321")
    yield "must determine a permutation", named(four, "1234", "5321")
    yield "2 or 4 numbers", named([1, 2, 3], "NHWC", "NCHW")
    yield "Second dimension", named([[1, 2, 3]] * 4, "NHWC", "NCHW")
    yield "must contain H and W", named([1, 2], "1234", "4321")
    yield "must contain D, H and W", named([1, 2, 3], "ABHWC", "HABWC")
    yield (
        "must determine a permutation",
        lambda: raw.DataFormatDimMap(x=[0], src_format="1234", dst_format="3321"),
    )


@pytest.mark.parametrize(
    ("pattern", "call"),
    [
        ("Invalid split value 8", lambda: _ngrams([0, 8])),
        ("First split value must be 0", lambda: _ngrams([1, 2])),
        ("Last split value must be 2", lambda: _ngrams([0, 1])),
        ("Pad width should be >= 0", lambda: _ngrams([0, 2], -5)),
        (
            "delimiter must be a scalar",
            lambda: raw.StringSplit(input=["a b"], delimiter=["x", "y"]),
        ),
        (
            "rank 2 but is rank 1 for `sorted_inputs`",
            lambda: raw.LowerBound(sorted_inputs=[1, 2], values=[[2]]),
        ),
        (
            "rank 2 but is rank 1 for `values`",
            lambda: raw.UpperBound(sorted_inputs=[[1, 2]], values=[2]),
        ),
        ("at least rank 1", lambda: raw.ParallelConcat(values=[[1]], shape=[])),
        ("same shape. x shape", lambda: raw.ApproximateEqual(x=[1.0, 2.0], y=[[1.0, 2.0]])),
        *_wrong_formats(),
        (
            "grad_values must be a vector",
            lambda: raw.SparseFillEmptyRowsGrad(reverse_index_map=[0], grad_values=[[1.0]]),
        ),
        (
            r"Elements in reverse index must be in \[0, 1\)",
            lambda: raw.SparseFillEmptyRowsGrad(reverse_index_map=[1], grad_values=[1.0]),
        ),
        (
            "must be rank 0 but is rank 1",
            lambda: raw.SparseBincount(
                indices=[[9]], values=[0], dense_shape=[1], **{**COUNTED, "size": [2]}
            ),
        ),
        (
            "at most rank 1 but is rank 2",
            lambda: raw.TensorListScatter(tensor=[1.0], indices=[0], element_shape=[[1]]),
        ),
        ("num_elements should be a scalar", lambda: _reserved([2, 2])),
        ("x must be rank 2 but is rank 1", lambda: _lstm_cell(x=[1.0])),
        ("cs_prev is empty", lambda: _lstm_cell(cs_prev=tf.zeros([1, 0]))),
        (r"h_prev must have the shape \[1, 1\]", lambda: _lstm_cell(h_prev=[[1.0, 1.0]])),
        (r"wci must have the shape \[1\]", lambda: _lstm_cell(wci=1.0)),
        ("must be a vector", lambda: _pooled_back(0)),
        (
            r"sparse_values has incorrect shape \[3\], should be \[\] or \[2\]",
            lambda: _dense([5], [1, 2, 3]),
        ),
        ("output_shape must be rank 1", lambda: _dense([[5]], 1)),
        ("Row sequence tensor values must not be negative", lambda: _pooled_back([-1, 2, 4])),
        ("must have the shape", lambda: _pooled_back([0, 2, 4], output=[1, 3, 2, 1])),
        ("must have the shape", lambda: _pooled_back([0, 2, 4], gradient=[3, 2, 2, 1])),
        ("3 increasing numbers up to 4", lambda: _pooled_back([0, 4])),
        (
            r"indices \(1\) and values \(2\) do not match",
            lambda: raw.SparseBincount(indices=[[0]], values=[0, 1], dense_shape=[2], **COUNTED),
        ),
        (
            "out of bounds",
            lambda: raw.SparseBincount(
                indices=[[0], [-2]], values=[0, 1], dense_shape=[2], **COUNTED
            ),
        ),
        ("2-dimensional", lambda: _sparse_counts([0, 1])),
        ("must match first dimension of indices", lambda: _sparse_counts([[0, 0]])),
        (
            "must have the same shape",
            lambda: _sparse_counts([[0, 0], [1, 1]], weights=[1.0, 1.0, 1.0]),
        ),
        ("must have the same shape", lambda: _ragged_counts([0, 2], [1.0])),
        ("at least 2 elements for the splits", lambda: _ragged_counts([])),
        ("start with 0", lambda: _ragged_counts([1, 2])),
        ("end with the number of values", lambda: _ragged_counts([0, 1])),
        (
            "overflow when multiplying",
            lambda: raw.ImageProjectiveTransformV2(
                images=tf.ones([3, 2, 2, 1]),
                transforms=tf.ones([3, 8]),
                output_shape=[2**31 - 1, 2**31 - 1],
                interpolation="NEAREST",
            ),
        ),
    ],
)
def test_inputs_that_are_refused(pattern, call):
    with pytest.raises(tf.errors.InvalidArgumentError, match=pattern):
        call()


def test_each_nan_is_unique_along_an_axis_too():
    x = [0.0, np.nan, 1.0, np.nan, 1.0]
    y, which, counts = raw.UniqueWithCountsV2(x=x, axis=np.array([], np.int32))
    np.testing.assert_array_equal(y, [0.0, np.nan, 1.0, np.nan])
    assert which.numpy().tolist() == [0, 1, 2, 3, 2]
    assert counts.numpy().tolist() == [1, 1, 2, 1]


def test_weights_of_ragged_counts_are_taken_in_their_order():
    counts = raw.RaggedBincount(
        splits=[0, 2, 4],
        values=[0, 1, 1, 1],
        size=2,
        weights=[[1.0, 2.0], [3.0, 4.0]],
        binary_output=False,
    )
    assert counts.numpy().tolist() == [[1, 2], [0, 7]]


def test_offsets_along_an_axis_counted_from_the_end():
    shapes = [tf.constant([2, n, 5]) for n in (3, 7, 20)]
    offsets = raw.ConcatOffset(concat_dim=-2, shape=shapes)
    assert [part.numpy().tolist() for part in offsets] == [[0, 0, 0], [0, 3, 0], [0, 10, 0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of range: 4 vs"):
        raw.ConcatOffset(concat_dim=4, shape=shapes)


def test_axes_of_data_formats_with_letters_of_their_own():
    found = raw.DataFormatVecPermute(x=[1, 2], src_format="1HW2", dst_format="WH12")
    np.testing.assert_array_equal(found, [2, 1])


@pytest.mark.parametrize(
    ("op", "expected"), [("InplaceAdd", 3.0), ("InplaceSub", -1.0), ("InplaceUpdate", 2.0)]
)
def test_rows_that_are_changed_are_counted_around(op, expected):
    changed = getattr(raw, op)(x=np.ones([3, 1]), i=[-1, 4], v=np.full([2, 1], 2.0))
    np.testing.assert_array_equal(changed, [[1.0], [expected], [expected]])


def test_the_gradient_by_filters_that_give_no_channels_is_empty():
    found = raw.Conv2DBackpropFilter(
        input=tf.ones([1, 3, 3, 1]),
        filter_sizes=[2, 2, 1, 0],
        out_backprop=tf.ones([1, 2, 2, 0]),
        strides=[1] * 4,
        padding="VALID",
    )
    assert found.shape == [2, 2, 1, 0]
