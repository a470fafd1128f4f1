"""tf.data: orders and random numbers, the same as those of TensorFlow."""

import numpy as np
import pytest

import cinta as tf
from tests.data.datasets import through_python, values

Dataset = tf.data.Dataset


def test_orders_of_shuffle_are_those_of_tensorflow():
    tf.random.set_seed(42)
    dataset = Dataset.range(10).shuffle(4, seed=7)
    assert values(dataset) == [1, 0, 2, 5, 4, 6, 3, 7, 8, 9]
    assert values(dataset) == [0, 4, 5, 2, 3, 8, 1, 6, 7, 9]
    twice = [3, 2, 4, 1, 7, 8, 5, 6, 9, 0, 0, 1, 4, 3, 6, 7, 2, 8, 5, 9]
    assert values(dataset.repeat(2)) == twice


def test_an_order_that_is_the_same_in_each_pass():
    tf.random.set_seed(42)
    dataset = Dataset.range(10).shuffle(4, seed=7, reshuffle_each_iteration=False)
    assert values(dataset) == values(dataset) == [0, 1, 3, 6, 4, 7, 5, 2, 8, 9]


def test_orders_by_the_global_seed_alone():
    tf.random.set_seed(42)
    dataset = Dataset.range(10).shuffle(100)
    assert values(dataset) == [5, 8, 2, 0, 4, 7, 1, 3, 9, 6]
    assert values(dataset) == [8, 0, 4, 1, 2, 7, 3, 9, 6, 5]


def test_orders_by_seeds_of_zero():
    tf.random.set_seed(0)
    assert values(Dataset.range(10).shuffle(100, seed=0)) == [4, 9, 1, 0, 7, 3, 5, 2, 8, 6]


def test_rows_are_shuffled_as_elements_are():
    tf.random.set_seed(42)
    rows = Dataset.from_tensor_slices(np.arange(10)).shuffle(4, seed=7)
    assert values(rows) == [1, 0, 2, 5, 4, 6, 3, 7, 8, 9]
    tf.random.set_seed(42)
    elements = through_python(Dataset.range(10)).shuffle(4, seed=7).batch(3)
    assert values(elements) == [[1, 0, 2], [5, 4, 6], [3, 7, 8], [9]]


def test_random_numbers():
    tf.random.set_seed(1)
    assert values(Dataset.random(seed=5).take(3)) == [3885566366, 3825455739, 2142156302]
    anew = Dataset.random(seed=5, rerandomize_each_iteration=True).take(3)
    assert values(anew) == [575054085, 2092542940, 2555905145]
    assert values(anew) == [1302048184, 1970756355, 1377266785]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([0.3, 0.7], [0, 100, 101, 102, 1, 103, 2, 104, 105, 3, 4, 106, 5, 107, 108, 6, 109, 110]),
        (None, [0, 100, 101, 102, 1, 103, 2, 104, 105, 3, 4, 106, 5, 107, 108, 6, 109, 110]),
    ],
)
def test_samples(weights, expected):
    tf.random.set_seed(1)
    sources = [Dataset.range(100), Dataset.range(100, 200)]
    sampled = Dataset.sample_from_datasets(sources, weights, seed=3)
    assert values(sampled.take(len(expected))) == expected


@pytest.mark.parametrize("calls", [None, 2])
def test_interleave(calls):
    dataset = Dataset.range(5).interleave(
        lambda i: Dataset.from_tensors(i).repeat(i + 1), 2, 2, num_parallel_calls=calls
    )
    assert values(dataset) == [0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4, 4]


def test_interleave_by_one_thread_alone_takes_one_dataset_after_the_other():
    dataset = Dataset.range(3).interleave(
        lambda i: Dataset.from_tensors(i).repeat(2), num_parallel_calls=1
    )
    assert values(dataset) == [0, 0, 1, 1, 2, 2]


def test_groups():
    dataset = Dataset.range(10).group_by_window(lambda x: x % 3, lambda key, w: w.batch(2), 2)
    assert values(dataset) == [[0, 3], [1, 4], [2, 5], [6, 9], [7], [8]]


# The orders of TensorFlow when, before each pass, an iterator is made from which nothing is taken.
@pytest.mark.parametrize(
    ("make", "passes"),
    [
        (lambda: numbers(), [[4, 0, 3, 5, 2, 1], [1, 4, 2, 3, 5, 0]]),
        (lambda: numbers().shuffle(3), [[2, 1, 5, 4, 0, 3], [0, 5, 3, 1, 4, 2]]),
        (
            lambda: numbers().concatenate(numbers()),
            [[4, 0, 3, 5, 2, 1, 2, 1, 3, 4, 5, 0], [1, 4, 2, 3, 5, 0, 3, 4, 0, 5, 2, 1]],
        ),
        (
            lambda: Dataset.sample_from_datasets([numbers(), numbers()], seed=1),
            [[4, 3, 0, 4, 3, 0, 5, 2, 1, 5, 2, 1], [1, 4, 4, 5, 2, 0, 1, 3, 2, 3, 5, 0]],
        ),
    ],
)
def test_iterators_that_are_not_used(make, passes):
    tf.random.set_seed(7)
    dataset, found = make(), []
    for _ in passes:
        iter(dataset)
        found.append(values(dataset))
    assert found == passes


def numbers():
    return Dataset.range(6).shuffle(6)


def test_samples_go_on_when_one_dataset_has_ended():
    sources = [Dataset.range(3), Dataset.range(10, 13)]
    sampled = Dataset.sample_from_datasets(sources, seed=1)
    assert values(sampled) == [10, 0, 1, 2, 11, 12]
    stopped = Dataset.sample_from_datasets(sources, seed=1, stop_on_empty_dataset=True)
    assert values(stopped) == [10, 0, 1, 2]


def test_datasets_of_weight_zero_are_left_out():
    sources = [Dataset.range(3), Dataset.range(10).repeat(), Dataset.range(5, 7)]
    assert values(Dataset.sample_from_datasets(sources, [1.0, 0.0, 0.0])) == [0, 1, 2]
    assert sorted(values(Dataset.sample_from_datasets(sources, [1.0, 0.0, 1.0]))) == [0, 1, 2, 5, 6]
    for weights in ([0.0, 0.0, 0.0], [1.0, -1.0, 0.0]):
        with pytest.raises(ValueError, match="at least 0, and one of them more"):
            Dataset.sample_from_datasets(sources, weights)


def test_how_many_elements_come_of_choices():
    some, endless = Dataset.range(3), Dataset.range(3).repeat()
    turns = Dataset.range(2)

    def count(sources, choices, stop):
        made = Dataset.choose_from_datasets(sources, choices, stop_on_empty_dataset=stop)
        return int(made.cardinality())

    infinite, unknown = tf.data.INFINITE_CARDINALITY, tf.data.UNKNOWN_CARDINALITY
    assert infinite == tf.data.experimental.INFINITE_CARDINALITY
    assert unknown == tf.data.experimental.UNKNOWN_CARDINALITY
    assert count([endless, endless], turns, stop=True) == 2
    assert count([endless, endless], turns.repeat(), stop=True) == infinite
    assert count([some, endless], turns.repeat(), stop=False) == infinite
    assert count([some, endless], turns.repeat(), stop=True) == unknown
    assert count([some, endless], turns, stop=False) == unknown
    assert int(Dataset.sample_from_datasets([some, endless]).cardinality()) == infinite
