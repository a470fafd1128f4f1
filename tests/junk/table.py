"""TensorFlow's errors for junk: recorded by ``tools/junk_in_tensorflow.py``."""

import gzip
import json
from functools import cache

import cinta as tf
from tests.references import REFERENCES

PATH = REFERENCES / "junk_in_tensorflow.json.gz"

LETTERS = {
    "I": tf.errors.InvalidArgumentError,
    "U": tf.errors.UnimplementedError,
    "O": tf.errors.OutOfRangeError,
    "R": tf.errors.ResourceExhaustedError,
    "N": tf.errors.NotFoundError,
    "F": tf.errors.FailedPreconditionError,
    "E": tf.errors.OpError,
    "A": AttributeError,
    "K": KeyError,
    "X": IndexError,
    "L": LookupError,
    "M": NotImplementedError,
    "S": AssertionError,
    "P": StopIteration,
    "W": OverflowError,
    "T": TypeError,
    "V": ValueError,
    "D": OSError,
    "Y": MemoryError,
    "Q": RuntimeError,
}
"""The letter for a kind of exception; the first that fits counts."""


RETURNS, UNKNOWN = ".", " "
"""The signs for a call that returns, and for one of which nothing is known."""


@cache
def recorded():
    """The letters for each call with ``JUNK`` in it, in the order of the junk."""
    with gzip.open(PATH, "rt") as file:
        return json.load(file)


def letter(error):
    """The letter for an exception."""
    return next((each for each, kind in LETTERS.items() if isinstance(error, kind)), "?")


def raises_too(call, error):
    """Whether TensorFlow raises such an error for some junk in the call."""
    return letter(error) in recorded()["calls"].get(call, "")


def answer(call, junk):
    """TensorFlow's answer to a call: the letter of the error, or one of the two signs."""
    found = recorded()["calls"].get(call)
    return found[recorded()["junk"].index(junk)] if found else UNKNOWN
