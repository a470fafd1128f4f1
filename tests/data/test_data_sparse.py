"""Datasets of sparse tensors, and of elements in which None stands."""

import numpy as np
import pytest

import cinta as tf

Dataset = tf.data.Dataset
Spec = tf.SparseTensorSpec
INVALID = tf.errors.InvalidArgumentError
ROWS = [[0.0, 1.5, 0.0, 0.0], [0.0] * 4, [-2.0, 0.0, 0.0, 3.0]]


def matrix():
    return tf.sparse.from_dense(ROWS)


def slices():
    return Dataset.from_tensor_slices(matrix())


def dense(element):
    if isinstance(element, tf.SparseTensor):
        return tf.sparse.to_dense(element).numpy().tolist()
    if isinstance(element, tuple):
        return tuple(map(dense, element))
    return None if element is None else element.numpy().tolist()


def all_of(dataset):
    return [dense(element) for element in dataset]


def total(x):
    return tf.sparse.reduce_sum(x)


def doubled(x):
    return x.with_values(x.values * 2)


TWICE = (np.array(ROWS) * 2).tolist()


@pytest.mark.parametrize(
    ("made", "elements", "shape"),
    [
        (lambda: Dataset.from_tensors(matrix()), [ROWS], [3, 4]),
        (slices, ROWS, [4]),
        (lambda: slices().batch(2), [ROWS[:2], ROWS[2:]], [None, 4]),
        (lambda: slices().batch(2, drop_remainder=True), [ROWS[:2]], [2, 4]),
        (lambda: Dataset.from_tensors(matrix()).repeat(2).batch(2), [[ROWS, ROWS]], [None, 3, 4]),
        (lambda: slices().map(doubled), TWICE, [4]),
        (lambda: slices().map(doubled, num_parallel_calls=2), TWICE, [4]),
        (lambda: slices().batch(3).map(doubled).unbatch(), TWICE, [4]),
        (lambda: slices().batch(3).rebatch(2), [ROWS[:2], ROWS[2:]], [None, 4]),
        (lambda: slices().repeat(2).take(5).skip(3), ROWS[:2], [4]),
        (lambda: slices().filter(lambda x: total(x) > 0), [ROWS[0], ROWS[2]], [4]),
        (lambda: slices().prefetch(2).cache(), ROWS, [4]),
        (lambda: slices().concatenate(slices()), ROWS + ROWS, [4]),
        (lambda: slices().shard(2, 0), [ROWS[0], ROWS[2]], [4]),
        (
            lambda: slices().window(2).flat_map(lambda w: w.batch(2)),
            [ROWS[:2], ROWS[2:]],
            [None, 4],
        ),
        (
            lambda: Dataset.range(2).interleave(lambda i: slices().take(1), cycle_length=2),
            [ROWS[0], ROWS[0]],
            [4],
        ),
        (lambda: slices().map(doubled).unique(), TWICE, [4]),
    ],
)
def test_stages(made, elements, shape):
    assert all_of(made()) == elements
    assert made().element_spec == Spec(shape)


def test_shuffled_and_kept():
    def made():
        return slices().repeat(3).shuffle(4, seed=1)

    straight = all_of(made())
    assert sorted(straight) == sorted(ROWS * 3)
    iterator = iter(made())
    first = [dense(next(iterator)) for _ in range(4)]
    later = iter(made())
    later.restore(iterator.state())
    assert first + all_of(later) == straight


def test_a_cache_in_a_file(tmp_path):
    def made(rows):
        return rows.enumerate().map(lambda i, x: (x, None, i)).cache(str(tmp_path / "kept"))

    expected = [(row, None, i) for i, row in enumerate(TWICE)]
    assert all_of(made(slices().map(doubled))) == expected
    assert all_of(made(slices())) == expected  # which asks the file alone


def test_beside_other_things():
    both = Dataset.from_tensor_slices({"a": matrix(), "b": [1, 2, 3]})
    assert both.element_spec == {"a": Spec([4]), "b": tf.TensorSpec([], tf.int32)}
    assert [dense(x["a"]) for x in both] == ROWS
    zipped = Dataset.zip((slices(), Dataset.range(3)))
    assert all_of(zipped) == [(row, i) for i, row in enumerate(ROWS)]
    strings = Dataset.from_tensor_slices(tf.SparseTensor([[1, 0]], ["a"], [2, 2])).batch(2)
    assert dense(next(iter(strings))) == [[b"", b""], [b"a", b""]]


