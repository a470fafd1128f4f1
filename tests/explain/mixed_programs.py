"""Programs of all kinds as people write them, each marked at the line to blame."""

import threading

import numpy as np
import pytest

import cinta as tf


def penalty_of_numpy_in_a_model():
    class Net:
        def __init__(self):
            self.w = tf.Variable([[0.5], [0.25]])

        def penalty(self):
            norms = np.linalg.norm(self.w.numpy())  # <left-to-numpy>
            return 0.1 * norms

    net = Net()
    with tf.GradientTape() as tape:
        loss = tf.constant(1.0) * net.penalty()
    tape.gradient(loss, net.w)


def rounded_probability():
    w = tf.Variable([0.3, 0.8])
    with tf.GradientTape() as tape:
        p = tf.sigmoid(w)
        label = tf.cast(p > 0.5, tf.float32)  # <nondifferentiable-op>
        loss = tf.reduce_mean(label)
    tape.gradient(loss, w)


def index_as_a_value():
    w = tf.Variable([1.0, 3.0, 2.0])
    with tf.GradientTape() as tape:
        best = tf.argmax(w)  # <nondifferentiable-op>
        loss = tf.cast(best, tf.float32) * 2.0
    tape.gradient(loss, w)


def target_network():
    online, target = tf.Variable(1.0), tf.Variable(2.0)

    def bootstrap(r):
        return tf.stop_gradient(r + 0.9 * target)  # <stop-gradient>

    with tf.GradientTape() as tape:
        loss = (online - bootstrap(1.0)) ** 2
    tape.gradient(loss, [online, target])


def moving_average_in_the_loss():
    w, average = tf.Variable(2.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        average.assign(0.9 * average + 0.1 * w)  # <assigned-state>
        loss = average * 3.0
    tape.gradient(loss, w)


def features_before_the_tape():
    w = tf.Variable([1.0, 2.0])
    features = tf.tanh(w)  # <outside-tape>
    for _ in range(1):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(features * 2.0)
        tape.gradient(loss, w)


def loss_while_recording_is_stopped():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            h = w * w  # <stopped-recording>
        loss = h + 1.0
    tape.gradient(loss, w)


def pixels_as_integers():
    image = tf.Variable([[1, 2], [3, 4]])  # <integer-dtype>
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.cast(image, tf.float32))
    tape.gradient(loss, image)


def values_through_a_pipeline():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        rows = tf.data.Dataset.from_tensor_slices(w * 2.0)  # <state-boundary>
        loss = tf.constant(0.0)
        for row in rows:
            loss += row**2
    tape.gradient(loss, w)


def loss_of_a_thread_in_python():
    w = tf.Variable(1.5)
    out = []

    def work():
        with tf.GradientTape() as tape:
            raw = float(w * 2.0)  # <python-value>
            loss = tf.constant(raw) ** 2
        out.append(tape.gradient(loss, w))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def keras_layer_beside_the_way():
    keras = pytest.importorskip("keras")
    used, idle = keras.layers.Dense(2), keras.layers.Dense(2)
    x = tf.ones([3, 4])
    used.build((3, 4))
    idle.build((3, 4))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(used(x))  # <no-path>
    tape.gradient(loss, [used.kernel, idle.kernel])


def dead_units():
    w = tf.Variable([[-5.0, -6.0]])
    for _ in range(2):
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.ones([3, 1]) @ w)  # <saturated>
            loss = tf.reduce_sum(h * h)
        tape.gradient(loss, w)


def mask_of_zeros():
    w = tf.Variable([1.0, 2.0])
    mask = tf.zeros([2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.exp(w) * mask)  # <multiplied-by-zero>
    tape.gradient(loss, w)


def mean_of_nothing():
    w = tf.Variable([1.0, 2.0])
    keep = tf.constant([0.0, 0.0])
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(w * keep)
        loss = total / tf.reduce_sum(keep)  # <division-by-zero>
    tape.gradient(loss, w)


def softmax_by_hand():
    @tf.function
    def step(logits):
        e = tf.exp(logits)  # <overflow>
        p = e / tf.reduce_sum(e)
        return tf.reduce_sum(p * tf.constant([1.0, 0.0]))

    logits = tf.Variable([500.0, 1.0])
    with tf.GradientTape() as tape:
        loss = step(logits)
    tape.gradient(loss, logits)


def rate_that_is_too_high():
    w = tf.Variable(1.0)
    for _ in range(60):
        with tf.GradientTape() as tape:
            loss = (w * 3.0 - 1.0) ** 4  # <diverged>
        w.assign_sub(10.0 * tape.gradient(loss, w))


def missing_measurement():
    table = np.array([[1.0, 2.0], [np.nan, 4.0]], np.float32)
    w = tf.Variable([[1.0], [1.0]])
    with tf.GradientTape() as tape:
        x = tf.constant(table)  # <nan-input>
        loss = tf.reduce_mean((x @ w) ** 2)
    tape.gradient(loss, w)


def step_number_as_python_number():
    class Trainer:
        def __init__(self):
            self.w = tf.Variable(1.0)

        @tf.function
        def step(self, n):
            self.w.assign_sub(0.1 / n)
            return self.w

    trainer = Trainer()
    for n in range(1, 4):
        trainer.step(n)  # <argument-value>


def frozen_variable_in_a_model():
    class Net:
        def __init__(self):
            self.w = tf.Variable(1.0)
            self.scale = tf.Variable(2.0, trainable=False)  # <not-trainable>

        def __call__(self, x):
            return self.w * x * self.scale

    net = Net()
    with tf.GradientTape() as tape:
        loss = net(3.0)
    tape.gradient(loss, [net.w, net.scale])


def where_around_a_quotient():
    w = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        safe = tf.where(w > 0.0, 1.0 / w, tf.zeros_like(w))  # <where-branch>
        loss = tf.reduce_sum(safe)
    tape.gradient(loss, w)


def direction_beside_the_way():
    x, z = tf.Variable(2.0), tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator(x, 1.0) as acc:
        y = z * z  # <no-path>
    acc.jvp(y)


def direction_that_numpy_ends():
    x = tf.constant([1.0, -2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as acc:
        h = np.abs(x * 3.0)  # <left-to-numpy>
        y = tf.reduce_sum(h)
    acc.jvp(y)


def direction_that_is_stopped():
    x, z = tf.Variable(2.0), tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator([z, x], [1.0, 1.0]) as acc:
        h = tf.stop_gradient(x * 3.0)  # <stop-gradient>
        y = h + 1.0
    acc.jvp(y)


def value_after_the_accumulator():
    x = tf.Variable(2.0)
    with tf.autodiff.ForwardAccumulator(x, 1.0) as acc:
        h = x * x
    y = h + 1.0  # <outside-tape>
    acc.jvp(y)


def curvature_of_a_line():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = 3.0 * x
        slope = inner.gradient(y, x)  # <no-path>
    outer.gradient(slope, x)


def slope_after_the_outer_tape():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        y = x**3
    slope = inner.gradient(y, x)  # <outside-tape>
    outer.gradient(slope, x)


def derivative_of_a_column_by_jacobian():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = 2.0 * x
        slopes = inner.jacobian(y, x)  # <no-path>
    outer.gradient(slopes, x)
