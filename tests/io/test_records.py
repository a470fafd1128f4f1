"""Files of records, and the examples in them."""

import gzip
import importlib
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cinta as tf
from cinta.files.crc32c import crc32c, masked, unmasked

train, io, errors = tf.train, tf.io, tf.errors
WRITTEN_BY_TENSORFLOW = (
    b"\x03\x00\x00\x00\x00\x00\x00\x00\xb0\x99I\x0eabcnW\xf1!"
    b"\x04\x00\x00\x00\x00\x00\x00\x00BER\x04d\xc3\xa9f>3\xa2\x02"
)


def features(**given):
    return train.Features(feature=given)


def ints(*values):
    return train.Feature(int64_list=train.Int64List(value=values))


def floats(*values):
    return train.Feature(float_list=train.FloatList(value=values))


def texts(*values):
    return train.Feature(bytes_list=train.BytesList(value=values))


def example(**given):
    return train.Example(features=features(**given)).SerializeToString()


def records(*args, **how):
    return list(tf.data.TFRecordDataset(*args, **how).as_numpy_iterator())


# -- checksums -------------------------------------------------------------------------------------


@given(st.binary(max_size=200), st.integers(0, 50))
def test_short_and_long_data_have_one_checksum(data, zeros):
    slow = 0xFFFFFFFF
    for byte in data:
        slow ^= byte
        for _ in range(8):
            slow = slow >> 1 ^ (0x82F63B78 if slow & 1 else 0)
    assert crc32c(data) == slow ^ 0xFFFFFFFF
    assert unmasked(masked(crc32c(data))) == crc32c(data)
    long = data + bytes(4096 + zeros)
    halves = crc32c(np.frombuffer(long, np.uint8))
    assert halves == crc32c(long)


# -- files -----------------------------------------------------------------------------------------


def test_records_are_written_as_by_tensorflow(tmp_path):
    path = tmp_path / "a"
    with io.TFRecordWriter(path) as writer:
        writer.write(b"abc")
        writer.write("déf")
    assert path.read_bytes() == WRITTEN_BY_TENSORFLOW
    assert records(path) == records([str(path)]) == [b"abc", "déf".encode()]
    files = tf.data.Dataset.from_tensor_slices([str(path)] * 2)
    assert records(files, num_parallel_reads=2) == [b"abc"] * 2 + ["déf".encode()] * 2
    with pytest.raises(errors.FailedPreconditionError):
        writer.write(b"x")


@pytest.mark.parametrize("kind", ["GZIP", "ZLIB"])
def test_compressed_records(tmp_path, kind):
    path = tmp_path / "a"
    content = [b"x" * 300_000, b"", b"abc"]
    options = io.TFRecordOptions(kind, compression_level=9)
    with io.TFRecordWriter(path, options) as writer:
        for each in content:
            writer.write(each)
        writer.flush()
    assert path.stat().st_size < 2000
    assert records(path, kind) == content
    assert list(tf.compat.v1.io.tf_record_iterator(path, options)) == content
    with pytest.raises(errors.DataLossError):
        records(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(errors.DataLossError, match="truncated record"):
        records(path, kind)


@pytest.mark.parametrize("place", [2, 9, 13, 16, 21])
def test_a_damaged_record_is_refused(tmp_path, place):
    damaged = bytearray(WRITTEN_BY_TENSORFLOW)
    damaged[place] ^= 1
    (tmp_path / "a").write_bytes(damaged)
    with pytest.raises(errors.DataLossError, match="corrupted record"):
        records(tmp_path / "a")


def test_a_false_length_does_not_fill_the_memory(tmp_path):
    head = struct.pack("<Q", 2**60)
    (tmp_path / "a").write_bytes(head + struct.pack("<I", masked(crc32c(head))) + b"abc")
    with pytest.raises(errors.DataLossError, match="truncated record at 0"):
        records(tmp_path / "a")


def test_files_and_kinds_that_are_not_there(tmp_path):
    with pytest.raises(errors.NotFoundError):
        records(tmp_path / "none")
    with pytest.raises(errors.NotFoundError):
        io.TFRecordWriter(tmp_path / "no" / "folder")
    with pytest.raises(ValueError, match="Not a valid compression_type"):
        io.TFRecordWriter(tmp_path / "a", "BZIP")
    with pytest.raises(errors.InvalidArgumentError, match="compression_type"):
        tf.data.TFRecordDataset(tmp_path / "a", "BZIP")
    with pytest.raises(TypeError, match="string"):
        tf.data.TFRecordDataset(3)
    assert records([]) == records(np.array([], object)) == []


def test_an_iterator_over_records_is_restored(tmp_path):
    path = tmp_path / "a"
    with io.TFRecordWriter(path) as writer:
        for i in range(5):
            writer.write(str(i))
    dataset = tf.data.TFRecordDataset(path)
    assert dataset.element_spec == tf.TensorSpec([], tf.string)
    iterator = iter(dataset)
    next(iterator), next(iterator)
    saved = tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "c"))
    again = iter(dataset)
    tf.train.Checkpoint(iterator=again).restore(saved)
    assert [x.numpy() for x in again] == [b"2", b"3", b"4"]