def test_rows_that_grow():
    grown = Dataset.range(4).map(lambda n: tf.sparse.from_dense(tf.range(n)))
    assert grown.element_spec == Spec([None], tf.int64)
    assert all_of(grown.batch(2)) == [[[0], [0]], [[0, 1, 0], [0, 1, 2]]]
    twice = slices().batch(2).map(doubled)
    assert twice.element_spec == Spec([None, 4])


def test_rows_that_are_not_in_order():
    x = tf.SparseTensor([[2, 0], [0, 1], [2, 1]], [1.0, 2.0, 3.0], [3, 2])
    assert all_of(Dataset.from_tensor_slices(x)) == [[0, 2], [0, 0], [1, 3]]


def test_folding():
    assert float(slices().reduce(0.0, lambda s, x: s + total(x))) == 2.5
    empty = tf.sparse.from_dense(tf.zeros([4]))
    assert dense(slices().reduce(empty, tf.sparse.add)) == [-2.0, 1.5, 0.0, 3.0]
    assert dense(slices().batch(3).get_single_element()) == ROWS
    assert [x.tolist() for x in slices().as_numpy_iterator()] == ROWS
    assert dense(iter(slices()).get_next_as_optional().get_value()) == ROWS[0]


def test_generators():
    made = Dataset.from_generator(
        lambda: iter([(matrix(), None)]), output_signature=(Spec([None, 4]), tf.NoneTensorSpec())
    )
    assert all_of(made) == [(ROWS, None)]
    for wrong in (matrix(), 1.0):
        other = Dataset.from_generator(lambda w=wrong: iter([w]), output_signature=Spec([5, 4]))
        with pytest.raises(INVALID, match="`generator` yielded"):
            all_of(other)


def test_what_is_refused():
    vector = tf.SparseTensor([[1]], [1], [5])
    for take_apart in (
        lambda: Dataset.from_tensor_slices(vector),
        lambda: all_of(Dataset.from_tensors(vector).unbatch()),
    ):
        with pytest.raises(INVALID, match="should be > 1"):
            take_apart()
    with pytest.raises(ValueError, match="not compatible"):
        Dataset.from_tensor_slices((matrix(), [1, 2]))
    with pytest.raises(TypeError, match="only supported for datasets that produce tensor"):
        all_of(slices().padded_batch(2))
    with pytest.raises(TypeError, match="Incompatible dataset elements"):
        Dataset.from_tensors(vector).concatenate(Dataset.from_tensors(matrix()))
    different = Dataset.range(2).map(lambda i: tf.sparse.from_dense(tf.ones([1] * (int(i) + 1))))
    with pytest.raises(INVALID, match="as many axes"):
        all_of(different.batch(2))


def test_none_stays_none():
    pair = Dataset.from_tensors((1, None))
    assert pair.element_spec == (tf.TensorSpec([], tf.int32), tf.NoneTensorSpec())
    assert repr(tf.NoneTensorSpec()) == "NoneTensorSpec()"
    assert all_of(pair.repeat(2).shuffle(2).prefetch(1).cache().batch(2)) == [([1, 1], None)]
    assert all_of(Dataset.from_tensor_slices(([1, 2], None))) == [(1, None), (2, None)]
    assert all_of(Dataset.range(2).map(lambda x: (x, None))) == [(0, None), (1, None)]
    assert all_of(pair.map(lambda x, none: x if none is None else -x)) == [1]
    assert all_of(Dataset.from_tensors(([1, 2], None)).unbatch()) == [(1, None), (2, None)]
    assert all_of(pair.concatenate(pair)) == [(1, None)] * 2
    iterator = iter(pair.repeat(3).shuffle(3, seed=1))
    next(iterator)
    later = iter(pair.repeat(3).shuffle(3, seed=1))
    later.restore(iterator.state())
    assert all_of(later) == [(1, None)] * 2
    with pytest.raises(TypeError, match="Incompatible dataset elements"):
        all_of(pair.concatenate(Dataset.from_tensors((2, 3))))
