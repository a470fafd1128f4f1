"""Specs, and values that are made of tensors, in the old JSON files of Keras."""

import pytest

import cinta as tf

keras = tf.keras


class Masked(tf.experimental.ExtensionType):
    __name__ = "tests.keras.Masked"
    values: tf.Tensor
    mask: tf.Tensor
    width: int


class Nameless(tf.experimental.ExtensionType):
    values: tf.Tensor


def through_json(thing):
    from keras.src.legacy.saving import json_utils

    text = json_utils.Encoder().encode(thing)
    return json_utils.decode(text), text


@pytest.mark.parametrize(
    "spec",
    [
        tf.TensorSpec([1, None], tf.float32),
        tf.RaggedTensorSpec([2, None], tf.int32),
        tf.SparseTensorSpec([2, 3], tf.float64),
        tf.NoneTensorSpec(),
        Masked.Spec(tf.TensorSpec([2]), tf.TensorSpec([2], tf.bool), 3),
    ],
)
def test_specs_come_back(spec):
    found, _ = through_json(spec)
    assert found == spec
    assert type(found) is type(spec)
    assert type(spec)._deserialize(spec._serialize()) == spec


def test_the_text_is_that_of_tensorflow():
    _, text = through_json(Masked([1], [True], 3))
    spec = '{"class_name": "TypeSpec", "type_spec": "%s", "serialized": [%s]}'
    part = spec % ("tf.TensorSpec", '{"class_name": "TensorShape", "items": [1]}, "%s", null')
    fields = f'["values", {part % "int32"}], ["mask", {part % "bool"}], ["width", 3]'
    assert text == (
        f'{{"class_name": "CompositeTensor", "spec": {spec % ("tests.keras.Masked.Spec", fields)}, '
        '"tensors": [["int32", [1]], ["bool", [true]]]}'
    )


def test_values_come_back():
    rows, _ = through_json(tf.ragged.constant([[1.0, 2.0], [3.0]]))
    assert rows.to_list() == [[1.0, 2.0], [3.0]]
    masked, _ = through_json(Masked([1, 2], [True, False], 3))
    assert isinstance(masked, Masked)
    assert (masked.values.numpy().tolist(), masked.width) == ([1, 2], 3)
    assert masked.mask.numpy().tolist() == [True, False]


def test_specs_without_a_name_are_refused():
    with pytest.raises(ValueError, match="has not been registered"):
        through_json(Nameless([1.0]))
    with pytest.raises(ValueError, match="has not been registered"):
        through_json(tf.data.DatasetSpec(tf.TensorSpec([])))


@pytest.mark.parametrize(
    ("name", "error"), [("x", ValueError), ("Nameless.Spec", ValueError), (3, TypeError)]
)
def test_names_of_no_spec(name, error):
    from keras.src.legacy.saving import json_utils

    with pytest.raises(error, match=f"{name!r}"):
        json_utils._decode_helper({"class_name": "TypeSpec", "type_spec": name, "serialized": []})
