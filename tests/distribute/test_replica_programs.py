"""Functions that replicas run, as one program of XLA: the numbers of replicas that take turns."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tests.distribute.processes import HERE

pytest.importorskip("jax")

BEGIN = """
import sys, warnings
import numpy as np
import cinta as tf
warnings.simplefilter("ignore")
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy()
r = np.random.default_rng(0)
x = r.normal(size=(20, 3)).astype("f4")
y = r.normal(size=(20, 4)).astype("f4")
SUM, MEAN = tf.VariableAggregation.SUM, tf.VariableAggregation.MEAN
ON_READ = tf.VariableSynchronization.ON_READ

def batches(size=8):
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(size).repeat(3)
    return strategy.experimental_distribute_dataset(data)

def program(step):
    return strategy._programs.get(step)

def is_compiled(step):
    found = program(step)
    return found is not None and found.is_fit and any(v.calls for v in found.variants)
"""

TRAINING = """
with strategy.scope():
    w = tf.Variable(r.normal(size=(3, 4)).astype("f4"))
    b = tf.Variable(tf.zeros([4]))
    scale = tf.Variable(2.0)
    mean = tf.Variable(0.0, aggregation=MEAN)
    count = tf.Variable(0.0, synchronization=ON_READ, aggregation=SUM)

def step(x, y):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((tf.tanh(x @ w + b) * scale - y) ** 2, 1)
        loss = tf.nn.compute_average_loss(error, global_batch_size=8)
    context = tf.distribute.get_replica_context()
    gradients = context.all_reduce("SUM", tape.gradient(loss, [w, b]))
    w.assign_sub(0.1 * gradients[0])
    b.assign_sub(0.1 * gradients[1])
    mean.assign(loss)
    count.assign_add(loss)
    return loss, {"double": 2.0 * x, "whole": gradients[1]}

@tf.function(jit_compile=COMPILE)
def train(x, y):
    return strategy.run(step, args=(x, y))

for i, (p, q) in enumerate(batches()):
    if i == 4:
        scale.assign(1.5)
        count.assign(1.0)
    loss, found = train(p, q)
    print(float(strategy.reduce("SUM", loss, axis=None)), float(mean), float(count))
    print(*np.ravel(strategy.gather(found["double"], 0)))
    print(*[np.sum(v) for v in strategy.experimental_local_results(found["whole"])])
print(*w.numpy().ravel(), *b.numpy())
print(is_compiled(step))
"""


def run(program, compiled):
    """The numbers that a program prints, and its last line."""
    found = subprocess.run(
        [sys.executable, "-c", BEGIN + program.replace("COMPILE", str(compiled))],
        env={**HERE, "PATH": "", "XLA_FLAGS": os.environ["XLA_FLAGS"]},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert not found.returncode, found.stderr
    *lines, last = found.stdout.splitlines()
    return [float(number) for line in lines for number in line.split()], last


def test_a_program_for_all_replicas_trains_as_replicas_in_turns_do():
    compiled, ran = run(TRAINING, True)
    in_turns, _ = run(TRAINING, False)
    assert ran == "True"
    np.testing.assert_allclose(compiled, in_turns, rtol=2e-5, atol=1e-6)


ONE_SUM = (
    TRAINING.replace("print(is_compiled(step))", "")
    + """
(variant, *_) = program(step).variants
text = variant.runner.callable.program.text()
print(text.count("all-reduce("))
"""
)


def test_the_program_has_one_sum_for_all_gradients():
    assert run(ONE_SUM, True)[1] == "1"


GUARDED = (
    TRAINING
    + """
import jax
from cinta.experimental import dtensor
mesh = dtensor.create_mesh([("x", 2)])
u = dtensor.DVariable(np.eye(4, dtype="f4"), layout=dtensor.Layout.replicated(mesh, 2))
z = dtensor.copy_to_mesh(np.ones((8, 4), "f4"), dtensor.Layout(["x", "unsharded"], mesh))

