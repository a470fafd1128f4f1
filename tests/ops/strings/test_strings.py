"""Text: numbers as strings, tensors as people see them, tf.print."""

import sys

import numpy as np
import pytest

import cinta as tf

X = tf.constant([1.0, 2.5, -3.0])
TABLE = tf.reshape(tf.range(100), [10, 10])
InvalidArgumentError = tf.errors.InvalidArgumentError


@pytest.mark.parametrize(
    ("value", "options", "expected"),
    [
        (1.5, {}, b"1.500000"),
        (1e10, {}, b"10000000000.000000"),
        (1.5, {"precision": 2}, b"1.50"),
        (1.5, {"precision": 2, "width": 8}, b"    1.50"),
        (1.5, {"precision": 2, "width": 8, "fill": "0"}, b"00001.50"),
        (1.5, {"width": 10, "fill": "-"}, b"1.500000  "),
        (1.5, {"width": 10, "fill": "+"}, b" +1.500000"),
        (1.5, {"scientific": True}, b"1.500000e+00"),
        (0.1, {"shortest": True}, b"0.1"),
        (7, {"width": 4, "fill": "0"}, b"0007"),
        (True, {}, b"true"),
        (1 + 2j, {}, b"(1.000000,2.000000)"),
        (float("-inf"), {}, b"-inf"),
        (float("inf"), {"width": 6, "fill": "0"}, b"   inf"),
        (float("nan"), {"width": 6, "fill": "+"}, b"  +nan"),
        (complex("inf-1j"), {"width": 8, "fill": "0"}, b"(     inf,-1.000000)"),
        ("a", {}, b"a"),
    ],
)
def test_as_string(value, options, expected):
    assert tf.strings.as_string(value, **options).numpy() == expected


def test_as_string_refuses():
    for options in ({"fill": "x"}, {"scientific": True, "shortest": True}):
        with pytest.raises(InvalidArgumentError):
            tf.strings.as_string(1.5, **options)
    with pytest.raises(InvalidArgumentError, match="int32"):
        tf.strings.as_string(1, precision=2)


@pytest.mark.parametrize(
    ("value", "summarize", "expected"),
    [
        (X, 3, b"[1 2.5 -3]"),
        (TABLE, 1, b"[[0 ... 9]\n ...\n [90 ... 99]]"),
        (TABLE[0], -1, b"[0 1 2 3 4 5 6 7 8 9]"),
        (tf.reshape(tf.range(8), [2, 2, 2]), 3, b"[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]"),
        (["a", "b"], 3, b'"a" "b"'),
        (tf.constant(["a", "b"]), 3, b'["a" "b"]'),
        (tf.constant([True, False]), 3, b"[1 0]"),
        (tf.constant([0.1, 1e10, 1 / 3]), 3, b"[0.1 1e+10 0.333333343]"),
        (tf.constant(1 / 3, tf.float64), 3, b"0.33333333333333331"),
    ],
)
def test_format(value, summarize, expected):
    template = "{} {}" if isinstance(value, list) else "{}"
    assert tf.strings.format(template, value, summarize=summarize).numpy() == expected


def test_format_needs_as_many_tensors_as_places():
    with pytest.raises(ValueError, match="expects 2 tensors"):
        tf.strings.format("{} {}", X)
    assert tf.strings.format("%s!", (X,), placeholder="%s").numpy() == b"[1 2.5 -3]!"


def test_changing_strings():
    joined = tf.strings.join([["a", "b"], "c"], separator="-")
    assert joined.numpy().tolist() == [b"a-c", b"b-c"]
    assert tf.strings.join([]).numpy() == b""
    with pytest.raises(InvalidArgumentError, match="do not match"):
        tf.strings.join([["a", "b"], ["c"]])
    assert tf.strings.upper("aé").numpy() == "Aé".encode()
    assert tf.strings.lower("É", encoding="utf-8").numpy() == "é".encode()
    assert tf.strings.strip(" a\n").numpy() == b"a"
    assert tf.strings.length("é").numpy() == 2
    assert tf.strings.length("é", unit="UTF8_CHAR").numpy() == 1
    assert tf.strings.to_number(["1", "2"], tf.int64).numpy().tolist() == [1, 2]


