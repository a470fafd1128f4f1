"""Programs made at random: whatever they do, a recorded function does it too."""

import warnings

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import cinta as tf
from tests.replaying import as_python

SIZE = 3

UNARY = {
    "tanh": tf.tanh,
    "neg": tf.negative,
    "sum": lambda x: x * 0 + tf.reduce_sum(x),
    "sort": tf.sort,
    "cumsum": tf.cumsum,
    "relu": tf.nn.relu,
    "reverse": lambda x: x[::-1],
    "stop": tf.stop_gradient,
    "norm": lambda x: tf.math.l2_normalize(x),
    "clip": lambda x: tf.clip_by_norm(x, 1.0),
    "gather": lambda x: tf.gather(x, [2, 0, 0]),
    "argsort": lambda x: tf.gather(x, tf.argsort(x)),
    "position": lambda x: x + x[tf.argmax(x)],
    "int": lambda x: tf.cast(tf.cast(x * 4, tf.int32), tf.float64) + x,
}
BINARY = {
    "add": tf.add,
    "mul": tf.multiply,
    "max": tf.maximum,
    "where": lambda x, y: tf.where(x > y, x, y * 0.5),
    "matmul": lambda x, y: tf.linalg.matvec(tf.tensordot(x, y, 0), y),
}


class Machine:
    """Runs a program: a list of instructions on a stack of vectors and one variable."""

    def __init__(self, program):
        self.program = program
        self.state = tf.Variable([0.5, -1.0, 2.0], dtype=tf.float64)

    def __call__(self, x):
        return self.run(self.program, [x, x * 0.5])

    def run(self, program, stack):
        for name, *branches in program:
            if name in UNARY:
                stack.append(UNARY[name](stack.pop()))
            elif name in BINARY:
                stack.append(BINARY[name](stack[-1], stack[-2]))
            elif name == "read":
                stack.append(self.state * 1.0)
            elif name == "assign":
                self.state.assign(0.5 * self.state + tf.tanh(stack[-1]))
            elif name == "random":
                stack.append(stack[-1] + tf.random.uniform([SIZE], dtype=tf.float64))
            elif name == "if":
                stack.append(self.run(branches[0] if stack[-1][0] > 0 else branches[1], stack[-2:]))
            elif name == "gradient":
                stack.append(self.slope(branches[0], stack[-1]))
        return stack[-1] + 0 * stack[-2]

    def slope(self, program, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = self.run(program, [x * 0.25, x])
        gradient, by_state = tape.gradient(y, [x, self.state])
        total = tf.zeros_like(x) if gradient is None else tf.convert_to_tensor(gradient)
        return total if by_state is None else total + by_state


def programs(inner):
    simple = st.tuples(st.sampled_from([*UNARY, *BINARY, "read", "assign", "random"]))
    branch = st.tuples(st.just("if"), inner, inner)
    gradient = st.tuples(st.just("gradient"), inner)
    return st.lists(st.one_of(simple, simple, branch, gradient), max_size=5)


PROGRAMS = programs(st.recursive(st.just([]), programs, max_leaves=6))
INPUTS = st.lists(
    st.lists(st.floats(-2, 2, width=16), min_size=SIZE, max_size=SIZE), min_size=2, max_size=5
)


def outcomes(program, inputs, wrap):
    """Results, gradients and states of several calls."""
    machine = Machine(program)
    function = wrap(machine.__call__)
    tf.random.set_seed(7)
    found = []
    for values in inputs:
        x = tf.constant(values, tf.float64)
        found.append(function(x))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        found += [y, *tape.gradient(y, [x, machine.state], unconnected_gradients="zero")]
        found.append(machine.state.read_value())
    return [np.nan_to_num(tf.convert_to_tensor(each).numpy(), posinf=1e9) for each in found]


@settings(max_examples=150)
@given(PROGRAMS, INPUTS)
def test_replays_do_what_python_does(program, inputs):
    is_random = "random" in repr(program)  # functions have random numbers of their own
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "tf.function", UserWarning)
        by_python = outcomes(program, inputs, as_python if is_random else lambda f: f)
    by_replay = outcomes(program, inputs, tf.function)
    for one, other in zip(by_python, by_replay, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-7, atol=1e-9)
