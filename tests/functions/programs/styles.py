"""Programs in the many styles of Python."""

import contextlib
import dataclasses
import enum
import functools
import itertools
import logging
import math
import operator
import typing

import numpy as np

import cinta as tf
from tests.functions.programs.table import program, rows, weights

LOGGER = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Config:
    size: int = 4
    rate: float = 0.1
    activation: str = "tanh"
    penalties: dict = dataclasses.field(default_factory=lambda: {"l1": 0.01, "l2": 0.1})

    @property
    def hidden(self):
        return 2 * self.size

    @classmethod
    def small(cls, **changes):
        return dataclasses.replace(cls(size=2), **changes)


@program
def a_dataclass_of_settings():
    config = Config.small(rate=0.2)
    w, v = weights(3, config.hidden), weights(config.hidden, 1)

    def step(x, y):
        with tf.GradientTape() as tape:
            hidden = getattr(tf.nn, config.activation)(x @ w)
            loss = tf.reduce_mean((hidden @ v - y) ** 2)
            loss += config.penalties["l2"] * tf.nn.l2_loss(w)
            loss += config.penalties["l1"] * tf.reduce_sum(tf.abs(v))
        for variable, g in zip((w, v), tape.gradient(loss, (w, v)), strict=True):
            variable.assign_sub(config.rate * g)
        return loss

    yield step, rows(4, 3), rows(4, 1)
    yield rows(4, 3, seed=1), rows(4, 1, seed=1)


class Reduction(enum.Enum):
    MEAN = "mean"
    SUM = "sum"

    def __call__(self, x):
        return {Reduction.MEAN: tf.reduce_mean, Reduction.SUM: tf.reduce_sum}[self](x)


@program
def modes_of_an_enumeration():
    w, reduction = weights(3, 1), Reduction.MEAN

    def step(x, mode):
        y = tf.sigmoid(x @ w) if mode is Reduction.SUM else x @ w
        return reduction(y) + Reduction("sum")(y) * mode.value.count("m")

    yield step, rows(4, 3), Reduction.SUM
    yield rows(4, 3), Reduction.MEAN


class State(typing.NamedTuple):
    place: tf.Tensor
    speed: tf.Tensor
    step: int = 0


@program
def a_named_tuple_of_state():
    def step(state, force):
        speed = state.speed + 0.1 * force
        return state._replace(place=state.place + 0.1 * speed, speed=speed)[:2]

    yield step, State(rows(3), rows(3, seed=1)), rows(3, seed=2)
    yield State(rows(3, seed=4), rows(3, seed=5)), rows(3, seed=6)


@program
def partial_functions():
    w = weights(3, 3)
    penalized = functools.partial(lambda x, weight, power: weight * tf.abs(x) ** power, power=2.0)
    losses = {"big": functools.partial(penalized, weight=0.5), "small": penalized}

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(losses["big"](x @ w) + losses["small"](x, weight=0.1))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


