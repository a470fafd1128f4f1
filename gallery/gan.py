# %% [markdown]
# # A GAN whose critic has a slope of one
#
# A generator turns noise into points; a critic says how real points look. A Wasserstein critic must
# not be steep, so its loss has a penalty on *the norm of its gradient*. Training therefore
# differentiates a gradient: a tape inside a tape.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 1500  # in tests: 3

tf.keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)


def ring(count):
    """Eight heaps of points in a ring."""
    angle = rng.integers(0, 8, count) * np.pi / 4
    center = 2 * np.column_stack([np.cos(angle), np.sin(angle)])
    return (center + 0.1 * rng.normal(size=(count, 2))).astype(np.float32)


def noise(count):
    return rng.normal(size=(count, 4)).astype(np.float32)


def network(inputs, outputs):
    layers = [tf.keras.layers.Dense(64, "relu") for _ in range(3)]
    made = tf.keras.Sequential([*layers, tf.keras.layers.Dense(outputs)])
    made.build((None, inputs))
    return made


generator, critic = network(4, 2), network(2, 1)
g_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5, beta_2=0.9)
c_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5, beta_2=0.9)

# %% [markdown]
# The penalty is computed at points between real and generated ones.

# %%


@tf.function
def critic_gradients(true, z, mix):
    made = generator(z)
    between = mix * true + (1 - mix) * made
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(between)
            judged = critic(between)
        slope = tf.norm(inner.gradient(judged, between), axis=1)
        distance = tf.reduce_mean(critic(true)) - tf.reduce_mean(critic(made))
        loss = -distance + 2 * tf.reduce_mean((slope - 1) ** 2)
    return distance, tape.gradient(loss, critic.trainable_variables)


@tf.function
def generator_gradients(z):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(generator(z)))
    return tape.gradient(loss, generator.trainable_variables)


distances = []
for _ in range(STEPS):
    for _ in range(3):
        mix = rng.random((128, 1)).astype(np.float32)
        distance, slopes = critic_gradients(ring(128), noise(128), mix)
        c_optimizer.apply_gradients(zip(slopes, critic.trainable_variables, strict=True))
    slopes = generator_gradients(noise(128))
    g_optimizer.apply_gradients(zip(slopes, generator.trainable_variables, strict=True))
    distances.append(float(distance))
print(f"distance of made points from true ones: {max(distances):.2f} → {distances[-1]:.2f}")

# %%
made = generator(noise(1500)).numpy()
side = np.linspace(-3, 3, 80, dtype=np.float32)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
judged = critic(grid).numpy().reshape(80, 80)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.4))
left.contourf(side, side, judged, levels=20, cmap="Greys")
left.plot(*ring(800).T, ".", ms=3, label="true")
left.plot(*made.T, ".", ms=3, label="made")
left.set(title="points on the critic's judgment")
left.legend()
right.plot(distances, lw=0.7)
right.set(xlabel="step", title="distance, as the critic sees it")
plt.show()
