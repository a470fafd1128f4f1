"""Programs whose gradient is None because of state, data or the life of a tape."""

import functools
import threading

import numpy as np

import cinta as tf


def state_that_is_assigned():
    x0, x1 = tf.Variable(3.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        x1.assign_add(x0)  # <assigned-state>
        y = x1**2
    tape.gradient(y, x0)


def state_that_is_assigned_whole():
    w = tf.Variable(1.0)
    memory = tf.Variable(0.0, trainable=False)
    with tf.GradientTape() as tape:
        h = w * 2.0
        memory.assign(h)  # <assigned-state>
        loss = memory * 3.0
    tape.gradient(loss, w)


def part_that_is_assigned():
    w = tf.Variable(2.0)
    buffer = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        buffer[0].assign(w * 3.0)  # <assigned-state>
        loss = tf.reduce_sum(buffer)
    tape.gradient(loss, w)


def rows_that_are_scattered():
    w = tf.Variable(2.0)
    table = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        rows = tf.IndexedSlices(tf.reshape(w * 3.0, [1]), tf.constant([1]))
        table.scatter_add(rows)  # <assigned-state>
        loss = tf.reduce_sum(table)
    tape.gradient(loss, w)


def variable_made_of_a_tensor():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        h = w * 2.0
        v = tf.Variable(h)  # <assigned-state>
        loss = v * v
    tape.gradient(loss, w)


def dataset_in_the_middle():
    w = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        data = tf.data.Dataset.from_tensor_slices(w * 2.0)  # <state-boundary>
        loss = tf.add_n([row**2 for row in data])
    tape.gradient(loss, w)


def batches_in_the_middle():
    w = tf.Variable([1.0, 2.0, 3.0, 4.0])
    with tf.GradientTape() as tape:
        rows = tf.data.Dataset.from_tensor_slices(w * 2.0).batch(2)  # <state-boundary>
        loss = tf.add_n([tf.reduce_sum(row**2) for row in rows])
    tape.gradient(loss, w)


def queue_in_the_middle():
    w = tf.Variable(2.0)
    queue = tf.queue.FIFOQueue(3, [tf.float32], shapes=[[]])
    with tf.GradientTape() as tape:
        queue.enqueue(w * 2.0)  # <state-boundary>
        loss = queue.dequeue() ** 2
    tape.gradient(loss, w)


def table_in_the_middle():
    w = tf.Variable(2.0)
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, 0.0)
    with tf.GradientTape() as tape:
        table.insert([1], [w * 2.0])  # <state-boundary>
        loss = table.lookup([1]) ** 2
    tape.gradient(loss, w)


def computed_before_the_block():
    w = tf.Variable(2.0)
    h = w * w  # <outside-tape>
    with tf.GradientTape() as tape:
        loss = h * 3.0
    tape.gradient(loss, w)


def computed_after_the_block():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        h = w * w
    loss = h * 3.0  # <outside-tape>
    tape.gradient(loss, w)


def loss_after_the_block_in_a_function():
    def mean_square(y):
        return tf.reduce_mean(y**2)  # <outside-tape>

    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = w * 2.0
    loss = mean_square(y)
    tape.gradient(loss, w)


def recording_stopped():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        a = x * x
        with tape.stop_recording():
            b = y * y  # <stopped-recording>
        z = tf.sqrt(a + b)
    tape.gradient(z, [x, y])


def tape_that_was_reset():
    x, y = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        a = x * x
        tape.reset()  # <tape-reset>
        z = a + y * y
    tape.gradient(z, [x, y])


def other_tape():
    w = tf.Variable(2.0)
    with tf.GradientTape():
        h = w * w  # <outside-tape>
    with tf.GradientTape() as second:
        loss = h * 2.0
    second.gradient(loss, w)


def second_order_without_an_outer_block():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner:
        y = x**3
    slope = inner.gradient(y, x)  # <outside-tape>
    outer.gradient(slope, x)


def second_order_of_a_constant():
    x, c = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        slope = inner.gradient(y, x)  # <no-path>
    outer.gradient(slope, c)


def jacobian_of_numpy():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.constant(np.cumsum(x * 2.5))  # <left-to-numpy>
    tape.jacobian(y, x)


def in_a_thread():
    def work():
        w = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = tf.stop_gradient(w) * 2.0  # <stop-gradient>
        tape.gradient(loss, w)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def in_a_loop_it_is_one():
    w = tf.Variable(2.0)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = tf.round(tf.stop_gradient(w))  # <stop-gradient>
        tape.gradient(loss, w)


def rounding():
    w = tf.Variable([0.4, 1.6])
    with tf.GradientTape() as tape:
        i = tf.cast(w, tf.int32)  # <integer-dtype>
        loss = tf.reduce_sum(tf.cast(i, tf.float32))
    tape.gradient(loss, w)


def through_a_partial():
    def scaled(x, by):
        return tf.constant(np.multiply(x, by))  # <left-to-numpy>

    w = tf.Variable([1.0, 2.0])
    f = functools.partial(scaled, by=2.5)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(f(w))
    tape.gradient(loss, w)
