"""Programs with gradients of zero, infinities and NaN, each marked at the line to blame."""

import numpy as np

import cinta as tf


def log_of_zero():
    w = tf.Variable([1.0, 0.0])
    with tf.GradientTape() as tape:
        p = tf.nn.relu(w)
        loss = -tf.reduce_sum(tf.math.log(p))  # <log-of-zero>
    tape.gradient(loss, w)


def log_of_a_softmax_that_underflows():
    logits = tf.Variable([200.0, 0.0])
    with tf.GradientTape() as tape:
        p = tf.exp(logits - 200.0) / tf.reduce_sum(tf.exp(logits - 200.0))
        loss = -tf.math.log(p[1])  # <log-of-zero>
    tape.gradient(loss, logits)


def log_of_a_negative_number():
    w = tf.Variable([-1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.math.log(w))  # <out-of-domain>
    tape.gradient(loss, w)


def sqrt_of_a_negative_number():
    w = tf.Variable([-1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sqrt(w * 2.0))  # <out-of-domain>
    tape.gradient(loss, w)


def arcsine_beyond_one():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = tf.asin(w)  # <out-of-domain>
    tape.gradient(loss, w)


def sqrt_at_zero():
    w = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.sqrt(w))  # <sqrt-at-zero>
    tape.gradient(loss, w)


def power_at_zero():
    w = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        h = w * 2.0
        loss = tf.reduce_sum(h**0.5)  # <sqrt-at-zero>
    tape.gradient(loss, w)


def distance_of_equal_points():
    a, b = tf.Variable([1.0, 2.0]), tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        d = tf.sqrt(tf.reduce_sum((a - b) ** 2))  # <sqrt-at-zero>
        loss = d * 2.0
    tape.gradient(loss, a)


def division_by_zero():
    w, n = tf.Variable(2.0), tf.constant(0.0)
    with tf.GradientTape() as tape:
        mean = w / n  # <division-by-zero>
        loss = mean**2
    tape.gradient(loss, w)


def mean_of_an_empty_batch():
    w, x = tf.Variable([1.0, 2.0]), tf.zeros([0, 2])
    with tf.GradientTape() as tape:
        rows = tf.reduce_sum(x * w)
        loss = rows / tf.cast(tf.shape(x)[0], tf.float32) + tf.reduce_sum(w)  # <division-by-zero>
    tape.gradient(loss, w)


def reciprocal_of_zero():
    w = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(1.0 / w)  # <division-by-zero>
    tape.gradient(loss, w)


def exponential_that_overflows():
    w = tf.Variable([1.0, 100.0])
    with tf.GradientTape() as tape:
        e = tf.exp(w)  # <overflow>
        loss = tf.reduce_sum(e)
    tape.gradient(loss, w)


def softmax_by_hand():
    logits = tf.Variable([1.0, 1000.0])
    with tf.GradientTape() as tape:
        e = tf.exp(logits)  # <overflow>
        p = e / tf.reduce_sum(e)
        loss = tf.reduce_sum(p * [1.0, 0.0])
    tape.gradient(loss, logits)


def square_that_overflows():
    w = tf.Variable(1e30)
    with tf.GradientTape() as tape:
        loss = w * w * 2.0  # <overflow>
    tape.gradient(loss, w)


def half_precision_overflows():
    w = tf.Variable(tf.constant([300.0], tf.float16))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w)  # <overflow>
    tape.gradient(loss, w)


def nan_in_the_data():
    x = np.array([1.0, np.nan, 3.0], np.float32)
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = w * x  # <nan-input>
        loss = tf.reduce_mean(y**2)
    tape.gradient(loss, w)


def nan_in_a_constant():
    w = tf.Variable([1.0, 2.0])
    x = tf.constant([np.nan, 1.0])  # <nan-input>
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * x)
    tape.gradient(loss, w)


def infinities_meet():
    w = tf.Variable([1.0, 2.0])
    mask = tf.constant([-np.inf, 0.0])
    with tf.GradientTape() as tape:
        a = w + mask
        loss = tf.reduce_sum(a - a)  # <inf-minus-inf>
    tape.gradient(loss, w)


