"""Large captured arrays are read where they lie at each call, and copied by no recording."""

import gc
import weakref

import numpy as np
import pytest

import cinta as tf
from tests.functions.running import running

ONES = np.ones((512, 512), np.float32)

FUNCTIONS = {
    "constant": lambda x: x @ tf.constant(ONES),
    "convert_to_tensor": lambda x: x @ tf.convert_to_tensor(ONES),
    "matmul": lambda x: tf.matmul(x, ONES),
    "matmul on the left": lambda x: tf.matmul(ONES, x, transpose_b=True),
    "linalg.matmul": lambda x: tf.linalg.matmul(x, ONES),
    "add": lambda x: tf.add(x, ONES),
    "add on the left": lambda x: tf.add(ONES, x),
    "subtract": lambda x: tf.subtract(ONES, x),
    "multiply": lambda x: tf.multiply(x, ONES),
    "math.add": lambda x: tf.math.add(x, ONES),
    "math.multiply": lambda x: tf.math.multiply(x, ONES),
}


@pytest.mark.parametrize("engine", ["numpy", "xla"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_replay_what_lies_in_the_array(name, engine):
    python, x = FUNCTIONS[name], tf.ones((1, 512))
    with running(engine):
        f = tf.function(python)
        for k in range(4):
            ONES[7] = k
            np.testing.assert_allclose(f(x), python(x), rtol=1e-5)
        assert f.report().replays >= 2  # the first call may load a module


def test_results_and_gradients_keep_what_the_array_was():
    ks = np.ones(5000, np.float32)
    x, v = tf.Variable(2.0), tf.Variable(tf.zeros(5000))

    @tf.function
    def f():
        v.assign(tf.constant(ks))
        return tf.constant(ks), tf.multiply(x, ks)

    for k in range(3):
        ks[:] = k
        with tf.GradientTape() as tape:
            same, product = f()
        ks[:] = 100
        assert set(same.numpy()) == set(v.numpy()) == {k}
        assert tape.gradient(product, x).numpy() == 5000 * k
    assert f.report().replays == 2


def test_recordings_keep_no_array_alive():
    ks = np.ones(5000, np.float32)
    gone = weakref.ref(ks)
    f = tf.function(lambda: tf.reduce_sum(tf.constant(ks)))
    f()
    f()
    ks = 2 * ks
    gc.collect()
    assert gone() is None
    assert f().numpy() == 10000


def test_concrete_functions_keep_what_the_array_was(tmp_path):
    ks = np.ones(5000, np.float32)
    module = tf.Module()
    module.f = tf.function(lambda: tf.reduce_sum(tf.constant(ks)), input_signature=())
    module.f()
    module.f()
    tf.saved_model.save(module, str(tmp_path))
    ks[:] = 2
    assert tf.saved_model.load(str(tmp_path)).f().numpy() == 5000
    assert module.f().numpy() == 10000
