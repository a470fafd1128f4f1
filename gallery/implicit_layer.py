# %% [markdown]
# # A layer that is an equation
#
# A layer may say what its result *satisfies* instead of how to compute it: z = tanh(W z + U x +
# b). The gradient follows from the equation at the solution, by the implicit function
# theorem; the steps that found the solution are not recorded and take no memory.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 120  # in tests: 2
STATE, ROWS = 6, 40

rng = np.random.default_rng(0)
angle = rng.uniform(0.3, 3 * np.pi, ROWS)
which = np.arange(ROWS) % 2
turned = angle + np.pi * which
x = tf.constant(np.column_stack([angle * np.cos(turned), angle * np.sin(turned)]) / 5)
labels = tf.constant(which.astype(float))

# %% [markdown]
# If W is small, the equation has a single solution, and repeated substitution finds it; so W is
# divided by its norm.

# %%


def equation(z, p, x):
    w = 0.9 * p["W"] / tf.maximum(tf.constant(1.0, tf.float64), tf.norm(p["W"]))
    return tf.tanh(z @ w + x @ p["U"] + p["b"])


def layer(p, x):
    start = tf.zeros([len(x), STATE], tf.float64)
    return tf.optimize.fixed_point(equation, start, p, x)


def loss(p):
    logits = tf.linalg.matvec(layer(p, x), p["out"])
    losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    size = tf.add_n([tf.reduce_sum(each**2) for each in tf.nest.flatten(p)])
    return tf.reduce_mean(losses) + 1e-4 * size


p = {
    "W": tf.constant(0.3 * rng.normal(size=(STATE, STATE))),
    "U": tf.constant(2 * rng.normal(size=(2, STATE))),
    "b": tf.constant(rng.normal(size=STATE)),
    "out": tf.constant(rng.normal(size=STATE)),
}

# %% [markdown]
# Is the gradient right? We compare it with a difference quotient along a random direction:

# %%
direction = tf.nest.map_structure(lambda each: tf.constant(rng.normal(size=each.shape)), p)
moved = [tf.nest.map_structure(lambda a, d, h=h: a + h * d, p, direction) for h in (1e-5, -1e-5)]
quotient = float(loss(moved[0]) - loss(moved[1])) / 2e-5
products = tf.nest.map_structure(lambda g, d: tf.reduce_sum(g * d), tf.grad(loss)(p), direction)
print(f"{float(tf.add_n(tf.nest.flatten(products))):.8f} and {quotient:.8f}")

# %%
found = tf.optimize.minimize(loss, p, method="L-BFGS-B", options={"maxiter": STEPS})
p = found.x
right = np.mean((tf.linalg.matvec(layer(p, x), p["out"]).numpy() > 0) == labels.numpy())
print(f"{right:.0%} of the points are on their side, after {found.nit} iterations")

# %%
side = np.linspace(-2.2, 2.2, 70)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
shown = tf.sigmoid(tf.linalg.matvec(layer(p, tf.constant(grid)), p["out"])).numpy()
z, changes = tf.zeros([ROWS, STATE], tf.float64), []
for _ in range(40):
    before, z = z, equation(z, p, x)
    changes.append(float(tf.norm(z - before)))
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
left.contourf(side, side, shown.reshape(70, 70), levels=20, cmap="coolwarm")
left.scatter(*x.numpy().T, c=which, cmap="coolwarm", edgecolors="k")
left.set_title("two spirals, told apart")
right.semilogy(changes)
right.set(xlabel="repetition", title="change of z on the way to the solution")
plt.show()
