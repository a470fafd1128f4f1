"""Iterators that are kept and restored, tapes that datasets stop, and caches."""

import gc
import pathlib

import numpy as np
import pytest

import cinta as tf

Dataset = tf.data.Dataset


def values(iterator):
    return [tf.nest.map_structure(lambda x: np.asarray(x).tolist(), x) for x in iterator]


def numbers():
    return Dataset.range(12)


def pairs():
    return Dataset.from_tensor_slices({"x": np.arange(12.0), "name": [f"n{i}" for i in range(12)]})


def plain(dataset):
    """The same elements by a way that knows nothing of rows."""
    return dataset.map(lambda x: x)


def generated():
    return Dataset.from_generator(
        lambda: iter(range(12)), output_signature=tf.TensorSpec([], tf.int64)
    )


zero = tf.constant(0, tf.int64)
PIPELINES = {
    "range": numbers,
    "rows": pairs,
    "generator": generated,
    "random": lambda: Dataset.random(seed=4).take(9),
    "take and skip": lambda: numbers().skip(2).take(7),
    "shard": lambda: numbers().shard(3, 1),
    "repeat": lambda: numbers().repeat(2),
    "shuffle": lambda: numbers().shuffle(5, seed=1),
    "shuffle, again and again": lambda: numbers().shuffle(5, seed=1).repeat(3),
    "shuffled elements": lambda: plain(pairs()).shuffle(5, seed=1).repeat(2),
    "batch": lambda: numbers().shuffle(12, seed=2).batch(5),
    "batches of sizes": lambda: generated().batch(5).rebatch([1, 2]),
    "unbatch": lambda: plain(pairs().batch(5)).unbatch(),
    "zip": lambda: Dataset.zip(numbers().shuffle(3, seed=1), generated()),
    "concatenate": lambda: numbers().concatenate(generated()),
    "map": lambda: numbers().map(lambda x: x * x),
    "filter": lambda: numbers().filter(lambda x: x % 3 > 0),
    "take_while": lambda: numbers().take_while(lambda x: x < 7),
    "scan": lambda: numbers().scan(zero, lambda s, x: (s + x, s)),
    "unique": lambda: numbers().map(lambda x: x % 5).repeat(2).unique(),
    "flat_map": lambda: numbers().flat_map(lambda x: Dataset.range(x)),
    "interleave": lambda: numbers().interleave(lambda x: Dataset.range(x), 3, 2),
    "interleave on threads": lambda: numbers().interleave(
        lambda x: Dataset.range(x), 3, 2, num_parallel_calls=2
    ),
    "windows ahead": lambda: numbers().window(3, 1).prefetch(2).flat_map(lambda w: w),
    "windows": lambda: numbers().window(3, 1).flat_map(lambda w: w.batch(3)),
    "groups": lambda: numbers().group_by_window(lambda x: x % 3, lambda k, w: w.batch(2), 3),
    "choice": lambda: Dataset.sample_from_datasets([numbers(), generated()], seed=3),
    "cache": lambda: generated().cache().repeat(2),
    "prefetch": lambda: plain(pairs()).shuffle(4, seed=1).prefetch(3),
    "map on threads": lambda: pairs().map(lambda x: x, num_parallel_calls=3).batch(2),
}


@pytest.mark.parametrize("make", PIPELINES.values(), ids=PIPELINES)
def test_a_restored_iterator_goes_on(make):
    tf.random.set_seed(7)
    expected = values(make())
    for cut in (0, 1, 4, 7, len(expected)):
        tf.random.set_seed(7)
        iterator = iter(make())
        before = [next(iterator) for _ in range(min(cut, len(expected)))]
        state = iterator.state()
        later = iter(make())
        later.restore(state)
        assert values(before) + values(later) == expected
        assert values(before) + values(iterator) == expected  # which its state did not disturb


def test_a_state_can_be_taken_in_the_middle_of_threads():
    iterator = iter(numbers().repeat().prefetch(4))
    for i in range(30):
        assert next(iterator).numpy() == i % 12
        later = iter(numbers().repeat().prefetch(4))
        later.restore(iterator.state())
        assert next(later).numpy() == (i + 1) % 12


@pytest.mark.parametrize("name", ["shuffled elements", "prefetch", "flat_map", "rows"])
def test_checkpoints(name, tmp_path):
    tf.random.set_seed(7)
    expected = values(PIPELINES[name]())
    tf.random.set_seed(7)
    iterator = iter(PIPELINES[name]())
    before = [next(iterator) for _ in range(3)]
    path = tf.train.Checkpoint(data=iterator).save(str(tmp_path / "place"))
    values(iterator)
    tf.train.Checkpoint(data=iterator).restore(path).assert_consumed()
    assert values(before) + values(iterator) == expected


