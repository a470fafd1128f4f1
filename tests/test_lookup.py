"""Tables of keys and values."""

import numpy as np
import pytest

import cinta as tf

lookup = tf.lookup
WHOLE, NUMBER = lookup.TextFileIndex.WHOLE_LINE, lookup.TextFileIndex.LINE_NUMBER


@pytest.fixture
def table():
    pairs = lookup.KeyValueTensorInitializer(["a", "b", "c"], [1, 2, 3], value_dtype=tf.int64)
    return lookup.StaticHashTable(pairs, -1)


def test_values_of_keys(table):
    found = table.lookup(tf.constant([["a", "z"], ["c", "c"]]))
    assert found.dtype == tf.int64
    np.testing.assert_array_equal(found, [[1, -1], [3, 3]])
    np.testing.assert_array_equal(table[tf.constant("b")], 2)
    assert table.lookup(tf.constant([], tf.string)).shape == (0,)
    assert int(table.size()) == 3
    keys, values = table.export()
    assert keys.numpy().tolist() == [b"a", b"b", b"c"]
    assert values.numpy().tolist() == [1, 2, 3]


def test_inside_a_function(table):
    find = tf.function(lambda keys: table.lookup(keys) * 10)
    for words, expected in (["a", "b"], [10, 20]), (["c", "z"], [30, -10]):
        np.testing.assert_array_equal(find(tf.constant(words)), expected)


def test_what_is_refused(table):
    with pytest.raises(TypeError, match=r"`keys` must be tf\.string"):
        table.lookup(tf.constant([1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="one shape"):
        lookup.KeyValueTensorInitializer(["a"], [1, 2])
    with pytest.raises(ValueError, match="scalar"):
        lookup.StaticHashTable(lookup.KeyValueTensorInitializer([1], [1]), [0, 0])
    with pytest.raises(tf.errors.FailedPreconditionError, match="different value for same key"):
        lookup.StaticHashTable(lookup.KeyValueTensorInitializer([1, 1], [1, 2]), 0)
    mutable = lookup.experimental.MutableHashTable(tf.int64, tf.float32, 0.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="as many values as keys"):
        mutable.insert(tf.constant([1, 2], tf.int64), [1.0])


def test_tables_that_change(tmp_path):
    def made():
        return lookup.experimental.MutableHashTable(tf.int64, tf.string, "none")

    table, restored = made(), made()
    one, two = tf.constant(1, tf.int64), tf.constant(2, tf.int64)
    table.insert([one, two], ["one", "zwei"])
    table.insert(two, "two")
    table.remove([one, tf.constant(7, tf.int64)])
    assert table.lookup([one, two]).numpy().tolist() == [b"none", b"two"]
    path = tf.train.Checkpoint(table=table).save(tmp_path / "table")
    tf.train.Checkpoint(table=restored).restore(path).assert_consumed()
    assert restored.lookup([one, two]).numpy().tolist() == [b"none", b"two"]


@pytest.mark.parametrize(
    ("key", "value", "dtypes", "asked", "expected"),
    [
        (WHOLE, NUMBER, (tf.string, tf.int64), "b\t20", 6),
        (NUMBER, WHOLE, (tf.int64, tf.string), 0, b"a\t10"),
        (0, 1, (tf.string, tf.int64), "b", 20),
        (1, 0, (tf.int64, tf.string), 10, b"a"),
    ],
)
def test_tables_in_files(key, value, dtypes, asked, expected, tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("a\t10\nb\t20\n")
    pairs = lookup.TextFileInitializer(
        str(path), dtypes[0], key, dtypes[1], value, value_index_offset=5
    )
    table = lookup.StaticHashTable(pairs, "" if dtypes[1] == tf.string else -1)
    assert table.lookup(tf.constant(asked, dtypes[0])).numpy() == expected


def test_a_line_without_the_column(tmp_path):
    path = tmp_path / "table.tsv"
    path.write_text("a\t10\nb\n")
    pairs = lookup.TextFileInitializer(path, tf.string, 0, tf.int64, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"line 1 of .* has no column 1"):
        lookup.StaticHashTable(pairs, -1)


def test_layers_of_keras_that_look_up():
    k = tf.keras.layers
    words = k.StringLookup(vocabulary=["a", "b"])
    np.testing.assert_array_equal(words(["b", "z", "a"]), [2, 0, 1])
    back = k.StringLookup(vocabulary=["a", "b"], invert=True)
    assert back([1, 2, 0]).numpy().tolist() == [b"a", b"b", b"[UNK]"]
    numbers = k.IntegerLookup(output_mode="multi_hot")
    numbers.adapt(np.array([[5], [7], [5]]))
    assert numbers.get_vocabulary() == [-1, 5, 7]
    np.testing.assert_array_equal(numbers([[5], [9]]), [[0, 1, 0], [1, 0, 0]])


def test_tables_show_what_they_are():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), 0)
    assert repr(table) == "<tf.lookup StaticHashTable: 1 key, string to int32>"
    with pytest.raises(TypeError, match=r"KeyValueTensorInitializer\(keys, values\)"):
        tf.lookup.StaticHashTable({"a": 1}, 0)


def changing(default=-1, value_dtype=tf.int64):
    return lookup.experimental.MutableHashTable(tf.string, value_dtype, default)


def test_defaults_for_one_lookup():
    table = changing()
    table.insert(["a"], [1])
    keys = tf.constant(["a", "z"])
    each = tf.constant([7, 8], tf.int64)
    assert table.lookup(keys, each).numpy().tolist() == [1, 8]
    assert table.lookup(keys, dynamic_default_values=each).numpy().tolist() == [1, 8]
    assert table.lookup(keys, tf.constant(9, tf.int64)).numpy().tolist() == [1, 9]
    assert table.lookup(keys, name="found").numpy().tolist() == [1, -1]
    for wrong in ([7, 8], tf.constant([7, 8, 9], tf.int64), tf.constant([7.0, 8.0])):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"mismatch|Expected shape"):
            table.lookup(keys, wrong)