def training_that_diverges():
    w = tf.Variable([5.0, -3.0])
    for _ in range(60):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**4)  # <diverged>
        g = tape.gradient(loss, w)
        if not np.isfinite(g.numpy()).all():
            break
        w.assign_sub(0.1 * g)


def branch_that_is_not_taken():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        safe = tf.math.pow(x, 0.5) * tf.math.rsqrt(x)  # <division-by-zero>
        loss = tf.reduce_sum(safe)
    tape.gradient(loss, x)


def dead_units():
    w = tf.Variable([-1.0, -2.0])
    with tf.GradientTape() as tape:
        h = tf.nn.relu(w)  # <saturated>
        loss = tf.reduce_sum(h * 3.0)
    tape.gradient(loss, w)


def saturated_sigmoid():
    w = tf.Variable([200.0, 300.0])
    with tf.GradientTape() as tape:
        p = tf.sigmoid(w)  # <saturated>
        loss = tf.reduce_sum(p)
    tape.gradient(loss, w)


def saturated_tanh():
    w = tf.Variable([50.0, -60.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.tanh(w) * 2.0)  # <saturated>
    tape.gradient(loss, w)


def clipped():
    w = tf.Variable([5.0, 7.0])
    with tf.GradientTape() as tape:
        h = tf.clip_by_value(w, -1.0, 1.0)  # <saturated>
        loss = tf.reduce_sum(h)
    tape.gradient(loss, w)


def sign_is_flat():
    w = tf.Variable([5.0, -7.0])
    with tf.GradientTape() as tape:
        s = tf.sign(w)  # <flat-op>
        loss = tf.reduce_sum(s * 2.0)
    tape.gradient(loss, w)


def zero_weights():
    w1, w2 = tf.Variable(tf.ones([2, 2])), tf.Variable(tf.zeros([2, 1]))
    x = tf.ones([3, 2])
    with tf.GradientTape() as tape:
        h = tf.tanh(x @ w1)
        y = h @ w2  # <multiplied-by-zero>
        loss = tf.reduce_sum(y)
    tape.gradient(loss, w1)


def masked_with_zeros():
    w, mask = tf.Variable([1.0, 2.0]), tf.zeros([2])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.exp(w) * mask)  # <multiplied-by-zero>
    tape.gradient(loss, w)


def square_at_zero():
    w = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        loss = w**2  # <multiplied-by-zero>
    tape.gradient(loss, w)


def contributions_that_cancel():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w - w)  # <cancelled>
    tape.gradient(loss, w)


def mean_of_deviations():
    w = tf.Variable([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        d = w - tf.reduce_mean(w)  # <cancelled>
        loss = tf.reduce_sum(d)
    tape.gradient(loss, w)


def product_of_small_numbers():
    w = tf.Variable([1e-30, 2e-30])
    scale = tf.constant(1e-30)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * scale * scale)  # <underflow>
    tape.gradient(loss, w)


def exponential_that_underflows():
    w = tf.Variable([-200.0, -300.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.exp(w))  # <underflow>
    tape.gradient(loss, w)


def direction_at_zero():
    x = tf.constant([0.0, 1.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as acc:
        y = tf.sqrt(x)  # <sqrt-at-zero>
        z = y * 2.0
    acc.jvp(z)


def direction_of_an_infinity():
    x = tf.constant([0.0, 1.0])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([2])) as acc:
        y = 1.0 / x  # <division-by-zero>
    acc.jvp(y)


def gradient_of_a_gradient_at_zero():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(tf.sqrt(x))  # <sqrt-at-zero>
        g = inner.gradient(y, x)
        z = tf.reduce_sum(g**2)
    outer.gradient(z, x)


def terms_that_cancel_later():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        doubled = w * 2.0
        a = doubled + 1.0
        b = doubled * 1.0
        difference = a - b  # <cancelled>
        loss = difference * 5.0
    tape.gradient(loss, w)


def branch_left_out_in_a_function():
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            big = tf.exp(x)  # <where-branch>
            y = tf.where(x > 50.0, x, big)
            loss = tf.reduce_sum(y)
        return tape.gradient(loss, x)

    step(tf.constant([100.0, 1.0]))