@pytest.mark.parametrize(
    ("text", "dtype"),
    [("x", "float32"), ("1_000", "int32"), ("1_0.5", "float64"), ("3000000000", "int32")],
)
def test_strings_that_write_no_number_of_the_dtype_are_refused(text, dtype):
    with pytest.raises(InvalidArgumentError, match=f"convert string: {text}"):
        tf.strings.to_number(text, dtype)


def test_numbers_of_other_dtypes_are_not_read():
    assert tf.strings.to_number(" 5 ", tf.int32).numpy() == 5
    with pytest.raises(InvalidArgumentError, match="out_type"):
        tf.strings.to_number("5", tf.int16)


def test_print(capsys, tmp_path):
    tf.print("a", 1.5, X, {"x": X, "l": [1, "s", None]}, tf.Variable(2.0))
    tf.print(X, X, sep=",", end="!", output_stream=sys.stdout)
    out = capsys.readouterr()
    assert out.err == "a 1.5 [1 2.5 -3] {'l': [1, 's', None], 'x': [1 2.5 -3]} 2\n"
    assert out.out == "[1 2.5 -3],[1 2.5 -3]!"
    for _ in range(2):
        tf.print("line", output_stream=f"file://{tmp_path / 'log'}")
    assert (tmp_path / "log").read_text() == "line\nline\n"
    with pytest.raises(ValueError, match="Unrecognized keyword"):
        tf.print(X, foo=1)
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(X, output_stream=3)


def test_initializers():
    normal = tf.random_normal_initializer(mean=1.0, stddev=2.0, seed=1)
    first = normal([2, 2], tf.float64).numpy()
    np.testing.assert_array_equal(normal([2, 2], tf.float64).numpy(), first)
    copy = type(normal).from_config(normal.get_config())
    np.testing.assert_array_equal(copy([2, 2], tf.float64).numpy(), first)
    free = tf.random_uniform_initializer(0, 5)
    drawn = free([50], tf.int32).numpy()
    assert drawn.min() >= 0
    assert drawn.max() < 5
    assert tf.ones_initializer()([2], tf.int32).numpy().tolist() == [1, 1]
    assert tf.zeros_initializer()([2]).dtype == tf.float32
    assert tf.constant_initializer([1, 2])([2, 1]).shape == [2, 1]
    for call in (
        lambda: normal([2], tf.int32),
        lambda: tf.zeros_initializer()([2], tf.string),
    ):
        with pytest.raises(ValueError, match="dtype"):
            call()
    with pytest.raises(TypeError, match="foo"):
        tf.zeros_initializer()([2], foo=1)


def texts(tensor):
    return tensor.numpy().tolist()


GRID = [["a", "b"], ["c", "d"]]


def test_strings_are_joined_along_axes():
    join = tf.strings.reduce_join
    assert join(GRID).numpy() == b"abcd"
    assert texts(join(GRID, 0)) == [b"ac", b"bd"]
    assert join(GRID, [0, 1]).numpy() == b"acbd"
    assert join(GRID, [1, 0], separator="-").numpy() == b"a-b-c-d"
    assert join([["a", "b"]], 1, keepdims=True).shape == [1, 1]
    assert join("a").numpy() == b"a"
    assert texts(join(GRID, [])) == [[b"a", b"b"], [b"c", b"d"]]
    with pytest.raises(tf.errors.OutOfRangeError, match="Invalid axis 3"):
        join(["a"], 3)


def test_strings_are_joined_by_segment():
    join = tf.strings.unsorted_segment_join
    assert texts(join(["a", "b", "c"], [0, 2, 0], 3, separator="-")) == [b"a-c", b"", b"b"]
    assert texts(join(GRID, [1, 1], 2)) == [[b"", b""], [b"ac", b"bd"]]
    for outside in (-1, 2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="not allowed to exceed"):
            join(["a"], [outside], 2)


