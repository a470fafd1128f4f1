"""The table of programs, and the data that they share."""

import numpy as np

import cinta as tf
from tests.functions.running import row_of

PROGRAMS = {}
"""Programs by name."""

program = row_of(PROGRAMS)
"""Adds a program to the table."""


def numbers(*shape, seed=0):
    """Numbers about zero, the same in every run."""
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(np.float32)


def rows(*shape, seed=0):
    """The same as a tensor."""
    return tf.constant(numbers(*shape, seed=seed))


def weights(*shape, seed=0):
    """A variable with such numbers, of the size that layers begin with."""
    return tf.Variable(numbers(*shape, seed=seed) / np.sqrt(shape[0]).astype(np.float32))


def labels(count, classes, seed=0):
    """Classes of rows."""
    return tf.constant(np.random.default_rng(seed).integers(classes, size=count))
