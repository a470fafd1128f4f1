# %% [markdown]
# # A pole that learns to stand
#
# A cart carries a pole. At each moment a policy pushes it to the left or right, at random, with
# probabilities that it learns: if the pole stands for long after a push, this push becomes more
# likely. The physics needs no derivative.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

ROUNDS = 40  # in tests: 2
CARTS, MOMENTS = 32, 300

rng = np.random.default_rng(0)
tf.keras.utils.set_random_seed(0)


def move(state, push):
    """A fiftieth of a second of all carts."""
    _, speed, angle, turn = state.T
    sine, cosine = np.sin(angle), np.cos(angle)
    force = (10 * push + 0.05 * turn**2 * sine) / 1.1
    tilt = (9.8 * sine - cosine * force) / (0.5 * (4 / 3 - 0.1 * cosine**2 / 1.1))
    pull = force - 0.05 * tilt * cosine / 1.1
    change = np.column_stack([speed, pull, turn, tilt])
    return state + 0.02 * change


# %%
policy = tf.keras.Sequential([tf.keras.layers.Dense(32, "tanh"), tf.keras.layers.Dense(1)])
policy.build((None, 4))
optimizer = tf.keras.optimizers.Adam(0.01)
push_right = tf.function(lambda state: tf.sigmoid(policy(state)[:, 0]))


def play():
    """States, pushes, and which carts were still up, for each moment."""
    state, up = 0.05 * rng.normal(size=(CARTS, 4)), np.ones(CARTS, bool)
    states, pushes, lives = [], [], []
    for _ in range(MOMENTS):
        right = rng.random(CARTS) < push_right(state.astype(np.float32)).numpy()
        states.append(state.astype(np.float32))
        pushes.append(right)
        lives.append(up)
        state = np.where(up[:, None], move(state, np.where(right, 1.0, -1.0)), state)
        up = up & (np.abs(state[:, 2]) < 0.21) & (np.abs(state[:, 0]) < 2.4)
    return np.array(states), np.array(pushes), np.array(lives)


# %% [markdown]
# The weight of a push is how long the pole stands after it, minus the average at that moment.

# %%


@tf.function
def gradients(states, pushes, weights):
    with tf.GradientTape() as tape:
        logits = policy(states)[:, 0]
        surprise = tf.nn.sigmoid_cross_entropy_with_logits(labels=pushes, logits=logits)
        loss = tf.reduce_sum(weights * surprise) / 1000
    return tape.gradient(loss, policy.trainable_variables)


means = []
for _ in range(ROUNDS):
    states, pushes, lives = play()
    means.append(lives.sum(axis=0).mean())
    after = np.zeros_like(lives, float)
    for moment in reversed(range(MOMENTS)):
        later = after[moment + 1] if moment + 1 < MOMENTS else 0.0
        after[moment] = lives[moment] * (1 + 0.98 * later)
    usual = after.sum(axis=1) / np.maximum(lives.sum(axis=1), 1)
    weights = lives * (after - usual[:, None]) / (after[lives].std() + 1e-6)
    data = states.reshape(-1, 4), pushes.ravel(), weights.ravel()
    slopes = gradients(*[each.astype(np.float32) for each in data])
    optimizer.apply_gradients(zip(slopes, policy.trainable_variables, strict=True))
print(f"moments that the pole stands: {means[0]:.0f} → {np.mean(means[-10:]):.0f} of {MOMENTS}")

# %%
states, _, lives = play()
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
left.plot(means)
left.set(xlabel="round", title="moments that the pole stands")
for cart in range(8):
    alive = lives[:, cart]
    right.plot(np.degrees(states[alive, cart, 2]), lw=0.8)
right.set(xlabel="moment", title="angles of eight poles after the training, in degrees")
plt.show()
