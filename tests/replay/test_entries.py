"""Calls that go straight to a recording, and those that do not."""

import gc
from itertools import product

import numpy as np
import pytest

import cinta as tf
from cinta.engine.op import Op
from cinta.replay.argument_structures import Arguments
from cinta.replay.entry import ELSEWHERE


class Thing:
    def __repr__(self):  # names of tests have no addresses in them
        return "Thing()"


THING = Thing()
X, Y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
ARGUMENTS = [
    *[(X, Y), (X, X), (Y, tf.constant([1, 2])), (X, tf.constant([[1.0, 2.0]])), (X, 1.0), (X,)],
    *[(X, tf.constant(2.0)), (X, tf.Variable([1.0, 2.0])), ([X, Y],), ((X, Y),), ([Y, X],)],
    *[([X],), ([X, X],), ({"a": X},), ({"b": X},), ({"a": X, "b": Y},), ({"b": X, "a": Y},)],
    *[(X, 0.0), (X, -0.0), (X, 0), (X, False), (X, True), (X, 1), (X, float("nan")), (X, None)],
    *[(X, "a"), (X, b"a"), (X, 1j), (X, -1j), (X, [1, "a"]), (X, [1, "b"]), (X, (1, "a"))],
    *[(X, THING), (X, Thing()), (X, Thing), (X, np.float32), (X, tf.float32), (X, {1: X})],
    *[(X, np.dtype("f")), (X, len), (X, [THING]), (), (X, X, Y), (X, Y, X)],
]


def entries(function):
    return [entry.enter for entry in function._variants.entries]


@pytest.mark.parametrize("given", ARGUMENTS, ids=range(len(ARGUMENTS)))
def test_an_entry_serves_calls_of_its_kind_and_no_others(given):
    function = tf.function(lambda *args: 1.0)
    function(*given), function(*given)
    kind = Arguments((), given, {}).kind
    for enter, other in product(entries(function), ARGUMENTS):
        served = enter((), other, {}) is not ELSEWHERE
        assert served == (Arguments((), other, {}).kind == kind), other


def test_usual_arguments_have_an_entry():
    for given in [(X, Y), (X, 1.0), (X, True), ([X, Y], {"a": Y}), (X, THING), (X, None), ()]:
        function = tf.function(lambda *args: 1.0)
        function(*given), function(*given)
        assert len(entries(function)) == 1


def test_keys_of_dictionaries_are_told_apart():
    function = tf.function(lambda x, given: x)
    for key in ("a", np.str_("a"), 1, True, (1,), (True,), (1,)):
        function(X, {key: 1.0}), function(X, {key: 1.0})
    assert function.report().recordings == 6


def test_arguments_without_an_end_are_refused():
    round_about, deep = [], 1.0
    round_about.append(round_about)
    for _ in range(5000):
        deep = [deep]
    for given in (round_about, deep):
        with pytest.raises(RecursionError, match="contains itself, or is nested more deeply"):
            tf.function(lambda x, given: x)(X, given)


def test_arguments_by_name_go_to_their_parameters():
    function = tf.function(lambda x, y=None, *, scale=1.0: scale * (x - y))
    for call in (
        lambda: function(X, Y, scale=2.0),
        lambda: function(X, y=Y, scale=2.0),
        lambda: function(y=Y, x=X, scale=2.0),
        lambda: function(scale=2.0, y=Y, x=X),
    ):
        for _ in range(3):
            assert call().numpy().tolist() == [-4.0, -4.0]
    assert len(entries(function)) == 4
    assert function.report().replays == 11


def test_what_is_converted_takes_the_general_way():
    function = tf.function(lambda x: 2.0 * x, input_signature=[tf.TensorSpec([None])])
    for _ in range(3):
        assert function([1.0, 2.0]).numpy().tolist() == [2.0, 4.0]
    assert not entries(function)
    for _ in range(3):
        assert function(X).numpy().tolist() == [2.0, 4.0]
    assert len(entries(function)) == 1


def test_methods_are_entered_by_their_owner():
    class Scale:
        def __init__(self, factor):
            self.factor = factor

        @tf.function
        def __call__(self, x):
            return self.factor * x

    two, three = Scale(2.0), Scale(3.0)
    for _ in range(4):
        assert two(X).numpy().tolist() == [2.0, 4.0]
        assert three(X).numpy().tolist() == [3.0, 6.0]


