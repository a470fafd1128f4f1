"""More styles of Python: containers made inside, arguments of all kinds, small languages."""

import collections
import copy
import functools
import inspect
import string
import sys
import types
import typing
import warnings
from unittest import mock

import einops
import numpy as np

import cinta as tf
from tests.functions.programs.table import program, rows, weights

T = typing.TypeVar("T")


@program
def containers_made_inside():
    ws = {"a": weights(3, 3), "b": weights(3, 3, seed=1)}

    def step(x):
        found = collections.defaultdict(list)
        order = collections.OrderedDict(sorted(ws.items()))
        queue = collections.deque(maxlen=2)
        for name, w in order.items():
            found[name[0]].append(tf.reduce_sum(x @ w))
            queue.append(found[name][-1])
        counts = collections.Counter(name for name in ws for _ in range(2))
        total = sum(counts.values()) * queue[0]
        return total + tf.add_n([y for ys in found.values() for y in ys])

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def a_namespace_of_settings():
    settings = types.SimpleNamespace(rate=0.1, steps=3, optimizer=types.SimpleNamespace(beta=0.9))
    w, m = weights(3, 1), tf.Variable(tf.zeros([3, 1]))

    def step(x):
        for _ in range(settings.steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w - 1.0) ** 2)
            m.assign(settings.optimizer.beta * m + tape.gradient(loss, w))
            w.assign_sub(settings.rate * m)
        return loss

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def arguments_of_all_kinds():
    def mixed(x, /, *others, scale=1.0, **named):
        total = scale * x
        for other in others:
            total += other
        return total + sum(named[name] * (i + 1) for i, name in enumerate(sorted(named)))

    def step(x, *others, **named):
        options = {"scale": 0.5, **named}
        return mixed(x, *others, x, **options) + mixed(x)

    yield step, rows(3), rows(3, seed=1), rows(3, seed=2)
    yield rows(3, seed=3), rows(3, seed=4), rows(3, seed=5)


@program
def metrics_as_objects():
    class Mean:
        def __init__(self):
            self.total, self.count = tf.Variable(0.0), tf.Variable(0.0)

        def update(self, values):
            self.total.assign_add(tf.reduce_sum(values))
            self.count.assign_add(tf.cast(tf.size(values), tf.float32))

        @property
        def result(self):
            return tf.math.divide_no_nan(self.total, self.count)

    metrics = {"error": Mean(), "square": Mean()}

    def step(x):
        for name, values in {"error": tf.abs(x), "square": x**2}.items():
            metrics[name].update(values)
        return {name: metric.result for name, metric in metrics.items()}

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def loops_of_python_and_of_tensors():
    w, inner = weights(3, 3), 2

    def step(x, turns):
        for i in tf.range(turns):
            for j in range(inner):
                x = tf.tanh(x @ w) + tf.cast(i, tf.float32) * 0.1 * j
        while tf.reduce_sum(x**2) > 1.0:
            x = 0.7 * x
        return x

    yield step, rows(2, 3), tf.constant(3)
    yield rows(2, 3, seed=1), tf.constant(3)


@program
def a_model_that_describes_itself():
    class Model:
        def __init__(self, **sizes):
            self.parts = {name: weights(3, size) for name, size in sizes.items()}

        def __getattr__(self, name):
            try:
                return vars(self)["parts"][name]
            except KeyError:
                raise AttributeError(name) from None

        def __contains__(self, name):
            return name in self.parts

        def __iter__(self):
            return iter(self.parts.values())

        def __bool__(self):
            return bool(self.parts)

    model = Model(narrow=1, wide=5)

    def step(x):
        assert model
        y = x @ model.wide if "wide" in model else x
        return tf.reduce_sum(y) + sum(tf.reduce_sum(x @ w) for w in model)

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def a_pipeline_of_steps():
    class Pipeline(typing.Generic[T]):
        def __init__(self, *steps):
            self.steps = steps

        def __or__(self, step):
            return Pipeline(*self.steps, step)

        def __call__(self, x: T) -> T:
            return functools.reduce(lambda value, step: step(value), self.steps, x)

    w = weights(3, 3)
    pipeline = Pipeline(tf.nn.relu) | (lambda x: x @ w) | functools.partial(tf.reduce_sum, axis=-1)

    yield pipeline, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def a_copy_of_settings():
    defaults = {"sizes": [3, 4], "scale": 2.0}

    def step(x):
        settings = copy.deepcopy(defaults)
        settings["sizes"].append(5)
        settings.update(scale=0.5 * settings["scale"])
        return x * settings["scale"] * sum(settings["sizes"])

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def warnings_and_assertions():
    limit = 10

    def step(x):
        assert x.shape.rank == 2, f"a matrix is expected, {x.shape} was given"
        if x.shape[0] > limit:
            warnings.warn("many rows", stacklevel=2)
        tf.debugging.assert_rank(x, 2)
        return tf.reduce_sum(x) if (count := x.shape[0]) > 2 else x * count

    yield step, rows(4, 3)
    yield rows(4, 3, seed=1)


