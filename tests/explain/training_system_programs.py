"""Programs that train with threads, files, datasets and several tapes, each with its mark."""

import os
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import cinta as tf


def thread_pool_of_losses():
    w = tf.Variable(2.0)

    def loss_of(x):
        return tf.constant(float(w * x))  # <outside-tape>

    with tf.GradientTape() as tape:
        with ThreadPoolExecutor(1) as pool:
            losses = list(pool.map(loss_of, [1.5, 2.5]))
        loss = tf.add_n(losses)
    tape.gradient(loss, w)


def ops_on_another_thread():
    w = tf.Variable(2.0)
    out = []
    with tf.GradientTape() as tape:
        thread = threading.Thread(target=lambda: out.append(w * 3.0))  # <outside-tape>
        thread.start()
        thread.join()
        loss = out[0] ** 2
    tape.gradient(loss, w)


def tape_reset_in_a_loop():
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        h = tf.tanh(w)
        for _ in range(2):
            tape.reset()  # <tape-reset>
        loss = h * 2.0
    tape.gradient(loss, w)


def checkpoint_in_the_middle():
    w, store = tf.Variable(2.0), tf.Variable(0.0)
    with tempfile.TemporaryDirectory() as folder, tf.GradientTape() as tape:
        store.assign(w * 3.0)  # <assigned-state>
        checkpoint = tf.train.Checkpoint(v=store)
        path = checkpoint.write(os.path.join(folder, "c"))
        store.assign(0.0)
        checkpoint.read(path)
        loss = store * 2.0
    tape.gradient(loss, w)


def file_in_the_middle():
    w = tf.Variable([2.0, 3.0])
    with tempfile.TemporaryDirectory() as folder, tf.GradientTape() as tape:
        path = os.path.join(folder, "h.npy")
        np.save(path, w * 2.5)  # <left-to-numpy>
        loss = tf.reduce_sum(tf.constant(np.load(path)))
    tape.gradient(loss, w)


def generator_dataset_of_a_computed_value():
    w = tf.Variable([1.5, 2.5])

    def rows():
        yield from tf.unstack(w * 2.0)  # <state-boundary>

    spec = tf.TensorSpec([], tf.float32)
    with tf.GradientTape() as tape:
        data = tf.data.Dataset.from_generator(rows, output_signature=spec)
        loss = tf.add_n(list(data))
    tape.gradient(loss, w)


def mapped_dataset_uses_the_weight():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        numbers = tf.data.Dataset.from_tensor_slices([1.0, 2.0])
        data = numbers.map(lambda x: x * w)  # <state-boundary>
        loss = tf.add_n(list(data))
    tape.gradient(loss, w)


def py_function_is_fine_but_numpy_function_is_not():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        a = tf.py_function(lambda x: x * x, [w], tf.float32)
        b = tf.numpy_function(np.sin, [a], tf.float32)  # <left-to-numpy>
        loss = tf.reduce_sum(b)
    tape.gradient(loss, w)


def forgotten_watch_with_watching_off():
    w, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        loss = w * 3.0 + b  # <not-watched>
    tape.gradient(loss, [w, b])


def frozen_backbone():
    class Backbone(tf.Module):
        def __init__(self):
            self.w = tf.Variable(tf.ones([2, 2]), trainable=False)  # <not-trainable>

    net = Backbone()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.ones([1, 2]) @ net.w)
    tape.gradient(loss, net.w)


def persistent_tape_with_two_targets():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        ya = a * a
        yb = tf.stop_gradient(b * 2.0) * a  # <stop-gradient>
    assert tape.gradient(ya, a) is not None
    tape.gradient(yb, b)
    assert tape.gradient(yb, a) is not None


def batch_jacobian_through_numpy():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.constant(np.sqrt(x.numpy()))  # <left-to-numpy>
    tape.batch_jacobian(y, x)


def jacobian_of_a_rounded_value():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.cast(tf.cast(x * 2.0, tf.int64), tf.float32)  # <integer-dtype>
    tape.jacobian(y, x)


def hessian_that_forgot_the_outer_tape():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x**3
        slope = inner.gradient(y, x)  # <not-watched>
    outer.gradient(slope, x)


def gradient_of_a_gradient_as_numpy():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        slope = inner.gradient(y, x).numpy()  # <left-to-numpy>
        penalty = tf.constant(slope) ** 2
    outer.gradient(penalty, x)


def shape_as_a_value():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        n = tf.size(w)  # <nondifferentiable-op>
        loss = tf.cast(n, tf.float32) * 2.0
    tape.gradient(loss, w)


def zeros_like_the_value():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.zeros_like(w * 2.0))  # <nondifferentiable-op>
    tape.gradient(loss, w)


def where_without_values():
    w = tf.Variable([1.0, -2.0])
    with tf.GradientTape() as tape:
        found = tf.where(w > 0.0)  # <nondifferentiable-op>
        loss = tf.reduce_sum(tf.cast(found, tf.float32))
    tape.gradient(loss, w)
