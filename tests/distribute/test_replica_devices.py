"""Replicas on devices and in clusters, Keras on several, and what TensorFlow does there."""

import numpy as np
import pytest

import cinta as tf
from tests.distribute.replicas import ON_READ, SUM, number, numbers, replica, strategy_of


@pytest.fixture
def two():
    return strategy_of(2)


# -- devices -------------------------------------------------------------------------------------


def test_the_processor_can_stand_for_several_devices():
    (cpu,) = tf.config.list_physical_devices("CPU")
    part = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(cpu, [part] * 4)
    try:
        assert len(tf.config.list_logical_devices()) == 4
        assert tf.config.get_logical_device_configuration(cpu) == [part] * 4
        strategy = tf.distribute.MirroredStrategy()
        assert strategy.num_replicas_in_sync == 4
        assert strategy.extended.worker_devices[3].endswith("CPU:3")
        assert numbers(strategy.run(number)) == [0, 1, 2, 3]
    finally:
        tf.config.set_logical_device_configuration(cpu, None)
    assert tf.distribute.MirroredStrategy().num_replicas_in_sync == 1


def test_clusters_are_read_from_the_environment(monkeypatch):
    monkeypatch.setenv(
        "TF_CONFIG",
        '{"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 1}}',
    )
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    assert (resolver.task_type, resolver.task_id, resolver.master()) == ("worker", 1, "b:2")
    assert resolver.cluster_spec().as_dict() == {"worker": ["a:1", "b:2"]}
    for cluster, task, words in [
        ('{"worker": ["a:1", "b:2"]}', '{"type": "worker", "index": 2}', "has no task 'worker'"),
        ('{"worker": ["a:1"], "ps": ["b:2"]}', '{"type": "worker", "index": 0}', "tasks 'ps'"),
        ('{"worker": ["a:1"], "miner": ["b:2"]}', "{}", "unknown jobs"),
    ]:
        monkeypatch.setenv("TF_CONFIG", f'{{"cluster": {cluster}, "task": {task}}}')
        with pytest.raises(ValueError, match=words):
            tf.distribute.MultiWorkerMirroredStrategy()
    monkeypatch.setenv("TF_CONFIG", "{")
    with pytest.raises(ValueError, match="not JSON"):
        tf.distribute.cluster_resolver.TFConfigClusterResolver()


def test_clusters_are_read_from_slurm(monkeypatch):
    told = {"STEP_NODELIST": "a[08-09],b", "STEP_TASKS_PER_NODE": "2(x2),1", "STEP_NUM_TASKS": "5"}
    for name, value in (told | {"PROCID": "2"}).items():
        monkeypatch.setenv(f"SLURM_{name}", value)
    resolver = tf.distribute.cluster_resolver.SlurmClusterResolver(port_base=90)
    addresses = ["a08:90", "a08:91", "a09:90", "a09:91", "b:90"]
    assert resolver.cluster_spec().as_dict() == {"worker": addresses}
    assert (resolver.task_type, resolver.task_id) == ("worker", 2)
    resolver = tf.distribute.cluster_resolver.SlurmClusterResolver({"chief": 1, "worker": 1})
    with pytest.raises(RuntimeError, match="as many tasks"):
        resolver.cluster_spec()
    monkeypatch.delenv("SLURM_PROCID")
    with pytest.raises(RuntimeError, match="SLURM_PROCID"):
        resolver.cluster_spec()


def devices_of(values):
    return [each.device[-5:] for each in values]


def test_values_are_on_the_device_of_their_replica(two):
    found = two.run(lambda: tf.constant(1.0) * 2)
    assert devices_of(found.values) == ["CPU:0", "CPU:1"]
    assert devices_of([two.reduce("SUM", found, axis=None)]) == ["CPU:0"]
    with two.scope():
        seen = tf.Variable(0.0, synchronization=ON_READ, aggregation=SUM)
    assert devices_of(two.experimental_local_results(seen)) == ["CPU:0", "CPU:1"]
    (own,) = two.run(lambda: replica().devices)
    assert [each[-5:] for each in own.values] == ["CPU:0", "CPU:1"]


def test_a_strategy_is_on_the_devices_that_it_names():
    strategy = tf.distribute.MirroredStrategy(["CPU:3", "/gpu:1"])
    assert [each[-5:] for each in strategy.extended.worker_devices] == ["CPU:3", "CPU:1"]


def test_central_storage_computes_as_mirrored_replicas_do():
    strategy = tf.distribute.experimental.CentralStorageStrategy(["CPU:0", "CPU:1"])
    with strategy.scope():
        v = tf.Variable(1.0, aggregation=SUM)
    strategy.run(lambda: v.assign_add(number()))
    assert v.numpy() == 2