def test_parts_of_strings():
    substr = tf.strings.substr
    assert substr("hello", 1, 3).numpy() == b"ell"
    assert substr("hello", -3, 2).numpy() == b"ll"
    assert substr("abc", 1, -1).numpy() == b"bc"
    assert substr("abc", 3, 1).numpy() == b""
    assert texts(substr(["hello", "abc"], [1, 0], [2, 9])) == [b"el", b"abc"]
    assert substr("héllo", 1, 2, unit="UTF8_CHAR").numpy() == "él".encode()
    for outside in (9, -6):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"pos {outside} out of range"):
            substr("hello", outside, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="unit must be"):
        substr("hello", 0, 1, unit="WORD")


def test_regular_expressions():
    replace, matches = tf.strings.regex_replace, tf.strings.regex_full_match
    assert texts(replace(["abc", "cab"], "a", "x")) == [b"xbc", b"cxb"]
    assert replace("aab", "a", "x", replace_global=False).numpy() == b"xab"
    assert replace("abc", "(b)(c)", r"\2\1").numpy() == b"acb"
    assert replace("abc", "b", r"\0\0").numpy() == b"abbc"
    assert texts(matches([["abc"], ["xabc"]], "a.*")) == [[True], [False]]
    for call in (lambda: replace("a", "(", "x"), lambda: matches("a", "(")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Invalid pattern: \("):
            call()


@pytest.mark.parametrize(
    ("value", "pattern", "rewrite", "expected"),
    [
        ("日本", ".", "X", "XX"),
        ("aÉ日", r"\w", "X", "XÉ日"),
        ("aÉ日", "[^a-z]", "X", "aXX"),
        ("aÉ日", "(?i)é", "X", "aX日"),
        ("é9", "[é-ü]", "X", "X9"),
        ("a1!é ", "[[:alpha:]]", "X", "X1!é "),
        ("a1!é ", "[[:^alpha:]]", "X", "aXXXX"),
        ("a1!é ", "[[:punct:][:space:]1]", "X", "aXXéX"),
        ("a]b^", "[^]a]", "X", "a]XX"),
        ("a[b", "[a[]", "X", "XXb"),
        ("aÉ日.é", r"\p{Lu}|[\p{Lo}.]", "X", "aXXXé"),
        ("a1", r"\PL", "X", "aX"),
        ("a1", r"\p{^L}", "X", "aX"),
        ("a.b*c", r"\Q.b*\E", "X", "aXc"),
        ("日本", r"\x{65e5}", "X", "X本"),
        ("x{,2}xx", "x{,2}", "X", "Xxx"),
        ("ab\n", "b$", "X", "ab\n"),
        ("ab\n", "(?m)b$", "X", "aX\n"),
        ("ab", r"b\z", "X", "aX"),
        ("a b", r"\bb", "X", "a X"),
        ("a\x0bb c", r"\s", "X", "a\x0bbXc"),
        ("a\nb", "a.b", "X", "a\nb"),
        ("a\nb", "(?s)a.b", "X", "X"),
        ("baac", "a*", "-", "-b-c-"),
        ("ab", "b|$", "X", "aX"),
        ("aab", "a*?", "-", "-a-a-b-"),
        ("abc", "(x)?b", r"<\1\0\\>", r"a<b\>c"),
    ],
)
def test_regular_expressions_are_those_of_re2(value, pattern, rewrite, expected):
    assert tf.strings.regex_replace(value, pattern, rewrite).numpy().decode() == expected


def test_rare_regular_expressions():
    matches = tf.strings.regex_full_match
    for refused in ("a(?i)b", "^*", r"\p{Greek}"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
            matches("a", refused)
    for accepted in ("(?=a)aa", "a++", r"(.)\1"):
        assert matches("aa", accepted)


def test_bytes_that_are_no_text_pass_through_expressions():
    replace, matches = tf.strings.regex_replace, tf.strings.regex_full_match
    assert replace(b"\xffa\x80", "a", b"\xfe").numpy() == b"\xff\xfe\x80"
    for pattern in (".", "(?s).", "[^b]", r"\D", r"\PN"):
        assert replace(b"\xffa\x80", pattern, "X").numpy() == b"\xffX\x80"
        assert not matches(b"\xff", pattern)
    for wrong in (b"\xff", "[[:letters:]]", r"\pX"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid pattern"):
            matches("a", wrong)
    for rewrite in (r"\1", r"\n", "\\"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid rewrite"):
            replace("a", "a", rewrite)


def test_characters_are_counted_and_cut_by_their_first_bytes():
    strings = [b"\xffab", b"a\x80b", b"\xe3\x81", b"\xc3\xa9\x80x", b"\x80\x80a"]
    cut = lambda at, count: texts(tf.strings.substr(strings, at, count, unit="UTF8_CHAR"))  # noqa: E731
    assert tf.strings.length(strings, unit="UTF8_CHAR").numpy().tolist() == [3, 2, 1, 2, 1]
    assert cut(0, 1) == [b"\xff", b"a\x80", b"\xe3\x81", b"\xc3\xa9\x80", b"\x80\x80"]
    assert cut(1, 9) == [b"ab", b"b", b"", b"x", b"a"]
    assert cut(-1, 1) == [b"b", b"b", b"\xe3\x81", b"x", b"a"]
    assert cut(0, -1) == [b""] * 5
    assert texts(tf.strings.substr(["abc", "de"], 1, -1)) == [b"bc", b"e"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of range"):
        cut(-1, -1)


def test_bytes_that_are_no_text_are_changed_to_signs_for_that_or_kept():
    wrong = [b"\xffAb", b"\xe3\x81"]
    assert texts(tf.strings.lower(wrong, "utf-8")) == [b"\xef\xbf\xbdab", b"\xef\xbf\xbd"]
    assert texts(tf.strings.upper(wrong, "utf-8")) == [b"\xef\xbf\xbdAB", b"\xef\xbf\xbd"]
    assert texts(tf.strings.split(b"a\xffb\xffc", b"\xff")) == [b"a", b"b", b"c"]
    assert tf.strings.join(["a", "b"], b"\xff").numpy() == b"a\xffb"
    assert tf.strings.reduce_join(["a", "b"], separator=b"\xff").numpy() == b"a\xffb"
    assert texts(tf.strings.ngrams(["a", "b"], 2, separator=b"\xff")) == [b"a\xffb"]


def test_one_string_is_split():
    split = tf.strings.split
    assert texts(split("a,b,,c", ",")) == [b"a", b"b", b"", b"c"]
    assert texts(split("a b c", maxsplit=1)) == [b"a", b"b c"]
    assert texts(split(" a ", " ")) == [b"", b"a", b""]
    assert split("").shape == [0]
    assert texts(tf.strings.bytes_split("abc")) == [b"a", b"b", b"c"]
    assert split(["a b", "c"]).to_list() == [[b"a", b"b"], [b"c"]]
    assert split([["a b"], [""]]).shape == [2, 1, None]


BROKEN = b"h\xff\xe2\x82x"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [b"h", b"\xef\xbf\xbd", b"\xef\xbf\xbd", b"x"]),
        ({"errors": "replace", "replacement_char": 63}, [b"h", b"?", b"?", b"x"]),
        ({"errors": "ignore"}, [b"h", b"x"]),
    ],
)
def test_what_is_no_character_is_replaced_or_ignored(options, expected):
    assert tf.strings.unicode_split(BROKEN, "UTF-8", **options).numpy().tolist() == expected


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16-BE", "UTF-32-BE"])
def test_characters_keep_their_encoding(encoding):
    parts = tf.strings.unicode_split("hé😀".encode(encoding), encoding).numpy().tolist()
    assert parts == [each.encode(encoding) for each in "hé😀"]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("UTF-8", "strict"), "Invalid formatting"),
        (("UTF-8", "foo"), "errors"),
        (("UTF-8", "replace", 0x110000), "replacement_char"),
        (("latin1",), "encoding"),
        (("UTF-16",), "encoding"),
    ],
)
def test_characters_that_cannot_be_read(arguments, match):
    with pytest.raises(tf.errors.InvalidArgumentError, match=match):
        tf.strings.unicode_split(BROKEN, *arguments)


