"""Functions compiled by XLA: what they do is what Python does."""

import gc
import re
import sys

import jax
import numpy as np
import pytest

import cinta as tf
from cinta.experimental import dtensor
from cinta.replay.xla import XlaProgram, transfer
from tests.replay.compiling import compiled, programs
from tests.replaying import recordings


def test_a_recording_is_compiled_when_it_is_first_replayed():
    f = compiled(lambda x: tf.exp(x) * 2)
    f(tf.constant([1.0]))
    (program,) = programs(f)
    assert isinstance(program, XlaProgram)
    assert program.compile_seconds == 0
    f(tf.constant([1.0]))
    assert program.compile_seconds > 0
    assert not program.host_ops


def test_what_takes_long_is_told_to_those_who_ask(capsys):
    table = tf.constant(np.arange(2000, dtype=np.float32))
    f = compiled(lambda x: x + table)
    f(tf.constant(1.0))
    tf.config.set_verbosity(2)
    try:
        f(tf.constant(1.0))
    finally:
        tf.config.set_verbosity(1)
    assert re.fullmatch(
        r"compiling <lambda>, 1 steps \.\.\. \d+\.\d\d s\n", capsys.readouterr().err
    )
    assert programs(f)[0].bytes_kept >= 8000


def test_double_precision_is_exact_and_the_settings_of_jax_are_left_alone():
    f = compiled(lambda x, n, z: (x + 1e-15, n * 3_000_000_000, z * (1 + 1e-15j)))
    given = tf.constant(1.0, tf.float64), tf.constant(3, tf.int64), tf.constant(1j, tf.complex128)
    expected = f(*given)
    for found, wanted in zip(f(*given), expected, strict=True):
        assert found.dtype == wanted.dtype
        assert found.numpy() == wanted.numpy()
    assert not jax.config.jax_enable_x64
    assert jax.numpy.arange(3.0).dtype == np.float32
    with jax.numpy_dtype_promotion("strict"):
        g = compiled(lambda x: tf.reduce_mean(x) * 2)
        assert [g(tf.constant([1.0, 2.0])).numpy() for _ in range(2)] == [3.0, 3.0]


def test_a_training_step_changes_variables_as_python_does():
    w = tf.Variable(np.linspace(-1, 1, 9).reshape(3, 3), name="w")
    turns = tf.Variable(0)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.tanh(x @ w) ** 2)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        turns.assign_add(1)
        return loss

    x, start = tf.constant([[1.0, -1.0, 0.5]], tf.float64), w.numpy()
    expected = [step(x).numpy() for _ in range(4)]
    weights = w.numpy()
    w.assign(start)
    f = compiled(step)
    np.testing.assert_allclose([f(x).numpy() for _ in range(4)], expected, rtol=1e-14)
    np.testing.assert_allclose(w.numpy(), weights, rtol=1e-14)
    assert turns.numpy() == 8
    assert len(recordings(f)) == 1


def test_values_of_variables_stay_where_they_are_until_somebody_changes_them():
    v = tf.Variable(np.zeros(10_000, np.float32))
    constant = tf.Variable(np.ones(10_000, np.float32))
    constant.assign_add(tf.zeros(10_000))
    f = compiled(lambda: v.assign_add(constant))
    for _ in range(3):
        f()
    assert v.numpy()[0] == 3
    constant.assign_add(tf.ones(10_000))  # which would be in place if XLA had no copy
    v.assign_sub(tf.ones(10_000))
    f()
    assert v.numpy()[-1] == 4


def test_copies_on_the_device_go_with_the_arrays():
    gc.collect()
    before = len(transfer._copies)
    f = compiled(lambda x: tf.reduce_sum(x * 2))
    x = tf.ones([100, 100])
    for _ in range(3):
        f(x)
    assert len(transfer._copies) == before + 1
    del x
    assert len(transfer._copies) == before


def test_what_python_saw_is_looked_at_before_anything_is_changed():
    v = tf.Variable(1.0)

    @compiled
    def f(x):
        v.assign_add(x)
        return x * (-1.0 if v > 3 else 1.0)  # numbers of Python's keep the two ways apart

    found = [f(tf.constant(x)).numpy() for x in (1.0, 1.0, 1.0, 1.0, -4.0, 1.0)]
    assert found == [1, 1, -1, -1, -4, 1]
    assert v.numpy() == 2
    assert len(recordings(f)) == 2


def test_random_numbers_are_those_of_the_other_engines():
    def f(x):
        return tf.nn.dropout(x, 0.5) + tf.random.normal([5]) + tf.random.uniform([5])

    found = []
    for function in (tf.function(f), compiled(f)):
        tf.random.set_seed(3)
        found.append([function(tf.ones(5)).numpy() for _ in range(3)])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_effects_happen_in_their_order_and_after_all_guards(capsys):
    calls = []

    @compiled
    def f(x):
        tf.print("first", x, output_stream=sys.stdout)
        y = tf.py_function(lambda x: calls.append(float(x)) or x + 1, [x], tf.float32)
        tf.print("then", y, output_stream=sys.stdout)
        return y * 2 if x > 0 else y

    for x in (1.0, 2.0, 3.0):
        assert f(tf.constant(x)).numpy() == 2 * (x + 1)
    assert calls == [1, 2, 3]
    assert capsys.readouterr().out == "".join(f"first {x}\nthen {x + 1}\n" for x in (1, 2, 3))
    f(tf.constant(-1.0))
    assert capsys.readouterr().out == "first -1\nthen 0\n"


