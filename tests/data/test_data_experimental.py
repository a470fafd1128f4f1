"""tf.data.experimental: values are those of TensorFlow 2.21."""

import contextlib
import sqlite3

import numpy as np
import pytest

import cinta as tf

E, IAE = tf.data.experimental, tf.errors.InvalidArgumentError


def numbers(dataset):
    return [x.item() for x in dataset.as_numpy_iterator()]


# -- groups and sizes ------------------------------------------------------------------------------


def test_elements_with_one_key_become_one():
    total = E.Reducer(lambda key: tf.constant(0, tf.int64), lambda s, x: s + x, lambda s: s)
    grouped = tf.data.Dataset.range(1, 6).apply(E.group_by_reducer(lambda x: x % 3, total))
    assert grouped.element_spec == tf.TensorSpec([], tf.int64)
    assert numbers(grouped) == numbers(grouped) == [3, 5, 7]
    assert numbers(tf.data.Dataset.range(0).apply(E.group_by_reducer(lambda x: x, total))) == []


def test_states_may_be_tuples_and_results_dicts():
    how = E.Reducer(
        lambda key: (tf.constant(0, tf.int64), key),
        lambda state, x: (state[0] + x, state[1]),
        lambda total, key: {"total": total, "key": key},
    )
    grouped = tf.data.Dataset.range(1, 6).apply(E.group_by_reducer(lambda x: x % 3, how))
    assert [(int(row["key"]), int(row["total"])) for row in grouped] == [(0, 3), (1, 5), (2, 7)]


def test_reducers_are_checked():
    with pytest.raises(TypeError, match="reduce_func"):
        E.Reducer(len, 3, len)
    with pytest.raises(TypeError, match="reducer"):
        E.group_by_reducer(len, len)


def rows():
    return tf.data.Dataset.range(2).map(lambda x: {"a": x, "b": tf.fill([2], x)})


def test_datasets_are_filled_up():
    filled = rows().apply(E.pad_to_cardinality(3))
    assert len(filled) == 3
    assert filled.element_spec["valid"] == tf.TensorSpec([], tf.bool)
    found = [(int(r["a"]), r["b"].numpy().tolist(), bool(r["valid"])) for r in filled]
    assert found == [(0, [0, 0], True), (1, [1, 1], True), (0, [0, 0], False)]
    same = rows().apply(E.pad_to_cardinality(2, mask_key="a"))
    assert [bool(row["a"]) for row in same] == [True, True]


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        (lambda: rows().repeat(2), "has cardinality 4"),
        (lambda: tf.data.Dataset.range(2), "a dictionary"),
        (lambda: rows().repeat(), "known cardinality"),
        (lambda: rows().filter(lambda row: True), "known cardinality"),
    ],
)
def test_datasets_that_are_not_filled_up(dataset, message):
    with pytest.raises(ValueError, match=message):
        dataset().apply(E.pad_to_cardinality(3))


def test_datasets_take_turns():
    thrice = E.parallel_interleave(
        lambda x: tf.data.Dataset.from_tensors(x).repeat(3), cycle_length=2, block_length=2
    )
    expected = [0, 0, 1, 1, 0, 1, 2, 2, 3, 3, 2, 3, 4, 4, 4]
    assert numbers(tf.data.Dataset.range(5).apply(thrice)) == expected


def test_datasets_by_functions(tmp_path):
    E.save(tf.data.Dataset.range(3), str(tmp_path / "saved"), "GZIP")
    assert numbers(E.load(str(tmp_path / "saved"), compression="GZIP")) == [0, 1, 2]
    kept = tf.data.Dataset.range(3).apply(E.snapshot(str(tmp_path / "kept")))
    assert numbers(kept) == numbers(kept) == [0, 1, 2]
    assert numbers(E.RandomDataset(seed=5).take(3)) == numbers(tf.data.Dataset.random(5).take(3))


# -- tables ----------------------------------------------------------------------------------------


def pairs():
    return tf.data.Dataset.from_tensor_slices((["a", "b", "c"], tf.range(3, dtype=tf.int64)))


