"""Jacobians and Hessians for which there is no room: refused at once, with their size."""

import pytest

import cinta as tf
from cinta import machine
from cinta.engine import settings
from tests.test_advice import refused

SIZE = 2000


@pytest.fixture(autouse=True)
def little_memory(monkeypatch):
    """A machine on which 20 MB are free: the Jacobians here take 16, and as much to be joined."""
    monkeypatch.setattr(machine, "free_memory", lambda: 20_000_000)
    monkeypatch.setattr(settings, "jacobian_memory", 1 << 20)


@pytest.fixture
def x():
    return tf.Variable(tf.ones([SIZE]))


def loss(x):
    return tf.reduce_sum(x**3)


WAYS = {
    "jacobian": (
        lambda tape, y, x: tape.jacobian(y, x),
        lambda x: tf.jacobian(lambda x: x**3)(x),
        "The Jacobian of shape \\[2000\\] by \\[2000\\] takes 0.0 GB, .* but 0.0 GB",
        "tape.batch_jacobian; .* tape.hvp; .* tf.autodiff.sparse_jacobian",
    ),
    "hessian": (
        lambda tape, y, x: tape.hessian(tf.reduce_sum(y), x),
        lambda x: tf.hessian(loss)(x),
        "The Hessian of shape \\[2000\\] by \\[2000\\] takes 0.0 GB",
        "tape.hvp; .* tape.hessian_diagonal; .* tf.autodiff.sparse_hessian",
    ),
}


@pytest.mark.parametrize(("of_tape", "functional", "size", "instead"), WAYS.values(), ids=WAYS)
def test_what_does_not_fit_is_refused(x, of_tape, functional, size, instead):
    with tf.GradientTape() as tape:
        y = x**3
        total = tf.reduce_sum(y)
        with refused(tf.errors.ResourceExhaustedError, size, instead, "set_jacobian_memory"):
            of_tape(tape, y, x)
    assert tape.gradient(total, x).shape == (SIZE,)
    with refused(tf.errors.ResourceExhaustedError, size, instead):
        functional(x)


def test_derivatives_of_samples_that_do_not_fit_are_refused():
    x = tf.Variable(tf.ones([100, 200]))
    with tf.GradientTape(persistent=True) as tape:
        y = x**3
        sums = tf.reduce_sum(y, 1)
    with refused(tf.errors.ResourceExhaustedError, "batch Jacobian", "0.0 GB", "in parts"):
        tape.batch_jacobian(y, x)
    with refused(tf.errors.ResourceExhaustedError, "batch Hessian", "in parts"):
        tape.batch_hessian(sums, x)


@pytest.mark.parametrize("room", ["machine", "setting"])
def test_what_fits_is_computed(monkeypatch, x, room):
    if room == "machine":
        monkeypatch.setattr(machine, "free_memory", lambda: 40_000_000)
    else:
        monkeypatch.setattr(settings, "jacobian_memory", 40_000_000)
    assert tf.jacobian(tf.exp)(x).shape == (SIZE, SIZE)


def test_what_nobody_knows_of_takes_no_room(x):
    with tf.GradientTape(persistent=True) as tape:
        y = x**3
    assert tape.jacobian(y, tf.ones([SIZE])) is None
    assert tape.jacobian(tf.ones([SIZE]), x) is None


def test_sizes_are_told_in_gigabytes(monkeypatch):
    x = tf.Variable(tf.ones([200_000]))
    with tf.GradientTape() as tape:
        y = 2.0 * x
    monkeypatch.setattr(machine, "free_memory", lambda: 12_300_000_000)
    with refused(tf.errors.ResourceExhaustedError, "takes 160.0 GB", "12.3 GB of memory are free"):
        tape.jacobian(y, x)


def test_an_unknown_memory_bounds_nothing(monkeypatch, x):
    monkeypatch.setattr(machine, "free_memory", lambda: None)
    assert tf.jacobian(tf.exp)(x).shape == (SIZE, SIZE)
