"""Arrays for the calls: numbers that look random, and are always the same."""

import numpy as np


class Held(np.ndarray):
    """The value of a variable, of which an op is given the handle."""


def held(array):
    return np.asarray(array).view(Held)


def f(*shape, low=-2.0, high=2.0, seed=0, dtype="float32"):
    """Floats between two bounds."""
    return np.random.RandomState(seed).uniform(low, high, shape).astype(dtype)


def c(*shape, seed=0, dtype="complex64"):
    """Complex numbers."""
    return (f(*shape, seed=seed) + 1j * f(*shape, seed=seed + 50)).astype(dtype)


def i(*numbers, dtype="int32"):
    """Whole numbers."""
    return np.array(numbers, dtype)


def n(*shape, low=0, high=9, seed=0, dtype="int32"):
    """Whole numbers between two bounds."""
    return np.random.RandomState(seed).randint(low, high, shape).astype(dtype)


def s(*texts):
    """Strings."""
    return np.array([text.encode() for text in texts], object)


def one(value, dtype="float32"):
    """A scalar."""
    return np.array(value, dtype)


def words(text):
    """The names in a text."""
    return text.split()
