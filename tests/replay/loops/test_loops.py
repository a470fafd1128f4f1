"""Loops in recordings: folded into one step, they give the very bits of the straight line."""

import gc
import random
from unittest.mock import patch

import numpy as np
import pytest

import cinta as tf
from cinta.replay.loops import folding
from cinta.replay.loops.folding import folded
from cinta.replay.loops.numbers import AffineNumber, NotAffine, alike, over_turns
from cinta.replay.loops.repeats import Stretch, repeats
from cinta.replay.numpy import engine
from cinta.replay.numpy.engine import NumpyProgram
from cinta.replay.recording import same_array
from cinta.replay.without_gc import without_gc

W = np.float32([[0.5, -0.25, 0.125], [0.3, 0.2, -0.1], [-0.7, 0.4, 0.6]])
ROWS = np.random.default_rng(0).standard_normal((2, 12, 3)).astype(np.float32)


def loops(made):
    """The loops of a recording, those within others after them."""
    found = [step for step in made.calls if step.op.name == "Loop"]
    return [each for step in found for each in (step, *loops(step.attrs["body"]))]


def straight(made, arrays):
    with patch.object(engine, "_WORTH", 1 << 60):
        return NumpyProgram(made)(arrays)


def assert_folds(function, *given, fewest=1):
    """The function has loops, and they give what the straight line gives, bit by bit."""
    tensors = [tf.constant(x) for x in given]
    made = tf.function(function).recording(*tensors)
    short = folded(made, 8)
    assert len(loops(short)) >= fewest, str(short)
    arrays = [x.numpy() for x in tensors] + [v.numpy() for v, _ in made.reads]
    with patch.object(engine, "_WORTH", 8):
        found = NumpyProgram(made)(arrays)
    for one, other in zip(straight(made, arrays), found, strict=True):
        for x, y in zip(one, other, strict=True):
            assert same_array(np.asarray(x), np.asarray(y))
    assert_same_on_other_engines(function, tensors)
    return short


def assert_same_on_other_engines(function, tensors):
    """Eagerly, replayed and compiled."""
    expected = tf.nest.flatten(function(*tensors))
    replayed = tf.function(function, jit_compile=False)
    with patch.object(engine, "_WORTH", 8):
        for _ in range(2):
            for one, other in zip(expected, tf.nest.flatten(replayed(*tensors)), strict=True):
                assert same_array(np.asarray(one), np.asarray(other))
    pytest.importorskip("jax")
    from cinta.replay.xla import program

    compiled = tf.function(function, jit_compile=True)
    with patch.object(program, "_WORTH", 8):
        for _ in range(2):
            for one, other in zip(expected, tf.nest.flatten(compiled(*tensors)), strict=True):
                np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-5)


def recurrence(x, turns=12):
    h = x[:, 0] * 0.0
    outputs = []
    for i in range(turns):
        h = tf.tanh(h @ W + x[:, i])
        outputs.append(h)
    return h, outputs


# -- repetitions -------------------------------------------------------------------------------


def test_repeats_are_found_by_their_shortest_period():
    assert repeats([9, *[1, 2] * 5, 3], worth=4) == [Stretch(1, 2, 5)]
    assert repeats([1, 2, 3, 4, 5, 6], worth=1) == []
    assert repeats([1, 2, 1, 2], worth=1) == []


def test_the_outer_of_nested_repeats_comes_first():
    first, *_ = repeats([7, *[*[1, 1, 2] * 4, 5] * 6], worth=4)
    assert first == Stretch(1, 13, 6)


