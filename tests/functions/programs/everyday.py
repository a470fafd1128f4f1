"""Small programs with everyday ways of keeping weights, settings and states."""

import collections
import dataclasses
import logging
import operator
import random
import types

import numpy as np

import cinta as tf
from tests.functions.programs.table import program, rows, weights

keras = tf.keras


@program
def lists_of_weights():
    class MLP:
        def __init__(self):
            self.ws = [weights(3, 4), weights(4, 4, seed=1), weights(4, 1, seed=2)]

        def __call__(self, x):
            for w in self.ws[:-1]:
                x = tf.nn.relu(x @ w)
            return x @ self.ws[-1]

    m = MLP()

    def step(x, y):
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((m(x) - y) ** 2)
        for w, g in zip(m.ws, t.gradient(loss, m.ws), strict=False):
            w.assign_sub(0.1 * g)
        return loss

    yield (step, rows(4, 3), rows(4, 1))
    yield (rows(4, 3, seed=5), rows(4, 1, seed=5))


@program
def settings_in_a_dictionary():
    cfg = {"lr": 0.1, "layers": [4, 4], "act": "relu", "opts": {"decay": 0.9}}
    w = weights(3, 1)

    def step(x, y):
        act = {"relu": tf.nn.relu, "tanh": tf.tanh}.get(cfg.get("act", "tanh"))
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((act(x @ w) - y) ** 2) * cfg.get("scale", 1.0)
        w.assign_sub(cfg["lr"] * cfg.get("opts", {}).get("decay", 1.0) * t.gradient(loss, w))
        for v in cfg.values():
            if isinstance(v, float):
                loss = loss + v
        return loss

    yield (step, rows(4, 3), rows(4, 1))
    yield (rows(4, 3, seed=5), rows(4, 1, seed=5))


@program
def constants_of_numpy_in_parts():
    table = np.random.default_rng(0).normal(size=(30, 10)).astype(np.float32)
    w = weights(10, 1)

    def step(x):
        return tf.reduce_sum(tf.constant(table[:8]) @ w * x) + table.mean() + table.shape[0]

    yield (step, tf.constant(2.0))
    yield tf.constant(3.0)


@program
def large_data_in_batches():
    data = np.random.default_rng(0).normal(size=(2000, 30)).astype(np.float32)
    w = weights(30, 1)

    def step(i):
        batch = tf.gather(data, tf.range(i * 8, i * 8 + 8))
        return tf.reduce_sum(batch @ w)

    yield (step, tf.constant(2))
    yield tf.constant(3)


@program
def averages_of_weights_in_an_object():
    class EMA:
        def __init__(self, vs, decay=0.99):
            self.vs, self.decay = (list(vs), decay)
            self.shadow = {v.ref(): tf.Variable(v) for v in self.vs}

        def update(self):
            for v in self.vs:
                s = self.shadow[v.ref()]
                s.assign(self.decay * s + (1.0 - self.decay) * v)

        def __getitem__(self, v):
            return self.shadow[v.ref()]

    ws = [weights(3, 2), weights(2, 1)]
    ema = EMA(ws)

    def step(x):
        with tf.GradientTape() as t:
            loss = tf.reduce_sum((x @ ws[0] @ ws[1]) ** 2)
        for w, g in zip(ws, t.gradient(loss, ws), strict=False):
            w.assign_sub(0.01 * g)
        ema.update()
        return (loss, ema[ws[-1]])

    yield (step, rows(4, 3))
    yield rows(4, 3, seed=5)


@program
def a_spring_chain():
    @dataclasses.dataclass
    class World:
        k: float = 2.0
        dt: float = 0.05
        n: int = 4
        masses: tuple = (1.0, 2.0, 1.0, 3.0)
        rest: np.ndarray = dataclasses.field(
            default_factory=lambda: np.linspace(0, 3, 4).astype(np.float32)
        )

    w = World()

    def forces(q):
        d = q - w.rest
        return -w.k * d + 0.5 * (tf.roll(d, 1, 0) + tf.roll(d, -1, 0))

    def step(q, p):
        for _ in range(10):
            p = p + 0.5 * w.dt * forces(q)
            q = q + w.dt * p / np.array(w.masses, np.float32)
            p = p + 0.5 * w.dt * forces(q)
        return (q, p)

    yield (step, rows(4), rows(4, seed=1))
    yield (rows(4, seed=3), rows(4, seed=2))


