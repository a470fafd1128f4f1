"""Programs that are to be deterministic refuse to draw without a seed, as TensorFlow does."""

import pytest

import cinta as tf
from cinta.ops.random import generator


def drawn_by():
    """Functions that draw numbers without a seed of their own."""
    return [
        lambda: tf.random.normal([2]),
        lambda: tf.function(lambda: tf.random.uniform([2]))(),
        lambda: tf.nn.dropout(tf.ones([3]), 0.5),
        lambda: tf.random_normal_initializer()([2]),
        lambda: tf.image.random_crop(tf.ones([3, 3]), [2, 2]),
        lambda: tf.experimental.numpy.random.rand(2),
        lambda: tf.raw_ops.RandomStandardNormal(shape=[2], dtype=tf.float32),
        lambda: list(tf.data.Dataset.range(3).shuffle(3)),
        lambda: next(iter(tf.data.Dataset.random())),
        lambda: tf.data.Dataset.sample_from_datasets([tf.data.Dataset.range(3)] * 2),
    ]


@pytest.mark.parametrize("draw", drawn_by())
def test_ops_without_a_seed_are_refused_until_there_is_one(draw):
    tf.config.experimental.enable_op_determinism()
    with pytest.raises(RuntimeError, match="require a seed to be set when determinism is enabled"):
        draw()
    tf.random.set_seed(3)
    draw()


def test_ops_with_seeds_draw():
    tf.config.experimental.enable_op_determinism()
    tf.random.normal([2], seed=1)
    tf.random.stateless_normal([2], [1, 2])
    tf.random.Generator.from_seed(1).normal([2])
    list(tf.data.Dataset.range(3).shuffle(3, seed=1))


def test_recordings_refuse_too():
    f = tf.function(lambda: tf.random.normal([2]))
    for _ in range(3):
        f()
    assert f.report().replays > 0
    tf.config.experimental.enable_op_determinism()
    with pytest.raises(RuntimeError, match="require a seed"):
        f()


def test_generators_without_a_seed_are_refused(monkeypatch):
    monkeypatch.setattr(generator, "_global", None)
    tf.config.experimental.enable_op_determinism()
    tf.random.set_seed(1)
    with pytest.raises(RuntimeError, match=r"from_non_deterministic_state.* cannot be called"):
        tf.random.Generator.from_non_deterministic_state()
    with pytest.raises(RuntimeError, match=r"get_global_generator.* cannot be called"):
        tf.random.get_global_generator()
    tf.random.set_global_generator(tf.random.Generator.from_seed(1))
    tf.random.get_global_generator().normal([2])
