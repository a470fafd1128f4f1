# %% [markdown]
# # A neural differential equation
#
# A network gives the velocity of a point at each place. Following the point for a while gives a
# curve, and the loss compares such curves with measurements. The gradient goes backwards through
# all steps of the solver.

# %%
import matplotlib.pyplot as plt
import numpy as np

import cinta as tf

STEPS = 600  # in tests: 3
MOMENTS, DT = 40, 0.1

tf.random.set_seed(0)
rng = np.random.default_rng(0)


def runge_kutta(f, start, moments=MOMENTS):
    """The states at all moments, by the classical method of order four."""
    states = [start]
    for _ in range(moments - 1):
        y = states[-1]
        k1 = f(y)
        k2 = f(y + DT / 2 * k1)
        k3 = f(y + DT / 2 * k2)
        k4 = f(y + DT * k3)
        states.append(y + DT / 6 * (k1 + 2 * k2 + 2 * k3 + k4))
    return tf.stack(states)


# %% [markdown]
# The truth is a van der Pol oscillator, measured with noise from some starts.

# %%


def van_der_pol(y):
    position, speed = tf.unstack(y, axis=1)
    return tf.stack([speed, (1 - position**2) * speed - position], axis=1)


starts = tf.constant(rng.uniform(-2, 2, (24, 2)).astype(np.float32))
measured = runge_kutta(van_der_pol, starts)
measured += 0.02 * rng.normal(size=measured.shape).astype(np.float32)

HIDDEN = 48
w1 = tf.Variable(tf.random.normal([2, HIDDEN]) * 0.5)
b1 = tf.Variable(tf.zeros([HIDDEN]))
w2 = tf.Variable(tf.random.normal([HIDDEN, 2]) * 0.1)
weights = [w1, b1, w2]


def flow(y):
    return tf.tanh(y @ w1 + b1) @ w2


# %% [markdown]
# Each training step uses short stretches of the curves: long ones are hard to follow before the
# network is nearly right.

# %%
STRETCH = 8


@tf.function
def gradients(start, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((runge_kutta(flow, start, STRETCH) - wanted) ** 2)
    return loss, tape.gradient(loss, weights)


optimizer = tf.keras.optimizers.Adam(0.02)
losses = []
for count in range(STEPS):
    optimizer.learning_rate = 0.02 * (1 - count / STEPS)
    begin = int(rng.integers(0, MOMENTS - STRETCH))
    loss, slopes = gradients(measured[begin], measured[begin : begin + STRETCH])
    optimizer.apply_gradients(zip(slopes, weights, strict=True))
    losses.append(float(loss))
print(f"loss {losses[0]:.4f} → {np.mean(losses[-20:]):.5f}")

# %%
new = tf.constant([[0.3, 0.0], [-1.9, 1.5]])
told = runge_kutta(flow, new, 150).numpy()
true = runge_kutta(van_der_pol, new, 150).numpy()
side = np.linspace(-3, 3, 24, dtype=np.float32)
grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
arrows = flow(grid).numpy().reshape(24, 24, 2)
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
left.streamplot(side, side, arrows[..., 0], arrows[..., 1], color="lightgray", density=1.2)
for one in range(2):
    left.plot(*told[:, one].T, f"C{one}", label="network" if one == 0 else None)
    left.plot(*true[:, one].T, "k--", lw=1, label="truth" if one == 0 else None)
left.set(xlabel="position", ylabel="speed", xlim=(-3, 3), ylim=(-3, 3))
left.legend(loc="upper right")
right.semilogy(losses)
right.set(xlabel="step", title="loss")
plt.show()
