# %% [markdown]
# # A variational autoencoder
#
# An encoder says where in a plane an image belongs, and how sure it is; a decoder draws the image
# from a point of the plane. The draw of the point is written as *mean plus deviation times
# noise*, so gradients pass through it.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 1500  # in tests: 5
SIDE = 16

tf.keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
rows, columns = np.mgrid[-1 : 1 : SIDE * 1j, -1 : 1 : SIDE * 1j]


def ellipses(count):
    """Images of ellipses that are turned and stretched: two numbers decide all pixels."""
    angle = rng.uniform(0, np.pi, (count, 1, 1))
    length = rng.uniform(0.3, 0.9, (count, 1, 1))
    along = columns * np.cos(angle) + rows * np.sin(angle)
    across = rows * np.cos(angle) - columns * np.sin(angle)
    inside = 1 - (along / length) ** 2 - (across / 0.25) ** 2
    return (1 / (1 + np.exp(-6 * inside))).reshape(count, -1).astype(np.float32)


# %%
layers = tf.keras.layers
encoder = tf.keras.Sequential(
    [layers.Dense(128, "relu"), layers.Dense(64, "relu"), layers.Dense(4)]
)
decoder = tf.keras.Sequential(
    [layers.Dense(64, "relu"), layers.Dense(128, "relu"), layers.Dense(SIDE * SIDE)]
)
optimizer = tf.keras.optimizers.Adam(2e-3)
encoder.build((None, SIDE * SIDE))
decoder.build((None, 2))
weights = encoder.trainable_variables + decoder.trainable_variables


@tf.function
def step(images, noise):
    with tf.GradientTape() as tape:
        mean, log_deviation = tf.split(encoder(images), 2, axis=1)
        point = mean + tf.exp(log_deviation) * noise
        pixels = tf.nn.sigmoid_cross_entropy_with_logits(labels=images, logits=decoder(point))
        surprise = tf.reduce_mean(tf.reduce_sum(pixels, axis=1))
        spread = tf.exp(2 * log_deviation) + mean**2 - 1 - 2 * log_deviation
        loss = surprise + 0.5 * tf.reduce_mean(tf.reduce_sum(spread, axis=1))
    return loss, tape.gradient(loss, weights)


losses = []
for _ in range(STEPS):
    noise = rng.normal(size=(128, 2)).astype(np.float32)
    loss, gradients = step(ellipses(128), noise)
    optimizer.apply_gradients(zip(gradients, weights, strict=True))
    losses.append(float(loss))
print(f"loss {losses[0]:.1f} → {np.mean(losses[-20:]):.1f}")

# %% [markdown]
# The picture shows the images that the decoder draws from points of the plane: neighbors look
# alike.

# %%
places = np.linspace(-2, 2, 11, dtype=np.float32)
points = np.array([[a, b] for b in places[::-1] for a in places])
drawn = tf.sigmoid(decoder(points)).numpy().reshape(11, 11, SIDE, SIDE)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4))
left.plot(losses)
left.set(xlabel="step", ylabel="loss", yscale="log")
right.imshow(drawn.transpose(0, 2, 1, 3).reshape(11 * SIDE, 11 * SIDE), cmap="gray")
right.axis("off")
plt.show()
