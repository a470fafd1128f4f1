"""Programs whose gradient is None, each marked at the line where the way ends."""

from dataclasses import dataclass

import numpy as np

import cinta as tf


def tensor_that_is_not_watched():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x  # <not-watched>
    tape.gradient(y, x)


def tensor_that_is_not_watched_in_a_list():
    xs = [tf.Variable(1.0), tf.constant(2.0)]
    with tf.GradientTape() as tape:
        z = xs[0] * 3.0
        y = z + xs[1] ** 2  # <not-watched>
    tape.gradient(y, xs)


def watched_too_late():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)  # <watched-too-late>
    tape.gradient(y, x)


def variable_that_is_not_trainable():
    scale = tf.Variable(2.0, trainable=False)  # <not-trainable>
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * scale
    tape.gradient(y, [x, scale])


def variables_are_not_watched():
    x = tf.Variable(2.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = x**2  # <not-watched>
    tape.gradient(y, x)


def variable_replaced_in_a_loop():
    x = tf.Variable(2.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = x + 1
        tape.gradient(y, x)
        x = x + 1  # <replaced-by-tensor>


def variable_replaced_by_a_step():
    w = tf.Variable([1.0, 2.0])
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        g = tape.gradient(loss, w)
        if g is None:
            break
        w = w - 0.1 * g  # <replaced-by-tensor>


class Model:
    """A model that replaces its own variable."""

    def __init__(self):
        self.w = tf.Variable(1.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b

    def step(self, gradient):
        self.w = self.w - 0.1 * gradient  # <replaced-by-tensor>


def variable_replaced_in_a_method():
    model = Model()
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = (model(2.0) - 1.0) ** 2
        g = tape.gradient(loss, model.w)
        if g is not None:
            model.step(g)


def source_made_after_its_use():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
        twice = 2.0 * x  # <after-use>
    tape.gradient(y, twice)


def cast_beside_the_target():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(x * 3.0)
        half = tf.reshape(x, [2, 1])  # <after-use>
    tape.gradient(loss, half)


def other_variable():
    x, z = tf.Variable(1.0), tf.Variable(5.0)
    with tf.GradientTape() as tape:
        y = z * z  # <no-path>
    tape.gradient(y, x)


def layer_that_is_not_called():
    w1, w2 = tf.Variable(tf.ones([2, 2])), tf.Variable(tf.ones([2, 2]))
    x = tf.ones([1, 2])
    with tf.GradientTape() as tape:
        h = x @ w1
        loss = tf.reduce_mean(h)  # <no-path>
    tape.gradient(loss, [w1, w2])


def numpy_in_the_middle():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        x2 = x**2
        y = np.mean(x2, axis=0)  # <left-to-numpy>
        y = tf.reduce_mean(y, axis=0)
    tape.gradient(y, x)


def numpy_method():
    w = tf.Variable([1.0, -2.0])
    with tf.GradientTape() as tape:
        h = tf.tanh(w).numpy()  # <left-to-numpy>
        loss = tf.reduce_sum(h * 2.5)
    tape.gradient(loss, w)


def numpy_function_in_a_class():
    @dataclass
    class Loss:
        target: float

        def __call__(self, found):
            error = np.abs(found - self.target)  # <left-to-numpy>
            return tf.reduce_mean(error)

    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = Loss(0.5)(w * 2.0)
    tape.gradient(loss, w)


def numpy_function():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.numpy_function(lambda a: a * a, [x * 1.0], tf.float32)  # <left-to-numpy>
        z = y * 2.0
    tape.gradient(z, x)


def float_in_the_middle():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = float(x * 1.5)  # <python-value>
        z = tf.constant(y) ** 2
    tape.gradient(z, x)


def float_times_a_tensor():
    w = tf.Variable(3.0)
    a = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        scale = float(tf.sqrt(w))  # <python-value>
        loss = a * scale
    tape.gradient(loss, w)


def item_in_a_list():
    w = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        parts = [float(p) for p in w * 2.0]  # <python-value>
        loss = tf.reduce_sum(tf.constant(parts) ** 2)
    tape.gradient(loss, w)


def logged_value_is_not_the_way():
    b, w = tf.Variable(0.5), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        h = b * w
        print(float(b), end="")
        loss = tf.stop_gradient(h) * 3.0  # <stop-gradient>
    tape.gradient(loss, b)


def logged_value_of_an_unused_variable():
    b, w = tf.Variable(0.5), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        print(float(b * 2.0), end="")
        loss = w * 3.0  # <no-path>
    tape.gradient(loss, b)


def integer_constant():
    x = tf.constant(10)  # <integer-dtype>
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)


def integer_variable():
    x = tf.Variable(2)  # <integer-dtype>
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)


def cast_to_integers():
    x = tf.Variable([1.5, 2.5])
    with tf.GradientTape() as tape:
        h = x * 2.0
        i = tf.cast(h, tf.int32)  # <integer-dtype>
        y = tf.cast(i, tf.float32) * 3.0
    tape.gradient(y, x)


def argmax_in_the_middle():
    logits = tf.Variable([1.0, 3.0, 2.0])
    with tf.GradientTape() as tape:
        best = tf.argmax(logits)  # <nondifferentiable-op>
        loss = tf.cast(best, tf.float32) ** 2
    tape.gradient(loss, logits)


def comparison_in_the_middle():
    x = tf.Variable([1.0, -1.0])
    with tf.GradientTape() as tape:
        mask = x > 0.0  # <nondifferentiable-op>
        loss = tf.reduce_sum(tf.cast(mask, tf.float32))
    tape.gradient(loss, x)


def scalar_comparison():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        mask = tf.greater(x, 0.0)  # <nondifferentiable-op>
        loss = tf.cast(mask, tf.float32) * 2.0
    tape.gradient(loss, x)


def one_hot_of_an_argmax():
    w = tf.Variable(tf.ones([3, 4]))
    with tf.GradientTape() as tape:
        z = tf.ones([2, 3]) @ w
        label = tf.argmax(z, axis=1)  # <nondifferentiable-op>
        loss = tf.reduce_sum(tf.one_hot(label, 4))
    tape.gradient(loss, w)


def stopped_gradient():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x**2
        z = tf.stop_gradient(y) + 1.0  # <stop-gradient>
    tape.gradient(z, x)


def stopped_gradient_in_a_function():
    def target(q):
        return 0.9 * tf.stop_gradient(q)  # <stop-gradient>

    q = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = (target(q * q) - 1.0) ** 2
    tape.gradient(loss, q)


def custom_gradient_of_none():
    @tf.custom_gradient
    def clip(x):
        def grad(upstream):
            return None  # <custom-gradient-none>

        return tf.minimum(x, 1.0), grad

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = clip(x) * 2.0
    tape.gradient(y, x)