@program
def a_function_that_looks_at_another():
    def energy(x, scale=2.0, *, shift=1.0):
        return scale * x**2 + shift

    accepted = inspect.signature(energy).parameters
    given = {"shift": 3.0, "other": 4.0}

    def step(x):
        return energy(x, **{k: v for k, v in given.items() if k in accepted})

    yield step, rows(3)
    yield rows(3, seed=1)


@program
def equations_in_einsum():
    letters = string.ascii_lowercase
    parts = [weights(2, 2, seed=i) for i in range(3)]

    def step(x):
        for part in parts:
            batch = letters[: x.shape.rank - 1]
            x = tf.einsum(f"{batch}y,yz->{batch}z", x, part)
        return x

    yield step, rows(3, 2, 2)
    yield rows(3, 2, 2, seed=1)


@program
def a_table_of_settings_by_kind():
    table = {int: lambda v: float(v), str: len, list: sum, type(None): lambda v: 0.0}
    values = [1, "two", [1.0, 2.0], None]

    def step(x):
        return x * sum(table[type(value)](value) for value in values)

    yield step, rows(3)
    yield rows(3, seed=1)


def rearranged(x, pattern, **sizes):
    """Axes by name, in the way of einops, without its groups."""
    before, after = (side.split() for side in pattern.split("->"))
    known = {**dict(zip(before, x.shape, strict=True)), **sizes}
    x = tf.transpose(x, [before.index(name) for name in after if name in before])
    for i, name in enumerate(after):
        if name not in before:
            x = tf.repeat(tf.expand_dims(x, i), known[name], axis=i)
    return x


@program
def axes_by_name():
    def step(x):
        y = rearranged(x, "batch row column -> batch column row")
        return rearranged(y, "b c r -> b copies r c", copies=2)

    yield step, rows(2, 3, 4)
    yield rows(2, 3, 4, seed=1)


def with_einops():
    """Let einops know the tensors: it takes them for TensorFlow's where it finds that name."""
    with mock.patch.dict(sys.modules, tensorflow=tf):
        einops.rearrange(tf.zeros([1]), "a -> a")


@program
def einops_rearranges():
    with_einops()
    w = weights(4, 6)

    def step(image):
        patches = einops.rearrange(image, "b (h p) (w q) c -> b (h w) (p q c)", p=2, q=2)
        tokens = einops.einsum(patches, w, "b n d, d e -> b n e")
        heads = einops.rearrange(tokens, "b n (heads e) -> b heads n e", heads=2)
        return einops.reduce(heads, "b heads n e -> b e", "mean")

    yield step, rows(2, 4, 4, 1)
    yield rows(2, 4, 4, 1, seed=1)


@program
def einops_in_a_training_step():
    with_einops()
    w = weights(3, 3)

    def step(x):
        with tf.GradientTape() as tape:
            y = einops.repeat(x @ w, "b d -> b copies d", copies=2)
            loss = einops.reduce(y**2, "b copies d ->", "sum") / np.prod(y.shape).astype(np.float32)
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    yield step, rows(2, 3)
    yield rows(2, 3, seed=1)
