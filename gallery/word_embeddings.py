# %% [markdown]
# # Word embeddings
#
# A word gets a vector, and words with the same neighbors get similar vectors. The table of vectors
# is a variable, and each step reads and changes only a few of its rows. So its gradient is
# `tf.IndexedSlices`, not a table full of zeros.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 3000  # in tests: 50

rng = np.random.default_rng(0)
kinds = {
    "animal": ["cat", "dog", "horse", "cow", "sheep", "goat"],
    "verb": ["eats", "sees", "wants", "finds", "likes", "sells"],
    "food": ["bread", "grass", "milk", "corn", "fish", "fruit"],
    "location": ["house", "field", "river", "city", "forest", "road"],
}
words = [word for kind in kinds.values() for word in kind]
number = {word: place for place, word in enumerate(words)}

# %% [markdown]
# Sentences such as *the cat eats bread near the river*, without their small words. A pair is a
# word and a word beside it.

# %%
sentences = np.array([[number[rng.choice(kind)] for kind in kinds.values()] for _ in range(2000)])
pairs = np.concatenate([sentences[:, [a, a + 1]] for a in range(3)])
pairs = np.concatenate([pairs, pairs[:, ::-1]])

# %% [markdown]
# The model says how likely one word is to stand beside another. It uses the product of their
# vectors, compared with the products for some words that are drawn at random.

# %%
SIZE, NEGATIVE = 8, 6
tf.random.set_seed(0)
vectors = tf.Variable(tf.random.normal([len(words), SIZE]) * 0.1)
beside = tf.Variable(tf.random.normal([len(words), SIZE]) * 0.1)


@tf.function
def step(center, near, others, rate):
    with tf.GradientTape() as tape:
        v = tf.gather(vectors, center)
        true = tf.reduce_sum(v * tf.gather(beside, near), axis=1)
        false = tf.einsum("bs,bns->bn", v, tf.gather(beside, others))
        losses = tf.nn.softplus(-true) + tf.reduce_sum(tf.nn.softplus(false), axis=1)
        loss = tf.reduce_mean(losses)
    slopes = tape.gradient(loss, [vectors, beside])
    for table, slope in zip([vectors, beside], slopes, strict=True):
        table.scatter_sub(tf.IndexedSlices(rate * slope.values, slope.indices))
    return loss


losses = []
for count in range(STEPS):
    batch = pairs[rng.integers(0, len(pairs), 64)]
    others = rng.integers(0, len(words), (64, NEGATIVE))
    rate = 2.0 * (1 - count / STEPS)
    losses.append(float(step(batch[:, 0], batch[:, 1], others, tf.constant(rate, tf.float32))))
print(f"loss {losses[0]:.3f} → {np.mean(losses[-50:]):.3f}")

# %% [markdown]
# A singular value decomposition gives the two directions in which the vectors differ most. Nobody
# told the model which words are animals.

# %%
centered = vectors - tf.reduce_mean(vectors, axis=0)
_, _, directions = tf.linalg.svd(centered)
flat = (centered @ directions[:, :2]).numpy()
plt.figure(figsize=(7, 5))
for place, (kind, members) in enumerate(kinds.items()):
    rows = [number[word] for word in members]
    plt.scatter(*flat[rows].T, label=kind, color=f"C{place}")
    for row in rows:
        plt.annotate(words[row], flat[row], xytext=(4, 4), textcoords="offset points")
plt.legend()
plt.show()
