"""Features of examples as ragged tensors."""

from __future__ import annotations

import pytest

import cinta as tf

Ragged = tf.io.RaggedFeature


def example(**features):
    made = {
        name: tf.train.Feature(int64_list=tf.train.Int64List(value=values))
        for name, values in features.items()
    }
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString()


THREE = [
    example(a=[1, 2, 3], splits=[0, 2, 3], lengths=[2, 1], rows=[0, 0, 2], outer=[1, 1]),
    example(a=[4], splits=[0, 1], lengths=[1, 0], rows=[1], outer=[2]),
    example(splits=[0, 0], lengths=[0], outer=[1]),
]


def parsed(*partitions, given=THREE):
    feature = Ragged(tf.int64, value_key="a", partitions=partitions)
    return tf.io.parse_example(given, {"q": feature})["q"]


def test_examples_are_rows():
    found = tf.io.parse_example(THREE, {"a": Ragged(tf.int64)})["a"]
    assert found.to_list() == [[1, 2, 3], [4], []]
    assert found.row_splits.dtype is tf.int32
    counted = tf.io.parse_example(THREE, {"a": Ragged(tf.int64, row_splits_dtype=tf.int64)})["a"]
    assert counted.row_splits.dtype is tf.int64


@pytest.mark.parametrize(
    ("partition", "rows"),
    [
        (Ragged.RowSplits("splits"), [[[1, 2], [3]], [[4]], [[]]]),
        (Ragged.RowLengths("lengths"), [[[1, 2], [3]], [[4], []], [[]]]),
        (Ragged.ValueRowIds("rows"), [[[1, 2], [], [3]], [[], [4]], []]),
        (Ragged.UniformRowLength(1), [[[1], [2], [3]], [[4]], []]),
    ],
)
def test_partitions_divide_the_values_of_each_example(partition, rows):
    assert parsed(partition).to_list() == rows


def test_starts_and_limits():
    given = [example(a=[1, 2, 3], starts=[0, 2], limits=[2, 3])]
    for partition in (Ragged.RowStarts("starts"), Ragged.RowLimits("limits")):
        assert parsed(partition, given=given).to_list() == [[[1, 2], [3]]]


def test_the_outermost_partition_comes_first():
    found = parsed(Ragged.RowLengths("outer"), Ragged.RowLengths("lengths"))
    assert found.to_list() == [[[[1, 2]], [[3]]], [[[4], []]], [[[]]]]
    assert found.ragged_rank == 3


def test_one_example_has_no_axis_of_examples():
    one = THREE[0]
    assert tf.io.parse_single_example(one, {"a": Ragged(tf.int64)})["a"].numpy().tolist() == [
        1,
        2,
        3,
    ]
    rows = Ragged(tf.int64, value_key="a", partitions=[Ragged.RowSplits("splits")])
    assert tf.io.parse_single_example(one, {"q": rows})["q"].to_list() == [[1, 2], [3]]


def test_datasets_and_functions_parse_them():
    feature = {"a": Ragged(tf.int64)}
    ds = tf.data.Dataset.from_tensor_slices(THREE).batch(2)
    found = [x["a"].to_list() for x in ds.map(lambda x: tf.io.parse_example(x, feature))]
    assert found == [[[1, 2, 3], [4]], [[]]]
    doubled = tf.function(lambda x: tf.io.parse_example(x, feature)["a"] * 2)
    for _ in range(2):
        assert doubled(tf.constant(THREE)).to_list() == [[2, 4, 6], [8], []]


@pytest.mark.parametrize(
    "partition",
    [
        Ragged.RowLengths("a"),
        Ragged.RowSplits("missing"),
        Ragged.RowStarts("a"),
        Ragged.ValueRowIds("lengths"),
        Ragged.UniformRowLength(2),
        Ragged.UniformRowLength(0),
    ],
)
def test_partitions_that_do_not_fit_are_refused(partition):
    with pytest.raises(tf.errors.InvalidArgumentError, match="divide 3 values into rows"):
        parsed(partition)


def test_a_number_of_rows_that_no_example_has_is_refused():
    given = [example(a=[1], rows=[1 << 60])]
    with pytest.raises(tf.errors.InvalidArgumentError, match="divide 1 values"):
        parsed(Ragged.ValueRowIds("rows"), given=given)


def test_wrong_announcements_are_refused():
    with pytest.raises(TypeError, match="`partitions` must be a list of RowSplits"):
        Ragged(tf.int64, partitions=[3])
    with pytest.raises(ValueError, match="must be int32 or int64"):
        Ragged(tf.int64, row_splits_dtype=tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="types don't match"):
        tf.io.parse_example(THREE, {"a": Ragged(tf.float32)})


def sequence(**lists):
    made = {
        name: tf.train.FeatureList(
            feature=[tf.train.Feature(int64_list=tf.train.Int64List(value=v)) for v in steps]
        )
        for name, steps in lists.items()
    }
    feature_lists = tf.train.FeatureLists(feature_list=made)
    return tf.train.SequenceExample(feature_lists=feature_lists).SerializeToString()


SEQUENCES = [
    sequence(a=[[1, 2, 3], [4]], splits=[[0, 1, 3], [0, 1]]),
    sequence(),
    sequence(a=[[5, 6]], splits=[[0, 2]]),
]


def of_steps(given, *partitions, parse=tf.io.parse_sequence_example):
    feature = Ragged(tf.int64, value_key="a", partitions=partitions)
    return parse(given, sequence_features={"q": feature})[1]["q"]


def test_the_steps_of_sequences_are_rows():
    assert of_steps(SEQUENCES).to_list() == [[[1, 2, 3], [4]], [], [[5, 6]]]
    found = of_steps(SEQUENCES, Ragged.RowSplits("splits"))
    assert found.to_list() == [[[[1], [2, 3]], [[4]]], [], [[[5, 6]]]]
    single = tf.io.parse_single_sequence_example
    assert of_steps(SEQUENCES[0], parse=single).to_list() == [[1, 2, 3], [4]]


def test_lists_of_steps_must_be_as_long_as_those_of_their_partitions():
    given = [sequence(a=[[1], [2]], splits=[[0, 1]])]
    with pytest.raises(tf.errors.InvalidArgumentError, match="are not aligned"):
        of_steps(given, Ragged.RowSplits("splits"))


def test_innermost_rows_of_one_length_are_an_axis():
    found = parsed(Ragged.RowLengths("lengths"), Ragged.UniformRowLength(1), given=THREE[:2])
    assert found.ragged_rank == 2
    assert found.shape == [2, None, None, 1]
    found = parsed(Ragged.UniformRowLength(1))
    assert found.to_list() == [[[1], [2], [3]], [[4]], []]
    assert found.ragged_rank == 1


def test_errors_of_steps_name_the_step():
    given = [sequence(a=[[1, 2], [3]])]
    fixed = {"a": tf.io.FixedLenSequenceFeature([2], tf.int64)}
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Name: in1, Key: a, Index: 1\."):
        tf.io.parse_sequence_example(given, None, fixed, ["in1"])
    floats = {"a": tf.io.VarLenFeature(tf.float32)}
    with pytest.raises(tf.errors.InvalidArgumentError, match="in1, Feature list: a, Index: 0"):
        tf.io.parse_single_sequence_example(given[0], None, floats, "in1")
