"""Saved functions of ragged tensors and of extension types."""

from __future__ import annotations

import pytest

import cinta as tf


class Masked(tf.experimental.BatchableExtensionType):
    __name__ = "tests.Masked"

    values: tf.Tensor
    mask: tf.Tensor

    class Spec:
        def __init__(self, shape, dtype=tf.float32):
            self.values = tf.TensorSpec(shape, dtype)
            self.mask = tf.TensorSpec(shape, tf.bool)


class Scaled(tf.experimental.ExtensionType):
    __name__ = "tests.Scaled"

    shape: tf.TensorShape
    inner: Masked
    named: str


class OfVariables(tf.experimental.ExtensionType):
    __name__ = "tests.OfVariables"

    values: tf.Variable


class Grower(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(100.0)

    @tf.function
    def grow(self, x):
        return x * self.v

    @tf.function
    def grow_masked(self, x):
        return Masked(x.values * self.v, x.mask)


def saved(module, tmp_path):
    tf.saved_model.save(module, tmp_path / "model")
    return tf.saved_model.load(tmp_path / "model")


def test_specs_that_were_asked_for_are_saved(tmp_path):
    module = Grower()
    module.grow.get_concrete_function(tf.TensorSpec([None], tf.float32))
    loaded = saved(module, tmp_path)
    assert loaded.grow(tf.constant([1.0, 2.0])).numpy().tolist() == [100.0, 200.0]
    assert loaded.grow(tf.constant([3.0])).numpy().tolist() == [300.0]
    with pytest.raises(ValueError, match="matching concrete function"):
        loaded.grow(tf.constant([[3.0]]))


def test_ragged_tensors_are_arguments_and_results(tmp_path):
    module = Grower()
    module.grow.get_concrete_function(tf.RaggedTensorSpec([None, None], tf.float32))
    loaded = saved(module, tmp_path)
    grown = loaded.grow(tf.ragged.constant([[1.0, 4.0], [2.0], []]))
    assert grown.to_list() == [[100.0, 400.0], [200.0], []]


def test_objects_are_arguments_and_results(tmp_path):
    module = Grower()
    module.grow_masked.get_concrete_function(Masked.Spec(None))
    loaded = saved(module, tmp_path)
    for values in 2.0, [2.0, 3.0], [[2.0]]:
        x = Masked(values, tf.ones_like(values, tf.bool))
        grown = loaded.grow_masked(x)
        assert isinstance(grown, Masked)
        assert grown.values.numpy() == pytest.approx(x.values.numpy() * 100.0)


def test_calls_with_them_are_saved_too(tmp_path):
    module = Grower()
    module.scale = tf.function(lambda x: Scaled(x.shape, Masked(x.inner.values, x.inner.mask), "c"))
    x = Scaled([None, 3], Masked([1.0, 2.0], [True, False]), "b")
    module.scale(x)
    module.grow(tf.ragged.constant([[1.0], [2.0, 3.0]]))
    loaded = saved(module, tmp_path)
    made = loaded.scale(x)
    assert (made.named, made.shape.as_list()) == ("c", [None, 3])
    assert made.inner.values.numpy().tolist() == [1.0, 2.0]
    assert loaded.grow(tf.ragged.constant([[1.0], [2.0, 3.0]])).to_list() == [[100], [200, 300]]
    with pytest.raises(ValueError, match="matching concrete function"):
        loaded.scale(Scaled([None, 3], Masked([1.0, 2.0], [True, False]), "another"))


def test_calls_with_objects_of_variables_are_told(tmp_path):
    module = Grower()
    module.read = tf.function(lambda x: x.values * 2.0)
    x = OfVariables(tf.Variable([1.0, 2.0]))
    assert module.read(x).numpy().tolist() == [2.0, 4.0]
    loaded = saved(module, tmp_path)
    with pytest.raises(ValueError, match="called with variables in an object of OfVariables"):
        loaded.read(x)


def test_classes_need_a_name(tmp_path):
    class Nameless(tf.experimental.ExtensionType):
        x: tf.Tensor

    module = tf.Module()
    module.f = tf.function(lambda x: x.x, input_signature=[Nameless.Spec(tf.TensorSpec([]))])
    with pytest.raises(ValueError, match="has no name by which a file could know it"):
        saved(module, tmp_path)


def test_classes_that_are_gone_are_told(tmp_path, monkeypatch):
    module = Grower()
    module.grow_masked.get_concrete_function(Masked.Spec([2]))
    loaded = saved(module, tmp_path)
    from cinta.extension_types import names

    monkeypatch.setattr(names, "_BY_NAME", {})
    with pytest.raises(ValueError, match=r"extension type 'tests.Masked' is not there"):
        loaded.grow_masked(Masked([1.0, 2.0], [True, False]))
