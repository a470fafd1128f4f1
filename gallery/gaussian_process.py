# %% [markdown]
# # A Gaussian process that finds its own scales
#
# A Gaussian process is a distribution over functions. Its length scale, its height and the noise of
# the data follow from the data: these three numbers maximize the probability of the measurements.
# The gradient goes through a Cholesky factorization.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

COUNT = 40  # in tests: 15

rng = np.random.default_rng(0)
x = np.sort(rng.uniform(-5, 5, COUNT))
y = np.sin(1.5 * x) + 0.3 * x + 0.2 * rng.normal(size=COUNT)

# %% [markdown]
# All three numbers are positive, so we search for their logarithms.

# %%


def kernel(p, a, b):
    distance = (a[:, None] - b[None, :]) / tf.exp(p["length"])
    return tf.exp(2 * p["height"] - 0.5 * distance**2)


def factor(p):
    noise = tf.exp(2 * p["noise"]) + 1e-8
    return tf.linalg.cholesky(kernel(p, x, x) + noise * tf.eye(COUNT, dtype=tf.float64))


def surprise(p):
    """Minus the logarithm of the probability of the data, up to a constant."""
    L = factor(p)
    half = tf.linalg.triangular_solve(L, y[:, None])
    return 0.5 * tf.reduce_sum(half**2) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(L)))


start = {name: tf.constant(0.0, tf.float64) for name in ("length", "height", "noise")}
found = tf.optimize.minimize(surprise, start, method="BFGS")
for name, value in found.x.items():
    print(f"{name}: {np.exp(float(value)):.3f}")

# %% [markdown]
# With the numbers found, the process predicts a mean and a standard deviation anywhere.

# %%
new = np.linspace(-7, 7, 300)
L = factor(found.x)
between = kernel(found.x, x, new)
half = tf.linalg.triangular_solve(L, between)
mean = tf.linalg.matvec(half, tf.linalg.triangular_solve(L, y[:, None])[:, 0], transpose_a=True)
variance = tf.exp(2 * found.x["height"]) - tf.reduce_sum(half**2, axis=0)
deviation = tf.sqrt(variance).numpy()

plt.figure(figsize=(8, 4))
plt.fill_between(new, mean - 2 * deviation, mean + 2 * deviation, alpha=0.2, label="95 %")
plt.plot(new, mean, label="mean")
plt.plot(new, np.sin(1.5 * new) + 0.3 * new, "k--", lw=1, label="true function")
plt.plot(x, y, "k.", label="data")
plt.legend()
plt.show()
