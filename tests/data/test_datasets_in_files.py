"""Datasets that are saved, cached in files, or read from tables in text."""

import os
import subprocess
import sys

import pytest

import cinta as tf
from cinta import errors
from cinta.data import caching, snapshots

# -- datasets in files -----------------------------------------------------------------------------


@pytest.mark.parametrize("compression", [None, "GZIP"])
def test_a_dataset_is_saved_and_loaded(tmp_path, compression):
    sparse = tf.sparse.from_dense([[1, 0], [0, 2]])
    dataset = tf.data.Dataset.from_tensor_slices(({"a": [1, 2], "b": ["x", "y"]}, sparse))
    dataset.save(tmp_path, compression)
    loaded = tf.data.Dataset.load(str(tmp_path), compression=compression)
    assert loaded.element_spec == dataset.element_spec
    assert len(loaded) == 2
    (first, row), _ = loaded
    assert (int(first["a"]), first["b"].numpy()) == (1, b"x")
    assert tf.sparse.to_dense(row).numpy().tolist() == [1, 0]
    tf.data.Dataset.range(3).save(tmp_path)
    assert [int(x) for x in tf.data.Dataset.load(tmp_path)] == [0, 1, 2]


def test_shards_are_read_as_a_function_says(tmp_path):
    tf.data.Dataset.range(6).save(tmp_path, shard_func=lambda x: x % 2)

    def backwards(shards):
        return shards.flat_map(lambda shard: shard.map(lambda x: -x))

    assert [int(x) for x in tf.data.Dataset.load(tmp_path)] == [0, 2, 4, 1, 3, 5]
    loaded = tf.data.Dataset.load(tmp_path, reader_func=backwards)
    assert [int(x) for x in loaded] == [0, -2, -4, -1, -3, -5]


def test_what_is_no_saved_dataset_is_refused(tmp_path):
    with pytest.raises(errors.NotFoundError):
        tf.data.Dataset.load(tmp_path)
    tf.data.Dataset.range(3).save(tmp_path)
    with pytest.raises(errors.InvalidArgumentError, match="compression"):
        tf.data.Dataset.load(tmp_path, compression="GZIP")
    for wrong in ("", "{}", '{"compression": "", "spec": {"x": 1}}', "[" * 5000):
        (tmp_path / "element_spec.json").write_text(wrong)
        with pytest.raises(errors.DataLossError):
            tf.data.Dataset.load(tmp_path)


def test_a_snapshot_spares_later_passes(tmp_path, capsys):
    def noted(x):
        print("made")
        return x

    folder = str(tmp_path / "not" / "there")
    kept = tf.data.Dataset.range(50).map(noted).snapshot(folder)
    assert [int(x) for x in kept] == [*range(50)]
    assert capsys.readouterr().out.count("made") >= 50
    again = tf.data.Dataset.range(50).map(noted).snapshot(folder)
    assert [int(x) for x in kept] == [int(x) for x in again] == [*range(50)]
    assert capsys.readouterr().out.count("made") < 10  # the first few, to find the spec out


FACTOR = 2


def of_factor(folder, *, source=3, seed=None, change=lambda x: x * FACTOR):
    dataset = tf.data.Dataset.range(source).map(change)
    dataset = dataset.shuffle(3, seed=seed, reshuffle_each_iteration=False)
    return sorted([int(x) for x in dataset.snapshot(folder)])


def test_a_snapshot_notices_that_its_dataset_has_changed(tmp_path, monkeypatch):
    def files():
        return len(list(tmp_path.iterdir()))

    assert of_factor(tmp_path) == of_factor(tmp_path) == [0, 2, 4]
    assert files() == 1
    assert of_factor(tmp_path, source=4) == [0, 2, 4, 6]
    assert of_factor(tmp_path, change=lambda x: x * FACTOR + 1) == [1, 3, 5]
    monkeypatch.setattr(sys.modules[__name__], "FACTOR", 5)
    assert of_factor(tmp_path) == [0, 5, 10]
    assert of_factor(tmp_path, seed=7) == [0, 5, 10]
    assert files() == 5
    monkeypatch.undo()
    assert of_factor(tmp_path) == [0, 2, 4]
    assert files() == 5


def test_a_snapshot_of_one_process_serves_the_next(tmp_path):
    program = (
        "import sys, cinta as tf\nscale = 3\n"
        "dataset = tf.data.Dataset.range(3).map(lambda x: x * scale).shuffle(3)\n"
        "print(sorted(int(x) for x in dataset.snapshot(sys.argv[1])))"
    )
    for seed in ("1", "2"):
        shown = subprocess.check_output(
            [sys.executable, "-c", program, str(tmp_path)],
            text=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )
        assert shown.strip() == "[0, 3, 6]"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_snapshot_of_what_does_not_tell_its_content_is_refused(tmp_path):
    with open(__file__) as file:
        dataset = tf.data.Dataset.from_generator(lambda: file, tf.string)
        with pytest.raises(errors.InvalidArgumentError, match="TextIOWrapper does not tell"):
            dataset.snapshot(tmp_path)


