"""Several replicas in one process: what they compute together is what TensorFlow computes."""

import numpy as np
import pytest

import cinta as tf
from tests.distribute.replicas import (
    FIRST,
    MEAN,
    ON_READ,
    SUM,
    number,
    numbers,
    replica,
    strategy_of,
)


@pytest.fixture
def two():
    return strategy_of(2)


# -- results of a call ---------------------------------------------------------------------------


def test_each_replica_gives_its_own_values(two):
    found, others = two.run(lambda: (number(), {"a": [number() * 2, "text", None, 3]}))
    assert numbers(found) == [0, 1]
    assert numbers(others["a"][0]) == [0, 2]
    assert others["a"][1:] == ["text", None, 3]
    assert str(found) == (
        "PerReplica:{\n  0: tf.Tensor(0.0, shape=(), dtype=float32),\n"
        "  1: tf.Tensor(1.0, shape=(), dtype=float32)\n}"
    )
    with pytest.raises(TypeError, match="unsupported operand"):
        found + 1


def test_each_replica_gets_its_own_arguments(two):
    values = two.experimental_distribute_values_from_function(
        lambda context: tf.constant([1.0 + context.replica_id_in_sync_group])
    )
    found = two.run(lambda x, y, z: x * y + z["z"], args=(values, 10.0), kwargs={"z": {"z": 1.0}})
    assert numbers(found) == [[11.0], [21.0]]
    with pytest.raises(ValueError, match="values for 2 replicas, and the strategy has 3"):
        strategy_of(3).run(lambda x: x, args=(values,))


def test_values_are_reduced_and_gathered(two):
    pairs = two.run(lambda: tf.constant([1.0, 2.0]) + number())
    assert two.reduce("SUM", pairs).numpy().tolist() == [3, 5]
    assert two.reduce(tf.distribute.ReduceOp.MEAN, pairs).numpy().tolist() == [1.5, 2.5]
    assert two.reduce("SUM", pairs, axis=0).numpy() == 8
    assert two.reduce("MEAN", {"a": pairs}, axis=0)["a"].numpy() == 2
    assert two.gather(pairs, 0).numpy().tolist() == [1, 2, 2, 3]
    assert len(two.experimental_local_results(pairs)) == 2
    with pytest.raises(ValueError, match="cannot be reduced"):
        two.reduce("SUM", tf.constant([1.0, 2.0]))
    with pytest.raises(ValueError, match="not a valid ReduceOp"):
        two.reduce("most", pairs)


def test_the_mean_of_parts_of_unequal_lengths_is_that_of_the_whole():
    strategy = strategy_of(3)
    rows = tf.data.Dataset.from_tensor_slices(np.arange(7.0)).batch(7)
    for part in strategy.experimental_distribute_dataset(rows):
        assert [len(each) for each in part.values] == [3, 3, 1]
        assert strategy.reduce("MEAN", part, axis=0).numpy() == 3.0


def test_what_all_do_is_done_for_all(two):
    def step():
        given = tf.constant([1.0, 2.0]) + number()
        rows = tf.IndexedSlices(given[None], tf.constant([0]), tf.constant([3, 2]))
        context = replica()
        return (
            context.all_reduce("SUM", {"a": given})["a"],
            context.all_reduce("MEAN", given),
            context.all_gather(given, 0),
            tf.convert_to_tensor(context.all_reduce("SUM", rows)),
        )

    total, mean, joined, rows = two.run(step)
    assert numbers(total) == [[3, 5]] * 2
    assert numbers(mean) == [[1.5, 2.5]] * 2
    assert numbers(joined) == [[1, 2, 2, 3]] * 2
    assert numbers(rows) == [[[3, 5], [0, 0], [0, 0]]] * 2


def test_parts_of_several_lengths_are_joined():
    found = strategy_of(3).run(lambda: replica().all_gather(tf.range(number() + 1.0), -1))
    assert numbers(found) == [[0, 0, 1, 0, 1, 2]] * 3


def test_one_call_is_made_for_all(two):
    def merged(strategy, value, factor):
        assert tf.distribute.in_cross_replica_context()
        return strategy.reduce("SUM", value) * factor, value

    total, own = two.run(lambda: replica().merge_call(merged, args=(number() + 1, 10.0)))
    assert total.numpy() == 30  # one tensor for all
    assert numbers(own) == [1, 2]


# -- gradients -----------------------------------------------------------------------------------


def test_gradients_go_through_what_all_do(two):
    def step():
        own = number()
        x = tf.constant([[1.0, 2.0]]) + own
        with tf.GradientTape() as tape:
            tape.watch(x)
            context = replica()
            y = tf.reduce_sum(context.all_gather(x, 0) ** 2) * (own + 1)
            y += tf.reduce_sum(context.all_reduce("SUM", x) ** 2)
        return tape.gradient(y, x)

    assert numbers(two.run(step)) == [[[18, 32]], [[24, 38]]]