@tf.function
def on_mesh(z):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((z @ u) ** 2)
    u.assign_sub(0.1 * tape.gradient(loss, u))
    return loss

for _ in range(2):
    on_mesh(z)
with jax.transfer_guard("disallow"):  # a copy to a device or back that nobody asked for raises
    train(p, q)
    on_mesh(z)
print("guarded")
"""
)


def test_a_warm_step_of_several_devices_moves_no_value_implicitly():
    program = GUARDED.replace("print(is_compiled(step))", "")
    assert run(program, True)[1] == "guarded"


OTHERWISE = {
    "it looks at values": "return x * 2.0 if tf.reduce_sum(x) > 0 else x",
    "it draws random numbers": "return x + 0.0 * tf.random.normal([3])",
    "it calls merge_call": """
    total = lambda strategy, x: strategy.extended.reduce_to("SUM", x, None)
    return tf.distribute.get_replica_context().merge_call(total, (x,)) * x""",
    "it gathers parts of other lengths": """
    context = tf.distribute.get_replica_context()
    return x + tf.reduce_sum(context.all_gather(x[: 1 + context._number], 0))""",
    "it changes a plain variable": "plain.assign_add(1.0); return x * plain",
}


@pytest.mark.parametrize("body", OTHERWISE.values(), ids=OTHERWISE)
def test_replicas_take_turns_where_a_program_is_not_possible(body):
    program = f"""
plain = tf.Variable(0.0)
def step(x):
    {body}

@tf.function(jit_compile=COMPILE)
def go(x):
    return strategy.run(step, args=(x,))

for p, _ in batches():
    print(*np.ravel(strategy.gather(go(p), 0)))
print(is_compiled(step))
"""
    compiled, ran = run(program, True)
    assert ran == "False"
    np.testing.assert_array_equal(compiled, run(program, False)[0])


COLLECTIVE = """
with strategy.scope():
    w = tf.Variable([1.0, 2.0, 3.0])
table = tf.constant([3.0, 5.0])

def step(x):
    context = tf.distribute.get_replica_context()
    number = context.replica_id_in_sync_group
    with tf.GradientTape() as tape:
        tape.watch(x)
        rows = x * w * tf.gather(table, number)
        whole = context.all_gather(rows, 0)
        loss = tf.reduce_sum(whole ** 2 * tf.range(1.0, 9.0)[:, None])
    own, shared = tape.gradient(loss, [x, w])
    w.assign_sub(1e-5 * context.all_reduce("SUM", shared))
    rows = tf.IndexedSlices(x[:1] * 1e-3, number[None], (2, 3))
    return own, context.all_reduce("SUM", rows).values, tf.reduce_sum(whole) + x

@tf.function(jit_compile=COMPILE)
def go(x):
    return strategy.run(step, args=(x,))

for p, _ in batches():
    if p.values[0].shape == p.values[1].shape == (4, 3):
        for found in go(p):
            for each in strategy.experimental_local_results(found):
                print(*np.ravel(each))
print(*w.numpy())
print(is_compiled(step))
"""


def test_replicas_know_their_numbers_and_gather_in_one_program():
    compiled, ran = run(COLLECTIVE, True)
    assert ran == "True"
    np.testing.assert_allclose(compiled, run(COLLECTIVE, False)[0], rtol=2e-5)


def test_parts_of_other_lengths_take_turns_for_that_call():
    program = """
def step(x):
    return tf.distribute.get_replica_context().all_reduce("MEAN", tf.reduce_sum(x))

@tf.function(jit_compile=COMPILE)
def go(x):
    return strategy.run(step, args=(x,))

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    for p, _ in batches(7):
        print(*[float(v) for v in strategy.experimental_local_results(go(p))])