@program
def a_controller_with_history():
    hist = collections.deque([tf.Variable(0.0) for _ in range(3)], maxlen=3)

    def step(e):
        for old, new in zip(hist, list(hist)[1:], strict=False):
            old.assign(new)
        hist[-1].assign(e)
        return 0.5 * e + 0.1 * tf.add_n(list(hist)) + 0.2 * (hist[-1] - hist[-2])

    yield (step, tf.constant(1.0))
    yield tf.constant(2.0)


@program
def an_epidemic():
    params = types.SimpleNamespace(beta=0.3, gamma=0.1, days=12)

    def step(s, i, r):
        n = s + i + r
        for _ in range(params.days):
            inf, rec = (params.beta * s * i / n, params.gamma * i)
            s, i, r = (s - inf, i + inf - rec, r + rec)
        return (s, i, r)

    yield (step, tf.constant(99.0), tf.constant(1.0), tf.constant(0.0))
    yield (tf.constant(90.0), tf.constant(10.0), tf.constant(0.0))


@program
def an_order_drawn_from_a_seed():
    def step(x):
        rng = random.Random(7)
        order = list(range(4))
        rng.shuffle(order)
        return tf.gather(x, order) * rng.random()

    yield (step, rows(4))
    yield rows(4, seed=2)


@program
def weights_got_by_itemgetter():
    get = operator.itemgetter("a", "b")
    p = {"a": weights(3), "b": weights(3, seed=1)}

    def step(x):
        a, b = get(p)
        return x * a + b

    yield (step, rows(3))
    yield rows(3, seed=2)


@program
def cached_masks():
    class M(tf.Module):
        def __init__(self):
            super().__init__()
            self._masks = {}
            self.w = weights(4, 4)

        def mask(self, n):
            if n not in self._masks:
                self._masks[n] = np.tril(np.ones((n, n), np.float32))
            return self._masks[n]

        def __call__(self, x):
            return x @ self.w * self.mask(x.shape[0])

    m = M()
    yield (lambda x: m(x), rows(4, 4))
    yield rows(4, 4, seed=3)


@program
def lazily_built_variables():
    class L(tf.Module):
        def __init__(self, n):
            super().__init__()
            self.n, self.w = (n, None)

        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(tf.ones([x.shape[-1], self.n]), name="w")
            return x @ self.w

    layer = L(2)
    yield (lambda x: layer(x), rows(4, 4))
    yield rows(4, 4, seed=3)


@program
def timed_and_logged():
    log = logging.getLogger(__name__)
    w = weights(3, 1)

    def step(x, verbose=True):
        with tf.GradientTape() as t:
            loss = tf.reduce_sum((x @ w) ** 2)
        w.assign_sub(0.01 * t.gradient(loss, w))
        if verbose:
            log.info("loss %s", loss.shape)
        return loss

    yield (step, rows(2, 3))
    yield rows(2, 3, seed=3)


@program
def a_history_of_steps():
    s_hist, y_hist = (
        [tf.Variable(tf.zeros(3)) for _ in range(2)],
        [tf.Variable(tf.ones(3)) for _ in range(2)],
    )

    def step(g):
        q = g
        al = []
        for s, y in reversed(list(zip(s_hist, y_hist, strict=False))):
            a = tf.tensordot(s, q, 1) / (tf.tensordot(y, s, 1) + 1e-06)
            q = q - a * y
            al.append(a)
        for (s, y), a in zip(zip(s_hist, y_hist, strict=False), reversed(al), strict=False):
            b = tf.tensordot(y, q, 1)
            q = q + s * (a - b)
        s_hist[0].assign(s_hist[1])
        s_hist[1].assign(0.1 * tf.tanh(q))
        return q

    yield (step, rows(3))
    yield rows(3, seed=2)
