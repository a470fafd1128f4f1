# %% [markdown]
# # A picture from a fifth of its pixels
#
# The parameters are the pixels themselves. The loss demands that the known pixels are right and
# that neighbors differ little. It measures the differences by their absolute value, which keeps
# edges, not by their square, which blurs them.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 1500  # in tests: 20
SIDE = 128

rng = np.random.default_rng(0)
rows, columns = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]
truth = np.stack(
    [
        0.9 * ((rows + 0.2) ** 2 + (columns + 0.3) ** 2 < 0.25) + 0.1,
        0.8 * ((abs(rows - 0.3) < 0.4) & (abs(columns - 0.35) < 0.3)) + 0.1,
        0.6 * (rows + columns > 0.1) + 0.2 + 0.1 * np.sin(6 * columns),
    ],
    axis=-1,
).astype(np.float32)
known = rng.random((SIDE, SIDE, 1)) < 0.2
given = tf.constant(np.where(known, truth, 0).astype(np.float32))
mask = tf.constant(known.astype(np.float32))

# %%
image = tf.Variable(tf.fill(truth.shape, 0.5))
optimizer = tf.keras.optimizers.Adam(0.02)


@tf.function
def gradient():
    with tf.GradientTape() as tape:
        down, across = image[1:] - image[:-1], image[:, 1:] - image[:, :-1]
        edges = tf.sqrt(down[:, :-1] ** 2 + across[:-1] ** 2 + 1e-5)
        loss = tf.reduce_sum(mask * (image - given) ** 2) * 20 + tf.reduce_sum(edges)
    return loss, tape.gradient(loss, image)


losses = []
for count in range(STEPS):
    optimizer.learning_rate = 0.02 * (1 - count / STEPS)
    loss, slope = gradient()
    optimizer.apply_gradients([(slope, image)])
    losses.append(float(loss))
found = np.clip(image.numpy(), 0, 1)
print(f"mean error of the unknown pixels: {np.abs(found - truth)[~known[..., 0]].mean():.3f}")

# %%
figure, axes = plt.subplots(1, 4, figsize=(12, 3.2))
for axis, title, shown in zip(
    axes, ["known", "found", "true"], [given.numpy(), found, truth], strict=False
):
    axis.imshow(shown)
    axis.set_title(title)
    axis.axis("off")
axes[3].semilogy(losses)
axes[3].set(xlabel="step", title="loss")
plt.show()
