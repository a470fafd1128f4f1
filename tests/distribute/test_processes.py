"""Strategies over several processes."""

import signal

import numpy as np
import pytest

from cinta.distribute.launching import launch
from tests.distribute.processes import run_one, run_workers

pytest.importorskip("jax")

DIVIDED = """
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * COUNT)
"""

VALUES = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.random.set_seed(strategy.cluster_resolver.task_id or 0)
with strategy.scope():
    w = tf.Variable(tf.ones([3]))
    whole = tf.Variable(3, dtype=tf.int64)
    drawn = tf.Variable(tf.random.normal([2]))
    mean = tf.Variable(0.0, aggregation=tf.VariableAggregation.MEAN)
    first = tf.Variable(0.0, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
    each = tf.Variable(
        0.0,
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.SUM,
    )

def number():
    return tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.float32)

def step(x):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.nn.compute_average_loss((x @ w[:, None] - 1.0)[:, 0] ** 2, global_batch_size=8)
    gradient = context.all_reduce("SUM", tape.gradient(loss, w))
    w.assign_sub(0.1 * gradient)
    mean.assign_add(number())
    first.assign(number() + 7.0)
    each.assign_add(number())
    rows = tf.fill([int(number()) + 1, 2], number())
    return loss, context.all_gather(rows, 0), rows

r = np.random.default_rng(0)
data = tf.data.Dataset.from_tensor_slices(r.normal(size=(22, 3)).astype("f4")).batch(8)
losses = []

@tf.function
def train(batch):
    return strategy.run(step, args=(batch,))

for batch in strategy.experimental_distribute_dataset(data):
    loss, gathered, rows = train(batch)
    losses.append(strategy.reduce("SUM", loss, axis=None))
show(
    count=strategy.num_replicas_in_sync,
    losses=losses,
    w=w,
    whole=whole,
    mean=mean,
    first=first,
    each=each,
    gathered=strategy.experimental_local_results(gathered)[0],
    rows=strategy.gather(rows, 0),
    weighed=strategy.reduce("MEAN", rows, axis=0),
)
show(drawn=drawn)
"""


def test_two_processes_of_two_replicas_compute_what_one_of_four_does():
    first, second = (found for found, _ in run_workers(DIVIDED.replace("COUNT", "2") + VALUES))
    alone = run_one(DIVIDED.replace("COUNT", "4") + VALUES)
    assert first == second
    assert first.pop("drawn") == alone.pop("drawn")
    assert first["count"] == 4
    for key, value in alone.items():
        np.testing.assert_array_equal(first[key], value, key)


DATA = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
here = strategy.cluster_resolver.task_id
def steps(dataset):
    return [strategy.experimental_local_results(x)[0].numpy().tolist() for x in dataset]
def auto(dataset, policy=None):
    if policy is not None:
        options = tf.data.Options()
        options.experimental_distribute.auto_shard_policy = policy
        dataset = dataset.with_options(options)
    return steps(strategy.experimental_distribute_dataset(dataset))
numbers = tf.data.Dataset.range
print(json.dumps({
    "rest": auto(numbers(10).batch(4)),
    "odd": auto(numbers(10).batch(3)),
    "off": auto(numbers(10).batch(4), tf.data.experimental.AutoShardPolicy.OFF),
    "unknown": auto(numbers(8).filter(lambda x: x % 2 == 0).batch(4)),
    "uneven": steps(strategy.distribute_datasets_from_function(
        lambda context: numbers(2 + 4 * context.input_pipeline_id).batch(2))),
    "none": steps(strategy.distribute_datasets_from_function(
        lambda context: numbers(2 * context.input_pipeline_id).filter(lambda x: x > 0).batch(2))),
    "dealt": steps(strategy.distribute_datasets_from_function(
        lambda context: numbers(6).shard(
            context.num_input_pipelines, context.input_pipeline_id
        ).batch(context.get_per_replica_batch_size(4)))),
}))
"""


def test_each_process_gets_its_part_of_the_data_for_equally_many_steps():
    (first, _), (second, _) = run_workers(DATA)
    assert first == {
        "rest": [[0, 1], [4, 5], [8]],
        "odd": [[0, 1], [3, 4], [6, 7], [9]],
        "off": [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]],
        "unknown": [[0, 2]],
        "uneven": [[0, 1], [], []],
        "none": [[]],
        "dealt": [[0, 2], [4]],
    }
    assert second == {
        "rest": [[2, 3], [6, 7], [9]],
        "odd": [[2], [5], [8], []],
        "off": [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]],
        "unknown": [[4, 6]],
        "uneven": [[0, 1], [2, 3], [4, 5]],
        "none": [[1]],
        "dealt": [[1, 3], [5]],
    }


