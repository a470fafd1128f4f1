"""GradientTape: tapes in tapes."""

import gc
import weakref

import numpy as np
import pytest

import cinta as tf


@pytest.fixture
def x():
    return tf.constant(3.0)


def test_nested_tapes_give_higher_orders(x):
    with tf.GradientTape() as third:
        third.watch(x)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = x * x * x * x
            d1 = first.gradient(y, x)
        d2 = second.gradient(d1, x)
    d3 = third.gradient(d2, x)
    assert [d.numpy() for d in (d1, d2, d3)] == [108, 108, 72]


def test_the_outer_tape_must_have_watched(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        d = inner.gradient(y, x)
    assert outer.gradient(d, x) is None


def test_the_inner_tape_must_have_watched(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            y = x * x
        d = inner.gradient(y, x)
    assert d is None
    with pytest.raises(TypeError, match="received None"):
        outer.gradient(d, x)


def test_the_inner_gradient_may_be_taken_in_the_inner_block(x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
            d = inner.gradient(y, x)
    assert outer.gradient(d, x).numpy() == 18


def test_a_gradient_can_be_part_of_a_loss(x):
    w = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = w * x * x
        slope = inner.gradient(y, x)
        loss = slope * slope
    assert outer.gradient(loss, w).numpy() == 2 * (2 * 2 * 3) * (2 * 3)


def test_second_derivatives_with_respect_to_two_sources(x):
    y = tf.constant(5.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch([x, y])
        with tf.GradientTape() as inner:
            inner.watch([x, y])
            z = x * x * y
        dx, dy = inner.gradient(z, [x, y])
    assert [g.numpy() for g in outer.gradient(dx, [x, y])] == [10, 6]
    assert outer.gradient(dy, x).numpy() == 6
    assert outer.gradient(dy, y) is None


def test_nested_tapes_share_their_records():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape(persistent=True) as inner:
            y = tf.exp(x) * x
        z = y * y
    shared = list(inner._recorder.records)
    assert all(a is b for a, b in zip(shared, outer._recorder.records, strict=False))
    assert len(outer._recorder.records) == len(shared) + 1
    np.testing.assert_allclose(inner.gradient(y, x), outer.gradient(y, x))
    assert outer.gradient(z, x) is not None


def test_a_tape_that_stopped_shares_no_more():
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape(persistent=True) as inner:
            y = x * x
            with inner.stop_recording():
                z = y * x
            w = y * x
        with outer.stop_recording():
            assert inner.gradient(w, x).numpy() == 12.0
            assert inner.gradient(z, x) is None
    assert outer.gradient([z, w], x).numpy() == 24.0


def test_nested_tapes_leave_no_cycles():
    gc.collect()
    gc.disable()
    try:
        x = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x * x
            slope = inner.gradient(y, x)
        recorders = weakref.ref(outer), weakref.ref(inner)
        outer.gradient(slope, x)
        del outer, inner
        assert [ref() for ref in recorders] == [None, None]
    finally:
        gc.enable()