def test_repeats_are_maximal_in_random_sequences():
    source = random.Random(0)
    for _ in range(200):
        codes = [source.randrange(3) for _ in range(source.randrange(60))]
        found = repeats(codes, worth=1)
        for start, period, turns in found:
            part = codes[start : start + period * turns]
            assert part == part[:period] * turns
        longest = max((each.period * each.turns for each in found), default=0)
        brute = [
            period * turns
            for start in range(len(codes))
            for period in range(1, len(codes) // 3 + 1)
            for turns in range(3, len(codes) // period + 1)
            if codes[start : start + period * turns] == codes[start : start + period] * turns
        ]
        assert longest == max(brute, default=0)


def test_numbers_that_grow_are_told_from_others():
    assert over_turns([((1, None), 4), ((1, None), 6), ((1, None), 8)]) == (
        (1, None),
        AffineNumber(4, 2),
    )
    for values in ([1, 2, 4], [1.0, 2.0, 3.0], [True, False, True], [(1,), (1, 2), (1, 2, 3)]):
        with pytest.raises(NotAffine):
            over_turns(values)
    assert not alike(1, True)
    assert not alike(0.0, -0.0)
    assert not alike((1,), (1.0,))


# -- folded steps ------------------------------------------------------------------------------


def test_a_loop_with_its_gradient():
    w = tf.Variable(W)

    def step(x):
        with tf.GradientTape() as tape:
            h = x[:, 0] * 0.0
            outputs = []
            for i in range(12):
                h = tf.tanh(h @ w + x[:, i])
                outputs.append(h)
            loss = tf.reduce_sum(tf.stack(outputs, 1) ** 2)
        return loss, tape.gradient(loss, w)

    made = assert_folds(step, ROWS, fewest=2)
    assert "Pack(" not in str(made)
    assert "Unpack(" not in str(made)


def test_a_loop_with_the_gradient_by_its_rows():
    def step(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(recurrence(x)[0] ** 2)
        return tape.gradient(loss, x)

    assert_folds(step, ROWS)


def test_steps_of_training():
    w = tf.Variable(np.ones((3, 1), np.float32))

    def train(x):
        for _ in range(10):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((x @ w - 1.0) ** 2)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    made = tf.function(train).recording(tf.constant(W))
    assert loops(folded(made, 8))
    with patch.object(engine, "_WORTH", 8):
        found = NumpyProgram(made)([W, w.numpy()])
    for one, other in zip(straight(made, [W, w.numpy()]), found, strict=True):
        assert all(map(same_array, map(np.asarray, one), map(np.asarray, other)))


def test_values_of_two_turns_before():
    def fibonacci(x):
        a, b = x, 2.0 * x
        for _ in range(20):
            a, b = b, (a + b) * 0.5
        return a, b

    assert_folds(fibonacci, W)


def test_jacobian_hessian_forward_mode_and_custom_gradients():
    @tf.custom_gradient
    def squashed(x):
        y = tf.tanh(x)
        return y, lambda g: g * (1.0 - y) * 0.5

    def chain(x):
        for _ in range(8):
            x = squashed(x * 0.9) + 0.1
        return x

    def jacobian(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = chain(x)
        return tape.jacobian(y, x)

    def hessian(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(chain(x))
            g = inner.gradient(y, x)
        return outer.jacobian(g, x)

    def forward(x):
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
            y = recurrence(x)[0]
        return accumulator.jvp(y)

    assert_folds(jacobian, W[0])
    assert_folds(hessian, W[0])
    assert_folds(forward, ROWS)


def test_loops_of_the_library():
    def looped(x):
        _, h = tf.while_loop(
            lambda i, h: i < 12, lambda i, h: (i + 1, tf.tanh(h @ W)), (tf.constant(0), x)
        )
        return h

    assert_folds(looped, W)
    assert_folds(lambda x: tf.scan(lambda h, r: tf.tanh(h + r) * 0.5, x), ROWS[0])
    assert_folds(lambda x: tf.map_fn(lambda r: tf.tanh(r) * 0.5, x), ROWS[0])
    assert_folds(lambda x: tf.foldl(lambda h, r: tf.tanh(h + r) * 0.5, x), ROWS[0])
    assert_folds(lambda x: tf.foldr(lambda h, r: tf.tanh(h + r) * 0.5, x), ROWS[0])


def test_a_loop_in_a_loop():
    def nested(x):
        for i in range(6):
            x = tf.sin(x) * float(i)
            for _ in range(20):
                x = tf.tanh(x) + 0.1
        return x

    made = assert_folds(nested, W, fewest=2)
    assert made.steps[-1].op.name == "Loop" or len(loops(made)) >= 2


def test_python_numbers_that_differ_from_turn_to_turn():
    def f(x):
        for i in range(12):
            x = x * (0.5 + 0.1 * i) + i
        return x

    assert_folds(f, W)


def test_what_does_not_repeat_stays_as_it_is():
    def f(x):
        y, z = x, x
        for i in range(12):
            y, z = (z, tf.sin(y)) if i in (3, 4, 9) else (tf.sin(y), z + y)
        return y, z

    made = tf.function(f).recording(tf.constant(W))
    arrays = [W]
    with patch.object(engine, "_WORTH", 2):
        found = NumpyProgram(made)(arrays)
    assert all(map(same_array, straight(made, arrays)[0], found[0]))


def test_errors_in_a_loop_are_those_of_the_op():
    def f(x, i):
        for _ in range(12):
            x = tf.tensor_scatter_nd_update(x, i, [1.0]) * 0.5
        return x

    made = tf.function(f).recording(tf.constant(W[0]), tf.constant([[1]]))
    with patch.object(engine, "_WORTH", 8):
        program = NumpyProgram(made)
    with pytest.raises(tf.errors.InvalidArgumentError, match="indices"):
        program([W[0], np.int32([[7]])])


def test_a_folded_recording_prints_its_turn():
    made = folded(tf.function(lambda x: recurrence(x)[0]).recording(tf.constant(ROWS)), 8)
    assert " = Loop(" in str(made)
    assert "    turn of <lambda>(" in str(made)


# -- random loops ------------------------------------------------------------------------------


def random_body(source):
    """A turn: from values that are carried to as many, with what is given from outside."""
    ops = [tf.sin, tf.tanh, lambda x: x * 0.5, lambda x: tf.transpose(x), lambda x: x @ W]
    twos = [lambda x, y: x + y, lambda x, y: x * y, lambda x, y: tf.maximum(x, y)]
    plan = [
        (source.choice(twos) if source.random() < 0.4 else source.choice(ops), source.random())
        for _ in range(source.randrange(1, 5))
    ]
    inner = source.choice([0, 0, 0, 4])
    swap = source.random() < 0.3

    def turn(state, x, row):
        values = [*state, x, row]
        for call, where in plan:
            one = values[int(where * len(values))]
            other = values[int(where * 97) % len(values)]
            values.append(call(one, other) if call in twos else call(one))
        for _ in range(inner):
            values[-1] = tf.tanh(values[-1] + x)
        a, b = values[-1], values[len(values) // 2]
        return (b, a) if swap else (a, b)

    return turn


def random_function(seed):
    source = random.Random(seed)
    turn = random_body(source)
    turns, tracked = source.randrange(5, 14), source.random() < 0.7
    cut, keep = source.randrange(3, 20), source.random() < 0.5

    def f(x, rows):
        with tf.GradientTape() as tape:
            tape.watch([x, rows])
            state, outputs = (x, x * 0.5), []
            for i in range(turns):
                state = turn(state, x, rows[i % 12] if i != cut else rows[0])
                outputs.append(state[0])
                if i > cut:
                    break
            result = tf.stack(outputs[1:]) if keep else state[1]
            loss = tf.reduce_sum(result) + tf.reduce_sum(outputs[len(outputs) // 2])
        gradients = tape.gradient(loss, [x, rows]) if tracked else []
        return [result, outputs[1], state, [g for g in gradients if g is not None]]

    return f


@pytest.mark.parametrize("seed", range(60))
def test_random_loops_of_very_long_recordings(seed):
    """Loops are looked for before the steps are simplified, which would take too long then."""
    rows = np.random.default_rng(seed).standard_normal((12, 3, 3)).astype(np.float32)
    arrays = [W, rows]
    f = random_function(seed)
    made = tf.function(f).recording(*map(tf.constant, arrays))
    with patch.object(folding, "_VERY_LONG", 1), patch.object(folding, "_MOST_LEFT", 1.0):
        short = folded(made, 3)
    stacked = [step.outputs[step.attrs["carried"] + step.attrs["last"] :] for step in loops(short)]
    for loop, stacks in zip(loops(short), stacked, strict=True):
        last = loop.attrs["body"].results[len(loop.outputs) - len(stacks) :]
        assert len({*last}) == len(last)
    for one, other in zip(straight(made, arrays)[0], NumpyProgram(short)(arrays)[0], strict=True):
        assert same_array(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize("seed", range(60))
def test_random_loops(seed):
    rows = np.random.default_rng(seed).standard_normal((12, 3, 3)).astype(np.float32)
    f = random_function(seed)
    made = tf.function(f).recording(tf.constant(W), tf.constant(rows))
    arrays = [W, rows]
    with patch.object(engine, "_WORTH", 3):
        found = NumpyProgram(made)(arrays)
    for one, other in zip(straight(made, arrays)[0], found[0], strict=True):
        assert same_array(np.asarray(one), np.asarray(other))
    expected = tf.nest.flatten(f(tf.constant(W), tf.constant(rows)))
    for one, other in zip(expected, found[0], strict=True):
        assert same_array(np.asarray(one), np.asarray(other))


def test_most_random_loops_are_folded():
    shapes = tf.constant(W), tf.constant(np.ones((12, 3, 3), np.float32))
    made = [tf.function(random_function(seed)).recording(*shapes) for seed in range(60)]
    assert sum(bool(loops(folded(each, 3))) for each in made) > 40
    with patch.object(folding, "_VERY_LONG", 1), patch.object(folding, "_MOST_LEFT", 1.0):
        assert sum(bool(loops(folded(each, 3))) for each in made) > 40


def test_python_collects_garbage_when_the_last_of_several_threads_has_ended():
    one, other = without_gc(), without_gc()
    assert gc.isenabled()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert not gc.isenabled()
    other.__exit__(None, None, None)
    assert gc.isenabled()


def test_python_collects_garbage_afterwards_as_it_did_before():
    try:
        for collects in (True, False):
            gc.enable() if collects else gc.disable()
            with without_gc():
                assert not gc.isenabled()
                with without_gc():
                    assert not gc.isenabled()
                assert not gc.isenabled()
            assert gc.isenabled() == collects
            with pytest.raises(KeyError), without_gc():
                raise KeyError
            assert gc.isenabled() == collects
    finally:
        gc.enable()


@pytest.mark.parametrize("jit_compile", [False, True], ids=["numpy", "xla"])
def test_draws_come_before_the_turns_that_take_them(jit_compile):
    if jit_compile:
        pytest.importorskip("jax")
        from cinta.replay.xla import program as compiling
    else:
        compiling = engine

    def walk(x):
        for _ in range(30):
            x = 0.9 * x + tf.random.normal([3]) * tf.random.uniform([])
        if x[0] > 0.0:  # of which the recording of the first call knows one side
            return x + tf.random.normal([3])
        return x - tf.random.normal([3])

    def numbers(worth):
        tf.random.set_seed(3)
        walked = tf.function(walk, jit_compile=jit_compile)
        with patch.object(compiling, "_WORTH", worth):
            return np.stack([walked(tf.ones([3])) for _ in range(8)])

    np.testing.assert_allclose(numbers(8), numbers(1 << 60), rtol=1e-5 if jit_compile else 0)
    assert loops(folded(tf.function(walk).recording(tf.ones([3])), 8))


def test_a_long_simulation_on_xla_takes_its_draws_as_one_array():
    pytest.importorskip("jax")
    from cinta.replay.xla import program as compiling

    def walk(x):
        for _ in range(50):
            x = 0.9 * x + tf.random.normal([3])
        return x

    walked = tf.function(walk, jit_compile=True)
    with patch.object(compiling, "_WORTH", 8):
        made = compiling.XlaProgram(walked.recording(tf.ones([3])))
        made([np.ones(3, np.float32)])
    assert sum(step.op.name == "GatheredOnHost" for step in made._made.calls) == 1
