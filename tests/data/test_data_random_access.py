"""Elements of datasets by their numbers."""

import pytest

import cinta as tf

Dataset = tf.data.Dataset
at = tf.data.experimental.at


def _numbers():
    return Dataset.range(7)


@pytest.mark.parametrize(
    "dataset",
    [
        _numbers(),
        Dataset.from_tensors(5),
        Dataset.from_tensor_slices([3, 1, 2]),
        Dataset.from_tensor_slices({"a": [3, 1], "b": [[1.0], [2.0]]}).batch(2),
        _numbers().map(lambda x: x * x),
        _numbers().map(lambda x: x * x, num_parallel_calls=2),
        _numbers().batch(3),
        _numbers().batch(3, drop_remainder=True),
        _numbers().batch(3, drop_remainder=True).unbatch(),
        _numbers().skip(2).take(3),
        _numbers().shard(3, 1),
        _numbers().repeat(3),
        _numbers().concatenate(Dataset.range(10, 12)),
        _numbers().prefetch(2),
        _numbers().enumerate(5),
        Dataset.zip((_numbers(), _numbers().take(4))),
        _numbers().filter(lambda x: x > 2).cache(),
        _numbers().apply(tf.data.experimental.assert_cardinality(7)),
        Dataset.range(1, 4).map(tf.range).ragged_batch(2),
    ],
    ids=lambda dataset: type(dataset._stage).__name__,
)
def test_elements_by_number_are_those_of_a_pass(dataset):
    elements = list(dataset)
    for number, element in enumerate(elements):
        for given, expected in zip(
            tf.nest.flatten(at(dataset, number), expand_composites=True),
            tf.nest.flatten(element, expand_composites=True),
            strict=True,
        ):
            assert given.numpy().tolist() == expected.numpy().tolist()
    for number in (-1, len(elements)):
        with pytest.raises(tf.errors.OutOfRangeError, match="Index out of range"):
            at(dataset, number)


def test_a_shuffled_dataset_has_one_order_for_random_access():
    shuffled = _numbers().shuffle(3, seed=2)
    order = [int(at(shuffled, i)) for i in range(7)]
    assert sorted(order) == list(range(7)) != order
    assert order == [int(at(_numbers().shuffle(5, seed=2), i)) for i in range(7)]
    pairs = [at(shuffled.batch(2), i).numpy().tolist() for i in range(4)]
    assert pairs == [order[0:2], order[2:4], order[4:6], order[6:]]


def test_a_cache_makes_what_is_asked_for_and_no_more():
    made = []

    def noted(x):
        made.append(int(x))
        return x

    endless = _numbers().repeat().filter(lambda x: x % 2 == 0).map(noted).cache()
    made.clear()
    assert [int(at(endless, i)) for i in (4, 1, 5)] == [0, 2, 2]
    assert made == [0, 2, 4, 6, 0, 2]


def test_random_access_that_is_not_there():
    with pytest.raises(tf.errors.UnimplementedError, match="Filter"):
        at(_numbers().filter(lambda x: x > 2), 0)
    with pytest.raises(tf.errors.FailedPreconditionError, match="infinite"):
        at(_numbers().repeat(), 0)
    with pytest.raises(tf.errors.FailedPreconditionError, match="not known"):
        at(_numbers().batch(3).unbatch(), 0)
    with pytest.raises(TypeError, match="must be a `tf"):
        at([1, 2], 0)


def test_rows_of_batches_of_one_size_are_counted():
    assert len(_numbers().batch(3, drop_remainder=True).unbatch()) == 6