def test_lines_and_pieces_of_compressed_files(tmp_path):
    path = str(tmp_path / "a")
    (tmp_path / "a").write_bytes(gzip.compress(b"one\r\ntwo\n") + gzip.compress(b"three"))
    lines = tf.data.TextLineDataset(path, "GZIP")
    assert list(lines.as_numpy_iterator()) == [b"one", b"two", b"three"]
    (tmp_path / "a").write_bytes(zlib.compress(b"#abcdef!"))
    pieces = tf.data.FixedLengthRecordDataset(path, 3, 1, 1, compression_type="ZLIB")
    assert list(pieces.as_numpy_iterator()) == [b"abc", b"def"]
    with pytest.raises(errors.DataLossError, match="exact multiple"):
        list(tf.data.FixedLengthRecordDataset(path, 3, compression_type="ZLIB"))
    with pytest.raises(errors.InvalidArgumentError):
        tf.data.FixedLengthRecordDataset(path, 0)


def test_compressed_strings():
    assert io.decode_compressed(
        [gzip.compress(b"a"), gzip.compress(b"")], "GZIP"
    ).numpy().tolist() == [
        b"a",
        b"",
    ]
    with pytest.raises(errors.DataLossError):
        io.decode_compressed(b"nonsense", "ZLIB")
    with pytest.raises(errors.InvalidArgumentError):
        io.decode_compressed(b"", "LZ4")


# -- messages --------------------------------------------------------------------------------------


def test_an_example_is_written_as_by_protobuf():
    message = train.Example(
        features=features(a=ints(1, -2), b=texts(b"x\n\x01\xff\"'"), f=floats(1.5, 0.1, 1e20))
    )
    assert message.features.feature["a"].SerializeToString() == (
        b"\x1a\r\n\x0b\x01" + b"\xfe" + b"\xff" * 8 + b"\x01"
    )
    assert message.features.feature["f"].SerializeToString() == (
        b"\x12\x0e\n\x0c\x00\x00\xc0?\xcd\xcc\xcc=\xecx\xad`"
    )
    assert train.Example.FromString(message.SerializeToString()) == message
    assert str(message.features.feature["a"]) == "int64_list {\n  value: 1\n  value: -2\n}\n"
    shown = str(message)
    assert 'value: "x\\n\\001\\377\\"\\\'"' in shown
    assert "value: 0.1\n" in shown
    assert "value: 1e+20\n" in shown


def test_the_library_protobuf_reads_and_writes_messages_as_text_and_json():
    protobuf = pytest.importorskip("google.protobuf")
    feature = {
        "whole": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, -2])),
        "bytes": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x\xff"])),
    }
    example = tf.train.Example(features=tf.train.Features(feature=feature))
    for message in (example, tf.make_tensor_proto([1.0, 2.0])):
        text_format = importlib.import_module(f"{protobuf.__name__}.text_format")
        text = text_format.MessageToString(message)
        assert text_format.Parse(text, type(message)()) == message
        json_format = importlib.import_module(f"{protobuf.__name__}.json_format")
        text = json_format.MessageToJson(message)
        assert json_format.Parse(text, type(message)()) == message
    described = type(message).DESCRIPTOR
    assert described.full_name == "tensorflow.TensorProto"
    assert described.fields_by_name["dtype"].enum_type.values_by_number[1].name == "DT_FLOAT"
    assert described.fields_by_number[5].is_repeated


def test_messages_are_changed_in_place():
    message = train.Example()
    assert not message.HasField("features")
    message.features.feature["a"].int64_list.value.extend([1, 2])
    message.features.feature["a"].int64_list.value[0] = 5
    assert message.HasField("features")
    assert message.features.feature["a"].WhichOneof("kind") == "int64_list"
    other = train.Example()
    other.CopyFrom(message)
    other.features.feature["a"].int64_list.value.append(3)
    assert list(message.features.feature["a"].int64_list.value) == [5, 2]
    message.MergeFrom(other)
    assert message.features.feature["a"].int64_list.value == [5, 2, 3]
    message.features.feature["a"].float_list.value.append(0.5)
    assert message.features.feature["a"].WhichOneof("kind") == "float_list"
    message.Clear()
    assert message == train.Example()
    assert message.ByteSize() == 0


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: train.Feature(x=1), ValueError),
        (lambda: train.Int64List(value=["a"]), TypeError),
        (lambda: train.Int64List(value=[1.5]), TypeError),
        (lambda: train.Int64List(value=3), TypeError),
        (lambda: train.Int64List(value=[2**63]), ValueError),
        (lambda: train.BytesList(value=["a"]), TypeError),
        (lambda: train.FloatList(value=[b"a"]), TypeError),
        (lambda: train.Feature(int64_list=train.FloatList()), TypeError),
        (lambda: setattr(train.Feature(), "int64_list", train.Int64List()), AttributeError),
        (lambda: setattr(train.Feature(), "other", 1), AttributeError),
        (lambda: train.Example.FromString(b"abc"), ValueError),
        (lambda: train.Example.FromString("abc"), TypeError),
        (lambda: train.Feature().WhichOneof("x"), ValueError),
        (lambda: hash(train.Feature()), TypeError),
    ],
)
def test_what_messages_refuse(call, error):
    with pytest.raises(error):
        call()


