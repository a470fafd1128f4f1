# %% [markdown]
# # A network that solves a differential equation
#
# There are no data: the loss is the equation itself. A network proposes a temperature u(x, t); the
# loss is how far it is from satisfying the heat equation ∂u/∂t = 0.1 ∂²u/∂x², with given values at
# the start and at the ends. Second derivatives come from forward mode along x, and the whole loss
# is differentiated once more, with respect to the weights.

# %%
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 1500  # in tests: 5
POINTS, HIDDEN = 400, 24
CONDUCTION = 0.1

tf.random.set_seed(0)
rng = np.random.default_rng(0)
sizes = [2, HIDDEN, HIDDEN, 1]
weights = [
    tf.Variable(tf.random.normal(shape, dtype=tf.float64) / np.sqrt(shape[0]))
    for pair in pairwise(sizes)
    for shape in (pair, (1, pair[1]))
]

# %% [markdown]
# The factor x (1 − x) keeps the ends at zero, and the start is sin πx whatever the weights are.

# %%


def u(x, t):
    hidden = tf.concat([x, t], axis=1)
    for w, b in zip(weights[:-2:2], weights[1:-2:2], strict=True):
        hidden = tf.tanh(hidden @ w + b)
    free = hidden @ weights[-2] + weights[-1]
    return tf.sin(np.pi * x) + t * x * (1 - x) * free


def residual(x, t):
    """How far u is from the equation at some points."""
    along = tf.ones_like(x)

    def slope(x):
        return tf.jvp(lambda x: u(x, t), [x], [along])[1]

    u_xx = tf.jvp(slope, [x], [along])[1]
    u_t = tf.jvp(lambda t: u(x, t), [t], [along])[1]
    return u_t - CONDUCTION * u_xx


@tf.function
def gradients(x, t):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(residual(x, t) ** 2)
    return loss, tape.gradient(loss, weights)


optimizer = tf.keras.optimizers.Adam(5e-3)
losses = []
for count in range(STEPS):
    optimizer.learning_rate = 5e-3 * (1 - count / STEPS)
    x, t = tf.constant(rng.random((POINTS, 1))), tf.constant(rng.random((POINTS, 1)))
    loss, slopes = gradients(x, t)
    optimizer.apply_gradients(zip(slopes, weights, strict=True))
    losses.append(float(loss))

# %% [markdown]
# The true solution is known: sin πx, which decays with time.

# %%
side = np.linspace(0, 1, 60)
X, T = np.meshgrid(side, side)
told = u(tf.constant(X.reshape(-1, 1)), tf.constant(T.reshape(-1, 1))).numpy().reshape(60, 60)
truth = np.sin(np.pi * X) * np.exp(-CONDUCTION * np.pi**2 * T)
error = np.abs(told - truth).max()
print(f"loss {losses[0]:.1e} → {losses[-1]:.1e}; largest error {error:.1e}")

figure, axes = plt.subplots(1, 3, figsize=(12, 3.4))
for axis, title, shown in zip(
    axes, ["u(x, t) of the network", "error"], [told, told - truth], strict=False
):
    picture = axis.imshow(shown, origin="lower", extent=(0, 1, 0, 1), cmap="inferno", aspect="auto")
    axis.set(title=title, xlabel="x", ylabel="t")
    figure.colorbar(picture)
axes[2].semilogy(losses)
axes[2].set(xlabel="step", title="loss")
figure.tight_layout()
plt.show()
