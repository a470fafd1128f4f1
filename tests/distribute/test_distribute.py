"""Strategies of one device: contexts, runs and reductions, as measured on TensorFlow 2.21."""

from contextlib import contextmanager

import numpy as np
import pytest

import cinta as tf


@pytest.fixture(params=["default", "one device", "mirrored"])
def strategy(request):
    return {
        "default": tf.distribute.get_strategy,
        "one device": lambda: tf.distribute.OneDeviceStrategy("/cpu:0"),
        "mirrored": tf.distribute.MirroredStrategy,
    }[request.param]()


def test_outside_of_everything_there_is_the_default_strategy():
    context = tf.distribute.get_replica_context()
    assert context.strategy is tf.distribute.get_strategy()
    assert (context.num_replicas_in_sync, int(context.replica_id_in_sync_group)) == (1, 0)
    assert not tf.distribute.has_strategy()
    assert not tf.distribute.in_cross_replica_context()


def where():
    distribute = tf.distribute
    return (
        distribute.get_strategy(),
        distribute.has_strategy(),
        distribute.in_cross_replica_context(),
        distribute.get_replica_context() is not None,
    )


def test_a_scope_is_between_the_replicas_and_a_run_is_in_one():
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope() as entered:
        assert entered is strategy
        assert where() == (strategy, True, True, False)
        assert strategy.run(where) == (strategy, True, False, True)
    assert strategy.run(where) == (strategy, True, False, True)
    merged = strategy.run(lambda: tf.distribute.get_replica_context().merge_call(lambda s: where()))
    assert merged == (strategy, True, True, False)
    assert where()[1:] == (False, False, True)


def test_the_default_strategy_changes_nothing():
    default = tf.distribute.get_strategy()
    with default.scope():
        assert where() == (default, False, False, True)
    assert default.run(where) == (default, False, False, True)


def test_what_makes_no_sense_there_is_refused():
    one, other = tf.distribute.OneDeviceStrategy("/cpu:0"), tf.distribute.MirroredStrategy()
    default = tf.distribute.get_strategy()
    with one.scope():
        with pytest.raises(RuntimeError, match="Mixing different"), other.scope():
            pass
        with pytest.raises(RuntimeError, match="Mixing different"):
            other.run(lambda: 1)
        with pytest.raises(RuntimeError, match="Must not nest"), default.scope():
            pass
        with pytest.raises(RuntimeError, match="cross replica context"):
            tf.nn.compute_average_loss([1.0])
    with pytest.raises(RuntimeError, match="cross-replica context"):
        one.run(lambda: one.run(lambda: 1))
    with pytest.raises(RuntimeError, match="cross-replica context"):
        one.run(lambda: one.reduce("SUM", 1.0, axis=None))
    with pytest.raises(ValueError, match="each of them once"):
        tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:0"])
    with pytest.raises(ValueError, match="ReduceOp"):
        one.reduce("BAD", 1.0, axis=None)
    assert where()[1:] == (False, False, True)  # errors leave no trace


def test_values_go_in_and_come_out_as_they_are(strategy):
    x = tf.constant([1.0, 2.0])
    result = strategy.run(lambda a, b: (a * b["y"], 3), (x,), {"b": {"y": 2.0}})
    np.testing.assert_array_equal(result[0], [2.0, 4.0])
    assert result[1] == 3
    np.testing.assert_array_equal(strategy.reduce("SUM", x, axis=None), x)
    assert strategy.reduce(tf.distribute.ReduceOp.SUM, x, axis=0) == 3.0
    assert strategy.reduce("MEAN", {"a": x}, axis=0)["a"] == 1.5
    assert strategy.gather(x, axis=0) is x
    assert strategy.experimental_local_results((1, 2)) == ((1, 2),)
    assert strategy.num_replicas_in_sync == 1


def test_collectives_of_one_replica(strategy):
    def step(x):
        context = tf.distribute.get_replica_context()
        total = context.all_reduce("sum", [x, {"a": x}])
        return total, context.all_gather(x, axis=0), context.merge_call(lambda s, y: y + 1.0, (x,))

    x = tf.constant([2.0])
    total, gathered, merged = strategy.run(step, (x,))
    assert total[0] == 2.0
    assert total[1]["a"] == 2.0
    assert gathered == 2.0
    assert merged == 3.0


def test_datasets_are_dealt_to_one_replica(strategy):
    dataset = tf.data.Dataset.range(4).batch(2)
    dealt = strategy.experimental_distribute_dataset(dataset)
    assert [b.numpy().tolist() for b in dealt] == [[0, 1], [2, 3]]

    def make(context):
        return tf.data.Dataset.range(4).batch(context.get_per_replica_batch_size(4))

    (batch,) = strategy.distribute_datasets_from_function(make)
    assert batch.numpy().tolist() == [0, 1, 2, 3]


