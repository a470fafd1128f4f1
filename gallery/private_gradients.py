# %% [markdown]
# # Learning without betraying anyone
#
# To keep the contribution of a single person private, each person's gradient is clipped to a fixed
# length, and noise in proportion to that length is added to the sum. This needs the gradient of
# *each* example, not of their mean: `tf.per_example_gradient` gives them in one pass.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 300  # in tests: 5
ROWS, LENGTH = 2000, 1.0

rng = np.random.default_rng(0)
x = rng.normal(size=(ROWS, 2)).astype(np.float32)
labels = (np.hypot(x[:, 0], x[:, 1]) > 1.1).astype(np.float32)


def beginning():
    draw = np.random.default_rng(1)
    return {
        "w1": tf.constant(draw.normal(size=(2, 16)).astype(np.float32)),
        "b1": tf.zeros([16]),
        "w2": tf.constant(0.3 * draw.normal(size=16).astype(np.float32)),
        "b2": tf.zeros([]),
    }


def logits(p, x):
    return tf.linalg.matvec(tf.tanh(x @ p["w1"] + p["b1"]), p["w2"]) + p["b2"]


def losses(p, x, y):
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits(p, x))


# %% [markdown]
# The length of a person's gradient counts all parameters together.

# %%


@tf.function
def cut_sum(p, x, y):
    each = tf.per_example_gradient(losses)(p, x, y)
    squares = [tf.reduce_sum(tf.reshape(g, [len(x), -1]) ** 2, 1) for g in tf.nest.flatten(each)]
    length = tf.sqrt(tf.add_n(squares))
    factor = tf.minimum(1.0, LENGTH / (length + 1e-12))
    return tf.nest.map_structure(lambda g: tf.einsum("b,b...->...", factor, g), each), length


def trained(noise):
    p, rights = beginning(), []
    for _ in range(STEPS):
        rows = rng.choice(ROWS, 256, replace=False)
        total, _ = cut_sum(p, x[rows], labels[rows])
        for name, g in total.items():
            disturbed = g + noise * LENGTH * rng.normal(size=g.shape).astype(np.float32)
            p[name] = p[name] - 2.0 * disturbed / 256
        rights.append(float(np.mean((logits(p, x).numpy() > 0) == labels)))
    return p, rights


found = {noise: trained(noise) for noise in (0.0, 1.0, 4.0, 16.0)}
for noise, (_, rights) in found.items():
    print(f"noise {noise:4.1f}: {np.mean(rights[-20:]):.1%} right")

# %%
side = np.linspace(-3, 3, 80, dtype=np.float32)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
figure, axes = plt.subplots(1, 3, figsize=(12, 3.8))
for axis, noise in zip(axes, (0.0, 4.0), strict=False):
    shown = tf.sigmoid(logits(found[noise][0], grid)).numpy().reshape(80, 80)
    axis.contourf(side, side, shown, levels=20, cmap="coolwarm")
    axis.scatter(*x[:300].T, c=labels[:300], cmap="coolwarm", s=8, edgecolors="k", linewidths=0.3)
    axis.set(title=f"noise {noise}", xlim=(-3, 3), ylim=(-3, 3))
for noise, (_, rights) in found.items():
    axes[2].plot(rights, label=f"noise {noise}")
axes[2].set(xlabel="step", title="part of the answers that are right")
axes[2].legend()
plt.show()