def test_a_state_of_another_dataset():
    with pytest.raises(ValueError, match="another dataset"):
        iter(numbers().batch(2)).restore(iter(numbers()).state())


def test_datasets_in_a_state_are_refused():
    iterator = iter(numbers().map(lambda x: Dataset.range(3)).flat_map(lambda inner: inner))
    next(iterator)
    with pytest.raises(tf.errors.UnimplementedError, match="holds datasets"):
        iterator.state()


# -- tapes -----------------------------------------------------------------------------------------


def test_gradients_stop_at_iterators():
    x = tf.constant([1.0, 2.0])
    for make in (
        lambda: Dataset.from_tensor_slices(x * x),
        lambda: Dataset.from_tensors(x).map(lambda v: v * x),
        lambda: Dataset.from_tensors(x).map(lambda v: v * x, num_parallel_calls=2),
    ):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            (first, *_) = make()
            product = first * x
        assert tape.gradient(product, x) is not None
        assert tape.gradient(first, x) is None


def test_functions_of_datasets_are_not_recorded():
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        (y,) = Dataset.from_tensors(1.0).map(lambda x: x * v)
        total = Dataset.from_tensors(1.0).reduce(0.0, lambda s, x: s + x * v)
    assert (y.numpy(), total.numpy()) == (2, 2)
    assert tape.watched_variables() == ()


def test_a_tape_records_what_is_done_with_elements():
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = sum(v * x for x in Dataset.from_tensor_slices([1.0, 2.0, 3.0]).prefetch(1))
    assert tape.gradient(loss, v).numpy() == 6


def test_tapes_inside_functions_work():
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x)

    with tf.GradientTape():
        assert values(Dataset.from_tensor_slices([1.0, 2.0]).map(slope)) == [2, 4]


# -- caches ----------------------------------------------------------------------------------------


def counted(calls):
    return pairs().map(lambda x: calls.append(1) or x)


@pytest.mark.parametrize("where", ["memory", "file"])
def test_a_cache_spares_later_passes(where, tmp_path):
    calls = []
    dataset = counted(calls).cache("" if where == "memory" else str(tmp_path / "cache"))
    first = values(dataset)
    made = len(calls)
    assert values(dataset) == first == values(pairs())
    assert len(calls) <= made + 3  # the structure may be asked for
    assert values(dataset.repeat(2)) == first * 2
    assert [each.name for each in tmp_path.iterdir()] == ["cache.data"] * (where == "file")


def test_a_pass_that_was_not_finished_is_not_kept(tmp_path):
    calls = []
    for name in ("", str(tmp_path / "cache")):
        dataset = counted(calls).cache(name)
        next(iter(dataset))
        gc.collect()
        assert list(tmp_path.iterdir()) == []
        assert values(dataset) == values(pairs())


def test_a_file_serves_later_programs_and_iterators_in_the_middle_of_it(tmp_path):
    name = str(tmp_path / "cache")
    expected = values(pairs().cache(name))
    iterator = iter(pairs().cache(name))
    before = [next(iterator) for _ in range(5)]
    later = iter(pairs().cache(name))
    later.restore(iterator.state())
    assert values(before) + values(later) == expected


def test_a_file_that_ends_too_early_is_refused(tmp_path):
    name = str(tmp_path / "cache")
    values(pairs().cache(name))
    path = pathlib.Path(name + ".data")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(tf.errors.DataLossError, match="ends in the middle"):
        values(pairs().cache(name))
    path.write_bytes(b"something else")
    with pytest.raises(tf.errors.DataLossError, match="not a file that"):
        values(pairs().cache(name))


def test_the_place_of_an_iterator_of_arrays_as_bytes():
    def made():
        dataset = tf.data.Dataset.from_tensor_slices(["a", "b", "c", "d", "e"])
        return dataset.shuffle(3, seed=1).batch(2).as_numpy_iterator()

    iterator = made()
    next(iterator)
    place = iterator.save()
    assert place.dtype is tf.string
    left = [batch.tolist() for batch in iterator]
    for again, given in ((iterator, place), (made(), place.numpy())):
        again.restore(given)
        assert [batch.tolist() for batch in again] == left


@pytest.mark.parametrize("written", ["", "[]", "[1, 2]", '[{"array": "x"}, {}]', 3, ["a", "b"]])
def test_bytes_that_are_no_place_are_refused(written):
    with pytest.raises(ValueError, match="`state` is not the place of an iterator"):
        tf.data.Dataset.range(3).as_numpy_iterator().restore(tf.constant(written))
