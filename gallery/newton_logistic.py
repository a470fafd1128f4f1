# %% [markdown]
# # Logistic regression by Newton's method
#
# A Hessian is one call away, so Newton's method is five lines. Each step solves a linear system;
# the number of correct digits doubles until nothing is left to correct.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

ROWS = 400  # in tests: 60

rng = np.random.default_rng(0)
labels = rng.integers(0, 2, ROWS)
centers = np.array([[-1.0, -0.5], [1.0, 0.5]])
points = rng.normal(size=(ROWS, 2)) + centers[labels]
x = tf.constant(np.column_stack([points, np.ones(ROWS)]))
y = tf.constant(labels.astype(float)[:, None])

# %% [markdown]
# The loss is the cross-entropy with a small penalty, which makes the minimum unique.

# %%
w = tf.Variable(tf.zeros([3], tf.float64))


@tf.function
def newton_step():
    with tf.GradientTape(persistent=True) as tape:
        logits = tf.linalg.matvec(x, w)[:, None]
        losses = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)
        loss = tf.reduce_mean(losses) + 1e-3 * tf.reduce_sum(w * w)
    gradient, hessian = tape.gradient(loss, w), tape.hessian(loss, w)
    w.assign_sub(tf.linalg.solve(hessian, gradient[:, None])[:, 0])
    return loss, tf.norm(gradient)


history = [[float(each) for each in newton_step()] for _ in range(9)]
for step, (loss, norm) in enumerate(history):
    print(f"step {step}: loss {loss:.10f}, norm of the gradient {norm:.1e}")

# %% [markdown]
# The picture on the left shows the data and the lines of equal probability. The one on the right
# shows the norm of the gradient, which falls faster and faster: this is quadratic convergence.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
grid = np.linspace(-4, 4, 100)
a, b = np.meshgrid(grid, grid)
p = tf.sigmoid(w[0] * a + w[1] * b + w[2]).numpy()
lines = left.contour(a, b, p, levels=[0.1, 0.3, 0.5, 0.7, 0.9], cmap="coolwarm")
left.clabel(lines)
left.scatter(*points.T, c=labels, cmap="coolwarm", s=12)
left.set(xlabel="x₁", ylabel="x₂", title="probability of the second class")
right.semilogy([norm for _, norm in history], "o-")
right.set(xlabel="step", title="norm of the gradient")
right.grid(alpha=0.3)
plt.show()
