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


# -- the workload: inputs, labels, and parameters by name -------------------------------------

CLASSES = 10


def scaled(*shape):
    """Weights for inputs of which there are as many as all axes but the last have numbers."""
    return normal(*shape) / np.float32(np.prod(shape[:-1]) ** 0.5)


def zeros(*names, of):
    return {name: np.zeros(of, np.float32) for name in names}


def trained_mlp():
    images, labels, (w1, b1, w2, b2, w3, b3) = mlp(BATCH)
    return images, labels, {"w1": w1, "b1": b1, "w2": w2, "b2": b2, "w3": w3, "b3": b3}


def trained_cnn():
    """Images 28×28, and two layers of filters, of which each is pooled, before the last one."""
    weights = {"f1": scaled(3, 3, 1, 16), "f2": scaled(3, 3, 16, 32), "w": scaled(1568, CLASSES)}
    biases = zeros("b1", of=16) | zeros("b2", of=32) | zeros("b", of=CLASSES)
    return normal(BATCH, 28, 28, 1), np.arange(BATCH, dtype=np.int32) % CLASSES, weights | biases


def trained_transformer(batch=16, blocks=2):
    """Sequences of which each position is classified; the parameters of blocks, as `attention`."""
    _, one = attention()
    parameters = {f"{name}/{i}": each for i in range(blocks) for name, each in one.items()}
    parameters |= {"w": scaled(WIDTH, CLASSES)} | zeros("b", of=CLASSES)
    labels = np.arange(batch * POSITIONS, dtype=np.int32) % CLASSES
    return normal(batch, POSITIONS, WIDTH), labels, parameters


def trained_lstm(batch=32, time=50, size=64, units=128):
    """Sequences, time in front, of which each is classified by the last output of an LSTM."""
    weights = {"kernel": scaled(size, 4 * units), "recurrent": scaled(units, 4 * units)}
    rest = {"w": scaled(units, CLASSES)} | zeros("b", of=CLASSES) | zeros("gates", of=4 * units)
    return normal(time, batch, size), np.arange(batch, dtype=np.int32) % CLASSES, weights | rest


# -- networks of so many million numbers: inputs, and parameters by name ----------------------

DEEP, WIDE, NARROW, BLOCKS = 6, 4, 10, 8


def large_mlp(millions, batch=512):
    width = round(409.6 * millions**0.5)
    sizes = [784, *[width] * DEEP]
    parameters = {f"w{i}": scaled(*each) for i, each in enumerate(pairwise(sizes))}
    return normal(batch, 784), parameters | zeros(*[f"b{i}" for i in range(DEEP)], of=width)


def large_convnet(millions, batch=8):
    """Wide images with few channels, then narrow ones with many."""
    many = round(102.4 * millions**0.5)
    sizes = [3, *[64] * WIDE, *[many] * NARROW]
    parameters = {f"f{i}": scaled(3, 3, *each) for i, each in enumerate(pairwise(sizes))}
    for i, size in enumerate(sizes[1:]):
        parameters |= zeros(f"b{i}", of=size)
    return normal(batch, 64, 64, 3), parameters


def large_transformer(millions, batch=4, positions=128):
    width = HEADS * round(25.6 * millions**0.5)
    parameters = {}
    for i in range(BLOCKS):
        sizes = {"qkv": 3 * width, "mix": width, "up": 4 * width}
        one = {name: scaled(width, size) for name, size in sizes.items()}
        one |= {f"{name}_bias": np.zeros(size, np.float32) for name, size in sizes.items()}
        one |= {"down": scaled(4 * width, width)} | zeros("down_bias", "shift1", "shift2", of=width)
        one |= {name: np.ones(width, np.float32) for name in ("scale1", "scale2")}
        parameters |= {f"{name}/{i}": each for name, each in one.items()}
    return normal(batch, positions, width), parameters
