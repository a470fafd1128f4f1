"""Functions that were recorded: what they use of their surroundings is followed."""

import copy
import functools
import gc
import importlib
import sys
import types
import weakref
from collections import deque

import numpy as np
import pytest

import cinta as tf
from cinta.engine.by_itself import check_may_wait
from cinta.replay.captures.guards import in_words
from tests.replaying import recordings


def test_changed_surroundings_are_noticed():
    scale, items, settings = 2.0, [1.0], {"shift": 0.5}

    @tf.function
    def f(x):
        return x * scale + items[-1] + settings["shift"]

    assert f(tf.constant(1.0)).numpy() == 3.5
    scale = 3.0
    assert f(tf.constant(1.0)).numpy() == 4.5
    items.append(10.0)
    assert f(tf.constant(1.0)).numpy() == 13.5
    settings["shift"] = 0.25
    assert f(tf.constant(1.0)).numpy() == 13.25


@pytest.fixture
def of_mine(tmp_path, monkeypatch):
    (tmp_path / "of_mine.py").write_text("factor = 2.0\ndef times(x):\n    return x * factor\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("of_mine")
    del sys.modules["of_mine"]


def holder_of(module):
    """An object whose call depends on a module, its classes, and what it holds."""

    class Base:
        power = 1

        def raised(self, x):
            return x**self.power

    class Holder(Base):
        def __init__(self):
            self.parts = [types.SimpleNamespace(shift=1.0)]
            self.array = np.array([0.0, 0.0])
            self.queue = deque([0.0])

        def __call__(self, x):
            total = self.raised(module.times(x)) + self.parts[0].shift
            return total + self.array + self.queue[-1]

    return Holder()


CHANGES = {
    "nothing": lambda module, holder: None,
    "a number in a module": lambda module, holder: setattr(module, "factor", 3.0),
    "a function in a module": lambda module, holder: setattr(module, "times", lambda x: x * 5.0),
    "a base class": lambda module, holder: setattr(type(holder).__base__, "power", 2),
    "a class": lambda module, holder: setattr(type(holder), "power", 3),
    "a part": lambda module, holder: setattr(holder.parts[0], "shift", 7.0),
    "an array": lambda module, holder: holder.array.__setitem__(0, 9.0),
    "a queue": lambda module, holder: holder.queue.append(4.0),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_changes_are_noticed_wherever_they_happen(of_mine, kind):
    holder, x = holder_of(of_mine), tf.constant([1.0, 2.0])
    replayed = tf.function(lambda x: holder(x))
    before = [replayed(x).numpy().tolist() for _ in range(2)]
    CHANGES[kind](of_mine, holder)
    expected = holder(x).numpy().tolist()
    assert (before == [expected] * 2) == (kind == "nothing")
    assert [replayed(x).numpy().tolist() for _ in range(2)] == [expected] * 2
    assert replayed.report().recordings == (1 if kind == "nothing" else 2)


def test_methods_are_recorded_for_each_object_and_forgotten_with_it():
    class Model(tf.Module):
        def __init__(self, scale):
            super().__init__()
            self.scale = scale

        @tf.function
        def __call__(self, x):
            return x * self.scale

    first, second, x = Model(2.0), Model(3.0), tf.constant(1.0)
    assert [m(x).numpy() for m in (first, second, first, second)] == [2, 3, 2, 3]
    first.scale = 5.0
    assert [m(x).numpy() for m in (first, second)] == [5, 3]
    gone = weakref.ref(first)
    del first
    gc.collect()
    assert gone() is None
    assert len(recordings(second.__call__)) == 1


def test_a_function_can_be_copied_and_be_of_a_partial():
    f = tf.function(functools.partial(lambda k, x: x * k, 3.0))
    assert [float(f(tf.constant(1.0))) for _ in range(2)] == [3, 3]
    assert float(copy.deepcopy(f)(tf.constant(2.0))) == 6


def test_changes_are_described_without_other_processes():
    class Spread:
        def __repr__(self):
            check_may_wait("a value that several processes have")
            return "the whole value"

    told = in_words("x", Spread(), 1)
    assert told.startswith("x changed: <Spread instance")
    assert told.endswith(" → 1")
