"""Type checks of programs that use cinta: `make test` runs mypy on this file too."""

import pathlib
import re
import subprocess
import sys
from typing import assert_type

import pytest

import cinta as tf


class Dense(tf.Module):
    def __init__(self, ins: int, outs: int) -> None:
        super().__init__()
        self.w = tf.Variable(tf.ones([ins, outs]), name="w")
        self.b = tf.Variable(tf.zeros(outs), name="b")

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return tf.nn.relu(x @ self.w + self.b)


def test_operators_give_tensors() -> None:
    v = tf.Variable([[1.0, 2.0]])
    x = tf.constant([[3.0], [4.0]])
    for each in (v, x):
        assert_type(each[0], tf.Tensor)
        assert_type(-each + 2 * each**2 / 3 - abs(each), tf.Tensor)
        assert_type(each > 0, tf.Tensor)
        assert_type(each == 1.0, tf.Tensor)
        assert_type(next(iter(each)), tf.Tensor)
    assert_type(v @ x, tf.Tensor)
    assert_type(x @ v, tf.Tensor)


def test_updates_give_the_variable() -> None:
    v = tf.Variable([1.0, 2.0])
    assert_type(v.assign_add([1.0, 1.0]), tf.Variable)
    assert_type(v[0].assign(5.0), tf.Variable)
    assert v.assign_sub(0.5 * v).numpy().tolist() == [2.5, 1.5]


def test_a_name_that_does_not_exist_is_noticed() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        tf.nothing(1.0)  # type: ignore[attr-defined]


def test_a_training_loop() -> None:
    layer = Dense(2, 1)
    x = tf.constant([[1.0, 2.0]])
    before: float | None = None
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((layer(x) - 1.0) ** 2)
        gradients = tape.gradient(loss, layer.trainable_variables)
        for variable, gradient in zip(layer.trainable_variables, gradients, strict=True):
            assert gradient is not None
            variable.assign_sub(0.01 * gradient)
        assert before is None or float(loss) < before
        before = float(loss)


def test_arguments_of_the_families() -> None:
    image, filters = tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1])
    assert_type(tf.nn.conv2d(image, filters, 1, "SAME"), tf.Tensor)
    assert_type(tf.nn.conv2d(image, filters, [1, 1], [[0, 0], [1, 0], [1, 0], [0, 0]]), tf.Tensor)
    assert_type(tf.image.resize(image, image.shape[1:3]), tf.Tensor)
    assert_type(tf.random.normal(tf.shape(image), dtype="float64"), tf.Tensor)
    assert_type(
        tf.data.Dataset.range(4).map(lambda x: x + 1).batch(tf.constant(2)), tf.data.Dataset
    )


def test_what_is_sparse_stays_sparse() -> None:
    x = tf.sparse.eye(2, dtype=tf.int64)
    assert_type(tf.sparse.add(x, x), tf.SparseTensor)
    assert_type(tf.sparse.add(x, [[1, 2], [3, 4]]), tf.Tensor)
    words = tf.lookup.KeyValueTensorInitializer(tf.constant([1], tf.int64), ["one"])
    table = tf.lookup.StaticHashTable(words, default_value="many")
    assert_type(table.lookup(x), tf.SparseTensor)
    assert_type(table.lookup(tf.constant([1], tf.int64)), tf.Tensor)


def test_wrong_arguments_of_the_families_are_noticed() -> None:
    image, filters = tf.ones([1, 3, 3, 1]), tf.ones([2, 2, 1, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="NOPE"):
        tf.nn.conv2d(image, filters, 1, "NOPE")  # type: ignore[arg-type]
    with pytest.raises(tf.errors.InvalidArgumentError, match="string"):
        tf.nn.relu("text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="size"):
        tf.image.resize(image, "large")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="type_value"):
        tf.random.normal([2], dtype=7.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="batch_size"):
        tf.data.Dataset.range(3).batch("two")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="map_func"):
        tf.data.Dataset.range(3).map(7)  # type: ignore[arg-type]
    with pytest.raises(tf.errors.InvalidArgumentError, match="frame_length"):
        tf.signal.frame([1.0, 2.0], 1.5, 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="dataset"):
        tf.data.Dataset.range(3).concatenate([1])  # type: ignore[arg-type]


def test_few_annotations_are_any() -> None:
    tool = pathlib.Path(__file__).parent.parent / "tools" / "count_any.py"
    told = subprocess.run([sys.executable, tool], check=True, capture_output=True, text=True).stdout
    plain, public = map(int, re.findall(r"(\d+) (?:annotations|of them)", told))
    assert (plain < 780, public < 58) == (True, True), told
