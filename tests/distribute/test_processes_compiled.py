"""Functions of several processes that XLA compiles for all their replicas."""

import signal

import numpy as np
import pytest

from tests.distribute.processes import run_workers

pytest.importorskip("jax")

VALUES = """
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MultiWorkerMirroredStrategy()
here = strategy.cluster_resolver.task_id
MEAN, SUM = tf.VariableAggregation.MEAN, tf.VariableAggregation.SUM
r = np.random.default_rng(0)
x, y = r.normal(size=(22, 3)).astype("f4"), r.normal(size=(22, 4)).astype("f4")
with strategy.scope():
    w = tf.Variable(r.normal(size=(3, 4)).astype("f4"))
    b = tf.Variable(tf.zeros([4]))
    mean = tf.Variable(0.0, aggregation=MEAN)
    count = tf.Variable(
        0.0, synchronization=tf.VariableSynchronization.ON_READ, aggregation=SUM
    )
own = tf.Variable(1.0 + here)  # of another value in each process

def step(x, y):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((tf.tanh(x @ w + b) - y) ** 2, 1)
        loss = tf.nn.compute_average_loss(error)
    context = tf.distribute.get_replica_context()
    gradients = context.all_reduce("SUM", tape.gradient(loss, [w, b]))
    w.assign_sub(0.1 * gradients[0])
    b.assign_sub(0.1 * gradients[1])
    mean.assign(loss)
    count.assign_add(loss)
    return loss, own * tf.reduce_sum(x)

@tf.function(jit_compile=os.environ["COMPILED"] == "1")
def train(x, y):
    return strategy.run(step, args=(x, y))

losses, sums, shown = [], [], []
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8).repeat(3)
for i, (p, q) in enumerate(strategy.experimental_distribute_dataset(data)):
    if i == 5:
        w.assign(2.0 * w)
    loss, found = train(p, q)
    losses.append(strategy.reduce("SUM", loss, axis=None))
    sums.append(strategy.reduce("SUM", found, axis=None))
    shown.append([mean.numpy(), count.numpy()])
show(losses=losses, sums=sums, shown=shown, w=w, b=b)
program = strategy._programs.get(step)
show(ran=program is not None and program.is_fit and any(v.calls for v in program.variants))
"""


def test_the_program_of_all_processes_trains_as_replicas_in_turns_do():
    (first, _), (second, _) = run_workers(VALUES, environment=[("COMPILED", "1")])
    (in_turns, _), _ = run_workers(VALUES, environment=[("COMPILED", "0")])
    assert first == second
    assert first.pop("ran")
    assert not in_turns.pop("ran")
    for name, values in first.items():
        np.testing.assert_allclose(values, in_turns[name], rtol=2e-5, atol=1e-6, err_msg=name)


OTHERWISE = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
here = strategy.cluster_resolver.task_id

def step(x):
    factor = 2.0 if here else 3.0
    return tf.distribute.get_replica_context().all_reduce("SUM", factor * x)

def looking(x):
    return x * 2.0 if tf.reduce_sum(x) > 0 else x

@tf.function(jit_compile=True)
def train(function, x):
    return strategy.run(function, args=(x,))

show(sums=[train(step, tf.constant(1.0 + i)) for i in range(4)])
show(own=[train(looking, tf.constant(float(here - i))) for i in range(3)])
"""


def test_processes_that_have_recorded_other_steps_take_turns():
    (first, _), (second, _) = run_workers(OTHERWISE)
    assert first["sums"] == second["sums"] == [5.0, 10.0, 15.0, 20.0]
    assert first["own"] == [0.0, -1.0, -2.0]
    assert second["own"] == [2.0, 0.0, -1.0]


FAILING = """
limit = float(os.environ["LIMIT"]) or None
strategy = tf.distribute.MultiWorkerMirroredStrategy(
    communication_options=tf.distribute.experimental.CommunicationOptions(timeout_seconds=limit)
)
with strategy.scope():
    v = tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN)

def step(x):
    v.assign_add(tf.distribute.get_replica_context().all_reduce("SUM", x))

def other(x):
    v.assign(x)

@tf.function(jit_compile=True)
def train(function, x):
    strategy.run(function, args=(x,))

for i in range(4):
    function = step
    if i == 3 and strategy.cluster_resolver.task_id == 1:
        match os.environ["HOW"]:
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "stopped":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "late":
                signal.pause()  # for ever: an error comes of the limit alone
            case "raises":
                raise ValueError("mine")
            case "another":
                function = other
    try:
        train(function, tf.constant(1.0))
    except Exception as error:
        print(json.dumps({"kind": type(error).__name__, "v": float(v), "step": i}), flush=True)
        raise
"""


@pytest.mark.parametrize(
    ("how", "limit", "kind", "words", "status"),
    [
        ("killed", 0, "UnavailableError", "is gone; ", -signal.SIGKILL),
        ("stopped", 4, "UnavailableError", "is gone or stopped", None),
        ("late", 4, "DeadlineExceededError", "is late", None),
        ("raises", 0, "UnavailableError", "has failed: ValueError: mine", "any failure"),
        ("another", 0, "RuntimeError", "waits at the run of other", "any failure"),
    ],
)
def test_a_process_that_fails_is_named_and_variables_are_as_before(how, limit, kind, words, status):
    found = run_workers(
        FAILING, expect=(1, status), environment={"HOW": how, "LIMIT": str(limit)}.items()
    )
    told, said = found[0]
    assert told["kind"] == kind
    assert (told["v"], told["step"]) == (7.0, 3)
    assert "worker 1 (localhost:" in said
    assert words in said


EXPECTED = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
here = strategy.cluster_resolver.task_id
with strategy.scope():
    v = tf.Variable(0.0)

def step(x):
    v.assign_add(tf.distribute.get_replica_context().all_reduce("SUM", x))
    return v + x

def double(x):
    return 2.0 * x * tf.distribute.get_replica_context().all_reduce("MEAN", x)

factor = 2.0

def last(x):
    return factor * tf.distribute.get_replica_context().all_reduce("SUM", x)

@tf.function(jit_compile=True)
def train(function, x):
    return strategy.run(function, args=(x,))

shown = []
for i in range(24):
    found = train(double if i % 7 == 5 else step, tf.constant(1.0 + here))
    if i % 5 == 4 or i > 18:
        shown.append(float(strategy.reduce("SUM", found, axis=None)))
found = []
for i in range(8):
    if here and i == 4:
        factor = 5.0  # which the other process does not know
    found.append(float(train(last, tf.constant(float(i)))))
show(shown=shown, found=found, v=v)
"""


def test_processes_that_come_to_something_unexpected_wait_for_each_other_there():
    (first, _), (second, _) = run_workers(EXPECTED)
    after = [3.0 * (i + 1 - (i + 2) // 7) for i in range(24)]  # the variable
    wanted = [9.0 if i % 7 == 5 else 2 * after[i] + 3.0 for i in range(24) if i % 5 == 4 or i > 18]
    assert first["shown"] == second["shown"] == wanted
    assert first["v"] == second["v"] == after[-1]
    assert first["found"] == [4.0 * i for i in range(8)]
    assert second["found"] == [(4.0 if i < 4 else 10.0) * i for i in range(8)]
