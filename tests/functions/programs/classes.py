"""Programs that use classes in the many ways of Python."""

import abc
import dataclasses
import typing

import cinta as tf
from tests.functions.programs.table import program, rows, weights


class Activation(abc.ABC):
    """A base class with a registry of its subclasses."""

    registry: typing.ClassVar[dict] = {}

    def __init_subclass__(cls, name, **options):
        super().__init_subclass__(**options)
        Activation.registry[name] = cls

    @classmethod
    def called(cls, name, **options):
        return cls.registry[name](**options)

    @abc.abstractmethod
    def __call__(self, x): ...


class Swish(Activation, name="swish"):
    def __init__(self, beta=1.0):
        self.beta = beta

    def __call__(self, x):
        return x * tf.sigmoid(self.beta * x)


class Squared(Activation, name="squared"):
    def __call__(self, x):
        return self.positive(x) ** 2

    @staticmethod
    def positive(x):
        return tf.maximum(x, 0.0)


@program
def a_registry_of_classes():
    w = weights(3, 3)
    activations = [Activation.called("swish", beta=1.5), Activation.called("squared")]

    def step(x):
        made = Activation.called("swish")
        for activation in activations:
            x = activation(x @ w)
        return tf.reduce_mean(made(x)) * (2.0 if isinstance(made, Activation) else 1.0)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


class Residual:
    def __call__(self, x):
        return x + super().__call__(x)


class Scaled:
    scale = 0.5

    def __call__(self, x):
        return self.scale * super().__call__(x)


class Linear:
    def __init__(self, size):
        self.w = weights(size, size)

    def __call__(self, x):
        return x @ self.w


class Block(Residual, Scaled, Linear):
    """Mixins that hand on to each other."""


@program
def mixins():
    block = Block(3)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(block(x) ** 2)
        block.w.assign_sub(0.1 * tape.gradient(loss, block.w))
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@dataclasses.dataclass
class Vector:
    """A class with operators over tensors."""

    x: tf.Tensor
    y: tf.Tensor

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __rmul__(self, factor):
        return Vector(factor * self.x, factor * self.y)

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __iter__(self):
        yield from (self.x, self.y)

    def __len__(self):
        return 2


@program
def operators_of_a_class():
    def step(a, b):
        one, other = Vector(a, b), Vector(b, 2.0 * a)
        x, y = one + 0.5 * other
        return (one @ other) * len(one) + x - y

    yield step, rows(3), rows(3, seed=1)
    yield rows(3, seed=2), rows(3, seed=3)


@program
def a_tree_of_parameters():
    tree = {"encoder": [weights(3, 3), {"scale": weights(3)}], "head": (weights(3, 1),)}

    def mapped(function, *trees):
        first = trees[0]
        if isinstance(first, dict):
            return {k: mapped(function, *(t[k] for t in trees)) for k in first}
        if isinstance(first, (list, tuple)):
            return type(first)(mapped(function, *parts) for parts in zip(*trees, strict=True))
        return function(*trees)

    def step(x):
        with tf.GradientTape() as tape:
            hidden = tf.tanh(x @ tree["encoder"][0]) * tree["encoder"][1]["scale"]
            loss = tf.reduce_mean((hidden @ tree["head"][0]) ** 2)
        mapped(lambda v, g: v.assign_sub(0.1 * g), tree, tape.gradient(loss, tree))
        return loss, mapped(tf.reduce_sum, tree)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def cases_that_are_matched():
    plan = [("dense", 3), {"kind": "norm", "epsilon": 1e-6}, "relu", ("scale", 0.5)]
    w = weights(3, 3)

    def step(x):
        for part in plan:
            match part:
                case ("dense", int(size)) if size == x.shape[-1]:
                    x = x @ w
                case {"kind": "norm", "epsilon": epsilon}:
                    x = x / (tf.norm(x, axis=-1, keepdims=True) + epsilon)
                case str(name):
                    x = getattr(tf.nn, name)(x)
                case (_, float(by)):
                    x = by * x
        return tf.reduce_sum(x)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)
