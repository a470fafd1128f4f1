"""Random functions with branches and loops on values, and how functions are compared."""

import numpy as np

import cinta as tf


def numbers(count, size=3):
    return [
        tf.constant(np.random.default_rng(i).normal(size=size).astype(np.float32))
        for i in range(count)
    ]


def gradients(function, x, *variables):
    """Of first order, and of second order for the argument."""
    with tf.GradientTape() as outer, tf.GradientTape() as tape:
        outer.watch(x)
        tape.watch(x)
        values = tf.nest.flatten(function(x))
        total = tf.add_n([tf.reduce_sum(tf.sin(value)) for value in values])
        first = tape.gradient(total, [x, *variables])
    return [*first, outer.gradient(first[0], x)]


class Program:
    """A random function of three values, with branches in branches and loops."""

    BEGIN = ("def function(x):", "    a, b, c = x, x * 0.5, tf.sin(x)")
    END = ("    return a, b + c",)

    def __init__(self, seed):
        self._draw = np.random.default_rng(seed)
        self._lines = [*self.BEGIN]
        for _ in range(4):
            self._statement(1)
        self.source = "\n".join([*self._lines, *self.END])
        names = {"tf": tf}
        exec(self.source, names)
        self.function = names["function"]

    def _statement(self, depth):
        kind = self._draw.integers(0, 4 if depth < 3 else 2)
        pad, (one, other, third) = "    " * depth, self._draw.permutation(["a", "b", "c"])
        if kind < 2:
            self._lines.append(f"{pad}{self._move(one, other, third)}")
            return
        if kind == 2:
            self._lines.append(f"{pad}if {self._condition(one, other)}:")
        else:
            self._lines += self._loop(pad, one)
        for _ in range(2):
            self._statement(depth + 1)
        if kind == 3:
            self._lines.append(self._end_of_turn(pad))
        elif self._draw.integers(0, 2):
            self._lines.append(f"{pad}else:")
            self._statement(depth + 1)

    def _move(self, one, other, third):
        ops = [f"{other} * 0.7 + {third} * 0.1", f"tf.tanh({other} - {third})", other]
        return f"{one} = {self._draw.choice(ops)}"

    def _condition(self, one, other):
        return f"tf.reduce_sum({one}) > tf.reduce_sum({other})"

    def _loop(self, pad, one):
        return [f"{pad}while tf.reduce_max(tf.abs({one})) > 0.3:", f"{pad}    {one} = {one} * 0.6"]

    def _end_of_turn(self, pad):
        return f"{pad}    a, b, c = a * 0.5, b * 0.5, c * 0.5"
