"""Details of strategies: values and errors are those of TensorFlow 2.21."""

import json

import numpy as np
import pytest
from replicas import FIRST, MEAN, ON_READ, SUM, numbers, strategy_of

import cinta as tf

TWO = strategy_of(2)


def test_a_mean_of_whole_numbers_is_no_aggregation():
    for strategy in (TWO, strategy_of(1)):
        with strategy.scope(), pytest.raises(ValueError, match="a non-floating dtype is not"):
            tf.Variable(1, aggregation=MEAN)
        with strategy.scope():
            assert tf.Variable(1, aggregation=SUM).dtype == tf.int32
            assert tf.Variable(tf.constant(1.0, tf.float16), aggregation=MEAN).numpy() == 1
    with tf.distribute.OneDeviceStrategy("CPU:0").scope():
        assert tf.Variable(1, aggregation=MEAN).numpy() == 1


def test_values_of_a_function_are_wrapped_though_they_are_equal():
    found = TWO.experimental_distribute_values_from_function(lambda context: {"a": [1, 2.5]})
    assert [each.values for each in found["a"]] == [(1, 1), (2.5, 2.5)]
    one = strategy_of(1).experimental_distribute_values_from_function(lambda context: [3])
    assert one == [3]


def test_the_mean_of_what_is_the_same_for_all_is_that():
    assert TWO.reduce("MEAN", 3, axis=None) == 3
    x = tf.constant([1.0, 2.0])
    assert TWO.reduce("MEAN", x, axis=None) is x
    with pytest.raises(ValueError, match="cannot be reduced"):
        TWO.reduce("SUM", x, axis=None)
    with pytest.raises(ValueError, match="cannot be reduced"):
        TWO.reduce("MEAN", x, axis=0)
    assert tf.distribute.OneDeviceStrategy("CPU:0").reduce("SUM", 3.0, axis=None) == 3.0


def test_an_axis_that_is_not_there_is_a_value_error():
    x = TWO.run(lambda: tf.ones([2, 2]))
    with pytest.raises(ValueError, match="Invalid reduction dimension 5"):
        TWO.reduce("SUM", x, axis=5)


def test_copies_are_assigned_outside_of_replicas_though_they_have_no_aggregate():
    with TWO.scope():
        v = tf.Variable([1.0, 2.0], synchronization=ON_READ)
    v.assign([5.0, 6.0])
    assert numbers(v) == [[5.0, 6.0], [5.0, 6.0]]
    assert numbers(TWO.run(lambda: v + 0.0)) == [[5.0, 6.0], [5.0, 6.0]]
    with pytest.raises(ValueError, match="Could not convert"):
        v.numpy()


def test_an_update_of_copies_is_made_for_each_of_them():
    with TWO.scope():
        v = tf.Variable(1.0, synchronization=ON_READ, aggregation=SUM)
        by = TWO.experimental_distribute_values_from_function(
            lambda context: tf.constant(1.0 + context.replica_id_in_sync_group)
        )
        TWO.extended.update(
            v, lambda each, by, more: each.assign_add(by + more), (by,), {"more": 1.0}
        )
    assert numbers(v) == [3.0, 4.0]
    assert v.numpy() == 7.0


@pytest.mark.parametrize("change", ["scatter_update", "scatter_min", "scatter_mul"])
@pytest.mark.parametrize("aggregation", [SUM, MEAN])
def test_rows_of_replicas_are_combined_only_to_be_added(change, aggregation):
    with TWO.scope():
        v = tf.Variable(tf.ones([3]), aggregation=aggregation)
        first = tf.Variable(tf.ones([3]), aggregation=FIRST)
    rows = tf.IndexedSlices(tf.constant([0.5]), tf.constant([0]))
    with pytest.raises(NotImplementedError, match="can be added and subtracted alone"):
        TWO.run(lambda: getattr(v, change)(rows))
    TWO.run(lambda: getattr(first, change)(rows))
    assert first.numpy().tolist() == [0.5, 1.0, 1.0]
    TWO.run(lambda: v.scatter_add(rows))
    assert v.numpy().tolist() == [2.0 if aggregation is SUM else 1.5, 1.0, 1.0]


def test_the_number_of_the_only_replica_is_a_tensor():
    def number():
        return tf.distribute.get_replica_context().replica_id_in_sync_group

    for strategy in (strategy_of(1), tf.distribute.OneDeviceStrategy("CPU:0")):
        found = strategy.run(number)
        assert (found.dtype, found.numpy()) == (tf.int32, 0)
    assert number() == 0


def test_bytes_are_not_negative():
    with pytest.raises(ValueError, match="must be >=0, Received -1"):
        tf.distribute.experimental.CommunicationOptions(bytes_per_pack=-1)


def test_resolvers_give_what_they_were_given(monkeypatch):
    resolvers = tf.distribute.cluster_resolver
    spec = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "chief": ["c:3"]})
    plain = resolvers.SimpleClusterResolver(spec, task_type="worker", task_id=1)
    assert (plain.master(), plain.rpc_layer, plain.environment) == ("", None, "")
    assert plain.master("chief", 0) == "c:3"
    assert plain.master("worker", 1, rpc_layer="foo") == "foo://b:2"
    full = resolvers.SimpleClusterResolver(
        spec, "x:1", environment="e", num_accelerators={"GPU": 2}, rpc_layer="grpc"
    )
    assert (full.master(), full.master("chief", 0)) == ("grpc://x:1", "grpc://c:3")
    assert (full.environment, full.num_accelerators()) == ("e", {"GPU": 2})
    config = {"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config | {"rpc_layer": "grpc"}))
    one = resolvers.TFConfigClusterResolver()
    assert (one.master(), one.rpc_layer) == ("", "grpc")
    config["cluster"] = {"worker": ["a:1", "b:2"]}
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    assert resolvers.TFConfigClusterResolver().master() == "a:1"


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_keras_fits_to_datasets_that_are_distributed_already():
    keras = tf.keras
    x = np.linspace(-1, 1, 96).reshape(24, 4).astype("f4")
    y = x.sum(1, keepdims=True)

    def fitted(make):
        with TWO.scope():
            model = keras.Sequential(
                [keras.layers.Input((4,)), keras.layers.Dense(1, kernel_initializer="ones")]
            )
            model.compile("sgd", "mse")
        return model.fit(make(), epochs=2, steps_per_epoch=3, shuffle=False, verbose=0).history[
            "loss"
        ]

    data = tf.data.Dataset.from_tensor_slices((x, 2 * y)).repeat()
    wanted = fitted(lambda: data.batch(8))
    distributed = fitted(lambda: TWO.experimental_distribute_dataset(data.batch(8)))
    dealt = fitted(lambda: TWO.distribute_datasets_from_function(lambda _: data.batch(4)))
    np.testing.assert_allclose(distributed, wanted, rtol=1e-6)
    np.testing.assert_allclose(dealt, wanted, rtol=1e-6)


def test_a_tensor_that_all_replicas_share_is_added_once_for_each():
    shared = tf.constant([1.0, 2.0])

    def step():
        context = tf.distribute.get_replica_context()
        return context.all_reduce("SUM", shared), context.all_reduce("MEAN", shared)

    for run in (TWO.run, tf.function(TWO.run)):
        total, mean = map(TWO.experimental_local_results, run(step))
        assert [each.numpy().tolist() for each in total] == [[2.0, 4.0]] * 2
        assert [each.numpy().tolist() for each in mean] == [[1.0, 2.0]] * 2
