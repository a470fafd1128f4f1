"""tf.io: files, bytes and lines."""

import contextlib

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import cinta as tf

# -- tensors as bytes ------------------------------------------------------------------------------

WRITTEN_BY_TENSORFLOW = [
    (
        np.float32([[1, 2]]),
        b'\x08\x01\x12\x08\x12\x02\x08\x01\x12\x02\x08\x02"\x08\0\0\x80?\0\0\0@',
    ),
    (np.array([b"a", b"bc"], object), b"\x08\x07\x12\x04\x12\x02\x08\x02B\x01aB\x02bc"),
    (np.int32(5), b'\x08\x03\x12\0"\x04\x05\0\0\0'),
    (np.zeros(0, np.int64), b"\x08\t\x12\x02\x12\0"),
    (np.array([True, False]), b'\x08\n\x12\x04\x12\x02\x08\x02"\x02\x01\0'),
    (ml_dtypes.bfloat16(1.5), b'\x08\x0e\x12\0"\x02\xc0?'),
    (np.complex128(1 + 2j), b'\x08\x12\x12\0"\x10' + b"\0" * 6 + b"\xf0?" + b"\0" * 7 + b"@"),
]
FIELDS_OF_VALUES = [
    (np.float32(3.5), b"\x08\x01\x12\0*\x04\0\0`@"),
    (np.float16(1.5), b"\x08\x13\x12\0j\x02\x80|"),
    (np.int32(-3), b"\x08\x03\x12\0:\n\xfd" + b"\xff" * 8 + b"\x01"),
    (np.bool_(True), b"\x08\n\x12\0Z\x01\x01"),
    (np.complex128(1 + 2j), b"\x08\x12\x12\0b\x10" + b"\0" * 6 + b"\xf0?" + b"\0" * 7 + b"@"),
    (
        np.full([2, 2], np.float32(5)),
        b"\x08\x01\x12\x08\x12\x02\x08\x02\x12\x02\x08\x02*\x04\0\0\xa0@",
    ),
]


@pytest.mark.parametrize(("array", "message"), WRITTEN_BY_TENSORFLOW)
def test_serialized_as_by_tensorflow(array, message):
    assert tf.io.serialize_tensor(tf.constant(array)).numpy() == message


@pytest.mark.parametrize(("array", "message"), WRITTEN_BY_TENSORFLOW + FIELDS_OF_VALUES)
def test_parsed_as_by_tensorflow(array, message):
    parsed = tf.io.parse_tensor(message, array.dtype)
    assert parsed.dtype == array.dtype
    assert parsed.shape == array.shape
    assert np.array_equal(parsed.numpy(), array)


@given(
    arrays.arrays(
        st.sampled_from([np.float16, np.float32, np.int8, np.uint16, np.int64, np.complex64]),
        arrays.array_shapes(min_dims=0, min_side=0),
    )
)
def test_what_is_serialized_is_parsed(array):
    parsed = tf.io.parse_tensor(tf.io.serialize_tensor(array), array.dtype)
    assert np.array_equal(parsed.numpy(), array, equal_nan=array.dtype.kind in "fc")


@given(st.binary(max_size=30))
def test_nonsense_is_refused(message):
    with contextlib.suppress(tf.errors.InvalidArgumentError):
        tf.io.parse_tensor(message, tf.float32)


def test_parsing_another_dtype():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"float.*int32"):
        tf.io.parse_tensor(tf.io.serialize_tensor(1.0), tf.int32)


# -- files -----------------------------------------------------------------------------------------


def test_files(tmp_path):
    tf.io.write_file(str(tmp_path / "new" / "b.txt"), "two")
    tf.io.write_file(tf.constant(str(tmp_path / "new" / "a.txt")), tf.constant(b"\0\xff"))
    assert tf.io.read_file(tmp_path / "new" / "a.txt").numpy() == b"\0\xff"
    found = tf.io.matching_files(f"{tmp_path}/new/*.txt").numpy().tolist()
    assert found == [f"{tmp_path}/new/{name}.txt".encode() for name in "ab"]
    assert len(tf.io.matching_files("/nowhere/*")) == 0


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: tf.io.read_file("/nowhere"), tf.errors.NotFoundError),
        (lambda: tf.io.read_file("/"), tf.errors.FailedPreconditionError),
        (lambda: tf.io.gfile.listdir("/nowhere"), tf.errors.NotFoundError),
        (lambda: tf.io.gfile.remove("/nowhere"), tf.errors.NotFoundError),
        (lambda: tf.io.gfile.GFile("/nowhere"), tf.errors.NotFoundError),
        (lambda: tf.io.gfile.exists("s3://bucket/x"), tf.errors.UnimplementedError),
        (lambda: tf.io.read_file("s3://bucket/x"), tf.errors.UnimplementedError),
        (lambda: tf.io.gfile.copy("/etc/hosts", "gs://b/x"), tf.errors.UnimplementedError),
    ],
)
def test_files_that_are_not_there(call, error):
    with pytest.raises(error):
        call()