def scaled(by):
    """A decorator with an argument."""

    def decorated(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return by * function(*args, **kwargs)

        return wrapper

    return decorated


def named(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        with tf.name_scope(function.__name__):
            return function(*args, **kwargs)

    return wrapper


@program
def decorators():
    @named
    @scaled(0.5)
    def energy(x, power=2):
        return tf.reduce_sum(x**power)

    yield (lambda x: energy(x) + energy(x, power=3)), rows(4)
    yield rows(4, seed=1)


@program
def closures():
    def layer(n, m, seed):
        w = weights(n, m, seed=seed)

        def apply(x):
            return tf.nn.relu(x @ w)

        apply.variables = [w]
        return apply

    def chained(*layers):
        return lambda x: functools.reduce(lambda y, layer: layer(y), layers, x)

    layers = [layer(3, 4, 0), layer(4, 2, 1)]
    model = chained(*layers)

    def step(x):
        variables = [v for layer in layers for v in layer.variables]
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.1 * g)
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def logging_as_it_goes():
    w, settings = weights(3, 1), {"verbose": True}

    def step(x):
        y = x @ w
        LOGGER.debug("a batch of %d rows", x.shape[0])
        if settings["verbose"]:
            LOGGER.info(f"{y.shape=} and {len(x.shape)} dimensions")
        return tf.reduce_mean(y)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def names_that_are_formatted():
    parameters = {f"layer_{i}/{part}": weights(3, 3, seed=i) for i in range(3) for part in "wb"}

    def step(x):
        for i in range(3):
            x = tf.tanh(x @ parameters[f"layer_{i}/w"] + parameters[f"layer_{i}/b"][0])
        return tf.reduce_sum(x) * float(f"{0.5:.2f}")

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def comprehensions():
    ws, scales = [weights(3, 3, seed=i) for i in range(3)], (1.0, 0.5, 0.25)

    def step(x):
        parts = [scale * (x @ w) for w, scale in zip(ws, scales, strict=True) if scale > 0.3]
        best = {i: tf.reduce_max(part) for i, part in enumerate(parts)}
        order = sorted(best, key=lambda i: -i)
        shapes = {part.shape[0] for part in parts}
        return tf.add_n([best[i] for i in order]) * len(shapes) + sum(p[0, 0] for p in parts)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def generators_that_live_inside():
    ws = [weights(3, 3, seed=i) for i in range(3)]

    def activations(x):
        for w in ws:
            x = tf.nn.relu(x @ w)
            yield x

    def step(x):
        total = tf.constant(0.0)
        for depth, activation in enumerate(activations(x), start=1):
            total += tf.reduce_mean(activation) / depth
        first = next(activations(x))
        return total + sum(tf.reduce_sum(a) for a in activations(x)) + tf.reduce_max(first)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def tools_for_iterators():
    parts = [weights(2, 2, seed=i) for i in range(3)]

    def step(x):
        pairs = [a @ b for a, b in itertools.combinations(parts, 2)]
        turns = itertools.islice(itertools.cycle([1.0, -1.0]), len(pairs))
        signed = [sign * tf.reduce_sum(x @ p) for sign, p in zip(turns, pairs, strict=True)]
        return functools.reduce(operator.add, itertools.chain(signed, [tf.constant(1.0)]))

    yield step, rows(2, 2)
    yield rows(2, 2, seed=1)


@program
def errors_that_are_caught():
    w, table = weights(3, 1), {"scale": 2.0}

    def step(x):
        try:
            shift = table["shift"]
        except KeyError:
            shift = 1.0
        try:
            y = x @ tf.transpose(w)
        except (ValueError, tf.errors.InvalidArgumentError):
            y = x @ w
        finally:
            y = y * table["scale"]
        return tf.reduce_mean(y) + shift

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@contextlib.contextmanager
def recording(weight):
    with tf.GradientTape() as tape:
        tape.weight = weight
        yield tape


class Scope:
    """A context that counts how deep it is, and leaves nothing behind."""

    depth = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


@program
def contexts():
    w = weights(3, 1)

    def step(x):
        with (
            Scope() as scope,
            recording(0.5),
            tf.GradientTape() as tape,
            contextlib.suppress(KeyError),
        ):
            loss = tf.reduce_mean((x @ w) ** 2) + scope.depth
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def mathematics_on_numbers():
    size, heads, alpha = 8, 2, np.float64(0.25)
    bands = np.linspace(0.0, 1.0, 5)
    grid = np.stack(np.meshgrid(np.arange(2), np.arange(2)), -1).reshape(-1, 2)

    def step(x):
        scale = 1 / math.sqrt(size // heads) + math.log2(size) * math.pi / 180
        filters = np.exp(-(bands**2) / (2 * 0.3**2)).astype(np.float32)
        y = x * scale * filters + np.prod([2, 3]) * float(np.clip(alpha, 0.0, 0.2))
        return (
            tf.reduce_sum(y)
            + tf.cast(grid.sum(axis=0), tf.float32) * round(1.26, 1)
            + divmod(7, 2)[1]
        )

    yield step, rows(4, 5)
    yield rows(4, 5, seed=1)