def test_an_object_that_is_gone_is_not_none():
    function = tf.function(lambda x, thing: 1.0 if thing is None else 2.0)
    thing = Thing()
    for _ in range(3):
        assert function(X, thing) == 2.0
    (enter,) = entries(function)
    del thing
    gc.collect()
    assert enter((), (X, None), {}) is ELSEWHERE
    assert function(X, None) == 1.0


def test_tapes_and_other_listeners_hear_what_is_called():
    function = tf.function(lambda x: x * x)
    function(X), function(X)
    with tf.GradientTape() as tape:
        tape.watch(X)
        y = function(X)
    assert tape.gradient(y, X).numpy().tolist() == [2.0, 4.0]
    outer = tf.function(lambda x: function(x) + 1.0)
    for x in (X, Y, X, Y):
        assert outer(x).numpy().tolist() == (x.numpy() ** 2 + 1).tolist()


def test_settings_and_kernels_that_change_are_seen():
    function = tf.function(lambda x: x * 2.0)
    function(X), function(X), function(X)
    (enter,) = entries(function)
    tf.config.run_functions_eagerly(True)
    try:
        assert enter((), (X,), {}) is ELSEWHERE
    finally:
        tf.config.run_functions_eagerly(False)
    assert enter((), (X,), {}) is not ELSEWHERE
    Op.epoch += 1  # as where a rule or a kernel is replaced
    assert enter((), (X,), {}) is ELSEWHERE
    function(X), function(X)
    assert function.report().recordings == 2


def test_what_python_refers_to_is_compared():
    factor = 2.0
    function = tf.function(lambda x: factor * x)
    for factor in (2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 2.0):
        assert function(X).numpy().tolist() == [factor, 2 * factor]


def test_a_guard_that_does_not_hold_goes_the_other_way():
    function = tf.function(lambda x: x if x[0] > 1 else -x)
    for _ in range(3):
        assert function(X).numpy().tolist() == [-1.0, -2.0]
        assert function(Y).numpy().tolist() == [3.0, 4.0]


def test_errors_have_their_words_and_leave_no_trace():
    v = tf.Variable(0)

    @tf.function
    def function(x, i):
        v.assign_add(1)
        return tf.gather(x, i)

    for _ in range(3):
        function(X, tf.constant(1))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"7 is not in \[0, 2\)"):
        function(X, tf.constant(7))
    assert v.numpy() == 3


def test_random_numbers_are_drawn_at_each_call():
    function = tf.function(lambda: tf.random.uniform([4]))
    assert len({tuple(function().numpy()) for _ in range(5)}) == 5


def test_several_shapes_take_turns():
    function = tf.function(lambda x: x + 1.0)
    shapes = [tf.zeros([n]) for n in range(1, 8)]
    for _ in range(3):
        for x in shapes:
            assert function(x).shape == x.shape
    assert len(entries(function)) == 4
    assert function.report().recordings == 7


def test_a_report_tells_of_each_part_of_a_call():
    v = tf.Variable(1.0)

    @tf.function
    def function(x, scale, more):
        v.assign_add(scale)
        return more["y"][0] * x * v

    for _ in range(3):
        function(X, scale=2.0, more={"y": [Y, "a"]})
    report = function.report()
    assert [*report.parts] == ["arguments", "guards", "program", "commit", "results"]
    assert min(report.parts.values()) > 0
    assert "commit" in str(report)
    assert v.numpy() == 7.0  # nothing has come of it
    assert report.calls == function.report().calls == 3


def test_a_report_has_no_parts_where_none_can_be_made_up():
    function = tf.function(lambda x, i: tf.gather(x, i) / 2)
    assert function.report().parts == {}
    thing = Thing()
    other = tf.function(lambda x, thing: x * 1.0)
    for _ in range(3):
        other(X, thing)
    assert other.report().parts
    del thing
    gc.collect()
    assert other.report().parts == {}


def test_a_report_does_not_run_a_loop_that_would_not_end_for_zeros():
    @tf.function
    def halvings(n):
        count = tf.constant(0)
        while n != 1:
            n = n // 2 if n % 2 == 0 else n - 1
            count += 1
        return count

    assert [halvings(tf.constant(n)).numpy() for n in (6, 9, 12, 20, 33)] == [3, 4, 4, 5, 6]
    report = halvings.report()
    assert [*report.parts] == ["arguments", "guards"]
    assert "beside loops that end by values" in str(report)


def test_a_step_of_descent_is_replayed():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * x)
        v.assign_sub(0.5 * tape.gradient(y, v))
        return y

    assert [step(Y).numpy() for _ in range(3)] == [11.0, -1.5, -14.0]
    assert step.report().replays == 2