def test_libraries_change_variables_through_the_strategy(strategy):
    v = tf.Variable(1.0)
    strategy.extended.update(v, lambda v, x: v.assign_add(x), args=(2.0,))
    assert v == 3.0
    assert strategy.extended.reduce_to("SUM", 5.0, destinations=v) == 5.0
    assert strategy.extended.batch_reduce_to("SUM", [(5.0, v)]) == [5.0]
    assert strategy.extended.worker_devices == ("/job:localhost/replica:0/task:0/device:CPU:0",)


def test_a_function_is_recorded_for_each_place():
    @tf.function
    def f(x):
        return x * (2.0 if tf.distribute.in_cross_replica_context() else 3.0)

    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    for _ in range(3):
        assert f(tf.constant(1.0)) == 3.0
        with strategy.scope():
            assert f(tf.constant(1.0)) == 2.0
            assert strategy.run(f, (tf.constant(1.0),)) == 3.0


def test_gradients_pass_through_collectives(strategy):
    v = tf.Variable(2.0)

    def step():
        with tf.GradientTape() as tape:
            y = tf.distribute.get_replica_context().all_reduce("SUM", v * v)
        return tape.gradient(y, v)

    assert strategy.run(step) == 4.0


def recording_creator(seen):
    def creator(next_creator, **kwargs):
        seen.append(kwargs)
        return next_creator(**kwargs)

    return creator


def test_creators_are_asked_the_innermost_first():
    outer, inner = [], []

    def named(next_creator, **kwargs):
        inner.append(kwargs["name"])
        return next_creator(**{**kwargs, "name": "changed"})

    with tf.variable_creator_scope(recording_creator(outer)), tf.variable_creator_scope(named):
        v = tf.Variable(1.0, name="given")
    assert (inner, v.name) == (["given"], "changed:0")
    (arguments,) = outer
    assert arguments["name"] == "changed"
    assert arguments["initial_value"] == 1.0
    assert arguments["synchronization"] == tf.VariableSynchronization.AUTO
    assert arguments["aggregation"] == tf.VariableAggregation.NONE
    assert arguments["trainable"] is None


def test_creators_may_give_anything_and_are_asked_for_plain_variables_alone():
    class Own(tf.Variable):
        pass

    seen = []
    with tf.variable_creator_scope(recording_creator(seen)):
        assert type(Own(1.0)) is Own
    assert not seen
    with tf.variable_creator_scope(lambda next_creator, **kwargs: "another"):
        assert tf.Variable(1.0) == "another"
    assert isinstance(tf.Variable(1.0), tf.Variable)


@pytest.mark.parametrize("mode", ["AUTO", "ON_READ"])
def test_variables_of_one_mirrored_replica_show_their_copy(mode):
    strategy = tf.distribute.MirroredStrategy(["CPU:0"])
    with strategy.scope():
        v = tf.Variable(
            3.0,
            synchronization=tf.VariableSynchronization[mode],
            aggregation=tf.VariableAggregation.SUM,
        )
    assert isinstance(v, tf.distribute.DistributedValues)
    (copy,) = v.values
    assert (copy.numpy(), copy.aggregation.name, v.trainable) == (3.0, "SUM", mode == "AUTO")
    expected = "ON_WRITE" if mode == "AUTO" else mode
    assert v.synchronization.name == copy.synchronization.name == expected
    strategy.run(lambda: v.assign_add(1.0))
    assert (v.numpy(), copy.numpy()) == (4.0, 4.0)
    copy.assign(5.0)
    assert (v * 2.0).numpy() == 10.0
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = tf.function(lambda: v * v)()
    assert tape.gradient(y, v).numpy() == 10.0
    name = "MirroredVariable" if mode == "AUTO" else "SyncOnReadVariable"
    assert repr(v) == (
        f"{name}:{{\n  0: <tf.Variable 'Variable:0' shape=() dtype=float32, numpy=5.0>\n}}"
    )
    with strategy.scope(), pytest.raises(ValueError, match="`NONE` variable synchronization mode"):
        tf.Variable(1.0, synchronization=tf.VariableSynchronization.NONE)


def test_what_runs_stands_in_the_scope_that_a_derived_strategy_gives():
    made = []

    def local(next_creator, **kwargs):
        kwargs["aggregation"] = tf.VariableAggregation.ONLY_FIRST_REPLICA
        made.append(next_creator(**kwargs))
        return made[-1]

    class Local(tf.distribute.MirroredStrategy):
        @contextmanager
        def scope(self):
            with super().scope(), tf.variable_creator_scope(local):
                yield self

    strategy = Local(["CPU:0"])
    doubled = strategy.run(lambda x: tf.Variable(x) * 2.0, args=(3.0,))
    assert doubled.numpy() == 6.0
    (variable,) = made
    assert variable.aggregation.name == "ONLY_FIRST_REPLICA"
    assert [copy.numpy() for copy in variable._values] == [3.0]
