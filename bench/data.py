"""The inputs, the same for every peer."""

from itertools import pairwise

import numpy as np

SCALAR = np.float32(0.9)
FACTOR = 1.01
STEPS = 100
LAYERS = (784, 512, 512, 10)
BATCH = 128


def mlp(batch):
    """Images, their labels, and the weights and biases of each layer."""
    parameters = []
    for ins, outs in pairwise(LAYERS):
        parameters += [normal(ins, outs) / np.float32(ins**0.5), normal(outs)]
    return normal(batch, LAYERS[0]), np.arange(batch, dtype=np.int32) % LAYERS[-1], parameters


def matrix():
    """A matrix of a million numbers."""
    return normal(1000, 1000)


def table():
    """A table of 100 000 rows of 64 numbers, and which 256 of its rows to look up."""
    rows = np.random.default_rng(1).integers(0, 100_000, 256, dtype=np.int32)
    return normal(100_000, 64), rows


def normal(*shape):
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
