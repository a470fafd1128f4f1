"""Recordings of methods go with their module, whatever that refers to."""

import copy
import gc
import pickle
import tracemalloc
import weakref

import pytest

import cinta as tf


class Child(tf.Module):
    def __init__(self, parent):
        super().__init__()
        self.parent = parent
        self.scale = 2.0


class Parent(tf.Module):
    def __init__(self, weights=4):
        super().__init__()
        self.w = tf.Variable(tf.ones([weights]))
        self.child = Child(self)
        self.children = [Child(self), {"a": Child(self)}]

    @tf.function
    def __call__(self, x):
        return x * self.w * self.child.scale * self.children[0].scale

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def declared(self, x):
        return x * self.w * self.children[1]["a"].scale

    @tf.function(jit_compile=True)
    def compiled(self, x):
        return x * self.w * self.child.parent.child.scale


METHODS = ["__call__", "declared", "compiled"]


@pytest.mark.parametrize("under_a_tape", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_modules_in_circles_go_with_their_recordings(method, under_a_tape):
    parent = Parent()
    gone = [weakref.ref(each) for each in (parent, parent.child, parent.w)]
    recorded = weakref.ref(getattr(parent, method)._variants)
    for _ in range(3):
        with tf.GradientTape() as tape:
            y = getattr(parent, method)(tf.constant(1.0))
        if under_a_tape:
            assert tape.gradient(y, parent.w) is not None
    assert getattr(parent, method).report().replays == 2
    del parent, tape, y
    gc.collect()
    assert [each() for each in (*gone, recorded)] == [None] * 4


def test_many_modules_take_the_memory_of_one():
    def used():
        parent = Parent(100_000)
        for _ in range(3):
            parent(tf.constant(1.0))
        del parent
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        used()
        before = used()
        for _ in range(5):
            after = used()
    finally:
        tracemalloc.stop()
    assert after - before < 100_000


def test_copies_have_recordings_of_their_own():
    parent = Parent()
    for _ in range(2):
        parent(tf.constant(1.0))
    for other in (copy.deepcopy(parent), pickle.loads(pickle.dumps(parent))):
        assert other.__call__.report().calls == 0
        other.child.scale = 5.0
        assert other(tf.constant(1.0)).numpy().tolist() == [10.0] * 4
    assert parent(tf.constant(1.0)).numpy().tolist() == [4.0] * 4
    assert parent.__call__.report().replays == 2


def test_each_module_has_recordings_of_its_own():
    first, second = Parent(), Parent()
    for _ in range(3):
        first(tf.constant(1.0))
    assert first.__call__.experimental_get_tracing_count() == 1
    assert second.__call__.experimental_get_tracing_count() == 0


def test_modules_that_do_not_call_their_base_class():
    class Bare(tf.Module):
        def __init__(self):
            self.me = self

        @tf.function
        def double(self, x):
            return x * 2.0 if self.me is self else x

    bare = Bare()
    gone = weakref.ref(bare)
    for _ in range(3):
        assert float(bare.double(1.0)) == 2.0
    del bare
    gc.collect()
    assert gone() is None
