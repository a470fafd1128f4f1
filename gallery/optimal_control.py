# %% [markdown]
# # Optimal control with a sparse Hessian
#
# An oven is to follow a plan of temperatures with little heating. The unknowns are its temperatures
# at very many moments. Each moment interacts with its neighbors only, so nearly all of the 10¹⁰
# elements of the Hessian are zero. `tf.autodiff.sparse_hessian` finds the pattern and computes the
# others with a few products.

# %%
import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse.linalg import spsolve

import cinta as tf

N = 100_000  # in tests: 500
STEPS = 8

dt = 10.0 / N
time = np.linspace(0, 10, N)
plan = 1 + 0.5 * np.sin(time) * (time < 7) - 0.7 * (time > 4)

# %% [markdown]
# The heating follows from the temperatures: their change, plus the loss of heat, which grows with
# the cube of the temperature. The cost weighs the distance from the plan against the heating.

# %%


def heating(x):
    middle = (x[1:] + x[:-1]) / 2
    return (x[1:] - x[:-1]) / dt + 0.8 * middle**3


def cost(x):
    return dt * (tf.reduce_sum((x - plan) ** 2) + 0.05 * tf.reduce_sum(heating(x) ** 2))


hessian, gradient = tf.autodiff.sparse_hessian(cost), tf.grad(cost)
x = tf.ones([N], tf.float64)
changes = []
for step in range(STEPS):
    matrix = hessian(x)
    change = spsolve(matrix.tocsc(), gradient(x).numpy())
    x = x - change
    changes.append(np.abs(change).max())
    print(f"step {step}: cost {float(cost(x)):.8f}, largest change {changes[-1]:.1e}")
print(f"Hessian of {N} × {N}: {matrix.nnz} elements, {matrix.nnz / N:.1f} in a row")

# %% [markdown]
# The picture on the right is a corner of the Hessian: three diagonals.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), width_ratios=[2, 1])
left.plot(time, plan, "k--", lw=1, label="plan")
left.plot(time, x, label="temperature")
left.plot(time[1:], heating(x), lw=1, label="heating")
left.set_xlabel("time")
left.legend()
right.spy(matrix[:30, :30], markersize=4)
right.set_title("corner of the Hessian")
plt.show()
