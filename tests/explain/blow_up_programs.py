"""Programs whose numbers go wrong as people's do, each marked at the line to blame."""

import numpy as np

import cinta as tf


def cross_entropy_by_hand():
    w = tf.Variable([[60.0, -60.0]])
    labels = tf.constant([[0.0, 1.0]])
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(w * 2.0)
        loss = -tf.reduce_sum(labels * tf.math.log(p))  # <log-of-zero>
    tape.gradient(loss, w)


def binary_cross_entropy_by_hand():
    w = tf.Variable([40.0])
    with tf.GradientTape() as tape:
        p = tf.sigmoid(w)
        loss = -tf.reduce_mean(tf.math.log(1.0 - p))  # <log-of-zero>
    tape.gradient(loss, w)


def entropy_of_a_certain_choice():
    w = tf.Variable([1.0, 0.0, 0.0])
    with tf.GradientTape() as tape:
        entropy = -tf.reduce_sum(w * tf.math.log(w))  # <log-of-zero>
    tape.gradient(entropy, w)


def logarithm_of_one_minus_one():
    x = tf.Variable([-1.0, 0.5])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.math.log1p(x))  # <log-of-zero>
    tape.gradient(loss, x)


def norm_of_zeros():
    w = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        loss = tf.norm(w)  # <sqrt-at-zero>
    tape.gradient(loss, w)


def unit_vector_of_zeros():
    w = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        unit = w / tf.norm(w)  # <division-by-zero>
        loss = tf.reduce_sum(unit)
    tape.gradient(loss, w)


def distances_between_all_points():
    points = tf.Variable([[0.0, 1.0], [2.0, 3.0]])
    with tf.GradientTape() as tape:
        d = points[:, None] - points[None]
        squared = tf.reduce_sum(d**2, axis=-1)
        loss = tf.reduce_sum(tf.sqrt(squared))  # <sqrt-at-zero>
    tape.gradient(loss, points)


