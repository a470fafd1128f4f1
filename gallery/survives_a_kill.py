# %% [markdown]
# # A training that survives a kill
#
# A small transformer learns to sort digits, in two processes with two devices each. One of the
# processes is killed on the way. The same command, given again, goes on from the last checkpoint.
# The losses are the same, bit for bit, as those of one process with four devices that runs
# undisturbed.

# %%
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt

STEPS = 200  # in tests: 9
KILLED_AT = 130  # in tests: 5
EVERY = 20  # in tests: 2

# %% [markdown]
# The program of each process. Both make the same batches, and each replica gets its part of them.
# Both restore the last checkpoint when they start, and the first one writes them. The data of a
# step depend on its number alone, so a training that goes on sees what it would have seen.

# %%
PROGRAM = """
import os, signal, sys
import numpy as np
import cinta as tf

folder, devices, steps, every, killed_at = sys.argv[1], *map(int, sys.argv[2:])
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * devices)
strategy = tf.distribute.MultiWorkerMirroredStrategy()
number = strategy.cluster_resolver.task_id or 0
LENGTH, WIDTH, BATCH = 8, 32, 64

tf.random.set_seed(0)
draw = tf.keras.initializers.GlorotUniform(seed=0)
with strategy.scope():
    shapes = {"digit": (10, WIDTH), "place": (LENGTH, WIDTH), "answer": (WIDTH, 10)}
    shapes |= {name: (WIDTH, WIDTH) for name in ("query", "key", "value", "inner", "outer")}
    weights = {name: tf.Variable(draw(shape), name=name) for name, shape in shapes.items()}
    slots = {name: tf.Variable(tf.zeros(shape)) for name, shape in shapes.items()}
    done = tf.Variable(0, dtype=tf.int64)


def normalized(x):
    mean, variance = tf.nn.moments(x, [-1], keepdims=True)
    return (x - mean) * tf.math.rsqrt(variance + 1e-5)


def logits(w, digits):
    x = tf.gather(w["digit"], digits) + w["place"]
    scores = tf.matmul(x @ w["query"], x @ w["key"], transpose_b=True) / WIDTH**0.5
    x = normalized(x + tf.nn.softmax(scores) @ (x @ w["value"]))
    return normalized(x + tf.nn.relu(x @ w["inner"]) @ w["outer"]) @ w["answer"]


def step(digits, ordered):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(ordered, logits(weights, digits))
        loss = tf.nn.compute_average_loss(tf.reduce_mean(losses, 1), global_batch_size=BATCH)
    slopes = tape.gradient(loss, weights)
    slopes = tf.distribute.get_replica_context().all_reduce("SUM", slopes)
    for name, slope in slopes.items():
        slots[name].assign(0.9 * slots[name] + slope)
        weights[name].assign_sub(0.1 * slots[name])
    done.assign_add(1)
    return loss


@tf.function
def train(digits, ordered):
    return strategy.reduce("SUM", strategy.run(step, (digits, ordered)), axis=None)


checkpoint = tf.train.Checkpoint(weights=weights, slots=slots, done=done)
manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
manager.restore_or_initialize()
begun = int(done)
for i in range(begun, steps):
    batch = np.random.default_rng(i).integers(0, 10, (BATCH, LENGTH))
    both = tf.data.Dataset.from_tensors((batch, np.sort(batch, 1))).unbatch().batch(BATCH)
    if begun == 0 and i == killed_at and number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    for part in strategy.experimental_distribute_dataset(both):
        loss = train(*part)
    if number == 0:
        print("at", i, float(loss), flush=True)
        if (i + 1) % every == 0:
            manager.save()
"""

# %% [markdown]
# `cinta launch -n 2 train.py ...` starts both processes on this machine, and ends with the status
# of the one that has failed. On several machines, the tool that starts programs there takes the
# place of this command.

# %%
LAUNCHED = "-m", "cinta", "launch", "-n", "2"


def trained(folder, devices, killed_at, *launcher):
    """The status of the command, its losses by the number of the step, and what it says."""
    script = Path(folder) / "train.py"
    script.write_text(PROGRAM, "utf-8")
    numbers = map(str, (devices, STEPS, EVERY, killed_at))
    command = [sys.executable, *launcher, str(script), folder, *numbers]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line.split() for line in ended.stdout.splitlines() if line.startswith("at ")]
    return ended.returncode, {int(i): float(loss) for _, i, loss in lines}, ended.stderr


with tempfile.TemporaryDirectory() as folder:
    status, before, told = trained(folder, 2, KILLED_AT, *LAUNCHED)
    print("worker 0:", "worker 1 is gone" if "worker 1 (localhost" in told else told)
    print(f"status {status}, after step {max(before)}")
    status, after, _ = trained(folder, 2, KILLED_AT, *LAUNCHED)
    print(f"status {status}, from step {min(after)} to step {max(after)}")
with tempfile.TemporaryDirectory() as folder:
    _, undisturbed, _ = trained(folder, 4, STEPS)
same = before | after == undisturbed
print(f"loss {undisturbed[0]:.3f} → {undisturbed[STEPS - 1]:.3f}; the same as undisturbed: {same}")

# %%
plt.figure(figsize=(7, 3.6))
plt.plot(list(undisturbed.values()), lw=5, alpha=0.3, label="one process, undisturbed")
plt.plot(list(before), list(before.values()), "k--", label="two, until the kill")
plt.plot(list(after), list(after.values()), "r--", label="the same command again")
plt.axvline(KILLED_AT, color="gray", lw=1)
plt.xlabel("step")
plt.ylabel("loss")
plt.legend()
plt.show()