def test_folders(tmp_path):
    gfile = tf.io.gfile
    deep = gfile.join(str(tmp_path), "a", "b")
    gfile.makedirs(deep)
    assert gfile.isdir(deep)
    with gfile.GFile(gfile.join(deep, "x"), "w") as file:
        file.write("hé")
    assert gfile.stat(gfile.join(deep, "x")).length == 3
    gfile.copy(gfile.join(deep, "x"), gfile.join(deep, "y"))
    with pytest.raises(tf.errors.AlreadyExistsError):
        gfile.rename(gfile.join(deep, "x"), gfile.join(deep, "y"))
    gfile.rename(gfile.join(deep, "x"), gfile.join(deep, "y"), overwrite=True)
    assert gfile.listdir(deep) == ["y"]
    assert gfile.glob([gfile.join(deep, "*")]) == [gfile.join(deep, "y")]
    assert [names for _, _, names in gfile.walk(tmp_path)] == [[], [], ["y"]]
    gfile.rmtree(tmp_path / "a")
    assert not gfile.exists(deep)


# -- numbers from bytes ----------------------------------------------------------------------------


def test_decode_raw():
    decoded = tf.io.decode_raw(["abcd", "efgh"], tf.int16)
    assert decoded.numpy().tolist() == [[25185, 25699], [26213, 26727]]
    assert tf.io.decode_raw(b"\0\1", tf.uint16, little_endian=False).numpy().tolist() == [1]
    padded = tf.io.decode_raw(["abc", "d"], tf.uint8, fixed_length=2)
    assert padded.numpy().tolist() == [[97, 98], [100, 0]]


def test_decode_csv():
    columns = tf.io.decode_csv(["1,2.5,a", '3,,"b,c"'], [0, 1.5, "x"])
    assert [x.numpy().tolist() for x in columns] == [[1, 3], [2.5, 1.5], [b"a", b"b,c"]]
    (second,) = tf.io.decode_csv("1;-", [[7]], field_delim=";", na_value="-", select_cols=[1])
    assert second.numpy() == 7


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.io.decode_raw("abc", tf.int16), "multiple of 2"),
        (lambda: tf.io.decode_raw(["a", "bc"], tf.uint8), "same size"),
        (lambda: tf.io.decode_csv(["1,2"], [0]), "Expect 1 fields but have 2 in record 0"),
        (lambda: tf.io.decode_csv(["q"], [0]), "not a valid int32: q"),
        (lambda: tf.io.decode_csv(["1"], [[[0]]]), "at most rank 1"),
        (lambda: tf.io.decode_csv(["1"], [[0, 1]]), "only be 1 default per field"),
        (lambda: tf.io.decode_csv([","], [0, tf.constant([], tf.int32)]), "required but missing"),
        (lambda: tf.io.decode_base64("a"), "Base64"),
    ],
)
def test_what_cannot_be_decoded(call, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        call()


@given(st.binary(max_size=20), st.booleans())
def test_base64(value, pad):
    assert tf.io.decode_base64(tf.io.encode_base64(value, pad)).numpy() == value


# -- lines, and files again ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        (b"a,c", [b"a", b"c"]),
        (b"\x00,\xff", [b"\0", b"\xff"]),
        (b'"a\nb",c', [b"a\nb", b"c"]),
        (b'"""a""",c', [b'"a"', b"c"]),
        (b"\na,c", [b"a", b"c"]),
        (b"a,", [b"a", b""]),
        (b'"a,b","c,"', [b"a,b", b"c,"]),
    ],
)
def test_fields_of_lines(line, fields):
    assert [x.numpy() for x in tf.io.decode_csv(line, ["", ""])] == fields


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'a"b,c', "Unquoted fields cannot have quotes/CRLFs inside"),
        (b"a,c\r\n", "Unquoted fields cannot have quotes/CRLFs inside"),
        (b'"ab', "Quoted field has to end with quote followed by delim or end"),
        (b'"a"b,c', "Quote inside a string has to be escaped by another quote"),
        (b"", "Expect 2 fields but have 0 in record 0"),
    ],
)
def test_lines_that_are_no_csv(line, message):
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        tf.io.decode_csv(line, ["", ""])


@pytest.mark.parametrize(
    ("field", "default", "value"),
    [(b" 12 ", 1, 12), (b"+3", 1, 3), (b"1e400", 1.0, np.inf), (b"0x10", 1.0, 16.0)],
)
def test_fields_that_are_numbers(field, default, value):
    assert tf.io.decode_csv(field, [default])[0].numpy() == value