def test_second_derivatives_and_jacobians_go_through(two):
    def step():
        x = tf.constant([1.0, 2.0]) + number()
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = replica().all_reduce("SUM", x**3)
            jacobian = inner.jacobian(y, x)
        return jacobian, outer.gradient(jacobian, x)

    jacobian, second = two.run(step)
    # both replicas' targets depend on both x: the sum of their rows comes back
    assert numbers(jacobian) == [[[6, 0], [0, 24]], [[24, 0], [0, 54]]]
    assert numbers(second) == [[12, 24], [24, 36]]


def test_tapes_outside_hear_nothing_of_several_replicas(two):
    x = tf.constant(2.0)
    for strategy, expected in [(two, None), (strategy_of(1), None)]:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = strategy.experimental_local_results(strategy.run(lambda: x * x))[0]
        assert tape.gradient(y, x) is expected
    one = tf.distribute.OneDeviceStrategy("/cpu:0")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = one.run(lambda: x * x)
    assert tape.gradient(y, x).numpy() == 4


def test_parts_of_a_batch_train_as_the_whole_does():
    features = np.random.default_rng(1).normal(size=(24, 5))
    labels = features.sum(1, keepdims=True)
    data = tf.data.Dataset.from_tensor_slices((features, labels)).batch(8)
    trained = []
    for count in (1, 2, 3, 8):
        strategy = strategy_of(count)
        with strategy.scope():
            w = tf.Variable(np.full((5, 1), 0.1))

        def step(x, y, w=w):
            with tf.GradientTape() as tape:
                losses = tf.reduce_sum((x @ w - y) ** 2, axis=1)
                loss = tf.nn.compute_average_loss(losses, global_batch_size=8)
            gradient = replica().all_reduce("SUM", tape.gradient(loss, w))
            w.assign_sub(0.05 * gradient)
            return loss

        losses = [
            float(strategy.reduce("SUM", strategy.run(step, args=batch)))
            for _ in range(3)
            for batch in strategy.experimental_distribute_dataset(data)
        ]
        trained.append([*losses, *w.numpy().ravel()])
    for other in trained[1:]:
        np.testing.assert_allclose(other, trained[0], rtol=1e-12)


# -- variables -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("aggregation", "assigned", "added"), [(SUM, 3.0, 4.0), (MEAN, 1.5, 2.5), (FIRST, 1.0, 2.0)]
)
def test_mirrored_variables_are_assigned_what_replicas_give_together(
    two, aggregation, assigned, added
):
    with two.scope():
        v = tf.Variable(1.0, aggregation=aggregation)
        w = tf.Variable(1.0, aggregation=aggregation)
    seen = two.run(lambda: (v.assign(number() + 1).read_value(), w.assign_add(number() + 1) + 0.0))
    assert v.numpy() == assigned
    assert w.numpy() == added
    assert numbers(seen[0]) == [assigned] * 2
    assert numbers(seen[1]) == [added] * 2
    assert repr(v).startswith("MirroredVariable:{\n  0: <tf.Variable 'Variable:0' shape=()")


def test_variables_are_not_assigned_values_that_differ(two):
    with two.scope():
        v = tf.Variable([2.0, 3.0], name="v")
    two.run(lambda: v.assign(v * 2.0))
    assert v.numpy().tolist() == [4, 6]
    with pytest.raises(ValueError, match="different values to assign of the variable 'v'"):
        two.run(lambda: v.assign([number(), 1.0]))
    assert v.numpy().tolist() == [4, 6]
    two.run(lambda: v[0].assign(9.0))
    two.run(lambda: v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]))))
    assert v.numpy().tolist() == [9, 7]


def test_copies_are_read_as_their_aggregate(two):
    with two.scope():
        total = tf.Variable(1.0, synchronization=ON_READ, aggregation=SUM)
        mean = tf.Variable(1.0, synchronization=ON_READ, aggregation=MEAN)
        first = tf.Variable(1.0, synchronization=ON_READ, aggregation=FIRST)
        bare = tf.Variable(1.0, synchronization=ON_READ)
    own = two.run(lambda: [v.assign_add(number() + 1) + 0.0 for v in (total, mean, first)])
    assert [numbers(each) for each in own] == [[2, 3]] * 3
    assert [v.numpy() for v in (total, mean, first)] == [5, 2.5, 2]
    assert not total.trainable
    for v in (total, mean, first):
        v.assign(4.0)
    assert [v.numpy() for v in (total, mean, first)] == [4, 4, 4]
    assert [v.values[1].numpy() for v in (total, mean, first)] == [2, 4, 4]
    mean.assign_add(1.0)
    assert mean.numpy() == 5
    with pytest.raises(ValueError, match="cross-replica context when aggregation is"):
        total.assign_add(1.0)
    with pytest.raises(ValueError, match="Could not convert"):
        bare.numpy()


