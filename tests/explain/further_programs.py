"""Further programs, written in one go after the others were explained; marked as those are."""

import threading

import numpy as np
import pytest

import cinta as tf


def attention_with_a_hard_choice():
    q, k = tf.Variable(tf.ones([2, 3])), tf.Variable([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    with tf.GradientTape() as tape:
        scores = q @ tf.transpose(k)
        best = tf.argmax(scores, axis=-1)  # <nondifferentiable-op>
        picked = tf.one_hot(best, 2)
        loss = tf.reduce_sum(picked * 2.0)
    tape.gradient(loss, q)


def vector_quantizer():
    codes = tf.Variable([[0.0, 0.0], [1.0, 1.0]])
    z = tf.Variable([[0.9, 0.8]])
    with tf.GradientTape() as tape:
        distances = tf.reduce_sum((z[:, None] - codes[None]) ** 2, -1)
        nearest = tf.argmin(distances, axis=-1)  # <nondifferentiable-op>
        loss = tf.reduce_sum(tf.gather(codes, nearest) ** 2)
    tape.gradient(loss, z)


def temperature_as_a_python_number():
    temperature = tf.Variable(0.7)
    logits = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        t = temperature.numpy()  # <left-to-numpy>
        p = tf.nn.softmax(logits / t)
        loss = -tf.math.log(p[0])
    tape.gradient(loss, temperature)


def mean_by_hand_over_an_empty_mask():
    x = tf.Variable([1.0, 2.0])
    keep = x > 5.0
    with tf.GradientTape() as tape:
        kept = tf.boolean_mask(x, keep)
        loss = tf.reduce_mean(kept)  # <division-by-zero>
    tape.gradient(loss, x)


def geometric_mean():
    x = tf.Variable([0.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        loss = tf.exp(tf.reduce_mean(tf.math.log(x)))  # <log-of-zero>
    tape.gradient(loss, x)


def cosine_similarity_with_zeros():
    a, b = tf.Variable([0.0, 0.0]), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(a * b) / (tf.norm(a) * tf.norm(b))  # <division-by-zero>
    tape.gradient(loss, a)


def log_determinant_that_underflows():
    m = tf.Variable(tf.eye(4) * 1e-15)
    with tf.GradientTape() as tape:
        d = tf.linalg.det(m)
        loss = tf.math.log(d)  # <log-of-zero>
    tape.gradient(loss, m)


def variance_that_becomes_negative():
    x = tf.Variable([1.0, 3.0])
    with tf.GradientTape() as tape:
        variance = tf.reduce_mean(x) ** 2 - tf.reduce_mean(x**2)
        deviation = tf.sqrt(variance)  # <out-of-domain>
    tape.gradient(deviation, x)


def state_kept_in_an_attribute():
    class Average:
        def __init__(self):
            self.total = 0.0

        def add(self, x):
            self.total += float(x)  # <python-value>
            return self.total

    average, w = Average(), tf.Variable(1.7)
    with tf.GradientTape() as tape:
        loss = tf.constant(average.add(w * 2.0)) * 3.0
    tape.gradient(loss, w)


def two_tapes_mixed_up():
    g, d = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape_g, tf.GradientTape() as tape_d:
        loss_g = g * 3.0
        loss_d = d * 2.0  # <no-path>
    tape_g.gradient(loss_g, g)
    tape_d.gradient(loss_d, g)


def copied_weights_into_another_model():
    class Net:
        def __init__(self):
            self.w = tf.Variable([1.0, 2.0])

    a, b = Net(), Net()
    with tf.GradientTape() as tape:
        b.w.assign(a.w * 2.0)  # <assigned-state>
        loss = tf.reduce_sum(b.w**2)
    tape.gradient(loss, a.w)


def dropout_by_hand_that_drops_all():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        keep = tf.cast(tf.random.stateless_uniform([2], [1, 2]) > 2.0, tf.float32)
        loss = tf.reduce_sum(w * keep)  # <multiplied-by-zero>
    tape.gradient(loss, w)


def labels_smoothed_by_rounding():
    p = tf.Variable([0.2, 0.7])
    with tf.GradientTape() as tape:
        hard = tf.math.rint(p)  # <nondifferentiable-op>
        loss = tf.reduce_mean((hard - 1.0) ** 2)
    tape.gradient(loss, p)


def gradient_by_a_list_of_numbers_of_a_thread():
    w, results = tf.Variable([1.0, 2.0]), []

    def work():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.constant(np.tanh(w)))  # <left-to-numpy>
        results.append(tape.gradient(loss, w))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def recorded_function_that_rounds():
    w = tf.Variable(1.7)

    @tf.function
    def quantize(x):
        return tf.cast(tf.cast(x * 4.0, tf.int8), tf.float32) / 4.0  # <integer-dtype>

    with tf.GradientTape() as tape:
        loss = quantize(w) ** 2
    tape.gradient(loss, w)


def keras_functional_model_with_an_idle_branch():
    keras = pytest.importorskip("keras")
    inputs = keras.Input((3,))
    used = keras.layers.Dense(2)(inputs)
    idle = keras.layers.Dense(2)
    idle.build((None, 3))
    model = keras.Model(inputs, used)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones([1, 3])))  # <no-path>
    tape.gradient(loss, [idle.kernel])


def reward_from_an_environment_of_numpy():
    w = tf.Variable([0.1, -0.2])

    def environment(action):
        return float(np.sum(action) * 1.5)

    with tf.GradientTape() as tape:
        action = tf.tanh(w)
        reward = environment(action.numpy())  # <left-to-numpy>
        loss = -tf.constant(reward)
    tape.gradient(loss, w)


def overflow_of_a_power():
    x = tf.Variable(1e10)
    with tf.GradientTape() as tape:
        loss = x**5  # <overflow>
    tape.gradient(loss, x)


def saturated_gate():
    gate = tf.Variable([200.0])
    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        open_part = tf.sigmoid(gate)  # <saturated>
        loss = tf.reduce_sum(open_part * x)
    tape.gradient(loss, gate)


def watched_copy():
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(tf.identity(x))
        loss = tf.reduce_sum(x**2)  # <not-watched>
    tape.gradient(loss, x)
