"""Recordings keep nothing alive that the program has dropped."""

import gc
import weakref

import numpy as np
import pytest

import cinta as tf


class Holder:
    def __init__(self, k=2.0):
        self.k = k
        self.w = tf.Variable(1.0)


HELD = {
    "an object": lambda: Holder(),
    "an array": lambda: np.ones(3),
    "a tensor": lambda: tf.constant(2.0),
    "a function": lambda: lambda x: x * 2.0,
}

USES = {
    "an object": lambda x, held: x * held.k + held.w,
    "an array": lambda x, held: x * held[0],
    "a tensor": lambda x, held: x * held,
    "a function": lambda x, held: held(x),
}


@pytest.mark.parametrize("kind", HELD)
def test_what_the_program_drops_goes(kind):
    box, use = Holder(), USES[kind]
    box.part = HELD[kind]()
    f = tf.function(lambda x: use(x, box.part))
    for _ in range(3):
        f(tf.constant(1.0))
    assert f.report().replays == 2
    gone = weakref.ref(box.part)
    box.part = HELD[kind]()
    gc.collect()
    assert gone() is None
    assert f(tf.constant(1.0)).numpy() == use(tf.constant(1.0), box.part).numpy()


def test_recordings_go_with_what_they_need():
    box = Holder()
    box.part = Holder()
    f = tf.function(lambda x: x * box.part.k)
    for _ in range(3):
        f(tf.constant(1.0))
    assert len(list(f._variants)) == 1
    box.part = None
    gc.collect()
    assert not list(f._variants)
    assert f.report().calls == 3
