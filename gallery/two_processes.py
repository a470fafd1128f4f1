# %% [markdown]
# # Two processes that train one model
#
# Each process has half of the data and computes a gradient; they add their gradients and take the
# same step. A pipe is enough for that, and the result is the same as that of one process with all
# the data.

# %%
import multiprocessing

import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 60  # in tests: 3
ROWS = 4000


def data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, 2))
    return x, np.sin(2 * x[:, :1]) + x[:, 1:]


# %% [markdown]
# Each process runs this function. `exchange` takes its gradient and gives the sum of all.

# %%


def train(x, y, exchange):
    rng = np.random.default_rng(1)
    shapes = [(2, 32), (1, 32), (32, 1), (1, 1)]
    weights = [tf.Variable(0.5 * rng.normal(size=shape)) for shape in shapes]

    @tf.function
    def gradients():
        w1, b1, w2, b2 = weights
        with tf.GradientTape() as tape:
            error = tf.tanh(x @ w1 + b1) @ w2 + b2 - y
            loss = tf.reduce_sum(error**2) / ROWS
        return [loss, *tape.gradient(loss, weights)]

    losses = []
    for _ in range(STEPS):
        loss, *total = exchange([each.numpy() for each in gradients()])
        losses.append(float(loss))
        for w, slope in zip(weights, total, strict=True):
            w.assign_sub(0.2 * slope)
    return losses


def worker(connection):
    """The other process, which has the second half."""
    x, y = data()

    def exchange(own):
        connection.send(own)
        return connection.recv()

    train(tf.constant(x[ROWS // 2 :]), tf.constant(y[ROWS // 2 :]), exchange)


def together():
    here, there = multiprocessing.Pipe()
    other = multiprocessing.get_context("fork").Process(target=worker, args=(there,))
    other.start()

    def exchange(own):
        total = [a + b for a, b in zip(own, here.recv(), strict=True)]
        here.send(total)
        return total

    x, y = data()
    losses = train(tf.constant(x[: ROWS // 2]), tf.constant(y[: ROWS // 2]), exchange)
    other.join()
    return losses


# %%
two = together()
x, y = data()
one = train(tf.constant(x), tf.constant(y), lambda own: own)
print(f"loss {two[0]:.4f} → {two[-1]:.4f}")
print(f"largest difference from one process: {np.abs(np.subtract(one, two)).max():.0e}")

# %%
plt.figure(figsize=(7, 3.6))
plt.semilogy(one, lw=5, alpha=0.3, label="one process")
plt.semilogy(two, "k--", label="two processes")
plt.xlabel("step")
plt.ylabel("loss")
plt.legend()
plt.show()
