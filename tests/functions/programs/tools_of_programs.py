"""Programs with the tools that people build for themselves: hooks, registries, states, settings."""

import abc
import collections
import contextlib
import dataclasses
import functools
import json
import logging
import sys
import typing

import attrs

import cinta as tf
from tests.functions.programs.table import labels, program, rows, weights

log = logging.getLogger(__name__)
S = typing.TypeVar("S")


@program
def states_of_attrs():
    @attrs.frozen
    class State:
        x: tf.Tensor
        v: tf.Tensor

        def kicked(self, force, h):
            return attrs.evolve(self, v=self.v + h * force)

    @attrs.define
    class Settings:
        k: float = 1.0
        h: float = attrs.field(default=0.1, validator=attrs.validators.gt(0), converter=float)
        names: list[str] = attrs.Factory(list)

    settings = Settings()

    def step(x, v):
        state = State(x, v)
        for _ in range(3):
            state = state.kicked(-settings.k * state.x, settings.h)
            state = attrs.evolve(state, x=state.x + settings.h * state.v)
        log.debug(f"with {settings}")
        return state.x, state.v

    yield step, rows(3), rows(3, seed=1)
    yield rows(3, seed=2), rows(3, seed=3)


@program
def a_checkpoint_that_is_trained():
    net = tf.Module()
    net.w = weights(3, 1)
    checkpoint = tf.train.Checkpoint(step=tf.Variable(0), net=net)

    def step(x):
        checkpoint.step.assign_add(1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ checkpoint.net.w) ** 2)
        net.w.assign_sub(0.1 * tape.gradient(loss, net.w))
        return loss, checkpoint.step

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def versions_that_are_asked():
    def step(x):
        if sys.version_info >= (3, 9) and tf.__version__:
            x = x * 2.0
        if sys.flags.optimize or typing.TYPE_CHECKING:
            x = x * 3.0
        return x + sys.float_info.epsilon

    yield step, rows(3)
    yield rows(3, seed=1)


@program
def a_registry_with_defaults():
    models = {}

    def register(name, **defaults):
        def decorated(function):
            @functools.wraps(function)
            def wrapped(*args, **kwargs):
                return function(*args, **{**defaults, **kwargs})

            models[name] = wrapped
            return wrapped

        return decorated

    @register("affine", scale=2.0)
    def affine(x, w, scale=1.0):
        return scale * x @ w

    @register("bent")
    def bent(x, w):
        return tf.tanh(x @ w)

    w = weights(3, 3)

    def step(x, names=("affine", "bent")):
        for name in names:
            x = models[name](x, w)
        return tf.reduce_sum(x)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def steps_that_are_matched():
    w = weights(3, 3)
    steps = [("scale", 2.0), ("bend",), {"op": "add", "value": 1.0}, ("dense", w)]

    def run(x):
        for step in steps:
            match step:
                case ("scale", k):
                    x = x * k
                case ("bend",):
                    x = tf.nn.relu(x)
                case {"op": "add", "value": value}:
                    x = x + value
                case (name, matrix) if (length := len(name)) == 5:
                    x = x @ matrix * float(length)
                case _:
                    raise ValueError(step)
        return x

    yield run, rows(2, 3)
    yield rows(2, 3, seed=1)


@program
def a_tableau_of_runge_and_kutta():
    class Tableau(typing.NamedTuple):
        a: tuple
        b: tuple
        c: tuple

        @property
        def stages(self):
            return len(self.b)

    heun = Tableau(((), (1.0,)), (0.5, 0.5), (0.0, 1.0))

    def slope(t, y, args):
        return -args["k"] * y + t

    def step(y, args={"k": 0.3}):  # noqa: B006  # as people write it
        t, h = 0.0, 0.1
        for _ in range(5):
            ks = []
            for i in range(heun.stages):
                before = sum((a * k for a, k in zip(heun.a[i], ks)), start=tf.zeros_like(y))  # noqa: B905
                ks.append(slope(t + heun.c[i] * h, y + h * before, args))
            y = y + h * tf.add_n([b * k for b, k in zip(heun.b, ks, strict=True)])
            t += h
        return y

    yield step, rows(3)
    yield rows(3, seed=1)