def test_an_op_that_xla_lacks_runs_on_the_host():
    f = compiled(lambda x: tf.reduce_sum(tf.math.special.bessel_j0(x * 2) * x))
    x = tf.constant([0.5, 1.0], tf.float64)
    np.testing.assert_allclose(f(x).numpy(), f(x).numpy(), rtol=1e-14)
    (program,) = programs(f)
    assert {op.name for op in program.host_ops} == {"BesselJ0"}


def test_strings_stay_on_the_host():
    f = compiled(lambda x, s: (x * 2, tf.strings.join([s, "!"])))
    for _ in range(2):
        y, s = f(tf.constant(2.0), tf.constant("hola"))
    assert (y.numpy(), s.numpy()) == (4, b"hola!")


def test_errors_on_the_host_are_those_of_python():
    @compiled
    def f(x):
        return tf.py_function(lambda x: 1 / int(x), [x], tf.float32)

    f(tf.constant(1.0))
    for _ in range(2):
        with pytest.raises(tf.errors.UnknownError, match="ZeroDivisionError"):
            f(tf.constant(0.0))
    assert f(tf.constant(2.0)).numpy() == 0.5


@pytest.mark.parametrize("dtype", [tf.float64, tf.complex128])
def test_gradients_and_their_gradients_are_compiled(dtype):
    def f(x):
        return tf.reduce_sum(tf.sin(x) * x**2)

    g, x = compiled(f), tf.constant([0.5, 1.5], dtype)
    for _ in range(3):
        found = []
        for function in (f, g):
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape() as first:
                    first.watch(x)
                    y = function(x)
                by_x = first.gradient(y, x)
            found.append([by_x.numpy(), second.gradient(by_x, x).numpy()])
        np.testing.assert_allclose(*found, rtol=1e-12)


def executables():
    gc.collect()
    return len(jax.devices()[0].client.live_executables())


def test_what_was_compiled_goes_with_the_function():
    before = executables()
    f = compiled(lambda x: tf.exp(x) * 3)
    for _ in range(2):
        f(tf.constant([1.0, 2.0]))
    assert executables() == before + 1
    del f
    assert executables() == before


def test_threads_call_one_program():
    from concurrent.futures import ThreadPoolExecutor

    f = compiled(lambda x: tf.reduce_sum(x * 2))
    with ThreadPoolExecutor(4) as pool:
        found = [float(y) for y in pool.map(f, [tf.constant([k, 1.0]) for k in range(20)])]
    assert found == [2 * k + 2 for k in range(20)]


def test_the_engine_is_chosen_by_setting_and_by_function():
    assert tf.config.get_engine() == "numpy"
    tf.config.set_engine("xla")
    try:
        f, g = tf.function(lambda x: x + 1), tf.function(lambda x: x + 1, jit_compile=False)
        for each in (f, g):
            assert [each(1.0).numpy() for _ in range(2)] == [2, 2]
    finally:
        tf.config.set_engine("numpy")
    kinds = [isinstance(programs(each)[0], XlaProgram) for each in (f, g)]
    assert kinds == [True, False]
    with pytest.raises(ValueError, match="`name` is 'cuda'; the engines are numpy, xla, auto"):
        tf.config.set_engine("cuda")


def test_without_jax_numpy_runs_what_was_to_be_compiled_and_says_so(monkeypatch):
    monkeypatch.setattr("cinta.replay.engines.has_jax", lambda: False)
    with pytest.warns(UserWarning, match=r"pip install 'cinta\[xla\]'. The function runs on NumPy"):
        f = tf.function(lambda x: x + 1, jit_compile=True)
    assert [f(tf.constant(1.0)).numpy() for _ in range(2)] == [2, 2]
    with pytest.raises(ImportError, match=r"XLA needs JAX.*pip install 'cinta\[xla\]'"):
        tf.config.set_engine("xla")


def test_without_jax_meshes_and_clusters_say_what_they_need(monkeypatch):
    monkeypatch.setattr("cinta.replay.engines.has_jax", lambda: False)
    mesh = dtensor.create_mesh([("batch", 1)], devices=["CPU:0"])
    with pytest.raises(ImportError, match=r"a mesh need JAX.*pip install 'cinta\[xla\]'"):
        dtensor.copy_to_mesh([1.0], dtensor.Layout(["batch"], mesh))
    workers = tf.train.ClusterSpec({"worker": ["localhost:1", "localhost:2"]})
    resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(workers, "", "worker", 0)
    with pytest.raises(ImportError, match=r"processes need JAX.*pip install 'cinta\[xla\]'"):
        tf.distribute.MultiWorkerMirroredStrategy(resolver)
