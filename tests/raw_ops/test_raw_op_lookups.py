"""Raw ops on tables, and those that saved models of TensorFlow call beside them."""

import pytest

import cinta as tf

RAW = tf.raw_ops
KINDS = {"key_dtype": tf.string, "value_dtype": tf.int64}


def found(table, *keys):
    """The values of keys, -1 for those that are not there."""
    default = tf.constant(-1, tf.int64)
    values = RAW.LookupTableFindV2(table_handle=table, keys=keys, default_value=default)
    return values.numpy().tolist()


@pytest.mark.parametrize(
    "name", ["HashTableV2", "AnonymousHashTable", "MutableHashTableV2", "AnonymousMutableHashTable"]
)
def test_tables_of_scalars(name):
    table = getattr(RAW, name)(**KINDS)
    RAW.InitializeTableV2(table_handle=table, keys=["a", "b"], values=tf.constant([1, 2], "int64"))
    assert found(table, "b", "c") == [2, -1]
    RAW.LookupTableInsertV2(table_handle=table, keys=["c"], values=tf.constant([3], "int64"))
    RAW.LookupTableRemoveV2(table_handle=table, keys=["a"])
    assert RAW.LookupTableSizeV2(table_handle=table).numpy() == 2
    RAW.LookupTableImportV2(table_handle=table, keys=["z"], values=tf.constant([9], "int64"))
    pairs = RAW.LookupTableExportV2(table_handle=table, Tkeys=tf.string, Tvalues=tf.int64)
    assert (pairs.keys.numpy().tolist(), pairs.values.numpy().tolist()) == ([b"z"], [9])


@pytest.mark.parametrize(
    "name", ["MutableHashTableOfTensorsV2", "AnonymousMutableHashTableOfTensors"]
)
def test_tables_of_vectors(name):
    table = getattr(RAW, name)(**KINDS, value_shape=[2])
    values, none = tf.constant([[1, 2]], "int64"), tf.constant([0, 0], "int64")
    RAW.LookupTableInsertV2(table_handle=table, keys=["a"], values=values)
    got = RAW.LookupTableFindV2(table_handle=table, keys=["a", "b"], default_value=none)
    assert got.numpy().tolist() == [[1, 2], [0, 0]]


@pytest.mark.parametrize("name", ["MutableDenseHashTableV2", "AnonymousMutableDenseHashTable"])
def test_tables_with_reserved_keys(name):
    table = getattr(RAW, name)(empty_key="", deleted_key="$", value_dtype=tf.int64)
    RAW.LookupTableInsertV2(table_handle=table, keys=["a"], values=tf.constant([4], "int64"))
    assert found(table, "a", "b") == [4, -1]


def test_tables_from_files(tmp_path):
    (tmp_path / "words").write_text("x\ny\n")
    table = RAW.HashTableV2(**KINDS)
    RAW.InitializeTableFromTextFileV2(
        table_handle=table, filename=str(tmp_path / "words"), key_index=-2, value_index=-1, offset=5
    )
    assert found(table, "x", "y", "z") == [5, 6, -1]


def test_hash_buckets():
    words = tf.constant(["Hello", "TensorFlow"])
    assert RAW.StringToHashBucket(string_tensor=words, num_buckets=3).numpy().tolist() == [2, 0]
    assert RAW.StringToHashBucketFast(input=words, num_buckets=3).numpy().tolist() == [0, 2]
    strong = RAW.StringToHashBucketStrong(input=["Hello", "TF"], num_buckets=3, key=[1, 2])
    assert strong.numpy().tolist() == [2, 0]


@pytest.mark.parametrize(
    ("partitions", "kinds"),
    [([[0, 2, 3]], ["ROW_SPLITS"]), ([2, [0, 0, 1]], ["FIRST_DIM_SIZE", "VALUE_ROWIDS"])],
)
def test_ragged_rows_are_filled_up(partitions, kinds):
    dense = RAW.RaggedTensorToTensor(
        shape=tf.constant([-1, -1]),
        values=tf.constant([1.0, 2.0, 3.0]),
        default_value=tf.constant(0.0),
        row_partition_tensors=[tf.constant(each) for each in partitions],
        row_partition_types=kinds,
    )
    assert dense.numpy().tolist() == [[1.0, 2.0], [3.0, 0.0]]


def test_partitions_of_no_kind_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="row_partition_types must be one of"):
        RAW.RaggedTensorToTensor(
            shape=tf.constant([-1, -1]),
            values=tf.constant([1.0]),
            default_value=tf.constant(0.0),
            row_partition_tensors=[tf.constant([0, 1])],
            row_partition_types=["ROWS"],
        )