def deviation_of_equal_numbers():
    w = tf.Variable([2.0, 2.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.math.reduce_std(w)  # <sqrt-at-zero>
    tape.gradient(loss, w)


def standardized_constants():
    w = tf.Variable([2.0, 2.0, 2.0])
    with tf.GradientTape() as tape:
        centered = w - tf.reduce_mean(w)
        scaled = centered / tf.math.reduce_std(w)  # <division-by-zero>
        loss = tf.reduce_sum(scaled**2)
    tape.gradient(loss, w)


def angle_of_parallel_vectors():
    a = tf.Variable([1.0, 0.0])
    with tf.GradientTape() as tape:
        cosine = tf.reduce_sum(a * [1.0, 0.0])
        angle = tf.acos(cosine)  # <out-of-domain>
    tape.gradient(angle, a)


def angle_beyond_one():
    a = tf.Variable([1.0, 1.0])
    with tf.GradientTape() as tape:
        angle = tf.acos(tf.reduce_sum(a))  # <out-of-domain>
    tape.gradient(angle, a)


def arc_tangent_hyperbolic_at_one():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.atanh(x)  # <out-of-domain>
    tape.gradient(y, x)


def cube_root_of_negatives():
    x = tf.Variable([-8.0, 8.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x ** (1.0 / 3.0))  # <out-of-domain>
    tape.gradient(loss, x)


def inverse_square_root_of_zero():
    v = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.math.rsqrt(v))  # <division-by-zero>
    tape.gradient(loss, v)


def zero_to_a_negative_power():
    x = tf.Variable([0.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x**-2.0)  # <division-by-zero>
    tape.gradient(loss, x)


def power_whose_base_is_zero():
    e = tf.Variable(2.0)
    x = tf.Variable(-1.0)
    with tf.GradientTape() as tape:
        loss = tf.pow(x, e + 0.5)  # <out-of-domain>
    tape.gradient(loss, [e, x])


def precision_of_no_hits():
    w = tf.Variable([1.0, 2.0])
    hits = tf.constant([0.0, 0.0])
    with tf.GradientTape() as tape:
        precision = tf.reduce_sum(w * hits) / tf.reduce_sum(hits)  # <division-by-zero>
        loss = 1.0 - precision
    tape.gradient(loss, w)


def mask_times_infinity():
    w = tf.Variable([0.0, 2.0])
    mask = tf.constant([0.0, 1.0])
    with tf.GradientTape() as tape:
        terms = mask * tf.math.log(w)  # <log-of-zero>
        loss = tf.reduce_sum(terms)
    tape.gradient(loss, w)


def zero_times_an_infinite_constant():
    w = tf.Variable([0.0, 2.0])
    penalty = tf.constant([np.inf, 1.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * penalty)  # <inf-minus-inf>
    tape.gradient(loss, w)


def row_masked_whole():
    scores = tf.Variable([[1.0, 2.0]])
    mask = tf.constant([[-np.inf, -np.inf]])
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(scores + mask)  # <inf-minus-inf>
        loss = tf.reduce_sum(p**2)
    tape.gradient(loss, scores)


def softplus_by_hand():
    w = tf.Variable([100.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.math.log(1.0 + tf.exp(w)))  # <overflow>
    tape.gradient(loss, w)


def log_sum_exp_by_hand():
    w = tf.Variable([500.0, 1.0])
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(tf.exp(w))  # <overflow>
        loss = tf.math.log(total)
    tape.gradient(loss, w)


def sigmoid_by_hand():
    x = tf.Variable([-100.0, 1.0])
    with tf.GradientTape() as tape:
        p = 1.0 / (1.0 + tf.exp(-x))  # <overflow>
        loss = tf.reduce_sum(p)
    tape.gradient(loss, x)


def tanh_by_hand():
    x = tf.Variable([60.0])
    with tf.GradientTape() as tape:
        e = tf.exp(2.0 * x)  # <overflow>
        y = (e - 1.0) / (e + 1.0)
    tape.gradient(y, x)


def factorial_of_large_numbers():
    x = tf.Variable(40.0)
    with tf.GradientTape() as tape:
        y = tf.exp(tf.math.lgamma(x + 1.0))  # <overflow>
    tape.gradient(y, x)


def half_precision_sum():
    w = tf.Variable(np.full(100, 1000.0), dtype=tf.float16)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w)  # <overflow>
    tape.gradient(loss, w)


def cast_to_half():
    w = tf.Variable([1e6, 1.0])
    with tf.GradientTape() as tape:
        h = tf.cast(w, tf.float16)  # <overflow>
        loss = tf.reduce_sum(tf.cast(h, tf.float32))
    tape.gradient(loss, w)


def where_chooses_after_the_log():
    w = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.where(w > 0.0, w * tf.math.log(w), 0.0))  # <where-branch>
    tape.gradient(loss, w)


def where_chooses_after_the_root():
    x = tf.Variable([0.0, 4.0])
    with tf.GradientTape() as tape:
        root = x**0.5  # <where-branch>
        loss = tf.reduce_sum(tf.where(x > 0.0, root, tf.zeros_like(x)))
    tape.gradient(loss, x)


def where_chooses_in_a_function():
    def safe_log(x):
        y = tf.math.log(x)  # <where-branch>
        return tf.where(x > 0.0, y, 0.0)

    x = tf.Variable([0.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(safe_log(x * 1.0))
    tape.gradient(loss, x)


def huber_by_hand():
    x = tf.Variable([0.0, 3.0])
    with tf.GradientTape() as tape:
        large = tf.where(tf.abs(x) > 1.0, x / tf.sqrt(tf.abs(x)), x)  # <where-branch>
        loss = tf.reduce_sum(large)
    tape.gradient(loss, x)


def nan_in_a_file():
    rows = np.array([[1.0, 2.0], [np.nan, 3.0]], np.float32)
    w = tf.Variable([[1.0], [1.0]])
    for batch in tf.data.Dataset.from_tensor_slices(rows).batch(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((batch @ w) ** 2)  # <nan-input>
        tape.gradient(loss, w)


def infinite_label():
    w = tf.Variable(2.0)
    x, y = tf.constant([1.0, 2.0]), tf.constant([1.0, float("inf")])  # <nan-input>
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - y) ** 2)
    tape.gradient(loss, w)


def variable_that_begins_as_nan():
    w = tf.Variable([1.0, np.nan])  # <nan-input>
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w**2)
    tape.gradient(loss, w)


def descent_with_a_large_rate():
    w, rate = tf.Variable([1.0, 2.0]), 5.0
    for _ in range(60):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)  # <diverged>
        w.assign_sub(rate * tape.gradient(loss, w))


def momentum_that_diverges():
    w = tf.Variable(3.0)
    optimizer = tf.optimizers.SGD(3.0, momentum=0.9)
    for _ in range(80):
        with tf.GradientTape() as tape:
            loss = (w * 2.0 - 1.0) ** 2  # <diverged>
        g = tape.gradient(loss, w)
        optimizer.apply_gradients([(g, w)])


def recurrence_that_explodes():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        h = tf.constant(1.0)
        for _ in range(100):
            h = h * w  # <overflow>
        loss = h - 1.0
    tape.gradient(loss, w)


def gradient_that_explodes():
    w = tf.Variable(1e20)
    with tf.GradientTape() as tape:
        h = 1.0 / (1.0 + w)
        loss = (h * 1e30) * 1e30 * tf.constant(0.0)  # <overflow>
    tape.gradient(loss, w)


def jacobian_at_zero():
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape() as tape:
        y = tf.sqrt(x)  # <sqrt-at-zero>
    tape.jacobian(y, x)


def all_units_dead_in_a_class():
    class Layer:
        def __init__(self):
            self.w = tf.Variable([[-1.0, -2.0]])

        def __call__(self, x):
            return tf.nn.relu(x @ self.w)  # <saturated>

    layer = Layer()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(layer(tf.ones([4, 1])) ** 2)
    tape.gradient(loss, layer.w)


def hinge_loss_that_is_satisfied():
    w = tf.Variable([5.0])
    with tf.GradientTape() as tape:
        margin = tf.maximum(0.0, 1.0 - w)  # <saturated>
        loss = tf.reduce_sum(margin)
    tape.gradient(loss, w)


def clipped_ratio():
    w = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        ratio = tf.exp(w)
        clipped = tf.clip_by_value(ratio, 0.8, 1.2)  # <saturated>
        loss = -clipped * 2.0
    tape.gradient(loss, w)


def rounded_in_the_middle():
    w = tf.Variable([0.4, 1.7])
    with tf.GradientTape() as tape:
        q = tf.round(w * 4.0) / 4.0  # <nondifferentiable-op>
        loss = tf.reduce_sum(q**2)
    tape.gradient(loss, w)


def floor_division():
    w = tf.Variable([5.0, 7.0])
    with tf.GradientTape() as tape:
        bins = tf.floor(w / 2.0)  # <nondifferentiable-op>
        loss = tf.reduce_sum(bins * 3.0)
    tape.gradient(loss, w)


def network_that_begins_with_zeros():
    w1, w2 = tf.Variable(tf.ones([2, 3])), tf.Variable(tf.zeros([3, 1]))
    x = tf.ones([4, 2])
    with tf.GradientTape() as tape:
        hidden = tf.tanh(x @ w1)
        y = hidden @ w2  # <multiplied-by-zero>
        loss = tf.reduce_mean((y - 1.0) ** 2)
    tape.gradient(loss, [w1, w2])


def weights_of_the_samples_are_zero():
    w = tf.Variable([1.0])
    weights = tf.zeros([3])
    with tf.GradientTape() as tape:
        errors = (tf.constant([1.0, 2.0, 3.0]) * w - 1.0) ** 2
        loss = tf.reduce_sum(errors * weights)  # <multiplied-by-zero>
    tape.gradient(loss, w)


def loss_weight_of_zero():
    w = tf.Variable(2.0)
    alpha = 0.0
    with tf.GradientTape() as tape:
        penalty = w**2
        loss = alpha * penalty  # <multiplied-by-zero>
    tape.gradient(loss, w)


def softmax_of_one_class():
    w = tf.Variable([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(w, axis=-1)  # <saturated>
        loss = tf.reduce_sum(tf.math.log(p))
    tape.gradient(loss, w)


def sum_of_a_softmax():
    w = tf.Variable([1.0, 1.0])
    with tf.GradientTape() as tape:
        p = tf.nn.softmax(w)  # <cancelled>
        loss = tf.reduce_sum(p)
    tape.gradient(loss, w)
