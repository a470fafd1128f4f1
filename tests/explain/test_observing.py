"""Explanations on and off: results are the same, nothing stays exchanged, memory stays flat."""

import gc
import os
import tracemalloc

import numpy as np
import pytest

import cinta as tf
from cinta.engine.convert import array_of
from cinta.engine.op import registry
from cinta.engine.tensor import wrap
from cinta.explain import ledger, observer
from cinta.explain.enable import current_ledger
from tests.op_table import rows
from tests.shorthand import differentiable

ROWS = rows()


def value_and_gradients(row):
    """The results of a row, its gradients and a derivative along ones: dtypes, shapes, bytes."""
    xs = [tf.constant(x) for x in row.inputs]
    sources = differentiable(xs)
    with tf.GradientTape() as tape:
        tape.watch(sources)
        y = row.function(*xs)
    found = [*tf.nest.flatten(y), *tape.gradient(y, sources)]
    with tf.autodiff.ForwardAccumulator(sources, [tf.ones_like(x) for x in sources]) as forward:
        y = row.function(*xs)
    found += [forward.jvp(each) for each in tf.nest.flatten(y)]
    return [None if x is None else in_bytes(tf.convert_to_tensor(x).numpy()) for x in found]


def in_bytes(array):
    return array.dtype, array.shape, array.tobytes()


@pytest.mark.filterwarnings("ignore")
def test_results_are_bit_for_bit_the_same():
    plain = [value_and_gradients(row) for row in ROWS]
    with tf.debugging.explaining():
        explained = [value_and_gradients(row) for row in ROWS]
    different = [row.name for row, a, b in zip(ROWS, plain, explained, strict=True) if a != b]
    assert different == []


def test_files_of_functions_without_ops_are_where_they_are_looked_for():
    assert all(os.path.exists(path) for path in observer._WITHOUT_OPS + observer._ON_BEHALF)


def exchanged():
    """The things that explanations exchange, as they are now.

    Watchers that other tests have forgotten put theirs back when they are collected.
    """
    gc.collect()
    methods = [vars(tf.Tensor)[name] for name in ("numpy", "__array__", "__bool__")]
    methods += [vars(tf.Variable)[name] for name in ("__init__", "__tf_tensor__")]
    methods += [getattr(tf.GradientTape, name) for name in ("_start", "watch", "gradient")]
    made = wrap.__code__, wrap.__defaults__
    return [op.run for op in registry.all()], methods, made, array_of, tf.data.Dataset.from_tensors


def test_all_is_put_back():
    before = exchanged()
    with tf.debugging.explaining(), tf.debugging.explaining():
        assert exchanged() != before
    assert exchanged() == before


def test_all_is_put_back_when_the_program_raises():
    before = exchanged()
    with pytest.raises(ZeroDivisionError), tf.debugging.explaining():
        raise ZeroDivisionError
    assert exchanged() == before


def test_inner_blocks_have_their_part():
    w = tf.Variable(2.0)
    with tf.debugging.explaining() as outer:
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w)
        tape.gradient(y, w)
        with tf.debugging.explaining() as inner:
            with tf.GradientTape() as tape:
                y = tf.sign(w)
            tape.gradient(y, w)
    assert [x.kind for x in outer] == ["none", "zero"]
    assert [x.kind for x in inner] == ["zero"]


def test_an_inner_block_is_told_again_of_what_the_outer_one_knows():
    x = tf.constant(2.0)

    def forgotten():
        with tf.GradientTape() as tape:
            y = x * x
        return tape.gradient(y, x)

    with tf.debugging.explaining() as outer:
        forgotten()
        (why,) = tf.debugging.explain(forgotten)
        assert not tf.debugging.explain(lambda: None)
    assert why.cause == "not-watched"
    assert [each.count for each in outer] == [2]


def test_a_call_that_is_explained_leaves_variables_and_random_numbers():
    w = tf.Variable(0.0)
    tf.random.set_seed(5)
    expected = tf.random.normal([2]).numpy()

    def step():
        tf.random.normal([2])
        with tf.GradientTape() as tape:
            loss = tf.sqrt(w)
        w.assign_add(tf.stop_gradient(loss) + 1.0)
        return tape.gradient(loss, w)

    tf.random.set_seed(5)
    found = tf.debugging.explain(step)
    assert found[0].cause == "sqrt-at-zero"
    assert w.numpy() == 0.0
    np.testing.assert_array_equal(tf.random.normal([2]), expected)


def test_memory_is_flat_over_many_steps(monkeypatch):
    monkeypatch.setattr(ledger, "_MOST_EVENTS", 2000)
    w = tf.Variable(np.ones(100, np.float32))

    def train(steps):
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * 2.0 - 1.0) ** 2)
            w.assign_sub(0.01 * tape.gradient(loss, w))

    def used():
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    with tf.debugging.explaining():
        tracemalloc.start()
        train(500)
        before = used()
        train(1000)
        grown = used() - before
        tracemalloc.stop()
        assert len(current_ledger().events) <= 2000
        assert len(current_ledger().at) <= 2100
    assert grown < 200_000


def test_a_tape_keeps_what_its_steps_came_from(monkeypatch):
    """Also if there are more of them than are held otherwise."""
    monkeypatch.setattr(ledger, "_MOST_EVENTS", 100)
    w = tf.Variable(1.0)
    with tf.debugging.explaining() as found:
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w)
            for _ in range(500):
                y = y * 1.001
        tape.gradient(y, w)
    assert found[0].cause == "stop-gradient"


def test_equal_functions_of_two_files_have_lines_of_their_own():
    source = "def f(x):\n with tf.GradientTape() as tape:\n  y = x * x\n return tape.gradient(y, x)"
    files = []
    for name in ("one.py", "two.py"):
        names = {"tf": tf}
        exec(compile(source, name, "exec"), names)
        (why,) = tf.debugging.explain(names["f"], tf.constant(1.0))
        files.append(why.line.filename)
    assert files == ["one.py", "two.py"]
