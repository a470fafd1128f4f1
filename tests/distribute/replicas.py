"""Helpers that tests of several replicas in one process share."""

import cinta as tf

SUM, MEAN = tf.VariableAggregation.SUM, tf.VariableAggregation.MEAN
FIRST = tf.VariableAggregation.ONLY_FIRST_REPLICA
ON_READ = tf.VariableSynchronization.ON_READ


def strategy_of(count):
    return tf.distribute.MirroredStrategy([f"CPU:{i}" for i in range(count)])


def replica():
    return tf.distribute.get_replica_context()


def number():
    return tf.cast(replica().replica_id_in_sync_group, tf.float32)


def numbers(value):
    return [each.numpy().tolist() for each in value.values]
