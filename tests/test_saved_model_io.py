"""Functions that decode strings - numbers, lines, images, examples - recorded once and saved."""

import zlib

import numpy as np
import pytest

import cinta as tf
from tests.saving import loaded, module

IO = tf.io
STRINGS = tf.TensorSpec([None], tf.string)


def png(value):
    return IO.encode_png(tf.fill([4, 5, 3], tf.constant(value, tf.uint8))).numpy()


def jpeg(value):
    return IO.encode_jpeg(tf.fill([8, 8, 3], tf.constant(value, tf.uint8))).numpy()


def expanded(strings):
    return IO.decode_compressed(strings, "ZLIB")


TEXTS = {
    "base64": (IO.encode_base64, ["ab", "c"], ["xyz", ""]),
    "base64 padded": (lambda s: IO.encode_base64(s, pad=True), ["ab", "c"], ["xyz", ""]),
    "raw padded": (lambda s: IO.decode_raw(s, tf.int16, False, fixed_length=4), ["ab"], ["xyzuv"]),
}
DECODED = {
    **TEXTS,
    "from base64": (IO.decode_base64, ["YWI", "Yw"], ["eHl6", "YQ=="]),
    "raw": (lambda s: IO.decode_raw(s, tf.uint8), ["ab", "cd"], ["xy", "zu"]),
    "csv": (lambda s: IO.decode_csv(s, [0, 0.5, ""]), ["1,,a", "2,3,"], ["7,8,x", ",,"]),
    "compressed": (expanded, [zlib.compress(b"ab")], [zlib.compress(b"xyz")]),
    "json": (IO.decode_json_example, ["{}"], ['{"features": {}}']),
    "png": (lambda s: IO.decode_png(s[0], 3), [png(3)], [png(200)]),
    "jpeg": (lambda s: IO.decode_jpeg(s[0], ratio=2), [jpeg(3)], [jpeg(200)]),
    "image": (lambda s: IO.decode_image(s[0], dtype=tf.float32), [png(3)], [png(200)]),
    "shape of jpeg": (lambda s: IO.extract_jpeg_shape(s[0]), [jpeg(3)], [jpeg(200)]),
}


def same(one, other):
    for a, b in zip(tf.nest.flatten(one, True), tf.nest.flatten(other, True), strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", DECODED)
def test_one_recording_serves_all_strings(name):
    function, *given = DECODED[name]
    recorded = tf.function(function)
    for strings in (*given, *given):
        same(recorded(tf.constant(strings)), function(tf.constant(strings)))
    assert recorded.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("name", TEXTS)
def test_functions_of_strings_are_saved(tmp_path, name):
    function, *given = TEXTS[name]
    saved = loaded(tmp_path, module(f=tf.function(function, input_signature=[STRINGS]))).f
    for strings in given:
        same(saved(tf.constant(strings)), function(tf.constant(strings)))