def test_values_that_are_vectors():
    table = lookup.experimental.MutableHashTable(tf.int64, tf.float32, [-1.0, -2.0])
    assert [x.shape.as_list() for x in table.export()] == [[0], [0, 2]]
    table.insert([1, 2], [[1.0, 2.0], [3.0, 4.0]])
    assert table[[2, 5]].numpy().tolist() == [[3.0, 4.0], [-1.0, -2.0]]
    assert table[[[2], [5]]].shape == [2, 1, 2]
    assert table[2].shape == [2]
    assert table.lookup([5], tf.constant([7.0, 8.0])).numpy().tolist() == [[7.0, 8.0]]
    assert [x.shape.as_list() for x in table.export()] == [[2], [2, 2]]
    for values in ([1.0], [[1.0, 2.0, 3.0]]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="for value"):
            table.insert([1], values)
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be a vector"):
        lookup.experimental.MutableHashTable(tf.int64, tf.float32, [[1.0]])


def test_sparse_keys(table):
    keys = tf.SparseTensor([[0, 1], [2, 0]], ["b", "x"], [3, 4])
    found = table.lookup(keys)
    assert found.values.numpy().tolist() == table[keys].values.numpy().tolist() == [2, -1]
    np.testing.assert_array_equal(found.indices, keys.indices)
    with pytest.raises(TypeError, match="`keys` must be"):
        table.lookup(keys.with_values([1, 2]))
    with pytest.raises(ValueError, match="SparseTensor"):
        changing().lookup(keys)


def test_keys_and_values_of_other_dtypes():
    table = changing()
    for call in (
        lambda: table.lookup(tf.constant([1])),
        lambda: table.insert(tf.constant([1]), [1]),
        lambda: table.insert(["a"], tf.constant([1.0])),
    ):
        with pytest.raises(ValueError, match="Tensor conversion requested dtype"):
            call()
    with pytest.raises(TypeError, match="`keys` must be"):
        table.remove(tf.constant([1]))


def test_dense_tables(tmp_path):
    def made():
        return lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$")

    table, restored = made(), made()
    table.insert(["a", "b"], [1, 2])
    table.insert_or_assign(["b", "c"], [3, 4])
    table.erase(tf.constant(["a"]))
    assert table[["a", "b", "c"]].numpy().tolist() == [-1, 3, 4]
    path = tf.train.Checkpoint(table=table).save(tmp_path / "table")
    tf.train.Checkpoint(table=restored).restore(path).assert_consumed()
    assert restored[["a", "b", "c"]].numpy().tolist() == [-1, 3, 4]
    for key, word in (("", "empty_key"), ("$", "deleted_key")):
        for call in (table.lookup, lambda keys: table.insert(keys, [1])):
            with pytest.raises(tf.errors.InvalidArgumentError, match=word):
                call([key])
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot be equal"):
        lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "")


