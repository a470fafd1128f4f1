# %% [markdown]
# # Learning to learn: MAML
#
# Each task is a wave with its own height and phase. We look for *one set of initial weights* from
# which a single step of gradient descent on ten points fits any of the waves. The loss after the
# step is differentiated through the step, so second derivatives appear, and nobody has to write
# them.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 4000  # in tests: 5
TASKS, SHOTS, HIDDEN, INNER = 16, 10, 40, 0.05

rng = np.random.default_rng(0)
tf.random.set_seed(0)


def tasks(count):
    """Two lots of points of each of some waves: to learn from, and to be judged by."""
    height = rng.uniform(1, 3, (count, 1, 1))
    phase = rng.uniform(0, np.pi, (count, 1, 1))
    x = rng.uniform(-5, 5, (count, 2 * SHOTS, 1))
    x, y = x.astype(np.float32), (height * np.sin(x + phase)).astype(np.float32)
    return x[:, :SHOTS], y[:, :SHOTS], x[:, SHOTS:], y[:, SHOTS:]


# %% [markdown]
# All tasks are learned at once: each has its own copy of the weights, along a first axis.

# %%
shapes = [(1, HIDDEN), (1, HIDDEN), (HIDDEN, HIDDEN), (1, HIDDEN), (HIDDEN, 1), (1, 1)]
weights = [
    tf.Variable(tf.random.normal(shape) * (0.7 / np.sqrt(shape[0]) if place % 2 == 0 else 0.0))
    for place, shape in enumerate(shapes)
]


def error(weights, x, y):
    w1, b1, w2, b2, w3, b3 = weights
    hidden = tf.nn.relu(tf.nn.relu(x @ w1 + b1) @ w2 + b2)
    return tf.reduce_mean((hidden @ w3 + b3 - y) ** 2, axis=[1, 2])


def adapted(weights, x, y, rate=INNER):
    """The weights of each task after one step on its points."""
    copies = [tf.tile(w[None], [len(x), 1, 1]) for w in weights]
    with tf.GradientTape() as tape:
        tape.watch(copies)
        total = tf.reduce_sum(error(copies, x, y))
    return [w - rate * g for w, g in zip(copies, tape.gradient(total, copies), strict=True)]


@tf.function
def gradients(x, y, new_x, new_y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(error(adapted(weights, x, y), new_x, new_y))
    return loss, tape.gradient(loss, weights)


optimizer = tf.keras.optimizers.Adam(1e-3)
losses = []
for _ in range(STEPS):
    loss, slopes = gradients(*tasks(TASKS))
    optimizer.apply_gradients(zip(slopes, weights, strict=True))
    losses.append(float(loss))
print(f"error after one step: {np.mean(losses[:20]):.2f} → {np.mean(losses[-200:]):.2f}")

# %% [markdown]
# The picture shows a new wave before and after the one step.

# %%
line = np.linspace(-5, 5, 200, dtype=np.float32)[None, :, None]
x, _, _, _ = tasks(1)
y = 2 * np.sin(x + 1)


def curve(weights):
    w1, b1, w2, b2, w3, b3 = weights
    return (tf.nn.relu(tf.nn.relu(line @ w1 + b1) @ w2 + b2) @ w3 + b3)[0, :, 0]


figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.plot(line[0], 2 * np.sin(line[0] + 1), "k--", label="true")
left.plot(line[0], curve([w[None] for w in weights]), label="start")
left.plot(line[0], curve(adapted(weights, x, y)), label="after one step")
left.plot(x[0], y[0], "ko", ms=4, label="points")
left.legend()
smooth = np.convolve(losses, np.ones(100) / 100, "valid") if STEPS > 100 else losses
right.plot(smooth)
right.set(xlabel="step", title="error after one step on a new task")
plt.show()
