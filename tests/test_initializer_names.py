"""Initializers by their names and as dictionaries; the expected values are Keras's."""

import pytest

import cinta as tf

named = tf.initializers


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("glorot_uniform", named.GlorotUniform),
        ("GlorotUniform", named.GlorotUniform),
        ("zeros", named.Zeros),
        ("one", named.Ones),
        ("normal", named.RandomNormal),
        ("uniform", named.RandomUniform),
        ("identity", named.Identity),
        ("OrthogonalInitializer", named.Orthogonal),
        (named.Zeros, named.Zeros),
    ],
)
def test_names_and_classes_give_initializers(name, kind):
    assert type(named.get(name)) is kind


def test_objects_are_taken_as_they_are_and_none_stays_none():
    ones = named.Ones()
    assert (named.get(ones), named.get(len), named.get(None)) == (ones, len, None)


def test_dictionaries_give_initializers():
    made = named.get({"class_name": "Constant", "config": {"value": 3.0}})
    assert made([2]).numpy().tolist() == [3.0, 3.0]
    assert named.serialize(named.Constant(2.0)) == {
        "module": "keras.initializers",
        "class_name": "Constant",
        "config": {"value": 2.0},
        "registered_name": None,
    }
    for name in ("HeNormal", "Zeros", "Identity", "Orthogonal", "VarianceScaling"):
        config = named.serialize(getattr(named, name)())
        assert config["class_name"] == name
        assert named.serialize(named.deserialize(config)) == config


def test_initializers_of_the_program_are_named():
    class Twos(named.Initializer):
        def __call__(self, shape, dtype=tf.float32):
            return tf.fill(shape, tf.constant(2, dtype))

    config = named.serialize(Twos())
    assert config["class_name"] == config["registered_name"] == "Twos"
    assert type(named.deserialize(config, {"Twos": Twos})) is Twos
    with pytest.raises(ValueError, match="custom_objects"):
        named.deserialize(config)


@pytest.mark.parametrize("unknown", ["nope", 3, "Initializer"])
def test_what_is_not_known_is_refused(unknown):
    with pytest.raises(ValueError, match="Could not interpret initializer identifier"):
        named.get(unknown)
