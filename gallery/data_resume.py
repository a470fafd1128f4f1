# %% [markdown]
# # A training that is interrupted and goes on
#
# A training reads shuffled batches from a dataset, is stopped in the middle, and goes on later as
# if nothing had happened: with the same weights, the same state of the optimizer and *the same
# next batch*. A checkpoint holds all three.

# %%
import tempfile

import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 200  # in tests: 20

x = np.random.default_rng(0).normal(size=(1000, 5)).astype(np.float32)
y = x @ np.array([1.0, -2.0, 3.0, 0.5, 0.0], np.float32)


class Training:
    """Everything that a training consists of."""

    def __init__(self, folder):
        dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000, seed=7).repeat()
        self.batches = iter(dataset.batch(16).prefetch(2))
        self.w = tf.Variable(tf.zeros([5]))
        self.optimizer = tf.keras.optimizers.Adam(0.03)
        self.optimizer.build([self.w])
        checkpoint = tf.train.Checkpoint(w=self.w, optimizer=self.optimizer, batches=self.batches)
        self.manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
        self.manager.restore_or_initialize()

    def step(self):
        inputs, wanted = next(self.batches)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.linalg.matvec(inputs, self.w) - wanted) ** 2)
        self.optimizer.apply_gradients([(tape.gradient(loss, self.w), self.w)])
        return float(loss)


# %% [markdown]
# We train once without a break, and once with a break, after which everything is made anew and
# restored.

# %%
with tempfile.TemporaryDirectory() as folder:
    whole = Training(folder)
    expected = [whole.step() for _ in range(STEPS)]

with tempfile.TemporaryDirectory() as folder:
    first = Training(folder)
    before = [first.step() for _ in range(STEPS // 2)]
    first.manager.save()
    del first
    second = Training(folder)
    after = [second.step() for _ in range(STEPS // 2)]

same = before + after == expected
print(f"the losses are the same to the last bit: {same}")
print(f"the weights too: {bool(np.array_equal(whole.w, second.w))}")

# %%
plt.figure(figsize=(8, 3.6))
plt.semilogy(expected, lw=4, alpha=0.3, label="without a break")
plt.semilogy(before, "k-", lw=1, label="until the break")
plt.semilogy(range(len(before), STEPS), after, "r-", lw=1, label="after it")
plt.xlabel("step")
plt.ylabel("loss")
plt.legend()
plt.show()