# -- tables in text --------------------------------------------------------------------------------


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text('a,b,c\n1,2.5,x\n,3,"y,\nz"\n')
    return str(path)


def test_columns_of_a_file(table):
    csv = tf.data.experimental.CsvDataset
    rows = [(1, 2.5, b"x"), (7, 3.0, b"y,\nz")]
    dataset = csv(table, [7, tf.float32, ""], header=True)
    assert list(dataset.as_numpy_iterator()) == rows
    assert [spec.dtype for spec in dataset.element_spec] == [tf.int32, tf.float32, tf.string]
    some = csv(table, [7, ""], header=True, select_cols=[0, 2])
    assert list(some.as_numpy_iterator()) == [(1, b"x"), (7, b"y,\nz")]
    with pytest.raises(errors.InvalidArgumentError, match="required but missing"):
        list(csv(table, [tf.int32, 0.0, ""], header=True))
    with pytest.raises(errors.InvalidArgumentError, match="Expect 2 fields"):
        list(csv(table, [7, ""], header=True))


def test_batches_of_named_columns(table):
    make = tf.data.experimental.make_csv_dataset
    (batch,) = make(table, 2, shuffle=False, num_epochs=1)
    assert {key: value.numpy().tolist() for key, value in batch.items()} == {
        "a": [1, 0],
        "b": [2.5, 3.0],
        "c": [b"x", b"y,\nz"],
    }
    dataset = make(table, 2, shuffle=False, label_name="c", select_columns=["a", "c"])
    features, label = next(iter(dataset))
    assert features["a"].dtype == tf.int32
    assert label.numpy().tolist() == [b"x", b"y,\nz"]
    with pytest.raises(ValueError, match="label_name"):
        make(table, 2, label_name="none")
    with pytest.raises(ValueError, match="select_columns"):
        make(table, 2, select_columns=["none"])
    with pytest.raises(ValueError, match="No files"):
        make(table + "x", 2)
    with pytest.raises(ValueError, match="header"):
        make(table, 2, header=False)


def _passes(dataset, count=2):
    return [[x.numpy().tolist() for x in dataset] for _ in range(count)]


def test_functions_say_how_a_snapshot_is_divided_and_read(tmp_path, monkeypatch):
    def read(parts):
        return parts.flat_map(lambda part: part)

    def odd(x):
        return x % 2

    numbers = tf.data.Dataset.range(6)
    whole, halves = list(range(6)), [0, 2, 4, 1, 3, 5]
    kept = numbers.snapshot(tmp_path, shard_func=odd, reader_func=read)
    assert _passes(kept, 3) == [whole, halves, halves]  # as TensorFlow's
    assert _passes(numbers.snapshot(tmp_path, shard_func=odd)) == [whole, whole]
    first = numbers.snapshot(tmp_path, "AUTO", lambda parts: read(parts).take(2), odd)
    assert _passes(first) == [[0, 2], [0, 2]]
    monkeypatch.setattr(snapshots, "cpu_count", lambda: 3)
    turns = numbers.snapshot(tmp_path / "turns", reader_func=read)
    assert _passes(turns) == [whole, [0, 3, 1, 4, 2, 5]]
    pairs = tf.data.Dataset.zip({"a": numbers, "b": numbers}).snapshot(
        tmp_path / "pairs", reader_func=read, shard_func=lambda pair: 1 - pair["a"] % 2
    )
    assert [[int(pair["b"]) for pair in pairs] for _ in range(2)] == [whole, [1, 3, 5, 0, 2, 4]]


def test_parts_of_a_snapshot_read_their_own_elements_alone(tmp_path, monkeypatch):
    kept = tf.data.Dataset.range(60).snapshot(tmp_path, shard_func=lambda x: x % 10)
    assert [int(x) for x in kept] == [*range(60)]
    read = []
    element = caching.FileCacheFlow._element
    monkeypatch.setattr(
        caching.FileCacheFlow, "_element", lambda *given: read.append(0) or element(*given)
    )
    assert sorted([int(x) for x in kept]) == [*range(60)]
    assert 120 <= len(read) <= 130  # for its number, for itself, and a few for the spec


def test_a_first_pass_over_a_snapshot_goes_on_when_the_snapshot_is_whole(tmp_path):
    kept = tf.data.Dataset.range(4).snapshot(tmp_path, shard_func=lambda x: 3 - x)
    iterator = iter(kept)
    iterator.get_next()
    saved = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "first"))
    assert [int(x) for x in iterator] == [1, 2, 3]
    iterator = iter(kept)
    tf.train.Checkpoint(iterator=iterator).restore(saved)
    assert [int(x) for x in iterator] == [1, 2, 3]


def test_functions_of_snapshots_are_checked(tmp_path):
    numbers = tf.data.Dataset.range(2)
    with pytest.raises(TypeError, match="shard_func"):
        numbers.snapshot(tmp_path, shard_func=3)
    negative = numbers.snapshot(tmp_path, shard_func=lambda x: x - 5)
    assert _passes(negative, 1) == [[0, 1]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="shard_func"):
        list(negative)
    with pytest.raises(TypeError, match="reader_func"):
        list(numbers.snapshot(tmp_path, reader_func=lambda parts: 3))
