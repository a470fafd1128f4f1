"""tf.data against Python's own tools."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

import cinta as tf
from tests.data.datasets import of, through_python, values

Dataset = tf.data.Dataset

numbers = st.lists(st.integers(-9, 9), max_size=12)
counts = st.integers(-1, 13)
sizes = st.integers(1, 5)


@given(numbers, counts, counts, st.integers(0, 3), sizes, st.data())
def test_selections_are_those_of_slices(xs, first, skipped, times, shards, data):
    index = data.draw(st.integers(0, shards - 1))
    expected = xs[: None if first < 0 else first]
    expected = [] if skipped < 0 else expected[skipped:]
    expected = (expected * times)[index::shards]
    for dataset in (of(xs), through_python(of(xs))):
        selected = dataset.take(first).skip(skipped).repeat(times).shard(shards, index)
        assert values(selected) == expected
        assert len(selected) == len(expected)


@given(numbers, sizes, sizes, st.booleans())
def test_batches_and_their_rows(xs, size, again, drop):
    expected = [list(xs[i : i + size]) for i in range(0, len(xs), size)]
    expected = [batch for batch in expected if not drop or len(batch) == size]
    rows = list(itertools.chain(*expected))
    rebatched = [rows[i : i + again] for i in range(0, len(rows), again)]
    for dataset in (of(xs), through_python(of(xs))):
        batches = dataset.batch(size, drop_remainder=drop)
        assert values(batches) == expected
        assert len(batches) == len(expected)
        assert values(batches.unbatch()) == rows
        assert values(batches.rebatch(again)) == rebatched


@given(numbers, sizes, sizes, sizes, st.booleans())
def test_windows(xs, size, shift, stride, drop):
    starts = range(0, len(xs), shift)
    expected = [xs[i : i + (size - 1) * stride + 1 : stride] for i in starts]
    expected = [window for window in expected if not drop or len(window) == size]
    windows = of(xs).window(size, shift, stride, drop)
    assert [values(window) for window in windows] == expected
    assert len(windows) == len(expected)


@given(numbers, numbers)
def test_zip_concatenate_and_enumerate(xs, ys):
    for a, b in ((of(xs), of(ys)), (through_python(of(xs)), of(ys))):
        assert values(Dataset.zip(a, b)) == list(zip(xs, ys, strict=False))
        assert values(a.concatenate(b)) == xs + ys
        assert values(a.enumerate(3)) == list(enumerate(xs, 3))


@given(numbers, sizes)
def test_functions(xs, size):
    dataset = of(xs)
    assert values(dataset.map(lambda x: x * x)) == [x * x for x in xs]
    assert values(dataset.filter(lambda x: x > 0)) == [x for x in xs if x > 0]
    assert values(dataset.take_while(lambda x: x > 0)) == list(
        itertools.takewhile(lambda x: x > 0, xs)
    )
    zero = tf.constant(0, tf.int64)
    assert dataset.reduce(zero, lambda s, x: s + x).numpy() == sum(xs)
    sums = dataset.scan(zero, lambda s, x: (s + x, s + x))
    assert values(sums) == list(itertools.accumulate(xs))
    assert values(dataset.unique()) == list(dict.fromkeys(xs))
    flat = dataset.flat_map(lambda x: Dataset.from_tensors(x).repeat(size))
    assert values(flat) == [x for x in xs for _ in range(size)]


@given(numbers, st.integers(1, 15), st.integers(0, 5))
def test_shuffling_keeps_the_elements(xs, size, seed):
    for dataset in (of(xs), through_python(of(xs))):
        assert sorted(values(dataset.shuffle(size, seed))) == sorted(xs)