@given(st.binary(max_size=40))
def test_nonsense_is_a_message_or_refused(content):
    for kind in (train.Example, train.SequenceExample):
        try:
            read = kind.FromString(content)
        except ValueError:
            continue
        assert kind.FromString(read.SerializeToString()) == read or "nan" in str(read)


# -- parsing ---------------------------------------------------------------------------------------


def test_features_of_every_kind():
    rows = [example(a=ints(1, 2), f=floats(0.5), t=texts(b"x")), example(f=floats())]
    found = io.parse_example(
        rows,
        {
            "a": io.VarLenFeature(tf.int64),
            "f": io.FixedLenSequenceFeature([], tf.float32, allow_missing=True, default_value=-1),
            "t": io.FixedLenFeature([1], tf.string, default_value="none"),
        },
    )
    assert found["a"].indices.numpy().tolist() == [[0, 0], [0, 1]]
    assert found["a"].values.numpy().tolist() == [1, 2]
    assert found["a"].shape == [2, 2]
    assert found["f"].numpy().tolist() == [[0.5], [-1.0]]
    assert found["t"].numpy().tolist() == [[b"x"], [b"none"]]


def test_one_example_has_no_axis_of_the_batch():
    row = example(a=ints(3, 1), v=floats(0.5, 2.0), m=ints(1, 2, 3, 4))
    found = io.parse_single_example(
        row,
        {
            "s": io.SparseFeature("a", "v", tf.float32, 5),
            "m": io.FixedLenFeature([2, 2], tf.int64),
            "a": io.VarLenFeature(tf.int64),
        },
    )
    assert tf.sparse.to_dense(found["s"]).numpy().tolist() == [0, 2.0, 0, 0.5, 0]
    assert found["m"].numpy().tolist() == [[1, 2], [3, 4]]
    assert found["a"].shape == [2]


def test_examples_are_parsed_in_datasets_and_functions():
    known = {"a": io.FixedLenFeature([], tf.int64), "v": io.VarLenFeature(tf.float32)}
    rows = [example(a=ints(i), v=floats(*range(i))) for i in range(4)]
    dataset = tf.data.Dataset.from_tensor_slices(rows)
    single = dataset.map(lambda x: io.parse_single_example(x, known))
    assert [int(x["a"]) for x in single] == [0, 1, 2, 3]
    (batch, *_) = dataset.batch(4).map(lambda x: io.parse_example(x, known))
    assert tf.sparse.to_dense(batch["v"]).shape == [4, 3]
    parse = tf.function(lambda x: io.parse_single_example(x, known)["a"])
    assert [int(parse(tf.constant(row))) for row in rows] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        (io.FixedLenFeature([3], tf.int64), "values size: 2 but output shape"),
        (io.FixedLenFeature([2], tf.float32), "Data types don't match"),
        (io.VarLenFeature(tf.string), "Data types don't match"),
        (io.FixedLenSequenceFeature([3], tf.int64, True), "multiple of stride"),
        (io.VarLenFeature(tf.int32), "int32"),
    ],
)
def test_features_that_do_not_fit(feature, words):
    with pytest.raises(errors.InvalidArgumentError, match=words):
        io.parse_example([example(a=ints(1, 2))], {"a": feature})


def test_what_parsing_refuses():
    known = {"a": io.FixedLenFeature([], tf.int64)}
    with pytest.raises(errors.InvalidArgumentError, match="required but could not be found"):
        io.parse_example([example()], known)
    with pytest.raises(errors.InvalidArgumentError, match="Could not parse"):
        io.parse_example([b"abc"], known)
    with pytest.raises(errors.InvalidArgumentError, match="scalar or vector"):
        io.parse_example([[example(a=ints(1))]], known)
    with pytest.raises(ValueError, match="FixedLenSequenceFeature"):
        io.parse_example([b""], {"a": io.FixedLenFeature([None], tf.int64)})
    with pytest.raises(ValueError, match="scalar"):
        io.parse_single_example([b""], known)


