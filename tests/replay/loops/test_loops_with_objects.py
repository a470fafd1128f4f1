"""Loops of functions that keep their values in objects: a few recordings for any count."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import NamedTuple

import pytest

import cinta as tf
from tests.replay.loops.test_loops_over_ranges import check_any_count, compare, compare_gradients


class State(NamedTuple):
    place: tf.Tensor
    speed: tf.Tensor


@dataclass
class Body:
    place: tf.Tensor
    speed: tf.Tensor
    is_fast: bool = False


@dataclass(frozen=True)
class Fixed:
    value: tf.Tensor


class Holder:
    def __init__(self, value):
        self.value = value
        self.others = []

    def move(self, way):
        self.value = self.value * 0.5 + way


def a_named_tuple(n, x, y):
    state = State(x, y)
    for _ in tf.range(n):
        state = State(state.place + 0.1 * state.speed, state.speed - 0.1 * state.place)
    return state.place


def a_named_tuple_with_other_fields(n, x, y):
    state = State(x, y)
    while n > 0:
        state = state._replace(speed=tf.sin(state.speed))
        n = n - 1
    return state.place * state.speed


def a_dataclass_that_changes(n, x, y):
    body = Body(x, y)
    for _ in tf.range(n):
        body.place += 0.1 * body.speed
        if tf.reduce_sum(body.place) > 0.5:
            body.speed = -body.speed
    return body.place + body.speed


def a_frozen_dataclass(n, x, y):
    fixed = Fixed(x)
    for _ in tf.range(n):
        fixed = replace(fixed, value=fixed.value * 0.9 + y)
    return fixed.value


def an_object_that_changes(n, x, y):
    holder = Holder(x)
    for _ in tf.range(n):
        holder.move(y)
    return holder.value


def two_names_of_one_object(n, x, y):
    one, other = Holder(x), Holder(y)
    for i in tf.range(n):
        if i == 2:
            other = one
        one.value = one.value * 0.9 + 0.1
        other.value = other.value - y
    return one.value + 2.0 * other.value + (3.0 if one is other else 0.0)


def a_number_of_an_object_that_goes_to_and_fro(n, x, y):
    body = Body(x, y)
    for _ in tf.range(n):
        body.is_fast = not body.is_fast
        body.place = body.place * (2.0 if body.is_fast else 0.4) + y
    return body.place


def what_does_not_change(n, x, y):
    names, part, shape, dtype = {"a", "b"}, slice(0, 2), x.shape, x.dtype
    numbers, table = range(3), OrderedDict(x=x)
    for _ in tf.range(n):
        table["x"] = tf.concat([table["x"][part] * 0.9, table["x"][2:]], 0)
    return tf.cast(tf.reshape(table["x"], shape), dtype) * float(len(names) + len(numbers)) + y


FUNCTIONS = [
    a_named_tuple,
    a_named_tuple_with_other_fields,
    a_dataclass_that_changes,
    a_frozen_dataclass,
    an_object_that_changes,
    two_names_of_one_object,
    a_number_of_an_object_that_goes_to_and_fro,
    what_does_not_change,
]


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_few_recordings_serve_any_count(function, jit_compile):
    check_any_count(function, jit_compile, 5)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_gradients_are_those_of_the_python(function):
    compare_gradients(function, tf.function(function))


def numbers_in_an_object(n, x, y):
    body = Body(x, 0)
    for _ in tf.range(n):
        body.speed += 1
        body.place = body.place * 0.9
    return body.place * float(body.speed)


def objects_in_a_list(n, x, y):
    holder = Holder(x)
    for _ in tf.range(n):
        holder.others.append(y)
    return holder.value + float(len(holder.others))


@pytest.mark.parametrize("function", [numbers_in_an_object, objects_in_a_list])
def test_what_python_counts_in_objects_tells_turns_apart(function):
    compiled = tf.function(function)
    compare(function, compiled)
    assert compiled.report().recordings > 5