def test_tables_of_datasets():
    def found(*keys, **how):
        return E.table_from_dataset(pairs(), **how).lookup(tf.constant(keys)).numpy().tolist()

    assert found("b", "z") == [1, -1]
    assert found("b", "z", default_value=9) == [1, 9]
    assert found("b", "z", "y", num_oov_buckets=2) == [1, 4, 4]
    assert found("a", "b", "c", vocab_size=2) == [0, 1, -1]
    names = pairs().map(lambda key, number: (number, key))
    table = E.table_from_dataset(names, key_dtype=tf.int64)
    assert table.lookup(tf.constant([1, 7], tf.int64)).numpy().tolist() == [b"b", b""]


def test_tables_of_numbers_of_elements():
    words = tf.data.Dataset.from_tensor_slices(["x", "y", "z"])

    def found(*keys, **how):
        table = E.index_table_from_dataset(words, **how)
        return table.lookup(tf.constant(keys)).numpy().tolist()

    assert found("y", "q") == [1, -1]
    assert found("y", "q", num_oov_buckets=1) == [1, 3]
    assert found("y", "z", vocab_size=2) == [1, -1]
    ids = tf.data.Dataset.from_tensor_slices(tf.constant([5, 6], tf.int64))
    table = E.index_table_from_dataset(ids, key_dtype=tf.int64)
    assert table.lookup(tf.constant([6, 7], tf.int64)).numpy().tolist() == [1, -1]


def test_initializers_of_datasets():
    words = E.DatasetInitializer(pairs())
    assert (words.key_dtype, words.value_dtype) == (tf.string, tf.int64)
    table = tf.lookup.StaticHashTable(words, -1)
    assert table.lookup(tf.constant(["c", "d"])).numpy().tolist() == [2, -1]
    empty = tf.lookup.StaticHashTable(E.DatasetInitializer(pairs().take(0)), -1)
    assert int(empty.size()) == 0
    twice = pairs().concatenate(pairs().map(lambda key, number: (key, number + 1)))
    with pytest.raises(tf.errors.FailedPreconditionError, match="different value for same key"):
        tf.lookup.StaticHashTable(E.DatasetInitializer(twice), -1)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: E.table_from_dataset(), ValueError, "got None"),
        (lambda: E.index_table_from_dataset(), ValueError, "got None"),
        (lambda: E.table_from_dataset(tf.data.Dataset.range(3)), ValueError, "key, value"),
        (lambda: E.table_from_dataset(pairs().batch(2)), ValueError, "scalar tensors"),
        (lambda: E.table_from_dataset(pairs(), -1), ValueError, "num_oov_buckets"),
        (lambda: E.table_from_dataset(pairs(), vocab_size=0), ValueError, "vocab_size"),
        (lambda: E.table_from_dataset(pairs(), key_dtype=tf.float32), TypeError, "key_dtype"),
        (lambda: E.table_from_dataset(pairs(), hasher_spec=1), IAE, "hasher_spec"),
    ],
)
def test_tables_that_are_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


# -- databases -------------------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path):
    path = str(tmp_path / "table of rows.db")
    with contextlib.closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE t (name TEXT, n INTEGER, x REAL, z BLOB)")
        made.executemany(
            "INSERT INTO t VALUES (?, ?, ?, ?)",
            [("a", 1, 1.5, b"q"), ("b", -2, 2.5, None), (None, None, None, b"\xff")],
        )
    return path


def rows_of(path, query, *types):
    return list(E.SqlDataset("sqlite", path, query, types).as_numpy_iterator())


def test_rows_of_a_query(database):
    dataset = E.SqlDataset("sqlite", database, "SELECT name, n FROM t", (tf.string, tf.int32))
    assert dataset.element_spec == (tf.TensorSpec([], tf.string), tf.TensorSpec([], tf.int32))
    assert [a.numpy() for a, _ in dataset] == [a.numpy() for a, _ in dataset] == [b"a", b"b", b""]
    everything = rows_of(database, "SELECT n, z, x FROM t", tf.int64, tf.string, tf.float64)
    assert everything == [(1, b"q", 1.5), (-2, b"", 2.5), (0, b"\xff", 0.0)]
    assert [type(each) for each in everything[0]] == [np.int64, bytes, np.float64]
    assert rows_of(database, "SELECT n FROM t WHERE n > 100", tf.int32) == []


