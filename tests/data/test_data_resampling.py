"""Datasets resampled by classes, drawn by weights from a dataset, and batched as sparse tensors."""

import numpy as np
import pytest

import cinta as tf

Dataset = tf.data.Dataset


def shares(dataset, classes):
    labels = [int(label) for label, _ in dataset]
    return np.bincount(labels, minlength=classes) / len(labels)


@pytest.mark.parametrize("initial", [None, [0.2] * 5])
def test_resampled_classes_have_the_wanted_shares(initial):
    classes = np.random.default_rng(0).integers(5, size=4000)
    target = [0.6, 0.3, 0.1, 0.0, 0.0]
    dataset = Dataset.from_tensor_slices(classes)
    drawn = dataset.rejection_resample(lambda x: x, target, initial, seed=1)
    np.testing.assert_allclose(shares(drawn, 5), target, atol=0.03)
    assert all(label == x for label, x in drawn.as_numpy_iterator())


def test_no_element_is_left_out_without_need():
    dataset = Dataset.range(6).rejection_resample(lambda x: x % 2, [0.5, 0.5], [0.5, 0.5])
    assert dataset.cardinality() == len(list(dataset)) == 6
    odd = Dataset.range(6).rejection_resample(lambda x: x % 2, [0.0, 1.0], [0.5, 0.5])
    assert odd.cardinality() == tf.data.UNKNOWN_CARDINALITY
    assert [int(x) for _, x in odd] == [1, 3, 5]


def test_a_resampled_dataset_goes_on_from_its_state():
    dataset = Dataset.range(200).rejection_resample(lambda x: x % 3, [0.8, 0.1, 0.1], seed=3)
    iterator = iter(dataset)
    for _ in range(20):
        next(iterator)
    state, rest = iterator.state(), [int(x) for _, x in iterator]
    again = iter(dataset)
    again.restore(state)
    assert [int(x) for _, x in again] == rest


@pytest.mark.parametrize(
    ("label", "target", "initial", "error", "message"),
    [
        (lambda x: x, [0.5, 0.5], [0.5, 0.5], tf.errors.InvalidArgumentError, "returned 2"),
        (lambda x: 0.5, [0.5, 0.5], None, TypeError, "one integer"),
        (lambda x: x % 2, [0.5, 0.5], [1.0], tf.errors.InvalidArgumentError, "2 classes"),
        (lambda x: x % 2, 3.0, None, ValueError, "target_dist"),
        (3, [0.5, 0.5], None, TypeError, "class_func"),
    ],
)
def test_wrong_classes_and_shares_are_refused(label, target, initial, error, message):
    with pytest.raises(error, match=message):
        list(Dataset.range(3).rejection_resample(label, target, initial))


def test_weights_of_a_dataset_draw_what_equal_weights_draw():
    tens = Dataset.range(6), Dataset.range(10, 16)
    once = Dataset.sample_from_datasets(tens, [0.5, 0.5], seed=1)
    of_dataset = Dataset.from_tensors([0.5, 0.5]).repeat()
    each = Dataset.sample_from_datasets(tens, of_dataset, seed=1)
    drawn = [int(x) for x in each]
    assert drawn == [int(x) for x in once] == [10, 0, 1, 2, 3, 4, 11, 12, 13, 5, 14, 15]
    three = Dataset.sample_from_datasets(tens, of_dataset.take(3), seed=1)
    assert [int(x) for x in three] == drawn[:3]


def test_integers_are_no_weights():
    tens = Dataset.range(6), Dataset.range(10, 16)
    with pytest.raises(TypeError, match=r"`tf\.float32` or `tf.float64`"):
        Dataset.sample_from_datasets(tens, [1, 1])


def test_sparse_batches_have_a_value_wherever_an_element_has_one():
    rows = Dataset.range(4).map(lambda n: tf.range(n))
    first, second = rows.sparse_batch(3, [None])
    np.testing.assert_array_equal(first.indices, [[1, 0], [2, 0], [2, 1]])
    np.testing.assert_array_equal(first.values, [0, 0, 1])
    assert [first.shape, second.shape] == [(3, 2), (1, 3)]
    assert rows.sparse_batch(3, [4]).element_spec == tf.SparseTensorSpec([None, 4], tf.int64)
    assert rows.sparse_batch(3, [4]).cardinality() == 2


@pytest.mark.parametrize(
    ("shape", "error", "message"),
    [
        ([2], tf.errors.DataLossError, r"\(\[3\]\) that is larger than the row shape \(\[2\]\)"),
        ([2, 2], tf.errors.InvalidArgumentError, r"incompatible with the row shape \(\[2,2\]\)"),
        ([-2], ValueError, "Dimension -2 must be >= 0"),
        (None, ValueError, "known rank"),
    ],
)
def test_rows_that_do_not_fit_a_sparse_batch_are_refused(shape, error, message):
    rows = Dataset.range(4).map(lambda n: tf.range(n))
    with pytest.raises(error, match=message):
        list(rows.sparse_batch(4, shape))


def test_sparse_batches_take_one_dense_component():
    with pytest.raises(TypeError, match="single component"):
        Dataset.zip((Dataset.range(2), Dataset.range(2))).sparse_batch(2, [1])


def test_datasets_read_ahead_from_one_without_end_have_none():
    once = Dataset.range(5).repeat()
    ahead = once.interleave(lambda x: Dataset.range(1), cycle_length=1, num_parallel_calls=1)
    assert ahead.cardinality() == tf.data.INFINITE_CARDINALITY
    behind = once.interleave(lambda x: Dataset.range(1), cycle_length=1)
    assert behind.cardinality() == tf.data.UNKNOWN_CARDINALITY