@pytest.mark.parametrize(
    ("field", "default"),
    [
        (b"99999999999", 1),
        (b"1_000", 1),
        (b"1_0.0", 1.0),
        ("٣".encode(), 1),
        (b"9" * 5000, 1),
        (b"1e2", 1),
    ],
)
def test_fields_that_are_no_numbers(field, default):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Field 0 in record 0 is not a valid"):
        tf.io.decode_csv(field, [default])


def test_columns_of_csv_must_be_in_order_and_of_dtypes_that_it_has():
    with pytest.raises(ValueError, match="not strictly increasing"):
        tf.io.decode_csv(b"a,b", ["", ""], select_cols=[1, 0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="list of allowed values"):
        tf.io.decode_csv(b"1", [True])


@pytest.mark.parametrize("text", [b"YQ=", b"=", b"Y===", b"YQ==YQ==", b"YQ\n", b"a+b/"])
def test_text_that_is_no_base64(text):
    with pytest.raises(tf.errors.InvalidArgumentError, match="ase64"):
        tf.io.decode_base64(text)


def test_bools_are_one_or_zero():
    decoded = tf.io.decode_raw(b"\2\0\1", tf.bool)
    assert decoded.numpy().view(np.uint8).tolist() == [1, 0, 1]
    stored = tf.io.serialize_tensor([True, False]).numpy().replace(b"\1\0", b"\2\0")
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse"):
        tf.io.parse_tensor(stored, tf.bool)


def test_folders_that_are_there_and_copies_of_a_file_onto_itself(tmp_path):
    note = tmp_path / "note"
    note.write_bytes(b"hello")
    tf.io.gfile.mkdir(tmp_path)
    with pytest.raises(tf.errors.AlreadyExistsError, match="note"):
        tf.io.gfile.mkdir(note)
    with pytest.raises(tf.errors.AlreadyExistsError, match="note"):
        tf.io.gfile.makedirs(note)
    tf.io.gfile.copy(note, note, overwrite=True)
    assert note.read_bytes() == b"hello"


def test_a_file_keeps_ends_of_lines_and_takes_text_and_bytes(tmp_path):
    path = str(tmp_path / "note")
    with tf.io.gfile.GFile(path, "w") as file:
        file.write("é\r\n")
        file.write(b"b\nc")
    with tf.io.gfile.GFile(path) as file:
        assert [*file] == ["é\r\n", "b\n", "c"]
        assert (file.size(), file.tell(), file.closed) == (7, 7, False)
        file.seek(-1, 2)
        assert (file.read(), file.read(1)) == ("c", "")
    with tf.io.gfile.GFile(path, "rb") as file:
        assert (file.read(2), file.readline(), file.readlines()) == (
            b"\xc3\xa9",
            b"\r\n",
            [b"b\n", b"c"],
        )
    with tf.io.gfile.GFile(path, "a+") as file:
        file.write("d")
        file.seek(6)
        assert file.read() == "cd"


@pytest.mark.parametrize(
    ("mode", "use", "error", "message"),
    [
        ("w", lambda f: f.read(), tf.errors.PermissionDeniedError, "open for reading"),
        ("ab", lambda f: f.readline(), tf.errors.PermissionDeniedError, "open for reading"),
        ("w", lambda f: next(f), tf.errors.PermissionDeniedError, "open for reading"),
        ("r", lambda f: f.write("a"), tf.errors.PermissionDeniedError, "open for writing"),
        ("rb", lambda f: f.write(b"a"), tf.errors.PermissionDeniedError, "open for writing"),
        ("r", lambda f: f.read(-5), tf.errors.InvalidArgumentError, "negative number of bytes"),
        ("r", lambda f: f.read("a"), TypeError, "argument 'n'"),
        ("r", lambda f: f.seek(-3), tf.errors.InvalidArgumentError, "negative position: -3"),
        ("r", lambda f: f.seek(0, 9), tf.errors.InvalidArgumentError, "whence argument: 9"),
        ("w", lambda f: f.write(3), TypeError, "Expected binary or unicode string, got 3"),
    ],
)
def test_what_an_open_file_refuses(tmp_path, mode, use, error, message):
    (tmp_path / "note").write_text("a")
    with tf.io.gfile.GFile(tmp_path / "note", mode) as file, pytest.raises(error, match=message):
        use(file)


def test_what_was_written_to_a_file_is_there(tmp_path):
    with tf.io.gfile.GFile(tmp_path / "note", "w+") as file:
        file.write("abc")
        assert file.size() == 3
        file.seek(0)
        assert file.read() == "abc"


@pytest.mark.parametrize(
    ("columns", "pattern"),
    [([0], "do not match"), ([1, 0], "not strictly increasing"), ([-1, 0], "negative values")],
)
def test_columns_that_cannot_be_selected(columns, pattern):
    with pytest.raises(ValueError, match=pattern):
        tf.io.decode_csv(["1,2"], [0, 0], select_cols=columns)
