# %% [markdown]
# # A normalizing flow
#
# A flow bends a normal distribution until it fits the data. Each layer shifts and scales one
# coordinate by numbers that depend on the other one, so the layer can be inverted and the density
# stays exact: its logarithm is that of the normal distribution plus the logarithms of the factors.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 1500  # in tests: 20
LAYERS, HIDDEN = 8, 32

rng = np.random.default_rng(0)
tf.random.set_seed(0)


def moons(count):
    angle = rng.uniform(0, np.pi, count)
    upper = rng.random(count) < 0.5
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle)) - 0.5
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle)) - 0.25
    noise = 0.08 * rng.normal(size=(count, 2))
    return (1.5 * (np.column_stack([x, y]) + noise)).astype(np.float32)


# %% [markdown]
# Each layer has a small network. The last matrix begins at zero, so the flow begins as the
# identity.

# %%


def layer():
    return [
        tf.Variable(tf.random.normal([1, HIDDEN])),
        tf.Variable(tf.zeros([HIDDEN])),
        tf.Variable(tf.random.normal([HIDDEN, HIDDEN]) / np.sqrt(HIDDEN)),
        tf.Variable(tf.zeros([HIDDEN])),
        tf.Variable(tf.zeros([HIDDEN, 2])),
    ]


layers = [layer() for _ in range(LAYERS)]
weights = [each for one in layers for each in one]


def shift_and_scale(one, a):
    w1, b1, w2, b2, w3 = one
    hidden = tf.tanh(tf.tanh(a @ w1 + b1) @ w2 + b2)
    shift, scale = tf.split(hidden @ w3, 2, axis=1)
    return shift, tf.tanh(scale)


def log_density(x):
    a, b = tf.split(x, 2, axis=1)
    total = tf.zeros_like(a)
    for one in layers:
        shift, scale = shift_and_scale(one, a)
        a, b = (b - shift) * tf.exp(-scale), a
        total -= scale
    return (total - 0.5 * (a**2 + b**2) - np.log(2 * np.pi))[:, 0]


def sample(count):
    a, b = tf.split(tf.random.normal([count, 2]), 2, axis=1)
    for one in reversed(layers):
        shift, scale = shift_and_scale(one, b)
        a, b = b, a * tf.exp(scale) + shift
    return tf.concat([a, b], axis=1)


# %% [markdown]
# Training maximizes the probability of the data, with Adam, which takes a few lines of code.

# %%
moments = [(tf.Variable(tf.zeros_like(w)), tf.Variable(tf.zeros_like(w))) for w in weights]


@tf.function
def step(x, count):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(log_density(x))
    rate = 2e-3 * tf.sqrt(1 - 0.999**count) / (1 - 0.9**count)
    for w, g, (m, v) in zip(weights, tape.gradient(loss, weights), moments, strict=True):
        m.assign(0.9 * m + 0.1 * g)
        v.assign(0.999 * v + 0.001 * g * g)
        w.assign_sub(rate * m / (tf.sqrt(v) + 1e-7))
    return loss


losses = [float(step(moons(256), tf.constant(float(count + 1)))) for count in range(STEPS)]
print(f"minus the mean log density: {losses[0]:.3f} → {np.mean(losses[-20:]):.3f}")

# %%
side = np.linspace(-2.6, 2.6, 150, dtype=np.float32)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
density = tf.exp(log_density(tf.constant(grid))).numpy().reshape(150, 150)
figure, axes = plt.subplots(1, 3, figsize=(11, 3.6), sharex=True, sharey=True)
axes[0].plot(*moons(1500).T, ".", ms=2)
axes[1].plot(*sample(1500).numpy().T, ".", ms=2)
axes[2].imshow(density, origin="lower", extent=(-2.6, 2.6, -2.6, 2.6), cmap="magma")
for axis, title in zip(axes, ["data", "draws of the flow", "its density"], strict=True):
    axis.set(title=title, xlim=(-2.6, 2.6), ylim=(-2.6, 2.6))
plt.show()
