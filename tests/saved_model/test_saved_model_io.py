"""Functions that decode strings - numbers, lines, images, examples - recorded once and saved."""

import zlib

import numpy as np
import pytest

import cinta as tf
from cinta.engine.op import registry
from cinta.saved_model.domains import check
from tests.saved_model.saving import loaded, module

IO = tf.io
STRINGS = tf.TensorSpec([None], tf.string)


def png(value):
    return IO.encode_png(tf.fill([4, 5, 3], tf.constant(value, tf.uint8))).numpy()


def jpeg(value):
    return IO.encode_jpeg(tf.fill([8, 8, 3], tf.constant(value, tf.uint8))).numpy()


def example(kind=tf.train.Example, **values):
    features = {
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=values["x"])),
        "n": tf.train.Feature(int64_list=tf.train.Int64List(value=values["n"])),
        "w": tf.train.Feature(bytes_list=tf.train.BytesList(value=values["w"])),
    }
    if kind is tf.train.Example:
        return kind(features=tf.train.Features(feature=features)).SerializeToString()
    lists = {name: tf.train.FeatureList(feature=[each] * 2) for name, each in features.items()}
    lists = tf.train.FeatureLists(feature_list=lists)
    return kind(
        context=tf.train.Features(feature=features), feature_lists=lists
    ).SerializeToString()


FEATURES = {
    "x": IO.FixedLenFeature([2], tf.float32),
    "missing": IO.FixedLenFeature([2], tf.float32, [-0.0, 3.5]),
    "word": IO.FixedLenFeature([], tf.string, "none"),
    "n": IO.VarLenFeature(tf.int64),
    "w": IO.FixedLenSequenceFeature([], tf.string, allow_missing=True, default_value="?"),
    "rows": IO.RaggedFeature(
        tf.float32, "x", [IO.RaggedFeature.RowLengths("n"), IO.RaggedFeature.UniformRowLength(1)]
    ),
}
STEPS = {"n": IO.RaggedFeature(tf.int64), "x": IO.FixedLenSequenceFeature([2], tf.float32)}
KINDS = {
    "one": {"x": [1.0, 2.0], "n": [0, 2], "w": [b"a"]},
    "other": {"x": [-3.0, 0.5], "n": [1, 1], "w": [b"z"]},
}


def parsed(strings):
    return IO.parse_example(strings, FEATURES)


def parsed_sequences(strings):
    return IO.parse_sequence_example(strings, FEATURES, STEPS)


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
    "examples": (parsed, *[[example(**each)] for each in KINDS.values()]),
    "sequences": (
        parsed_sequences,
        *[[example(tf.train.SequenceExample, **each)] for each in KINDS.values()],
    ),
    "one example": (
        lambda s: IO.parse_single_example(s[0], FEATURES),
        *[[example(**each)] for each in KINDS.values()],
    ),
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


SAVED = [*(DECODED.keys() - {"examples", "sequences", "one example"}), "fixed"]
FIXED = {name: FEATURES[name] for name in ("x", "missing", "word", "w")}


def parsed_fixed(strings):
    return IO.parse_example(strings, FIXED)


@pytest.mark.parametrize("partitions", [[], [IO.RaggedFeature.RowLengths("n")]])
def test_features_that_become_ragged_are_saved(tmp_path, partitions):
    rows = IO.RaggedFeature(tf.float32, "x", partitions)
    function = tf.function(lambda s: IO.parse_example(s, {"x": rows}), input_signature=[STRINGS])
    saved = loaded(tmp_path, module(f=function)).f
    strings = [example(x=[1.0, 2.0, 3.0], n=[0, 2, 1], w=[]), example(x=[4.0], n=[1], w=[])]
    for given in (strings, strings[:1], strings * 2):
        assert saved(tf.constant(given))["x"].to_list() == function(given)["x"].to_list()


@pytest.mark.parametrize("name", sorted(SAVED))
def test_functions_of_strings_are_saved(tmp_path, name):
    function, *given = DECODED.get(name, (parsed_fixed, *DECODED["examples"][1:]))
    saved = loaded(tmp_path, module(f=tf.function(function, input_signature=[STRINGS]))).f
    for strings in given:
        same(saved(tf.constant(strings)), function(tf.constant(strings)))


@pytest.mark.parametrize(
    "features",
    [
        (("x", "Path", ()),),
        (("x", "FixedLenFeature", ()),),
        (("x", "FixedLenFeature", ((-2,), tf.float32, None)),),
        (("x", "FixedLenFeature", ((2,), tf.float32, b"123")),),
        (("x", "RaggedFeature", (tf.float32, None, (("open", "n"),), tf.int32, False)),),
    ],
)
def test_files_with_other_features_are_refused(features):
    with pytest.raises(ValueError, match="ParseExampleV2 cannot have features="):
        check(registry["ParseExampleV2"], {"features": features, "labels": ()})
