"""The inputs, the same for every peer."""

from itertools import pairwise

import numpy as np

SCALAR = np.float32(0.9)
FACTOR = 1.01
STEPS = 100
TURNS = 1600
LAYERS = (784, 512, 512, 10)
BATCH = 128
POSITIONS, WIDTH, HEADS = 64, 128, 4
DRAWN = 1_000_000
ROWS, BUFFER = 60_000, 10_000


def mlp(batch):
    """Images, their labels, and the weights and biases of each layer."""
    parameters = []
    for ins, outs in pairwise(LAYERS):
        parameters += [normal(ins, outs) / np.float32(ins**0.5), normal(outs)]
    return normal(batch, LAYERS[0]), np.arange(batch, dtype=np.int32) % LAYERS[-1], parameters


def rows():
    """Images and their labels, as many as of handwritten digits there are."""
    return normal(ROWS, LAYERS[0]), np.arange(ROWS, dtype=np.int32) % LAYERS[-1]


def matrix():
    """A matrix of a million numbers."""
    return normal(1000, 1000)


def table():
    """A table of 100 000 rows of 64 numbers, and which 256 of its rows to look up."""
    rows = np.random.default_rng(1).integers(0, 100_000, 256, dtype=np.int32)
    return normal(100_000, 64), rows


def attention():
    """Sequences, and the parameters of a block: norms, queries, keys and values, what follows."""
    ones, zeros = np.ones(WIDTH, np.float32), np.zeros(WIDTH, np.float32)
    shapes = {"qkv": (WIDTH, 3 * WIDTH), "mix": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH)}
    weights = {name: normal(*shape) / np.float32(WIDTH**0.5) for name, shape in shapes.items()}
    weights["down"] = normal(4 * WIDTH, WIDTH) / np.float32((4 * WIDTH) ** 0.5)
    parameters = {"scale1": ones, "shift1": zeros, "scale2": ones, "shift2": zeros, **weights}
    biases = {f"{name}_bias": normal(each.shape[1]) for name, each in weights.items()}
    return normal(8, POSITIONS, WIDTH), parameters | biases


def images(side=28, channels=16):
    """A batch of images, channels last."""
    return normal(32, side, side, channels)


def layer():
    """The input of a layer and its weights."""
    return normal(8, 20), normal(20, 20)


def layers():
    """A batch of inputs, and the weights of two layers."""
    return normal(256, 64), normal(64, 64) / np.float32(8), normal(64, 32) / np.float32(8)


def examples():
    """Vectors, their labels, and the weights and biases of two layers."""
    parameters = []
    for ins, outs in pairwise((64, 128, 10)):
        parameters += [normal(ins, outs) / np.float32(ins**0.5), normal(outs)]
    return normal(512, 64), np.arange(512, dtype=np.int32) % 10, parameters


def curved():
    """A matrix and a vector, for a function with a dense Hessian."""
    return normal(200, 200) / np.float32(200**0.5), normal(200)


def segments():
    """Rows, and for each the number of the group that it belongs to, of which there are 1000."""
    groups = np.random.default_rng(1).integers(0, 1000, 10_000, dtype=np.int32)
    return normal(10_000, 64), np.sort(groups)


def small():
    """Six vectors of four numbers."""
    return [*normal(6, 4)]


def normal(*shape):
    return np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
