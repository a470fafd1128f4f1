"""Loops that Python counts in its own ways, whose recordings serve one count each."""

import types

import numpy as np
import pytest

import cinta as tf
from tests.replay.loops.test_while_loops import argument, goes_on, plain


class Counter:
    n = 0


LOG: list[int] = []
SETTINGS = types.SimpleNamespace(n=0)


def a_number(x):
    n = 0
    while goes_on(x):
        x = x * 0.9
        n += 1
    return x * n


def a_list_of_values(x):
    history = []
    while goes_on(x):
        x = x * 0.9
        history.append(x)
    return history[len(history) // 2] if history else x


def an_object_of_its_own(x):
    counter = Counter()
    while goes_on(x):
        x = x * 0.9
        counter.n += 1
    return x * counter.n


def a_class_of_its_own(x):
    class Local:
        n = 0

    while goes_on(x):
        x = x * 0.9
        Local.n += 1
    return x * Local.n


def an_object_outside(x):
    SETTINGS.n = 0
    while goes_on(x):
        x = x * 0.9
        SETTINGS.n += 1
    return x * SETTINGS.n


def a_list_outside(x):
    LOG.clear()
    while goes_on(x):
        x = x * 0.9
        LOG.append(1)
    return x * len(LOG)


def a_closure(x):
    n = 0

    def turn(x):
        nonlocal n
        n += 1
        return x * 0.9

    return tf.while_loop(goes_on, turn, [x])[0] * n


def an_iterator(x):
    numbers = iter(range(1000))
    while goes_on(x):
        x = x * 0.9
        next(numbers)
    return x * next(numbers)


def an_iterator_of_a_for_loop(x):
    for _ in [0] * 7:
        if not goes_on(x):
            break
        x = x * 0.9
    else:
        x = x + 5.0
    return x


def a_bound_method(x):
    append = [].append
    while goes_on(x):
        x = x * 0.9
        append(1)
    return x * len(append.__self__)


def a_default(x):
    def turn(x, counts=[0]):  # noqa: B006
        counts[0] += 1
        return x * 0.9

    while goes_on(x):
        x = turn(x)
    return x * turn.__defaults__[0][0]


def an_attribute_of_a_function(x):
    def turn(x):
        turn.n += 1
        return x * 0.9

    turn.n = 0
    while goes_on(x):
        x = turn(x)
    return x * turn.n


def an_array(x):
    n = np.zeros(1, np.float32)
    while goes_on(x):
        x = x * 0.9
        n += 1
    return x * n


def a_dictionary_and_a_set(x):
    counts, seen = {"n": 0}, set()
    while goes_on(x):
        x = x * 0.9
        counts["n"] += 1
        seen.add(len(seen))
    return x * (counts["n"] + len(seen))


def a_module_of_its_own(x):
    module = tf.Module()
    module.numbers = []
    while goes_on(x):
        x = x * 0.9
        module.numbers.append(1)
    return x * len(module.numbers)


def the_third_value(x):
    third, k = x, 0
    while goes_on(x):
        x = x * 0.9
        third, k = (x if k == 2 else third), min(k + 1, 3)
    return third


def two_ways(x):
    while goes_on(x):
        x = x * 0.9 if tf.reduce_sum(x) > 0.01 else x * 0.8
    return x


def a_tensor_array(x):
    values, i = tf.TensorArray(tf.float32, 0, dynamic_size=True), 0
    while goes_on(x):
        x = x * 0.9
        values = values.write(i, x)
        i += 1
    return values.stack()


def a_tape_around_a_function_with_a_loop(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = plain(x)
    return tape.gradient(y, x)


EXACT = [
    a_tape_around_a_function_with_a_loop,
    a_number,
    a_list_of_values,
    an_object_of_its_own,
    a_class_of_its_own,
    an_object_outside,
    a_list_outside,
    a_closure,
    an_iterator,
    an_iterator_of_a_for_loop,
    a_bound_method,
    a_default,
    an_attribute_of_a_function,
    an_array,
    a_dictionary_and_a_set,
    a_module_of_its_own,
    the_third_value,
    two_ways,
    a_tensor_array,
]


@pytest.mark.filterwarnings("ignore:tf.function .* runs its Python")
@pytest.mark.parametrize("function", EXACT, ids=lambda f: f.__name__)
def test_what_python_counts_is_never_generalised(function):
    compiled = tf.function(function)
    for turns in (5, 6, 7, 8, 3, 12, 1, 2, 5, 20):
        x = argument(turns)
        for _ in range(2):
            np.testing.assert_array_equal(compiled(x), function(x))
