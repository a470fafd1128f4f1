# %% [markdown]
# # Hamiltonian Monte Carlo
#
# To draw from a distribution whose density is known up to a factor, let a ball roll on the surface
# of minus the logarithm of the density, with a random push before each roll. The gradient of the
# logarithm is the force. The whole roll is one recorded function, so a draw is one call.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

DRAWS = 2000  # in tests: 60
LEAPS, STEP = 20, 0.2

# %% [markdown]
# The distribution is a banana: a normal distribution, bent by a parabola.

# %%


def log_density(q):
    return -0.5 * (q[0] ** 2 / 2 + (q[1] - 0.5 * q[0] ** 2 + 1) ** 2 / 0.3)


force = tf.grad(log_density)


@tf.function
def roll(q, p):
    """Leapfrog steps, and the change of the energy, which decides whether the end is accepted."""
    energy = log_density(q) - tf.reduce_sum(p**2) / 2
    p = p + STEP / 2 * force(q)
    for _ in range(LEAPS - 1):
        q = q + STEP * p
        p = p + STEP * force(q)
    q = q + STEP * p
    p = p + STEP / 2 * force(q)
    return q, log_density(q) - tf.reduce_sum(p**2) / 2 - energy


rng = np.random.default_rng(0)
q, draws, accepted = tf.constant([0.0, 0.0], tf.float64), [], 0
for _ in range(DRAWS):
    proposed, change = roll(q, tf.constant(rng.normal(size=2)))
    if np.log(rng.random()) < float(change):
        q, accepted = proposed, accepted + 1
    draws.append(q.numpy())
draws = np.array(draws)
print(f"{accepted / DRAWS:.0%} accepted")
print(f"variance of x: {draws[:, 0].var():.2f} (true: 2)")
print(f"mean of y: {draws[:, 1].mean():.2f} (true: 0)")

# %%
grid_x, grid_y = np.meshgrid(np.linspace(-5, 5, 200), np.linspace(-4, 10, 200))
density = np.exp(log_density(tf.constant([grid_x, grid_y])).numpy())
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.contour(grid_x, grid_y, density, levels=6, cmap="viridis")
left.plot(*draws.T, ".", ms=2, alpha=0.5)
left.set(title="draws on the true density")
right.plot(draws[:200, 0], label="x")
right.plot(draws[:200, 1], label="y")
right.set(title="the first 200 draws")
right.legend()
plt.show()
