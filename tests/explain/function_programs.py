"""Functions that are recorded again, and gradients in functions, marked at the line to blame."""

import cinta as tf


def number_as_argument():
    @tf.function
    def f(x, n):
        return x * n

    for n in (1.0, 2.0):
        f(tf.constant(3.0), n)  # <argument-value>


def shape_that_changes():
    @tf.function
    def f(x):
        return tf.reduce_sum(x)

    f(tf.ones([3]))
    f(tf.ones([4]))  # <argument-shape>


def dtype_that_changes():
    @tf.function
    def f(x):
        return x + x

    f(tf.constant(1.0))
    f(tf.constant(1))  # <argument-dtype>


def setting_that_changes():
    settings = {"rate": 0.1}

    @tf.function
    def f(x):
        y = x + 1.0
        return y * settings["rate"]  # <captured-changed>

    f(tf.constant(1.0))
    settings["rate"] = 0.2
    f(tf.constant(1.0))


def enclosed_number_that_changes():
    rate = 0.1

    def change(value):
        nonlocal rate
        rate = value

    @tf.function
    def f(x):
        return x * rate  # <captured-changed>

    f(tf.constant(1.0))
    change(0.2)
    f(tf.constant(1.0))


def branch_of_python():
    @tf.function
    def f(x):
        if x > 0.0:  # <python-branch>
            return x * 2.0
        return -x

    f(tf.constant(1.0))
    f(tf.constant(-1.0))


def function_made_in_a_loop():
    def square(x):  # <made-anew>
        return x * x

    for _ in range(3):
        tf.function(square)(tf.constant(2.0))


def function_that_appends():
    log = []

    @tf.function  # <not-replayable>
    def f(x):
        log.append(1)
        return x * 2.0

    for _ in range(3):
        f(tf.constant(1.0))


def gradient_in_a_function():
    w = tf.Variable(2.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w) * x  # <stop-gradient>
        return tape.gradient(y, w) is None

    for _ in range(3):
        step(tf.constant(1.0))


def gradient_through_a_function():
    w = tf.Variable(2.0)

    @tf.function
    def f(x):
        return tf.cast(tf.cast(x, tf.int32), tf.float32)  # <integer-dtype>

    for _ in range(3):
        with tf.GradientTape() as tape:
            y = f(w * 2.0)
        tape.gradient(y, w)


def nan_in_a_function():
    w = tf.Variable([0.0, 1.0])

    @tf.function
    def loss(x):
        return tf.reduce_sum(tf.math.log(x))  # <log-of-zero>

    for _ in range(2):
        with tf.GradientTape() as tape:
            y = loss(w)
        tape.gradient(y, w)


def compiled_step_that_divides():
    w = tf.Variable([0.0, 1.0])

    @tf.function(jit_compile=True)
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(1.0 / w)  # <division-by-zero>
        g = tape.gradient(loss, w)
        w.assign_sub(0.0 * g)
        return loss

    step()
