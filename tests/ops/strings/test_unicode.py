"""Strings as characters with numbers, in several encodings."""

import pytest

import cinta as tf

strings, errors = tf.strings, tf.errors


def test_characters_and_their_places():
    numbers, offsets = strings.unicode_decode_with_offsets("héo", "UTF-8")
    assert (numbers.numpy().tolist(), offsets.numpy().tolist()) == ([104, 233, 111], [0, 1, 3])
    assert strings.unicode_decode(b"\xffa", "UTF-8").numpy().tolist() == [0xFFFD, 97]
    assert strings.unicode_decode(b"\xffa", "UTF-8", "ignore").numpy().tolist() == [97]
    assert strings.unicode_decode("", "UTF-8").numpy().tolist() == []
    parts, offsets = strings.unicode_split_with_offsets(b"\0h\0\xe9", "UTF-16-BE")
    assert (parts.numpy().tolist(), offsets.numpy().tolist()) == ([b"\0h", b"\0\xe9"], [0, 2])
    with pytest.raises(errors.InvalidArgumentError, match="Invalid formatting"):
        strings.unicode_decode(b"\xff", "UTF-8", "strict")


def test_characters_of_several_strings_are_rows():
    numbers, offsets = strings.unicode_decode_with_offsets(["hé", "", "o"], "UTF-8")
    assert numbers.to_list() == [[104, 233], [], [111]]
    assert offsets.to_list() == [[0, 1], [], [0]]


def test_characters_become_strings():
    assert strings.unicode_encode([104, 233], "UTF-8").numpy() == "hé".encode()
    pairs = strings.unicode_encode([[104, 233], [1, 2]], "UTF-16-BE").numpy().tolist()
    assert pairs == [b"\0h\0\xe9", b"\0\1\0\2"]
    wrong = [0x110000, 0xD800, 65]
    assert strings.unicode_encode(wrong, "UTF-8").numpy() == b"\xef\xbf\xbd\xef\xbf\xbdA"
    assert strings.unicode_encode(wrong, "UTF-8", "ignore").numpy() == b"A"
    with pytest.raises(errors.InvalidArgumentError, match="out of range"):
        strings.unicode_encode(wrong, "UTF-8", "strict")
    with pytest.raises(ValueError, match="rank"):
        strings.unicode_encode(5, "UTF-8")


def test_encodings_change():
    def change(value, source, target="UTF-8", **how):
        return strings.unicode_transcode(value, source, target, **how).numpy()

    assert change("hé", "UTF-8", "UTF-16-BE") == b"\0h\0\xe9"
    assert change(b"\xe9a", "ISO-8859-1") == "éa".encode()
    assert (
        change(b"\xff\x01a", "UTF-8", replace_control_characters=True) == "\ufffd\ufffda".encode()
    )
    assert change(b"\xff\x01a", "UTF-8", errors="ignore") == b"\x01a"
    assert change(b"\xff\x01a", "UTF-8", replacement_char=32) == b" \x01a"
    with pytest.raises(errors.InvalidArgumentError, match="Could not create converter"):
        change(b"a", "none")


@pytest.mark.parametrize(
    ("encoding", "given", "numbers", "offsets"),
    [
        ("utf-8", "aé€".encode(), [97, 233, 8364], [0, 1, 3]),
        ("UTF-16", b"\xff\xfea\0\xe9\0", [97, 233], [0, 4]),
        ("UTF-16", b"\xfe\xff\0a\0\xe9", [97, 233], [0, 4]),
        ("UTF-16", b"\0a\0\xe9", [97, 233], [0, 2]),
        ("UTF-32", b"\0\0\0a\0\0\0\xe9", [97, 233], [0, 4]),
        ("UTF-16-LE", b"a\0\xe9\0", [97, 233], [0, 2]),
        ("US-ASCII", b"a\xe9b", [97, 0xFFFD, 98], [0, 1, 2]),
        ("ISO-8859-1", b"a\xe9", [97, 233], [0, 1]),
        ("SHIFT-JIS", b"\x82\xa0a", [0x3042, 97], [0, 2]),
    ],
)
def test_encodings_that_are_decoded(encoding, given, numbers, offsets):
    found = strings.unicode_decode_with_offsets(given, encoding)
    assert [part.numpy().tolist() for part in found] == [numbers, offsets]
    there = strings.unicode_transcode(given, encoding, "UTF-8").numpy().decode()
    assert there == "".join(map(chr, numbers))


@pytest.mark.parametrize("encoding", ["none such", "", "hex"])
def test_encodings_that_are_not_there(encoding):
    for decode in (strings.unicode_decode, lambda x, y: strings.unicode_transcode(x, y, "UTF-8")):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not create converter"):
            decode("a", encoding)


def test_control_characters_are_handled_as_what_is_malformed():
    given, how = b"\x01a\xff\tb\x7f", {"replace_control_characters": True}
    decode = strings.unicode_decode_with_offsets
    numbers, offsets = decode(given, "UTF-8", **how)
    assert numbers.numpy().tolist() == [0xFFFD, 97, 0xFFFD, 0xFFFD, 98, 127]
    assert offsets.numpy().tolist() == [0, 1, 2, 3, 4, 5]
    numbers, offsets = decode(given, "UTF-8", "ignore", **how)
    assert (numbers.numpy().tolist(), offsets.numpy().tolist()) == ([97, 98, 127], [1, 4, 5])
    assert strings.unicode_transcode(given, "UTF-8", "UTF-8", "ignore", **how).numpy() == b"ab\x7f"
    with pytest.raises(tf.errors.InvalidArgumentError, match="at byte 1"):
        decode(b"a\x02", "UTF-8", "strict", **how)


@pytest.mark.parametrize("compiled", [None, False, True])
def test_scripts(compiled):
    script = strings.unicode_script
    if compiled:
        pytest.importorskip("jax")
    if compiled is not None:
        script = tf.function(script, jit_compile=compiled)
    given = [[0x41, 0x416, 0x4E2D, 0x3B1], [0x61F, 0x10FFFF, -1, 0x110000]]
    # TensorFlow's numbers
    assert script(tf.constant(given)).numpy().tolist() == [[25, 8, 17, 14], [0, 103, -1, -1]]
    assert script(tf.zeros([0, 2], tf.int32)).shape == [0, 2]
    assert script(tf.constant(0x5D0)).numpy() == 19


def test_scripts_of_all_characters():
    found = strings.unicode_script(tf.range(0x110000)).numpy()
    # TensorFlow's counts: Latin, Han, common, and numbers without a character
    counts = {each: int((found == each).sum()) for each in (25, 17, 0, 103)}
    assert counts == {25: 1374, 17: 94204, 0: 8087, 103: 970188}
    assert (found[1:] != found[:-1]).sum() == 1586


def test_scripts_of_other_numbers_are_refused():
    with pytest.raises(errors.InvalidArgumentError, match="int64: convert them"):
        strings.unicode_script(tf.constant([65], tf.int64))
    with pytest.raises(TypeError):
        strings.unicode_script(65.0)