def test_no_strings_are_joined_to_none():
    nothing = np.zeros([2, 0, 3], str)
    assert tf.strings.reduce_join(nothing, [0, 2]).shape == (0,)
    assert tf.strings.reduce_join(nothing, 1).numpy().tolist() == [[b""] * 3] * 2


@pytest.mark.parametrize(("pos", "count"), [([1, -1], 1), (1, [1, 1]), ([0], [1, 1])])
def test_places_and_lengths_of_substrings_have_one_shape(pos, count):
    with pytest.raises(tf.errors.InvalidArgumentError, match="pos and len should have the same"):
        tf.strings.substr(b"abc", pos, count)


def test_the_imaginary_part_of_strings_is_empty():
    assert tf.math.imag(["a", "b"]).numpy().tolist() == [b"", b""]
    assert tf.function(tf.math.imag)(tf.constant("a")).numpy() == b""


@pytest.mark.parametrize("xla", [None, False, True], ids=["eager", "numpy", "xla"])
def test_ragged_rows_of_characters_become_strings(xla):
    def encode(rows):
        return tf.strings.unicode_encode(rows, "UTF-16-BE")

    function = encode if xla is None else tf.function(encode, jit_compile=xla)
    rows = tf.ragged.constant([[97, 233], [0x1F600], []])
    expected = [b"\x00a\x00\xe9", b"\xd8=\xde\x00", b""]
    assert function(rows).numpy().tolist() == expected
    deeper = tf.RaggedTensor.from_row_lengths(rows, [2, 0, 1])
    assert function(deeper).to_list() == [expected[:2], [], expected[2:]]
    inner = tf.ragged.constant([[[97, 233], [98, 5]], []], inner_shape=(2,))
    assert function(inner).to_list() == [[b"\x00a\x00\xe9", b"\x00b\x00\x05"], []]