# -- in Keras --------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
def test_keras_trains_on_several_replicas_as_on_one():
    keras = pytest.importorskip("keras") and tf.keras
    data = np.random.default_rng(0).normal(size=(32, 4)).astype("f4")

    def trained(strategy):
        keras.utils.set_random_seed(1)
        with strategy.scope():
            model = keras.Sequential(
                [
                    keras.layers.Input((4,)),
                    keras.layers.Dense(4, activation="tanh"),
                    keras.layers.BatchNormalization(synchronized=True),
                    keras.layers.Dense(1),
                ]
            )
            model.compile("adam", "mse")
        history = model.fit(
            data, data.sum(1, keepdims=True), epochs=2, batch_size=8, verbose=0, shuffle=False
        )
        return [*history.history["loss"], *model.predict(data[:5], verbose=0).ravel()]

    np.testing.assert_allclose(trained(strategy_of(2)), trained(strategy_of(1)), rtol=2e-5)


# -- as TensorFlow has it ------------------------------------------------------------------------


def test_means_of_whole_numbers_have_fractions(two):
    whole = two.run(lambda: tf.range(2) + replica().replica_id_in_sync_group)
    mean = two.reduce("MEAN", whole, axis=None)
    assert mean.dtype == tf.float64
    assert mean.numpy().tolist() == [0.5, 1.5]


def test_a_variable_must_say_when_it_is_synchronized(two):
    with two.scope(), pytest.raises(ValueError, match="`NONE` variable synchronization"):
        tf.Variable(1.0, synchronization=tf.VariableSynchronization.NONE)


def test_ragged_batches_are_cut_by_rows(two):
    rows = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], []])).batch(3)
    (batch,) = two.experimental_distribute_dataset(rows)
    assert [each.to_list() for each in batch.values] == [[[1], [2, 3]], [[]]]


def test_each_replica_draws_from_a_stream_of_its_own(two):
    with two.scope():
        generator = tf.random.Generator.from_seed(1)
    drawn = [numbers(two.run(lambda: generator.normal([]))) for _ in range(2)]
    expected = [[-0.87930447, 0.02066157], [-1.582257, 0.77539235]]  # TensorFlow's
    np.testing.assert_allclose(drawn, expected, rtol=1e-5)


def test_replicas_draw_unlike_amounts_without_waiting(two):
    with two.scope():
        generator = tf.random.Generator.from_seed(1)
    two.run(lambda: [generator.normal([]) for _ in range(1 + int(number()))][-1])
    counters = [copy.numpy()[0] for copy in generator.state.values]
    assert counters == [1 + 256, 1 + 2 * 256]


def test_replicas_draw_in_turn_from_a_stream_made_outside(two):
    generator, alone = (tf.random.Generator.from_seed(1) for _ in range(2))
    drawn = numbers(two.run(lambda: generator.normal([])))
    np.testing.assert_array_equal(drawn, [alone.normal([]), alone.normal([])])


@pytest.mark.filterwarnings("ignore:tf.function total runs its Python")
def test_a_function_may_ask_for_the_specs_of_what_replicas_get():
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    data = tf.data.Dataset.from_tensors([1.0]).repeat(10).batch(4)
    distributed = strategy.experimental_distribute_dataset(data)

    @tf.function(input_signature=[distributed.element_spec])
    def total(batch):
        return strategy.reduce("SUM", strategy.run(tf.reduce_sum, args=(batch,)), axis=None)

    assert [float(total(batch)) for batch in distributed] == [4.0, 4.0, 2.0]
    with pytest.raises(TypeError, match="Can not cast"):
        total(tf.constant([[1.0]]))
    with pytest.raises(TypeError, match="Can not cast"):
        total(strategy.experimental_distribute_values_from_function(lambda _: tf.constant(1)))


def test_what_replicas_share_is_built_by_the_first():
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1", "CPU:2"])
    parts, found = [], []

    def step():
        if not parts:
            parts.append(tf.Variable(1.0))
            parts.append(tf.Variable(2.0))
        own = tf.Variable(3.0, name="own")
        found.append(own)
        return parts[0] + parts[1] + own

    assert strategy.reduce("SUM", strategy.run(step), axis=None) == 18.0
    assert len(parts) == 2
    assert found[0] is found[1] is found[2]

    def only_last():
        number = int(tf.distribute.get_replica_context().replica_id_in_sync_group)
        return tf.Variable(1.0) if number == 2 else None

    with pytest.raises(RuntimeError, match="Replica 2 comes to the making of a variable"):
        strategy.run(only_last)


def test_variables_of_replicas_are_distributed_values():
    with tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"]).scope():
        both = tf.Variable(1.0)
        each = tf.Variable(
            1.0,
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM,
        )
    for variable in (both, each):
        assert isinstance(variable, tf.distribute.DistributedValues)
        assert isinstance(variable, tf.Variable)
    assert not isinstance(tf.Variable(1.0), tf.distribute.DistributedValues)
    assert both.synchronization is tf.VariableSynchronization.ON_WRITE
    assert each.synchronization is tf.VariableSynchronization.ON_READ