@given(st.binary(max_size=40))
def test_nonsense_is_parsed_or_refused(content):
    known = {"": io.VarLenFeature(tf.int64), "a": io.VarLenFeature(tf.string)}
    for parse in (io.parse_single_example, io.parse_single_sequence_example):
        try:
            parse(content, known)
        except errors.InvalidArgumentError:
            continue


def test_sequences():
    steps = train.FeatureList(feature=[ints(i, i) for i in range(3)])
    long = train.SequenceExample(
        context=features(c=ints(1)), feature_lists=train.FeatureLists(feature_list={"x": steps})
    ).SerializeToString()
    none = train.SequenceExample().SerializeToString()
    fixed = {"x": io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)}
    context = {"c": io.FixedLenFeature([], tf.int64, default_value=5)}
    whole, found, lengths = io.parse_sequence_example([long, none], context, fixed)
    assert whole["c"].numpy().tolist() == [1, 5]
    assert found["x"].numpy().tolist() == [[[0, 0], [1, 1], [2, 2]], [[0, 0]] * 3]
    assert lengths["x"].numpy().tolist() == [3, 0]
    variable = {"x": io.VarLenFeature(tf.int64)}
    _, found, lengths = io.parse_sequence_example([none, long], None, variable)
    assert found["x"].indices.numpy()[-1].tolist() == [1, 2, 1]
    assert found["x"].shape == [2, 3, 2]
    assert lengths == {}
    _, found = io.parse_single_sequence_example(long, None, variable)
    assert tf.sparse.to_dense(found["x"]).numpy().tolist() == [[0, 0], [1, 1], [2, 2]]
    with pytest.raises(errors.InvalidArgumentError, match="required but could not be found"):
        io.parse_sequence_example([none], None, {"x": io.FixedLenSequenceFeature([2], tf.int64)})


def test_json():
    text = (
        '{"features": {"feature": {"a": {"int64_list": {"value": [1, "2"]}},'
        '"b": {"bytesList": {"value": ["aGk="]}}, "c": {"floatList": {"value": ["Infinity"]}}}}}'
    )
    expected = example(a=ints(1, 2), b=texts(b"hi"), c=floats(float("inf")))
    assert io.decode_json_example([text]).numpy().tolist() == [expected]
    for wrong in ("", "{}}", '{"x": 1}', '{"features": 3}', "[" * 100_000):
        with pytest.raises(errors.InvalidArgumentError, match="Error while parsing JSON"):
            io.decode_json_example(wrong)


# -- messages of tensors ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "field"),
    [
        (1.5, "float_val"),
        ("a", "string_val"),
        (["a", "b"], "string_val"),
        (True, "bool_val"),
        (1j, "dcomplex_val"),
        (np.float16(1.5), "half_val"),
        (np.uint8(3), "int_val"),
        (np.uint64(2**63), "uint64_val"),
        ([1, 2], "tensor_content"),
    ],
)
def test_tensors_are_messages(value, field):
    proto = tf.make_tensor_proto(value)
    assert field in [f.name for f, _ in proto.ListFields()]
    back = tf.make_ndarray(proto)
    assert back.dtype == tf.constant(value).dtype.as_numpy_dtype
    assert np.array_equal(back, tf.constant(value).numpy())


def test_messages_of_tensors_in_a_shape():
    assert tf.make_ndarray(tf.make_tensor_proto(1, shape=[2, 2])).tolist() == [[1, 1], [1, 1]]
    assert tf.make_ndarray(tf.make_tensor_proto([1, 2], shape=[3])).tolist() == [1, 2, 2]
    with pytest.raises(ValueError, match="Too many elements"):
        tf.make_tensor_proto([1, 2, 3], shape=[2])
    with pytest.raises(TypeError, match="Expected Tensor's shape"):
        tf.make_tensor_proto([1, 2], shape=[3], verify_shape=True)
    with pytest.raises(ValueError, match="both"):
        tf.make_tensor_proto(1, verify_shape=True, allow_broadcast=True)
    for shape in ([1, None], None, []):
        assert str(tf.TensorShape(tf.TensorShape(shape).as_proto())) == str(tf.TensorShape(shape))


def test_single_strings_of_many_examples_are_rows():
    serialized = [example(word=texts(word)) for word in (b"one", b"two")]
    known = {"word": tf.io.FixedLenFeature([], tf.string)}
    assert tf.io.parse_example(serialized, known)["word"].numpy().tolist() == [b"one", b"two"]
    default = {"word": tf.io.FixedLenFeature([], tf.string, default_value="none")}
    found = tf.io.parse_example([serialized[0], b""], default)
    assert found["word"].numpy().tolist() == [b"one", b"none"]
