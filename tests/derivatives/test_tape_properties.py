"""Properties of every program: tapes agree with each other and with finite differences."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import cinta as tf
from tests.checking import check_gradients

STEPS = [
    lambda a, b: a + b,
    lambda a, b: a * b,
    lambda a, b: a - 0.5 * b,
    lambda a, b: tf.sin(a),
    lambda a, b: tf.exp(a * 0.2),
    lambda a, b: a / (1.0 + b * b),
    lambda a, b: tf.reduce_sum(a) * b,
    lambda a, b: tf.reverse(a, [0]) + a,
    lambda a, b: tf.stack([a[0], b[1]]),
    lambda a, b: tf.concat([a[:1], tf.split(b, 2)[0]], axis=0) * b,
    lambda a, b: tf.gather(a, [1, 1]) * 0.7,
    lambda a, b: tf.stop_gradient(1.0 + 0.0 * a) * b,
    lambda a, b: tf.recompute_grad(lambda a, b: tf.tanh(a * b))(a, b),
]

PROGRAMS = st.lists(
    st.tuples(st.sampled_from(STEPS), st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=8
)
"""Steps, each with how far back its two operands were made."""

INPUTS = st.lists(st.floats(-1.5, 1.5), min_size=6, max_size=6)


def run(program, inputs):
    made = list(inputs)
    for step, a, b in program:
        made.append(step(made[-min(a, len(made))], made[-min(b, len(made))]))
    return made[-1] + made[-2]


def sources_of(numbers):
    return [tf.constant(row) for row in np.reshape(numbers, [3, 2])]


def recorded(program, sources, persistent):
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(sources)
        y = run(program, sources)
    return tape, y


def same(found, expected):
    for a, b in zip(found, expected, strict=True):
        dense = [tf.convert_to_tensor(g).numpy() for g in (a, b)]
        np.testing.assert_allclose(*dense, rtol=1e-9, atol=1e-12)


@given(PROGRAMS, INPUTS)
@settings(max_examples=60)
def test_gradients_agree_with_finite_differences_to_second_order(program, numbers):
    inputs = np.reshape(numbers, [3, 2])
    check_gradients(lambda *x: run(program, x), *inputs, rtol=1e-5, atol=1e-5)


@given(PROGRAMS, INPUTS)
@settings(max_examples=60)
def test_persistent_nested_and_plain_tapes_agree(program, numbers):
    sources = sources_of(numbers)
    tape, y = recorded(program, sources, persistent=False)
    plain = tape.gradient(y, sources, unconnected_gradients="zero")
    tape, y = recorded(program, sources, persistent=True)
    same(tape.gradient(y, sources, unconnected_gradients="zero"), plain)
    same([tape.gradient(y, s, unconnected_gradients="zero") for s in sources], plain)
    with tf.GradientTape() as outer:
        outer.watch(sources)
        inner, y = recorded(program, sources, persistent=False)
        same(inner.gradient(y, sources, unconnected_gradients="zero"), plain)
    same(outer.gradient(y, sources, unconnected_gradients="zero"), plain)


@given(PROGRAMS, INPUTS)
@settings(max_examples=60)
def test_a_jacobian_is_made_of_gradients(program, numbers):
    sources = sources_of(numbers)
    tape, y = recorded(program, sources, persistent=True)
    jacobians = tape.jacobian(y, sources, unconnected_gradients="zero")
    for i in range(2):
        seed = tf.one_hot(i, 2, dtype=tf.float64)
        rows = tape.gradient(y, sources, seed, unconnected_gradients="zero")
        same([j[i] for j in jacobians], rows)


@given(PROGRAMS, INPUTS)
@settings(max_examples=60)
def test_second_derivatives_are_symmetric(program, numbers):
    sources = sources_of(numbers)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(sources)
        inner, y = recorded(program, sources, persistent=False)
        first = inner.gradient(y, sources, unconnected_gradients="zero")
        first = [tf.convert_to_tensor(g) for g in first]  # those of lookups are slices
    a, b = sources[0], sources[2]
    upper = outer.jacobian(first[0], b, unconnected_gradients="zero")
    lower = outer.jacobian(first[2], a, unconnected_gradients="zero")
    np.testing.assert_allclose(upper.numpy(), lower.numpy().T, rtol=1e-9, atol=1e-9)
