"""The results of a function are independent of each other for tapes, at its first call too."""

import pytest

import cinta as tf

LOG = []
W = tf.Variable(3.0)


def tripled_and_more(x):
    p = x * 3.0
    return p, p * 2.0


def written_down(x):
    LOG.append(1)
    return tripled_and_more(x)


def calling_python(x):
    tf.py_function(lambda a: LOG.append(1), [x], [])
    return tripled_and_more(x)


def rounded(x):
    p = tf.round(x)
    return p, p * 2.0


def twice(x):
    p = x * 3.0
    return p, p


CASES = {
    "a product of the other": (tripled_and_more, [3.0, 6.0]),
    "the same tensor": (twice, [3.0, 3.0]),
    "the argument": (lambda x: (x, x * 2.0), [1.0, 2.0]),
    "the argument twice": (lambda x: (x, x), [1.0, 1.0]),
    "rounded, without a gradient": (rounded, [None, None]),
    "run as Python at each call": (written_down, [3.0, 6.0]),
    "with a py_function": (calling_python, [3.0, 6.0]),
    "a nest": (lambda x: [*{"a": (p := x * 3.0), "b": p * 2.0}.values()], [3.0, 6.0]),
}


def gradients(function, *more):
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        p, q = function(x)
    assert p is not q
    assert tape.gradient(q, p) is None
    assert tape.gradient(p, q) is None
    return [tape.gradient(y, s) for y in (p, q) for s in (x, *more)]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.filterwarnings("ignore:tf.function written_down runs its Python")
def test_results_are_independent_at_each_call(case):
    python, expected = CASES[case]
    function = tf.function(python)
    for _ in range(3):
        found = gradients(function)
        assert [g if g is None else float(g) for g in found] == expected


def test_results_that_are_a_variables_value():
    function = tf.function(lambda x: (W.value(), tf.identity(W)))
    for _ in range(3):
        of_p, p_by_w, of_q, q_by_w = gradients(function, W)
        assert (of_p, of_q) == (None, None)
        assert (float(p_by_w), float(q_by_w)) == (1.0, 1.0)


def test_results_of_a_concrete_function():
    spec = tf.TensorSpec([], tf.float32)
    concrete = tf.function(tripled_and_more).get_concrete_function(spec)
    for _ in range(3):
        assert list(map(float, gradients(concrete))) == [3.0, 6.0]


def test_results_of_a_function_called_by_another_one():
    inner = tf.function(tripled_and_more)

    @tf.function
    def outer(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            p, q = inner(x)
        return tape.gradient(q, x), tape.gradient(q, p, unconnected_gradients="zero")

    for _ in range(3):
        assert list(map(float, outer(tf.constant(2.0)))) == [6.0, 0.0]


def test_results_in_forward_mode():
    function, x = tf.function(tripled_and_more), tf.constant(2.0)
    for _ in range(3):
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as forward:
            with tf.GradientTape() as tape:
                tape.watch(x)
                p, q = function(x)
            assert tape.gradient(q, p) is None
        assert (float(forward.jvp(p)), float(forward.jvp(q))) == (3.0, 6.0)


def test_functions_that_run_eagerly_are_plain_python():
    function = tf.function(tripled_and_more)
    tf.config.run_functions_eagerly(True)
    try:
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            p, q = function(x)
        assert float(tape.gradient(q, p)) == 2.0
    finally:
        tf.config.run_functions_eagerly(False)
