# %% [markdown]
# # A transformer that sorts
#
# A sequence of digits goes in, the same digits in order come out. Each place looks at all others
# and learns which ones matter; this is attention. The map of attention shows how the network sorts.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 1200  # in tests: 3
LENGTH, WIDTH = 10, 64

tf.keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
layers = tf.keras.layers


def block(x, name):
    attention = layers.MultiHeadAttention(4, WIDTH // 4, name=name)
    mixed, scores = attention(x, x, return_attention_scores=True)
    x = layers.LayerNormalization()(x + mixed)
    inner = layers.Dense(WIDTH)(layers.Dense(2 * WIDTH, "gelu")(x))
    return layers.LayerNormalization()(x + inner), scores


# %% [markdown]
# Each digit and each place has a vector, and the network works on their sums.

# %%
digits = tf.keras.Input([LENGTH], dtype="int32")
places = layers.Embedding(LENGTH, WIDTH)(tf.range(LENGTH)[None])
x = layers.Embedding(10, WIDTH)(digits) + places
x, _ = block(x, "first")
x, scores = block(x, "second")
model = tf.keras.Model(digits, [layers.Dense(10)(x), scores])
optimizer = tf.keras.optimizers.Adam(2e-3)


@tf.function
def step(digits, ordered):
    with tf.GradientTape() as tape:
        logits, _ = model(digits, training=True)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=ordered, logits=logits)
        loss = tf.reduce_mean(losses)
    right = tf.reduce_mean(tf.cast(tf.argmax(logits, axis=2) == ordered, tf.float32))
    return loss, right, tape.gradient(loss, model.trainable_variables)


history = []
for _ in range(STEPS):
    batch = rng.integers(0, 10, (64, LENGTH))
    loss, right, slopes = step(batch, np.sort(batch, axis=1))
    optimizer.apply_gradients(zip(slopes, model.trainable_variables, strict=True))
    history.append([float(loss), float(right)])
history = np.array(history)
new = rng.integers(0, 10, (500, LENGTH))
answers = np.argmax(model(new)[0].numpy(), axis=2)
print(f"digits in their place: {(answers == np.sort(new, axis=1)).mean():.1%}")
print(new[0], "→", answers[0])

# %%
shown = np.array([[7, 3, 9, 0, 5, 3, 8, 1, 6, 2]])
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
left.plot(history[:, 1])
left.set(xlabel="step", title="part of the digits in their place")
picture = right.imshow(model(shown)[1].numpy()[0].mean(axis=0), cmap="viridis")
right.set_xticks(range(LENGTH), [str(each) for each in shown[0]])
right.set(xlabel="digit that is looked at", ylabel="place in the answer", title="attention")
figure.colorbar(picture)
plt.show()
