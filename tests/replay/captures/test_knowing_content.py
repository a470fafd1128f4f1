"""Digests change with all that may change what an object does."""

import io
import random
import sys
import types

import numpy as np
import pytest

import cinta as tf
from cinta.knowing_content import Unknown, known_digest_of

OFFSET = 1
settings = types.ModuleType("settings_of_this_test")
settings.scale = 2


class Adder:
    """Adds what it holds."""

    def __init__(self):
        self.amount = 1

    def __call__(self, x):
        return x + self.amount


def shifted(x):
    return x + OFFSET


def digest():
    return known_digest_of(lambda x: shifted(x) * settings.scale)


def test_globals_of_functions_count(monkeypatch):
    first = digest()
    assert digest() == first
    monkeypatch.setattr(sys.modules[__name__], "OFFSET", 2)
    assert digest() != first
    monkeypatch.undo()
    assert digest() == first
    monkeypatch.setattr(settings, "scale", 3)
    assert digest() != first
    monkeypatch.setattr(settings, "scale", 2)
    settings.other = 5
    assert digest() == first


def test_methods_and_attributes_of_objects_count(monkeypatch):
    adder = Adder()
    first = known_digest_of(adder)
    assert known_digest_of(Adder()) == first
    adder.amount = 2
    assert known_digest_of(adder) != first
    adder.amount = 1
    monkeypatch.setattr(Adder, "__call__", lambda self, x: x - self.amount)
    assert known_digest_of(adder) != first


@pytest.mark.parametrize("make", [lambda: random.Random(1), lambda: np.random.default_rng(1)])
def test_objects_written_in_c_give_their_state(make):
    source = make()
    first = known_digest_of(source)
    assert known_digest_of(make()) == first
    source.random()
    assert known_digest_of(source) != first


def test_variables_and_tables_count():
    v = tf.Variable(1.0)

    def read():
        return v

    first = known_digest_of(read)
    v.assign(2.0)
    assert known_digest_of(read) != first
    keys = tf.constant(["a", "b"])
    tables = [
        tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(keys, values), 0)
        for values in ([1, 2], [1, 3], [1, 2])
    ]
    one, other, same = map(known_digest_of, tables)
    assert one == same != other


@pytest.mark.parametrize("make", [lambda: open(__file__), lambda: (i for i in ())])  # noqa: SIM115
def test_objects_that_do_not_tell_their_state_are_refused(make):
    held = make()
    with pytest.raises(Unknown, match="does not tell what it holds"):
        known_digest_of([held])
    held.close()


def test_classes_of_libraries_are_known_by_their_names():
    assert known_digest_of(io.StringIO) == known_digest_of(io.StringIO)
    assert known_digest_of(io.StringIO) != known_digest_of(io.BytesIO)
