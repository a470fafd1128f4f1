"""Functions of strings: recorded once for all strings, and saved."""

import numpy as np
import pytest

import cinta as tf
from tests.replaying import recordings

WORDS = [["3"], ["-1.5", " 20 "], ["7", "0.25", "12", "5"]]


@pytest.fixture
def saved(tmp_path):
    def save(function):
        module = tf.Module()
        module.f = tf.function(function, input_signature=[tf.TensorSpec([None], tf.string)])
        tf.saved_model.save(module, tmp_path)
        return tf.saved_model.load(tmp_path).f

    return save


FUNCTIONS = [
    tf.strings.to_number,
    lambda s: tf.strings.to_number(s) * tf.cast(tf.size(s), tf.float32),
    lambda s: tf.strings.lower(s, encoding="utf-8"),
    tf.strings.upper,
    tf.strings.strip,
    lambda s: tf.strings.length(s, unit="UTF8_CHAR"),
    lambda s: tf.strings.join([s, s, "x"], separator="-"),
    lambda s: tf.strings.reduce_join(s, separator="+"),
    lambda s: tf.strings.substr(s, 0, 1),
    lambda s: tf.strings.substr(s, -1, 1, unit="UTF8_CHAR"),
    lambda s: tf.strings.regex_replace(s, "[0-9]", "x", replace_global=False),
    lambda s: tf.strings.regex_full_match(s, r"\s*[0-9]+\s*"),
    lambda s: tf.strings.to_hash_bucket(s, 10),
    lambda s: tf.strings.to_hash_bucket_fast(s, 10),
    lambda s: tf.strings.to_hash_bucket_strong(s, 10, [1, 2]),
    lambda s: tf.strings.as_string(tf.strings.length(s), width=4, fill="0"),
    lambda s: tf.strings.as_string(s, width=6),
    lambda s: tf.strings.unicode_transcode(s, "UTF-8", "UTF-16-BE"),
    lambda s: tf.strings.unicode_encode(tf.strings.length(s)[:, None] + 64, "UTF-8"),
    lambda s: tf.where(tf.strings.strip(s) == "20", s, "other"),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_they_are_saved_for_any_strings(saved, function):
    f = saved(function)
    for words in WORDS:
        expected = function(tf.constant(words))
        found = f(tf.constant(words))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_records_them_once(function):
    f = tf.function(function)
    for first in ("1", "22", "3.5", "4"):
        strings = tf.constant([first, " 20 "])
        np.testing.assert_array_equal(f(strings), function(strings))
    assert len(recordings(f)) == 1


def test_they_are_computed_beside_what_xla_compiles():
    @tf.function(jit_compile=True)
    def f(s, x):
        return tf.reduce_sum(tf.strings.to_number(s) * x)

    for first in ("1", "2"):
        assert float(f(tf.constant([first, "3"]), tf.constant([10.0, 1.0]))) == 10 * int(first) + 3


def test_a_string_that_is_no_number_is_refused_in_a_call(saved):
    f = saved(tf.strings.to_number)
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert"):
        f(tf.constant(["1", "x"]))


def test_strings_with_zero_bytes_stay_whole():
    scalar = tf.constant(b"a\0")
    assert tf.strings.upper(scalar).numpy() == b"A\0"
    assert tf.strings.length(scalar).numpy() == 2
    assert tf.strings.join([scalar, scalar]).numpy() == b"a\0a\0"


@pytest.mark.parametrize(
    "function",
    [
        tf.strings.split,
        lambda s: tf.strings.split(s, "."),
        tf.strings.bytes_split,
        lambda s: tf.strings.ngrams(tf.strings.split(s), 2, preserve_short_sequences=True),
        lambda s: tf.strings.unicode_split(s, "UTF-8"),
        lambda s: tf.strings.unicode_decode(s, "UTF-8"),
        lambda s: tf.strings.unicode_split_with_offsets(s, "UTF-8")[1],
    ],
)
def test_rows_of_parts_are_saved_for_any_strings(saved, function):
    f = saved(lambda s: function(s).to_tensor())
    short = saved(lambda s: function(s).to_tensor(shape=[None, 2]))
    for words in [["a b c", ""], ["é.x"], ["one two", "three", "4 5 6 7"]]:
        rows = function(tf.constant(words))
        np.testing.assert_array_equal(f(tf.constant(words)), rows.to_tensor())
        np.testing.assert_array_equal(short(tf.constant(words)), rows.to_tensor(shape=[None, 2]))


def test_gradients_go_through_rows_that_a_saved_function_fills_up(tmp_path):
    module = tf.Module()
    module.table = tf.Variable([[1.0], [2.0], [3.0]])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def lengths(s):
        words = tf.strings.split(s)
        rows = words.with_values(tf.gather(module.table, tf.strings.length(words.values)))
        return tf.reduce_sum(rows.to_tensor() ** 2, axis=[1, 2])

    module.f = lengths
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    found = []
    for each in (module, loaded):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(each.f(tf.constant(["a bb a", "bb"])))
        found.append(tf.convert_to_tensor(tape.gradient(y, each.table)))
    assert found[0].numpy().tolist() == found[1].numpy().tolist() == [[0.0], [8.0], [12.0]]
