"""Loops that are left within a turn, by ``break`` or ``return``: a few recordings for any count."""

import numpy as np
import pytest

import cinta as tf
from cinta.engine.tensor import truth
from cinta.replay.loops.loop_ops import Branch
from cinta.replay.loops.way import without_exits
from cinta.replay.recording import PASSED_ON, Guard, Recording, Spec, Step
from tests.replay.loops.test_loops_over_ranges import check_any_count, compare, compare_gradients

STATE = tf.Variable(tf.zeros([3]))


def a_break(n, x, y):
    for _ in tf.range(n):
        if tf.reduce_sum(x) > 10.0:
            break
        x = x * 1.5 + tf.abs(y)
    return x


def a_break_at_the_end_of_the_turn(n, x, y):
    for _ in tf.range(n):
        x = x * 1.5 + tf.abs(y)
        if tf.reduce_sum(x) > 10.0:
            break
    return x + y


def an_else(n, x, y):
    for i in tf.range(n):
        if i > 4:
            break
        x = x + y
    else:
        x = x * 2.0
    return x


def a_break_behind_a_continue(n, x, y):
    for i in tf.range(n):
        if i % 3 == 1:
            continue
        if tf.reduce_sum(x) > 10.0:
            break
        x = x * 1.5 + tf.abs(y)
    return x


def a_value_of_the_turn_that_was_left(n, x, y):
    last = y
    for i in tf.range(n):
        last = x * tf.cast(i, tf.float32)
        if i > 4:
            y = y + last
            break
        x = x * 0.9
    return last, x, y


def a_return(n, x, y):
    for _ in tf.range(n):
        x = x * 1.5 + tf.abs(y)
        if tf.reduce_sum(x) > 10.0:
            return x
    return x * 2.0


def a_return_from_two_loops(n, x, y):
    for i in tf.range(n):
        for j in tf.range(i):
            x = x * 1.1 + tf.abs(y)
            if tf.reduce_sum(x) > 20.0:
                return x * tf.cast(j, tf.float32)
        y = y + 0.1
    return x - y


def a_break_in_an_inner_loop(n, x, y):
    for i in tf.range(n):
        for j in tf.range(i):
            if i + j > 6:
                break
            x = x * 0.9 + y * tf.cast(i - j, tf.float32)
        x = x * 0.8
    return x


def two_breaks(n, x, y):
    for i in tf.range(n):
        if i > 8:
            x = x * 3.0
            break
        x = x * 1.2
        if tf.reduce_sum(x) > 10.0:
            x = x - y
            break
    return x


def a_while_of_two_conditions(n, x, y):
    i = tf.constant(0)
    while i < n and tf.reduce_sum(x) < 20.0:
        x = x * 1.5 + tf.abs(y)
        i += 1
    return x


def a_while_true(n, x, y):
    i = tf.constant(0)
    while True:
        x = x * 0.9 + y
        if i >= n:
            break
        i += 1
    return x


def a_while_with_exits_of_all_kinds(n, x, y):
    i = tf.constant(0)
    while i < n:
        x = x * 1.3 + y
        i += 1
        if i % 2 == 0:
            continue
        if tf.reduce_sum(x) > 9.0:
            return x * 2.0
        if tf.reduce_sum(x) < -9.0:
            break
    return x


def a_check_that_holds(n, x, y):
    for _ in tf.range(n):
        tf.debugging.assert_less(tf.reduce_max(x), 1e6)
        x = x * 0.9 + y
    return x


LEFT = [
    a_break,
    a_break_at_the_end_of_the_turn,
    an_else,
    a_break_behind_a_continue,
    a_value_of_the_turn_that_was_left,
    a_return,
    a_return_from_two_loops,
    a_break_in_an_inner_loop,
    two_breaks,
    a_while_of_two_conditions,
    a_while_true,
    a_while_with_exits_of_all_kinds,
    a_check_that_holds,
]


