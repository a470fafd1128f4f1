# %% [markdown]
# # A recurrent network that goes on by itself
#
# A GRU reads a sunspot-like series, number by number, and learns to say the next one. Then it reads
# its own answers, and so can continue the series without end.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

EPOCHS = 40  # in tests: 1
LENGTH, WINDOW = 1200, 60

tf.keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
time = np.arange(LENGTH)
wave = np.sin(0.21 * time) * (1 + 0.5 * np.sin(0.037 * time)) + 0.3 * np.sin(0.53 * time)
series = (wave + 0.03 * rng.normal(size=LENGTH)).astype(np.float32)
seen = LENGTH - 200

# %% [markdown]
# The dataset consists of windows and of the number that follows each of them.

# %%
windows = np.lib.stride_tricks.sliding_window_view(series[:seen], WINDOW + 1)[..., None]
dataset = tf.data.Dataset.from_tensor_slices((windows[:, :-1], windows[:, 1:]))
dataset = dataset.shuffle(2000, seed=0).batch(64)

model = tf.keras.Sequential(
    [tf.keras.layers.GRU(48, return_sequences=True), tf.keras.layers.Dense(1)]
)
model.compile(tf.keras.optimizers.Adam(5e-3), "mse")
history = model.fit(dataset, epochs=EPOCHS, shuffle=False, verbose=0)
losses = history.history["loss"]
print(f"loss {losses[0]:.4f} → {losses[-1]:.4f}")

# %% [markdown]
# To continue the series, the answer becomes the newest number of the window.

# %%
next_number = tf.function(lambda window: model(window)[:, -1:])
window = tf.constant(series[seen - WINDOW : seen][None, :, None])
told = []
for _ in range(200):
    answer = next_number(window)
    told.append(float(answer[0, 0, 0]))
    window = tf.concat([window[:, 1:], answer], axis=1)
error = np.abs(np.array(told[:50]) - series[seen : seen + 50]).mean()
print(f"mean error of the first 50 numbers that it tells: {error:.3f}")

# %%
plt.figure(figsize=(10, 3.5))
plt.plot(time[seen - 200 : seen], series[seen - 200 : seen], "k", lw=1, label="read")
plt.plot(time[seen:], series[seen:], "k--", lw=1, label="what came")
plt.plot(time[seen:], told, label="what the network tells")
plt.legend(loc="upper left")
plt.show()