def test_plain_variables_are_changed_by_each_replica(two):
    v = tf.Variable(3.0)
    assert numbers(two.run(lambda: v * 2.0)) == [6, 6]
    two.run(lambda: v.assign_add(1.0))
    assert v.numpy() == 5


def test_variables_made_by_replicas_are_made_once(two):
    made = []

    def step():
        if not made:
            made.append(None)
        v = tf.Variable(1.0, aggregation=SUM)
        v.assign_add(1.0)
        return v

    v = two.run(step)
    assert v.numpy() == 3
    with two.scope():
        assert two.extended.variable_created_in_scope(v)


def test_losses_are_those_of_all_replicas(two):
    assert numbers(two.run(lambda: tf.nn.compute_average_loss([1.0, 2.0]))) == [0.75] * 2
    assert numbers(two.run(lambda: tf.nn.scale_regularization_loss(4.0))) == [2.0] * 2
    with two.scope(), pytest.raises(RuntimeError, match="cross replica context"):
        tf.nn.compute_average_loss([1.0, 2.0])


# -- data ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "count", "parts"),
    [(6, 4, [2, 2, 2, 0]), (5, 4, [2, 2, 1, 0]), (3, 4, [1, 1, 1, 0]), (5, 2, [3, 2])],
)
def test_batches_are_cut_into_parts(rows, count, parts):
    data = strategy_of(count).experimental_distribute_dataset(tf.data.Dataset.range(rows).batch(8))
    (batch,) = list(data)
    assert [len(part) for part in batch.values] == parts
    assert [i for part in numbers(batch) for i in part] == list(range(rows))


def test_elements_of_a_function_are_dealt(two):
    told = []

    def made(context):
        told.append((str(context), context.get_per_replica_batch_size(8)))
        return tf.data.Dataset.range(5).batch(2)

    hands = [numbers(hand) for hand in two.distribute_datasets_from_function(made)]
    assert hands == [[[0, 1], [2, 3]], [[4], []]]
    assert told == [("tf.distribute.InputContext(input pipeline id 0, total: 1)", 4)]


def test_iterators_end_as_those_of_datasets(two):
    data = two.experimental_distribute_dataset(tf.data.Dataset.range(4).batch(4))
    iterator = iter(data)
    assert numbers(iterator.get_next()) == [[0, 1], [2, 3]]
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()
    assert not iterator.get_next_as_optional().has_value()
    with pytest.raises(TypeError, match="no len"):
        len(data)
    spec = tf.TensorSpec([None], tf.int64)
    assert repr(data.element_spec) == f"PerReplicaSpec({spec!r}, {spec!r})"
    with pytest.raises(ValueError, match="must have batches"):
        list(two.experimental_distribute_dataset(tf.data.Dataset.range(4)))


# -- functions -----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_functions_run_replicas_and_are_run_by_them(two):
    with two.scope():
        v = tf.Variable(1.0, aggregation=MEAN)

    @tf.function
    def inner(x):
        v.assign_add(x)
        return x * 2.0

    @tf.function
    def outer(x):
        return two.run(inner, args=(x,))

    data = two.experimental_distribute_dataset(
        tf.data.Dataset.from_tensor_slices([1.0, 3.0]).batch(2)
    )
    for _ in range(4):
        for (batch,) in [tuple(data)]:
            parts = two.run(lambda x: x[0], args=(batch,))
            assert numbers(outer(parts)) == [2, 6]
            assert numbers(two.run(inner, args=(parts,))) == [2, 6]
    assert v.numpy() == 1 + 8 * 2


def test_a_function_knows_under_which_strategy_it_runs():
    one = tf.distribute.OneDeviceStrategy("/cpu:0")
    f = tf.function(lambda: tf.constant(1.0) if tf.distribute.has_strategy() else tf.constant(0.0))
    for _ in range(3):
        assert f().numpy() == 0
        assert one.run(f).numpy() == 1
        with one.scope():
            assert f().numpy() == 1
    assert f.report().replays > 0


def test_a_function_that_fails_in_a_replica_changes_nothing(two):
    with two.scope():
        v = tf.Variable(1.0, aggregation=SUM)

    @tf.function
    def step(bad):
        def one():
            v.assign_add(1.0)
            if bad and int(replica().replica_id_in_sync_group) == 1:
                raise KeyError("here")

        two.run(one)

    step(False)
    assert v.numpy() == 3
    with pytest.raises(KeyError, match="here"):
        step(True)
    assert v.numpy() == 3