FAILING = """
limit = float(os.environ["LIMIT"]) or None
strategy = tf.distribute.MultiWorkerMirroredStrategy(
    communication_options=tf.distribute.experimental.CommunicationOptions(timeout_seconds=limit)
)
with strategy.scope():
    v = tf.Variable(1.0)

def fail():
    context = tf.distribute.get_replica_context()
    match os.environ["HOW"]:
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "terminated":
            os.kill(os.getpid(), signal.SIGTERM)
        case "stopped":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "late":
            signal.pause()  # for ever: an error comes of the limit alone
        case "raises":
            raise ValueError("mine")
        case "ends":
            sys.exit(0)
        case "another":
            context.all_gather(tf.constant([1.0]), 0)

def step(i):
    if i == 2 and strategy.cluster_resolver.task_id == 1:
        fail()
    v.assign_add(1.0)
    return tf.distribute.get_replica_context().all_reduce("SUM", tf.constant(1.0))

@tf.function
def train(i):
    return strategy.run(step, args=(i,))

for i in range(4):
    try:
        train(i)
    except Exception as error:
        print(json.dumps({"kind": type(error).__name__, "v": float(v), "step": i}), flush=True)
        raise
"""


@pytest.mark.parametrize(
    ("how", "limit", "kind", "words", "status"),
    [
        ("killed", 0, "UnavailableError", "is gone; ", -signal.SIGKILL),
        ("terminated", 0, "UnavailableError", "is gone; ", -signal.SIGTERM),
        ("stopped", 4, "UnavailableError", "is gone or stopped", None),
        ("late", 4, "DeadlineExceededError", "is late", None),
        ("raises", 0, "UnavailableError", "has failed: ValueError: mine", "any failure"),
        ("ends", 0, "UnavailableError", "has ended; ", "any failure"),
        ("another", 0, "RuntimeError", "waits at all_gather", "any failure"),
    ],
)
def test_a_process_that_fails_is_named_and_variables_are_as_before(how, limit, kind, words, status):
    found = run_workers(
        FAILING, expect=(1, status), environment={"HOW": how, "LIMIT": str(limit)}.items()
    )
    told, said = found[0]
    assert told["kind"] == kind
    assert (told["v"], told["step"]) == (3.0, 2)
    assert "worker 1 (localhost:" in said
    assert words in said


def test_of_three_processes_the_one_that_is_gone_is_named():
    environment = {"HOW": "killed", "LIMIT": "0"}.items()
    found = run_workers(FAILING, expect=(1, -signal.SIGKILL, 1), environment=environment)
    for _, said in (found[0], found[2]):
        assert "worker 1 (localhost:" in said
        assert "is gone; " in said
        assert "are gone" not in said


def test_the_first_process_does_not_wait_for_one_that_fails_because_it_has_ended():
    program = FAILING.replace("task_id == 1", "task_id == 0")
    environment = {"HOW": "ends", "LIMIT": "0"}.items()
    found = run_workers(program, expect=("any failure", 1), environment=environment)
    told, said = found[1]
    assert (told["kind"], told["v"], told["step"]) == ("UnavailableError", 3.0, 2)
    assert "worker 0 (localhost:" in said
    assert "has ended" in said


KERAS = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
here = strategy.cluster_resolver.task_id or 0
keras = tf.keras
data = np.random.default_rng(0).normal(size=(32, 4)).astype("f4")
goal = data.sum(1, keepdims=True)
keras.utils.set_random_seed(1 + here)
with strategy.scope():
    model = keras.Sequential(
        [
            keras.layers.Input((4,)),
            keras.layers.Dense(4, activation="tanh"),
            keras.layers.BatchNormalization(synchronized=True),
            keras.layers.Dense(1),
        ]
    )
    model.compile("adam", "mse", metrics=["mae"])
