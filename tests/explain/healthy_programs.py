"""Programs about which there is nothing to say."""

import numpy as np

import cinta as tf


def descent():
    w = tf.Variable([[1.0, 2.0]])
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w * 3.0 - 1.0) ** 2)
        w.assign_sub(0.01 * tape.gradient(loss, w))
        print(f"{float(loss):.3f} {loss.numpy()}", end="\r")


def logger_of_values():
    w, b = tf.Variable(2.0), tf.Variable(0.5)
    history = []
    for step in range(3):
        with tf.GradientTape() as tape:
            y = w * (step + 1.5) + b
            history.append(float(b))
            loss = (y - 3.0) ** 2
        if float(loss) > 1e9:
            break
        gw, gb = tape.gradient(loss, [w, b])
        w.assign_sub(0.1 * gw)
        b.assign_sub(0.1 * gb)
        history.append(loss.numpy() * history[-1])


def zeros_for_what_is_not_connected():
    x, y = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        z = y * y
    tape.gradient(z, [x, y], unconnected_gradients=tf.UnconnectedGradients.ZERO)


def masked_attention():
    q = tf.Variable(tf.random.stateless_normal([4, 3], [1, 2]))
    mask = tf.constant(np.where(np.tri(4) > 0, 0.0, -np.inf), tf.float32)
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(q @ tf.transpose(q) + mask)
        loss = tf.reduce_sum((p @ q) ** 2)
    tape.gradient(loss, q)


def hessian_of_a_cubic():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        slope = inner.gradient(y, x)
    outer.gradient(slope, x)


def jacobian():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.exp(x) * x[0]
    tape.jacobian(y, x)


def dataset_of_data():
    w = tf.Variable(1.0)
    data = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).shuffle(3).batch(2)
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * batch - 1.0) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))


def safe_division():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.math.divide_no_nan(w, [0.0, 2.0]))
    tape.gradient(loss, w)


def branch_by_value():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = w * 3.0
        loss = y if y > 1.0 else -y
    tape.gradient(loss, w)


def numpy_of_data_alone():
    rng = np.random.default_rng(0)
    w = tf.Variable(rng.normal(size=3).astype("float32"))
    with tf.GradientTape() as tape:
        x = tf.constant(np.abs(rng.normal(size=(5, 3))).astype("float32"))
        loss = tf.reduce_sum(tf.square(tf.linalg.matvec(x, w) - 0.5))
    tape.gradient(loss, w)


def some_dead_units():
    w = tf.Variable([-1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.relu(w))
    tape.gradient(loss, w)


def function_that_trains():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w * x - 1.0) ** 2)
        w.assign_sub(0.05 * tape.gradient(loss, w))
        return loss

    for _ in range(4):
        step(tf.constant([0.5, 1.5]))


def function_in_a_tape():
    w = tf.Variable(2.0)
    square = tf.function(lambda x: x * x)
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = square(w * 1.0) + square(w + 1.0)
        tape.gradient(y, w)


def no_targets():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        tf.exp(w)
    tape.gradient([], w)
