"""Settings of the library, generators of random numbers, datasets and tables."""

import random
import tempfile

import numpy as np

import cinta as tf
from tests.functions.changes.table import Box, change


@change
def a_generator_that_is_set_back():
    g = tf.random.Generator.from_seed(1)
    yield lambda x: g.normal([2]) * x
    g.reset_from_seed(2)
    yield


@change
def a_generator_that_is_replaced():
    b = Box(g=tf.random.Generator.from_seed(1))
    yield lambda x: b.g.normal([2]) * x
    b.g = tf.random.Generator.from_seed(2)
    yield


@change
def a_seed_in_a_closure():
    seed = 1

    def f(x):
        return x * float(np.random.default_rng(seed).normal())

    yield f
    seed = 2
    yield


@change
def a_seed_of_python_in_a_closure():
    seed = 1

    def f(x):
        return x * random.Random(seed).random()

    yield f
    seed = 2
    yield


@change
def numpy_random_seeded_globally():
    def f(x):
        np.random.seed(3)  # noqa: NPY002
        return x * np.random.rand()  # noqa: NPY002

    yield f
    yield tf.constant(2.0)


@change
def a_permutation_drawn_at_each_call():
    rng = np.random.default_rng(0)
    yield lambda x: x * tf.constant(rng.permutation(5))[0:1].numpy()[0]
    yield


@change
def a_spawned_generator():
    ss = np.random.SeedSequence(3)
    yield lambda x: x * np.random.default_rng(ss.spawn(1)[0]).normal()
    yield


@change
def check_numerics_switched_on():
    yield lambda x: x / 0.0, tf.constant(1.0)
    tf.debugging.enable_check_numerics()
    try:
        yield
    finally:
        tf.debugging.disable_check_numerics()


@change
def determinism_switched_on():
    yield lambda x: tf.random.normal([1]) * 0.0 + x
    tf.config.experimental.enable_op_determinism()
    tf.random.set_seed(1)
    yield tf.constant(3.0)


@change
def a_lookup_table_that_grows():
    t = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 1.0)
    yield lambda x: x * t.lookup(tf.constant("a"))
    t.insert("a", 4.0)
    yield


@change
def the_size_of_a_lookup_table():
    t = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 1.0)
    yield (lambda x: x * tf.cast(t.size(), tf.float32))
    t.insert("a", 4.0)
    yield


@change
def a_queue_of_tensors():
    q = tf.queue.FIFOQueue(20, tf.float32)
    for i in range(15):
        q.enqueue(float(i))
    yield lambda x: x * q.dequeue()
    yield


@change
def the_size_of_a_queue_of_tensors():
    q = tf.queue.FIFOQueue(20, tf.float32)
    yield (lambda x: x * tf.cast(q.size(), tf.float32))
    q.enqueue(1.0)
    yield


@change
def the_cardinality_of_a_dataset():
    b = Box(d=tf.data.Dataset.range(3))
    yield (lambda x: x * tf.cast(b.d.cardinality(), tf.float32))
    b.d = tf.data.Dataset.range(4)
    yield


@change
def a_dataset_reduced():
    k = 1
    d = tf.data.Dataset.range(3).map(lambda i: i * k)
    yield (
        lambda x: x * tf.cast(d.reduce(tf.constant(0, tf.int64), lambda a, b: a + b), tf.float32)
    )
    k = 2
    yield


@change
def a_step_of_summaries():
    def f(x):
        s = tf.summary.experimental.get_step()
        return x * (0.0 if s is None else float(s))

    tf.summary.experimental.set_step(1)
    yield f
    tf.summary.experimental.set_step(2)
    yield
    tf.summary.experimental.set_step(None)


@change
def a_variable_step_of_summaries():
    v = tf.Variable(1, dtype=tf.int64)
    tf.summary.experimental.set_step(v)
    yield (lambda x: x * tf.cast(tf.summary.experimental.get_step(), tf.float32))
    v.assign_add(3)
    yield
    tf.summary.experimental.set_step(None)


@change
def whether_summaries_are_recorded():
    yield (lambda x: x * tf.cast(tf.summary.should_record_summaries(), tf.float32))
    with tempfile.TemporaryDirectory() as d, tf.summary.create_file_writer(d).as_default():
        yield


@change
def a_loaded_checkpoint_in_an_object():
    v = tf.Variable(1.0)
    with tempfile.TemporaryDirectory() as d:
        path = tf.train.Checkpoint(v=v).save(d + "/c")
        v.assign(2.0)
        yield lambda x: x * v
        tf.train.Checkpoint(v=v).restore(path)
        yield


@change
def a_strategy_scope():
    yield lambda x: x * float(tf.distribute.get_strategy().num_replicas_in_sync)
    s = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
    with s.scope():
        yield


@change
def a_generator_of_python_seeded_anew():
    seed = 1

    def f(x):
        rng = random.Random()
        rng.seed(seed)
        return x * rng.random()

    yield f
    seed = 2
    yield


@change
def a_number_and_a_generator_of_python_without_a_seed():
    k = 2.0
    yield lambda x: x * k + 0.0 * random.Random().random()
    k = 3.0
    yield