def most(function):
    """Each way out that is taken for the first time may need one more."""
    return 6 if function is a_while_with_exits_of_all_kinds else 4


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
@pytest.mark.parametrize("function", LEFT, ids=lambda f: f.__name__)
def test_a_few_recordings_serve_any_count(function, jit_compile):
    check_any_count(function, jit_compile, most(function))


@pytest.mark.parametrize("function", LEFT, ids=lambda f: f.__name__)
def test_they_have_the_gradients_for_any_count(function):
    compiled = tf.function(function)
    compare_gradients(function, compiled)
    assert compiled.report().recordings <= most(function)


@pytest.mark.parametrize("function", LEFT, ids=lambda f: f.__name__)
def test_they_are_saved_for_any_count(function, tmp_path):
    class Model(tf.Module):
        @tf.function(
            input_signature=[
                tf.TensorSpec([], tf.int32),
                *[tf.TensorSpec([3], tf.float32)] * 2,
            ]
        )
        def __call__(self, n, x, y):
            return function(n, x, y)

    tf.saved_model.save(Model(), str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    compare(function, loaded)
    compare_gradients(function, loaded)


def test_whole_turns_have_no_branch_that_only_tells_of_exits():
    flag = Spec(np.dtype(bool), ())
    left = Recording("side", (1,), (), (Guard(1, truth, True, 1),), (), (), {}, {1: flag})
    other = Recording("side", (2,), (), (), (), (), {}, {2: flag})
    branch = Step(Branch, (0, 0), {"then": left, "otherwise": other}, (3,), True)
    steps = branch, Guard(3, truth, False, PASSED_ON)
    specs = {0: flag, 3: Spec(np.dtype(np.int64), ())}
    assert without_exits(Recording("turn", (0,), (), steps, (0,), (), {}, specs)).steps == ()


def test_what_was_not_seen_in_a_turn_is_recorded_when_it_comes():
    @tf.function
    def doubled(x, limit):
        for i in tf.range(limit):
            if i == 7:
                x = x + 100.0
            x = x * 2.0
        return x

    assert [float(doubled(tf.constant(1.0), tf.constant(n))) for n in (3, 5, 6)] == [
        8.0,
        32.0,
        64.0,
    ]
    assert doubled.report().recordings == 1
    assert float(doubled(tf.constant(1.0), tf.constant(9))) == 912.0
    assert float(doubled(tf.constant(1.0), tf.constant(10))) == 1824.0
    assert float(doubled(tf.constant(1.0), tf.constant(4))) == 16.0
    assert doubled.report().recordings == 2


def test_an_assertion_in_a_turn_fails_as_in_python():
    compiled = tf.function(a_check_that_holds)
    given = tf.ones([3]), tf.constant([1e7, 0.0, 0.0])
    assert compiled(tf.constant(3), *[tf.zeros([3])] * 2).numpy().tolist() == [0.0] * 3
    with pytest.raises(tf.errors.InvalidArgumentError):
        compiled(tf.constant(5), *given)
    assert compiled(tf.constant(9), *[tf.zeros([3])] * 2).numpy().tolist() == [0.0] * 3


def test_a_variable_keeps_what_was_assigned_in_the_turn_that_was_left():
    @tf.function
    def steps(n, limit):
        for _ in tf.range(n):
            STATE.assign(STATE + 1.0)
            if tf.reduce_sum(STATE) > limit:
                break

    for n in (3, 5, 9, 30, 2, 0, 50, 4):
        STATE.assign(tf.zeros([3]))
        steps(tf.constant(n), tf.constant(20.0))
        np.testing.assert_array_equal(STATE, np.full(3, min(n, 7), np.float32))
    assert steps.report().recordings <= 4


def test_loops_that_are_left_are_not_written_in_onnx(tmp_path):
    pytest.importorskip("onnx")
    function = tf.function(
        a_break, input_signature=[tf.TensorSpec([], tf.int32), *[tf.TensorSpec([3])] * 2]
    )
    with pytest.raises(ValueError, match="leaves it by break or return"):
        tf.export.to_onnx(function, str(tmp_path / "model.onnx"))
