"""Rules for shards of variables; the expected numbers are TensorFlow's."""

import pytest

import cinta as tf

rules = tf.distribute.experimental.partitioners

VARIABLES = [
    ([10, 4], tf.float32, 0),
    ([3], tf.float64, 0),
    ([6, 8], tf.float32, 1),
    ([2, 2], tf.string, 0),
    ([100], tf.int8, 0),
]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (rules.FixedShardsPartitioner(3), [[3, 1], [3], [1, 3], [2, 1], [3]]),
        (rules.MinSizePartitioner(64, max_shards=4), [[3, 1], [1], [1, 3], [1, 1], [2]]),
        (rules.MaxSizePartitioner(64, max_shards=3), [[3, 1], [1], [1, 3], [1, 1], [2]]),
        (rules.MaxSizePartitioner(64), [[3, 1], [1], [1, 4], [1, 1], [2]]),
    ],
)
def test_shards_are_tensorflow_s(rule, expected):
    assert isinstance(rule, rules.Partitioner)
    assert [rule(tf.TensorShape(s), dtype, axis) for s, dtype, axis in VARIABLES] == expected


def test_arguments_are_checked():
    with pytest.raises(ValueError, match="`min_shard_bytes` must be positive"):
        rules.MinSizePartitioner(0)
    with pytest.raises(ValueError, match="`max_shards` must be positive"):
        rules.MinSizePartitioner(16, 0)
    with pytest.raises(ValueError, match="`bytes_per_string` must be positive"):
        rules.MaxSizePartitioner(16, 3, 0)
    with pytest.raises(ValueError, match="Cannot partition variable along axis 2"):
        rules.FixedShardsPartitioner(2)([3, 4], tf.float32, axis=2)
    with pytest.raises(NotImplementedError):
        rules.Partitioner()([3], tf.float32)


def test_hints_are_options_of_communication():
    hints = tf.distribute.experimental.CollectiveHints(bytes_per_pack=3, timeout_seconds=2.0)
    assert (hints.bytes_per_pack, hints.timeout_seconds) == (3, 2.0)
    with pytest.raises(ValueError, match="must be >=0, Received -3"):
        tf.distribute.experimental.CollectiveHints(bytes_per_pack=-3)