def test_keys_that_are_vectors():
    table = lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, [0, 0], [-1, -1])
    table.insert([[1, 2], [3, 4]], [1, 2])
    assert table[[[1, 2], [5, 6]]].numpy().tolist() == [1, -1]
    assert [x.shape.as_list() for x in table.export()] == [[2, 2], [2]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="shape of a key"):
        table.lookup([[1, 2, 3]])


def test_words_beyond_a_vocabulary_have_buckets():
    words = lookup.KeyValueTensorInitializer(["a", "b"], [0, 1], value_dtype=tf.int64)
    table = lookup.StaticVocabularyTable(words, 4)
    others = tf.constant(["king", "moon", "sea"])
    buckets = (2 + tf.strings.to_hash_bucket_fast(others, 4)).numpy().tolist()
    assert table[tf.constant(["b", "a"])].numpy().tolist() == [1, 0]
    assert table.lookup(others).numpy().tolist() == buckets
    find = tf.function(table.lookup)
    assert find(others).numpy().tolist() == find(others).numpy().tolist() == buckets
    assert int(table.size()) == 6
    assert (table.key_dtype, table.value_dtype) == (tf.string, tf.int64)


def test_keys_of_tensors_that_are_made_of_others(table):
    words = lookup.KeyValueTensorInitializer(["a", "b"], [0, 1], value_dtype=tf.int64)
    for each, default in ((table, -1), (lookup.StaticVocabularyTable(words, 1), 2)):
        ragged = each.lookup(tf.ragged.constant([["a", "z"], [], ["b"]]))
        first, second = each.lookup(tf.constant(["a", "b"])).numpy().tolist()
        assert ragged.to_list() == [[first, default], [], [second]]
        sparse = each.lookup(tf.SparseTensor([[0, 1], [1, 0]], ["z", "b"], [2, 2]))
        assert sparse.values.numpy().tolist() == [default, second]


def test_vocabularies_of_numbers():
    numbers = lookup.KeyValueTensorInitializer(*[tf.constant([n, n + 1], tf.int64) for n in (7, 0)])
    table = lookup.StaticVocabularyTable(numbers, 3, lookup_key_dtype=tf.int32)
    bucket = int(tf.strings.to_hash_bucket_fast("-5", 3))
    assert table[tf.constant([8, -5])].numpy().tolist() == [1, 2 + bucket]
    only_buckets = lookup.StaticVocabularyTable(None, 3)
    assert only_buckets[tf.constant(["-5"])].numpy().tolist() == [bucket]


@pytest.mark.parametrize(
    ("error", "pattern", "arguments"),
    [
        (ValueError, "must be > 0", (["a"], [0], 0)),
        (TypeError, "cannot be looked up", (["a"], [0], 1, tf.int32)),
        (TypeError, "expected integer or string", (["a"], [0], 1, tf.float32)),
        (TypeError, "Invalid `key_dtype`", ([1.5], [0], 1)),
        (TypeError, "Invalid `value_dtype`", (["a"], ["b"], 1)),
    ],
)
def test_vocabularies_that_are_refused(error, pattern, arguments):
    keys, values, *rest = arguments
    values = tf.constant(values, tf.int64 if values == [0] else None)
    with pytest.raises(error, match=pattern):
        lookup.StaticVocabularyTable(lookup.KeyValueTensorInitializer(keys, values), *rest)


def test_files_of_tables_that_are_not_there(tmp_path):
    def initializer(path):
        return lookup.TextFileInitializer(path, tf.string, -2, tf.int64, -1)

    with pytest.raises(ValueError, match="`filename` must be the path of a file"):
        initializer("")
    with pytest.raises(tf.errors.NotFoundError, match="nowhere"):
        lookup.StaticHashTable(initializer(str(tmp_path / "nowhere")), -1)


def test_a_file_name_that_is_no_text_is_refused():
    with pytest.raises(TypeError, match="`filename` must be the path of a file, got <tf"):
        lookup.TextFileInitializer(tf.constant(3), tf.string, 0, tf.int64, 1)


def test_the_file_of_a_table_is_one_file():
    names = tf.constant(["a", "b"])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="`filename` should be a single string"
    ):
        lookup.TextFileInitializer(names, tf.string, -2, tf.int64, -1)