why = "in such calls, without XLA: their arguments have different shapes or dtypes."
assert sum(why in str(each.message) for each in told) == COMPILE, told
print(is_compiled(step))
"""
    compiled, ran = run(program, True)
    assert ran == "True"
    np.testing.assert_allclose(compiled, run(program, False)[0], rtol=1e-5)


FAILING = """
with strategy.scope():
    v = tf.Variable(1.0)

def step(x, i):
    v.assign_add(1.0)
    return tf.gather(x, i)

@tf.function(jit_compile=COMPILE)
def go(x, i):
    return strategy.run(step, args=(x, i))

p, _ = next(iter(batches()))
go(p, tf.constant(1)), go(p, tf.constant(1))
try:
    go(p, tf.constant(9))
except tf.errors.InvalidArgumentError as error:
    print(float(v))
print(is_compiled(step))
"""


def test_an_error_in_the_program_leaves_variables_as_they_were():
    assert run(FAILING, True) == ([3.0], "True")


KERAS = """
tf.keras.utils.set_random_seed(1)
layers = tf.keras.layers
with strategy.scope():
    model = tf.keras.Sequential(
        [layers.Input((3,)), layers.Dense(4, activation="tanh"),
         layers.BatchNormalization(synchronized=True), layers.Dense(4)]
    )
    model.compile("adam", "mse", metrics=["mae"], jit_compile=COMPILE)
history = model.fit(x[:16], y[:16], batch_size=8, epochs=3, shuffle=False, verbose=0)
for values in history.history.values():
    print(*values)
print(*np.concatenate([w.ravel() for w in model.get_weights()]))
print(*model.evaluate(x[:16], y[:16], batch_size=8, verbose=0))
print(any(p.is_fit and any(v.calls for v in p.variants) for p in strategy._programs.values()))
"""


def test_keras_trains_by_one_program():
    compiled, ran = run(KERAS, True)
    in_turns, _ = run(KERAS, False)
    np.testing.assert_allclose(compiled, in_turns, rtol=2e-4, atol=1e-6)
    assert ran == "True"


KEPT = """
with strategy.scope():
    v = tf.Variable([1.0, 2.0])
    own = tf.Variable(1.0, synchronization=ON_READ, aggregation=SUM)

def add(x):
    v.assign_add(tf.distribute.get_replica_context().all_reduce("SUM", x))
    own.assign_add(tf.reduce_sum(x))
    return x * own, None, "text", [v * 2.0]

def double(x):
    v.assign(v * tf.distribute.get_replica_context().all_reduce("MEAN", x))
    own.assign(own * 2.0)
    return own + x

@tf.function(jit_compile=COMPILE)
def call(step, x):
    return strategy.run(step, args=(x,))

@tf.function(jit_compile=COMPILE)
def alone(x):
    return v + own + x

x = strategy.experimental_distribute_values_from_function(
    lambda context: tf.constant([1.0, 2.0]) + context.replica_id_in_sync_group
)
for i in range(16):
    found, none, text, (twice,) = call(add, x)
    print(int(none is None and text == "text"), *np.ravel(strategy.gather(found, 0)), *np.ravel(v))
    print(*np.ravel(strategy.gather(call(double, twice), 0)))
    if i % 3 == 2:
        print(*alone(found.values[1]).numpy(), float(own), *np.ravel(twice.values))
    if i % 4 == 3:
        v.assign([0.5, -1.0])
        own.assign(3.0)
    if i % 8 == 5:
        call(add, tf.constant([1.0, 1.0]))
        call(add, np.float32([1.0, 1.0]))
        with tf.GradientTape() as tape:
            outside = strategy.reduce("SUM", call(add, x)[0], axis=None)
        print(int(tape.gradient(outside, v) is None), *outside.numpy())
print(is_compiled(add) and is_compiled(double))
"""


def test_values_stay_on_the_devices_between_programs_and_are_seen_by_all():
    compiled, was_compiled = run(KEPT, True)
    in_turns, _ = run(KEPT, False)
    assert was_compiled == "True"
    np.testing.assert_allclose(compiled, in_turns, rtol=1e-5)
