"""The specs of iterators and optional values."""

import pytest

import cinta as tf

NUMBER = tf.TensorSpec([], tf.int64)


def test_the_spec_of_an_iterator():
    iterator = iter(tf.data.Dataset.range(3))
    spec = tf.data.IteratorSpec.from_value(iterator)
    assert spec == tf.type_spec_from_value(iterator)
    assert spec == tf.data.IteratorSpec(NUMBER)
    assert hash(spec) == hash(tf.data.IteratorSpec(NUMBER))
    assert spec != tf.data.IteratorSpec(tf.TensorSpec([]))
    assert spec.value_type is type(iterator)
    assert repr(spec) == f"IteratorSpec({NUMBER!r})"
    assert spec.is_compatible_with(iterator)
    assert not tf.data.IteratorSpec((NUMBER, NUMBER)).is_compatible_with(iterator)
    assert not spec.is_compatible_with(tf.data.Dataset.range(3))
    with pytest.raises(TypeError, match="must be of the class Iterator"):
        tf.data.IteratorSpec.from_value(3)


def test_the_spec_of_an_optional_value():
    some = tf.experimental.Optional.from_value(tf.constant([1.0, 2.0]))
    spec = tf.OptionalSpec.from_value(some)
    assert spec == tf.type_spec_from_value(some)
    assert spec == tf.OptionalSpec(tf.TensorSpec([2]))
    assert spec.value_type is tf.experimental.Optional
    assert tf.OptionalSpec(tf.TensorSpec([None])).is_compatible_with(some)
    assert not tf.OptionalSpec(tf.TensorSpec([3])).is_compatible_with(some)
    none = tf.experimental.Optional.empty(tf.TensorSpec([2]))
    assert spec.is_compatible_with(none)
    wider = spec.most_specific_compatible_type(tf.OptionalSpec(tf.TensorSpec([5])))
    assert wider == tf.OptionalSpec(tf.TensorSpec([None]))
    with pytest.raises(ValueError, match="No TypeSpec is compatible"):
        spec.most_specific_compatible_type(tf.OptionalSpec(NUMBER))
    with pytest.raises(TypeError, match="must be of the class Optional"):
        tf.OptionalSpec.from_value(iter([]))