def test_values_are_converted_as_the_database_does_it(database):
    kinds = tf.int32, tf.float64, tf.int8, tf.bool, tf.int32, tf.string, tf.int16, tf.uint16
    query = "SELECT '12abc', '1.5x', -1.9, 'true', 1e300, 1e15, 100000, 70000"
    (row,) = rows_of(database, query, *kinds)
    # TensorFlow's values
    assert row == (12, 1.5, -1, False, -1, b"1.0e+15", -31072, 4464)


@pytest.mark.parametrize(
    ("query", "types", "error", "message"),
    [
        ("SELECT n FROM t", (tf.float32,), IAE, "must be one of"),
        ("SELECT n FROM t", (), IAE, "must be one of"),
        ("SELECT n FROM t", (tf.int32, tf.int32), IAE, r"query \(1\) must match"),
        ("SELECT q FROM t", (tf.int32,), tf.errors.UnknownError, "no such column"),
        ("DROP TABLE t", (tf.int32,), tf.errors.UnknownError, "readonly"),
    ],
)
def test_queries_that_are_refused(database, query, types, error, message):
    with pytest.raises(error, match=message):
        rows_of(database, query, *types)


def test_databases_that_are_not_there(tmp_path):
    with pytest.raises(IAE, match="mysql, is not supported"):
        E.SqlDataset("mysql", "x", "SELECT 1", (tf.int32,))
    with pytest.raises(IAE, match="unable to open"):
        rows_of(str(tmp_path / "none.db"), "SELECT 1", tf.int32)
    assert not list(tmp_path.iterdir())


# -- examples --------------------------------------------------------------------------------------

AGES = {"age": tf.io.FixedLenFeature([], tf.int64)}


def example(age):
    held = tf.train.Feature(int64_list=tf.train.Int64List(value=[age]))
    message = tf.train.Example(features=tf.train.Features(feature={"age": held}))
    return message.SerializeToString()


@pytest.fixture
def records(tmp_path):
    for part in range(2):
        with tf.io.TFRecordWriter(str(tmp_path / f"part{part}")) as writer:
            for age in range(5 * part, 5 * part + 5):
                writer.write(example(age))
    return str(tmp_path / "part*")


def ages(dataset):
    return [row["age"].numpy().tolist() for row in dataset]


def test_examples_are_parsed():
    batches = tf.data.Dataset.from_tensors([example(1), example(2)])
    assert ages(batches.apply(E.parse_example_dataset(AGES, 2))) == [[1, 2]]
    with pytest.raises(ValueError, match="features"):
        E.parse_example_dataset({})


def test_batches_of_features(records):
    make = E.make_batched_features_dataset
    assert ages(make(records, 4, AGES, num_epochs=1, shuffle=False)) == [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [8, 9],
    ]
    whole = make(records, 4, AGES, num_epochs=1, shuffle=False, drop_final_batch=True)
    assert ages(whole) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    mixed = make(records, 5, AGES, num_epochs=2, shuffle_seed=3, reader_num_threads=2)
    assert sorted(sum(ages(mixed), [])) == sorted([*range(10)] * 2)  # noqa: RUF017
    assert len(ages(make(records, 5, AGES).take(7))) == 7
    labeled = make(records, 10, AGES | {}, label_key="age", num_epochs=1, shuffle=False)
    ((features, labels),) = labeled
    assert (features, labels.numpy().tolist()) == ({}, [*range(10)])


def test_batches_of_features_that_another_reader_finds(records):
    def read(name, factor):
        return tf.data.TFRecordDataset(name).take(factor).map(lambda each: (name, each))

    make = E.make_batched_features_dataset
    found = make(records, 4, AGES, read, reader_args=[2], num_epochs=1, shuffle=False)
    assert ages(found) == [[0, 1, 5, 6]]


def test_batches_that_are_refused(records, tmp_path):
    with pytest.raises(ValueError, match="No files matched"):
        E.make_batched_features_dataset(str(tmp_path / "x*"), 4, AGES)
    with pytest.raises(ValueError, match="label_key"):
        E.make_batched_features_dataset(records, 4, AGES, label_key="name")
