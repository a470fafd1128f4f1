"""GradientTape: what it watches, when it is told to and by itself."""

import numpy as np
import pytest

import cinta as tf


@pytest.fixture
def x():
    return tf.constant(3.0)


def test_watch_takes_nests(x):
    y, v = tf.constant(2.0), tf.Variable(5.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch({"x": x, "rest": [(y,), v, []]})
        z = x * y * v
    assert [g.numpy() for g in tape.gradient(z, [x, y, v])] == [10, 15, 6]


@pytest.mark.parametrize("value", [3.0, "x", None, np.ones(2), [3.0]])
def test_watch_refuses_what_is_no_tensor(value):
    with pytest.raises(ValueError, match="Passed in object"), tf.GradientTape() as tape:
        tape.watch(value)


@pytest.mark.parametrize("value", [1, True, "text"])
@pytest.mark.filterwarnings("ignore:The dtype of the")
def test_what_is_not_floating_has_no_gradient_even_if_watched(value):
    x = tf.constant(value)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.identity(x)
    assert tape.gradient(y, x) is None


def test_watching_a_tensor_twice_with_two_tapes_records_on_both(x):
    with tf.GradientTape() as first, tf.GradientTape() as second:
        first.watch(x)
        second.watch(x)
        y = x * x
    assert first.gradient(y, x).numpy() == second.gradient(y, x).numpy() == 6


# -- variables -------------------------------------------------------------------------------------


def test_trainable_variables_are_watched_when_read():
    trainable, other = tf.Variable(3.0), tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = trainable * other
    assert [v.ref() for v in tape.watched_variables()] == [trainable.ref()]
    gradients = tape.gradient(y, [trainable, other])
    assert [g if g is None else g.numpy() for g in gradients] == [3, None]


def test_a_non_trainable_variable_can_be_watched():
    v = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = v * v
    assert [w.ref() for w in tape.watched_variables()] == [v.ref()]
    assert tape.gradient(y, v).numpy() == 6


def test_without_watching_accessed_variables_only_the_watched_count():
    v, w = tf.Variable(3.0), tf.Variable(4.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        before = v * 10.0
        tape.watch(v)
        y = v * w + before
    assert [g if g is None else g.numpy() for g in tape.gradient(y, [v, w])] == [4, None]


def test_watched_variables_come_in_the_order_in_which_they_were_made():
    first, second, third = (tf.Variable(float(n)) for n in range(3))
    with tf.GradientTape() as tape:
        y = third * first * second * third
    expected = [v.ref() for v in (first, second, third)]
    assert [v.ref() for v in tape.watched_variables()] == expected
    tape.gradient(y, first)
    assert [v.ref() for v in tape.watched_variables()] == expected


def test_a_tape_that_was_never_entered_has_watched_nothing():
    assert tf.GradientTape().watched_variables() == ()


def test_int_variables_are_watched_and_have_no_gradient():
    v = tf.Variable(3)
    with tf.GradientTape() as tape:
        y = v * v
    assert len(tape.watched_variables()) == 1
    with pytest.warns(UserWarning, match=r"Make it a float, as in tf\.Variable\(3\.0\)"):
        assert tape.gradient(y, v) is None


def test_the_outer_tape_watches_what_is_read_while_the_inner_rests():
    v = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner, inner.stop_recording():
            y = v * v
        assert inner.gradient(y, v) is None
    assert outer.gradient(y, v).numpy() == 6


ACCESSES = {
    "arithmetic": lambda v: v + 1.0,
    "indexing": lambda v: v[0],
    "value": lambda v: v.value(),
    "read_value": lambda v: v.read_value(),
    "gather": lambda v: tf.gather(v, [0]),
    "shape": tf.shape,
    "rank": tf.rank,
    "zeros_like": tf.zeros_like,
    "comparison": lambda v: v == v,
    "numpy": lambda v: v.numpy(),
    "array": np.array,
    "repr": repr,
    "assign": lambda v: v.assign([3.0, 4.0]),
    "assign_add": lambda v: v.assign_add([3.0, 4.0]),
    "scatter": lambda v: v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([0]))),
}

NO_ACCESSES = {
    "shape": lambda v: v.shape,
    "name": lambda v: v.name,
    "handle": lambda v: v.handle,
    "ref": lambda v: v.ref(),
    "isinstance": lambda v: isinstance(v, tf.Variable),
    "is_initialized": lambda v: v.is_initialized(),
    "creation": lambda v: tf.Variable(1.0),
    "blind assign": lambda v: v.assign([3.0, 4.0], read_value=False),
    "stop_gradient": tf.stop_gradient,
}


@pytest.mark.parametrize("access", ACCESSES.values(), ids=ACCESSES.keys())
def test_access_watches(access):
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        access(v)
    assert [w.ref() for w in tape.watched_variables()] == [v.ref()]


@pytest.mark.parametrize("access", NO_ACCESSES.values(), ids=NO_ACCESSES.keys())
def test_no_access_does_not_watch(access):
    v = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        access(v)
    assert tape.watched_variables() == ()