epochs = []
class Ending(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        epochs.append(epoch)
        if epoch == int(os.environ.get("KILLED_AT", -1)) and here == 1:
            os.kill(os.getpid(), signal.SIGKILL)
callbacks = [Ending()]
if "BACKUP" in os.environ:
    callbacks.append(keras.callbacks.BackupAndRestore(os.environ["BACKUP"]))
history = model.fit(
    data, goal, epochs=3, batch_size=8, verbose=0, shuffle=False, callbacks=callbacks
)
show(epochs=epochs, weights=np.concatenate([w.ravel() for w in model.get_weights()]))
show(loss=history.history["loss"], evaluated=model.evaluate(data, goal, batch_size=8, verbose=0))
show(predicted=model.predict(data[:5], verbose=0))
"""


def test_keras_trains_in_two_processes_as_in_one():
    (first, _), (second, _) = run_workers(KERAS)
    alone = run_one(DIVIDED.replace("COUNT", "2") + KERAS)
    assert first == second
    for key, value in alone.items():
        np.testing.assert_allclose(first[key], value, rtol=2e-6, err_msg=key)


def test_keras_goes_on_from_its_backup_after_a_kill(tmp_path):
    backup = {"BACKUP": str(tmp_path / "backup")}
    run_workers(
        KERAS, expect=(1, -signal.SIGKILL), environment=(backup | {"KILLED_AT": "2"}).items()
    )
    assert sorted(path.name for path in (tmp_path / "backup").iterdir()) == [
        "latest.weights.h5",
        "training_metadata.json",
    ]
    (first, _), (second, _) = run_workers(KERAS, environment=backup.items())
    assert first == second
    assert first["epochs"] == [2]
    assert not (tmp_path / "backup").exists()


PREEMPTED = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
here = strategy.cluster_resolver.task_id
with strategy.scope():
    v = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
handler = tf.distribute.experimental.PreemptionCheckpointHandler(
    strategy.cluster_resolver, tf.train.Checkpoint(v=v), os.environ["CHECKPOINTS"]
)
begun = handler.total_run_calls
def step():
    if here == 1 and begun == 0 and handler.total_run_calls == 2:
        os.kill(os.getpid(), signal.SIGTERM)
    strategy.run(lambda: v.assign_add(1.0))
while handler.total_run_calls < 5:
    handler.run(step)
show(v=v, begun=begun)
"""


def test_all_processes_save_at_the_same_step_and_end_when_one_is_told_to(tmp_path):
    environment = {"CHECKPOINTS": str(tmp_path)}.items()
    ended = run_workers(PREEMPTED, expect=(42, 42), environment=environment)
    assert [values for values, _ in ended] == [{}, {}]
    again = run_workers(PREEMPTED, environment=environment)
    assert [values for values, _ in again] == [{"v": 10.0, "begun": 3}] * 2


def test_a_launched_program_ends_as_its_processes_do(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import json, os, sys\n"
        "index = json.loads(os.environ['TF_CONFIG'])['task']['index']\n"
        "sys.exit(int(sys.argv[1 + index]))\n"
    )
    assert launch(2, [str(script), "0", "0"]) == 0
    assert launch(2, [str(script), "0", "3"]) == 3
    with pytest.raises(ValueError, match="1 or more"):
        launch(0, [str(script)])


FILES = """
import pathlib, tempfile
strategy = tf.distribute.MultiWorkerMirroredStrategy()
here = strategy.cluster_resolver.task_id
folder = pathlib.Path(tempfile.mkdtemp())
for i in range(3):
    (folder / f"{i}.txt").write_text("".join(f"{i}{j}\\n" for j in range(3)))
Policy = tf.data.experimental.AutoShardPolicy

def rows(dataset, policy=None):
    if policy is not None:
        options = tf.data.Options()
        options.experimental_distribute.auto_shard_policy = policy
        dataset = dataset.with_options(options)
    data = strategy.experimental_distribute_dataset(dataset)
    return [strategy.experimental_local_results(x)[0].numpy().tolist() for x in data]

def numbers(dataset):
    return dataset.map(lambda line: tf.strings.to_number(line, tf.int32))

names = [str(folder / f"{i}.txt") for i in range(3)]
lines = numbers(tf.data.TextLineDataset(names))
mixed = tf.data.Dataset.list_files(str(folder / "*.txt")).interleave(tf.data.TextLineDataset)
alone = numbers(tf.data.TextLineDataset(names[:1]))
def refused(dataset):
    try:
        rows(dataset, Policy.FILE)
    except tf.errors.OpError as error:
        return type(error).__name__
print(json.dumps({
    "auto": rows(lines.batch(4)),
    "file": rows(lines.map(lambda x: x + 100).batch(6), Policy.FILE),
    "data": rows(lines.batch(4), Policy.DATA),
    "mixed": sorted(sum(rows(numbers(mixed).batch(2)), [])),
    "few": rows(alone.batch(2)),
    "refused": [refused(alone.batch(2)), refused(tf.data.Dataset.range(4).batch(2))],
}))
"""


def test_each_process_reads_some_of_the_files():
    (first, _), (second, _) = run_workers(FILES)
    assert first["auto"] == [[0, 1], [2, 20], [21, 22]]
    assert second["auto"] == [[10, 11], [12], []]
    assert first["file"] == [[100, 101, 102], [120, 121, 122]]
    assert second["file"] == [[110, 111, 112], []]
    assert first["data"] == [[0, 1], [11, 12], [22]]
    assert second["data"] == [[2, 10], [20, 21], []]
    assert sorted(first["mixed"] + second["mixed"]) == [0, 1, 2, 10, 11, 12, 20, 21, 22]
    assert {len(first["mixed"]), len(second["mixed"])} == {6, 3}
    assert (first["few"], second["few"]) == ([[0], [2]], [[1], []])
    assert first["refused"] == second["refused"] == ["InvalidArgumentError", "NotFoundError"]