def test_ragged_rows_of_what_is_no_character():
    rows = tf.ragged.constant([[97, -1], [0xD800]])
    options = {"errors": "replace", "replacement_char": 63}
    assert tf.strings.unicode_encode(rows, "UTF-8", **options).numpy().tolist() == [b"a?", b"?"]
    assert tf.strings.unicode_encode(rows, "UTF-8", "ignore").numpy().tolist() == [b"a", b""]
    with pytest.raises(tf.errors.InvalidArgumentError, match="-1"):
        tf.strings.unicode_encode(rows, "UTF-8", "strict")


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (tf.strings.unicode_decode_with_offsets, [[[97, 98], [233]], [[]]]),
        (tf.strings.unicode_split_with_offsets, [[[b"a", b"b"], ["é".encode()]], [[]]]),
    ],
)
def test_characters_and_offsets_of_strings_in_rows(function, expected):
    rows = tf.ragged.constant([["ab", "é"], [""]])
    characters, offsets = function(rows, "UTF-8")
    assert characters.to_list() == expected
    assert offsets.to_list() == [[[0, 1], [0]], [[]]]


@pytest.mark.parametrize("width", [0, -1, [2, 0]])
def test_neighbors_of_strings_in_rows_are_at_least_one(width):
    with pytest.raises(ValueError, match="ngram_widths must be greater than 0"):
        tf.strings.ngrams(tf.ragged.constant([["a", "b"], []]), width)


def test_neighbors_are_strings_in_rows_too():
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be strings"):
        tf.strings.ngrams(tf.ragged.constant([[1.0, 2.0], []]), 2)