@program
def averages_that_are_swapped_in():
    class Averages:
        def __init__(self, variables, decay):
            self.variables, self.decay = variables, decay
            self.shadows = [tf.Variable(each) for each in variables]

        def update(self):
            for shadow, each in zip(self.shadows, self.variables, strict=True):
                shadow.assign(self.decay * shadow + (1 - self.decay) * each)

        @contextlib.contextmanager
        def swapped(self):
            saved = [tf.identity(each) for each in self.variables]
            for each, shadow in zip(self.variables, self.shadows, strict=True):
                each.assign(shadow)
            try:
                yield
            finally:
                for each, old in zip(self.variables, saved, strict=True):
                    each.assign(old)

    ws = [weights(3, 3), weights(3, 1)]
    averages = Averages(ws, 0.9)

    def net(x):
        return tf.nn.relu(x @ ws[0]) @ ws[1]

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x) ** 2)
        for w, g in zip(ws, tape.gradient(loss, ws), strict=True):
            w.assign_sub(0.1 * g)
        averages.update()
        with averages.swapped():
            return loss, tf.reduce_mean(net(x))

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def hooks_on_gradients():
    class Hook(abc.ABC):
        @abc.abstractmethod
        def on(self, gradients): ...

    class Clip(Hook):
        def __init__(self, most):
            self.most = most

        def on(self, gradients):
            return [tf.clip_by_value(g, -self.most, self.most) for g in gradients]

    class Shift(Hook):
        by = 0.01

        def on(self, gradients):
            return [g + self.by for g in gradients]

    hooks, ws = [Clip(0.1), Shift()], [weights(3, 3), weights(3, 1)]

    def step(x):
        with tf.GradientTape() as tape:
            y = functools.reduce(lambda y, w: tf.tanh(y @ w), ws, x)
            loss = tf.reduce_sum(y)
        gradients = functools.reduce(lambda g, hook: hook.on(g), hooks, tape.gradient(loss, ws))
        for w, g in zip(ws, gradients, strict=True):
            w.assign_sub(g)
        return {f"loss/{len(hooks)} hooks": loss}

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def optimizers_of_ones_own():
    class Descent:
        def __init__(self, variables, rate):
            self.variables, self.rate = list(variables), rate

        def step(self, gradients):
            for variable, g in zip(self.variables, gradients, strict=True):
                self.update(variable, g)

        def update(self, variable, g):
            variable.assign_sub(self.rate * g)

    class Momentum(Descent):
        def __init__(self, variables, rate, keep=0.9):
            super().__init__(variables, rate)
            self.keep = keep
            self.moments = {v.ref(): tf.Variable(tf.zeros_like(v)) for v in self.variables}

        def update(self, variable, g):
            moment = self.moments[variable.ref()]
            moment.assign(self.keep * moment + g)
            super().update(variable, moment)

    ws = [weights(3, 3), weights(3, 1)]
    optimizer = Momentum(ws, 0.1)

    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((x @ ws[0] @ ws[1]) ** 2)
        optimizer.step(tape.gradient(loss, ws))
        return loss

    yield step, rows(2, 3)
    yield rows(2, 3, seed=1)


@program
def cells_of_a_generic_class():
    class Cell(typing.Generic[S], tf.Module, abc.ABC):
        @abc.abstractmethod
        def __call__(self, state: S, x: tf.Tensor) -> tuple[S, tf.Tensor]: ...

    class Gated(Cell[tf.Tensor]):
        def __init__(self, size):
            super().__init__(name="gated")
            self.w, self.u = weights(size, 2 * size), weights(size, 2 * size, seed=1)

        def __call__(self, state, x):
            gate, new = tf.split(x @ self.w + state @ self.u, 2, -1)
            gate = tf.sigmoid(gate)
            state = gate * state + (1 - gate) * tf.tanh(new)
            return state, state

    cell = Gated(3)

    def unrolled(xs):
        state, found = tf.zeros([xs.shape[0], 3]), []
        for x in tf.unstack(xs, axis=1):
            state, y = cell(state, x)
            found.append(y)
        return tf.stack(found, 1)

    yield unrolled, rows(2, 4, 3)
    yield rows(2, 4, 3, seed=1)


@program
def settings_from_json():
    settings = json.loads('{"layers": [{"units": 3, "act": "relu"}, {"units": 1, "act": null}]}')
    ws = [weights(3, each["units"], seed=i) for i, each in enumerate(settings["layers"])]

    def net(x):
        for w, layer in zip(ws, settings["layers"], strict=True):
            x = x @ w
            if act := layer.get("act"):
                x = getattr(tf.nn, act)(x)
        return x

    yield net, rows(2, 3)
    yield rows(2, 3, seed=1)


@program
def rates_by_group():
    ws = {"in/w": weights(3, 3), "in/b": weights(3), "out/w": weights(3, 2)}
    groups = collections.defaultdict(list)
    for name, w in ws.items():
        groups[name.split("/")[0]].append(w)
    rates = collections.ChainMap({"in": 0.1}, {"out": 0.01, "in": 0.5})

    def step(x, y):
        with tf.GradientTape() as tape:
            logits = tf.tanh(x @ ws["in/w"] + ws["in/b"]) @ ws["out/w"]
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
        every = [w for group in groups.values() for w in group]
        gradients = dict(zip([w.ref() for w in every], tape.gradient(losses, every), strict=True))
        for name, group in groups.items():
            for w in group:
                w.assign_sub(rates[name] * gradients[w.ref()])
        return tf.reduce_mean(losses)

    yield step, rows(4, 3), labels(4, 2)
    yield rows(4, 3, seed=1), labels(4, 2, seed=1)


@program
def particles_with_a_frozen_state():
    @dataclasses.dataclass(frozen=True)
    class State:
        r: tf.Tensor
        v: tf.Tensor

    class Pair:
        depth, reach = 1.0, 0.8

        def __call__(self, r):
            d = r[:, None] - r[None]
            squared = tf.reduce_sum(d**2, -1) + tf.eye(len(r)) * 1e6
            ratio = (self.reach**2 / squared) ** 3
            return 2 * self.depth * tf.reduce_sum(ratio**2 - ratio)

        def force(self, r):
            with tf.GradientTape() as tape:
                tape.watch(r)
                energy = self(r)
            return -tape.gradient(energy, r)

    pair = Pair()

    def step(r, v, h=1e-3):
        state = State(r, v)
        for _ in range(3):
            state = dataclasses.replace(state, v=state.v + h * pair.force(state.r))
            state = dataclasses.replace(state, r=state.r + h * state.v)
        return dataclasses.asdict(state)

    yield step, rows(4, 3), rows(4, 3, seed=1)
    yield rows(4, 3, seed=2), rows(4, 3, seed=1)
