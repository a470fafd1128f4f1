"""Elementwise steps taken together, block by block: bit for bit what they are one by one."""

import numpy as np
import pytest

import cinta as tf
from cinta.engine import parallel
from cinta.engine.op import registry
from cinta.replay.numpy.engine import NumpyProgram
from cinta.replay.numpy.regions import LARGE, POINTWISE, with_regions
from cinta.replay.passes import for_running
from cinta.replay.recording import Recording
from tests.replay.test_passes import recorded, results

ROWS, COLUMNS = 300, 500  # together more than LARGE


@pytest.fixture(autouse=True)
def two_threads():
    chosen = parallel.chosen_threads()
    parallel.choose_threads(2)
    yield
    parallel.choose_threads(chosen)


def numbers(*shape, seed=0):
    """Normal numbers, with a few that are special."""
    x = np.random.default_rng(seed).standard_normal(shape, dtype=np.float32)
    flat = x.reshape(-1)
    flat[seed :: flat.size // 5 + 1] = np.resize([-0.0, np.inf, np.nan, -np.inf, 0.0], 5)[
        : len(flat[seed :: flat.size // 5 + 1])
    ]
    return x


def regions(made):
    return [item for item in with_regions(for_running(made)) if isinstance(item, Recording)]


def check(function, *arrays, count=1):
    """Whether the function runs as so many regions, and gives what its steps give one by one."""
    made = recorded(function, *arrays)
    found = regions(made)
    assert len(found) == count
    for one, other in zip(results(made, arrays), NumpyProgram(made)(arrays)[0], strict=True):
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
    return [[step.op.name for step in region.calls] for region in found]


def value_and_gradient(function):
    def both(x, *others):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, *others)
        return y, tape.gradient(y, x)

    return both


X = numbers(ROWS, COLUMNS)


def test_a_gradient_is_one_region():
    def function(x):
        return tf.reduce_sum(tf.sigmoid(x) * tf.tanh(x) + tf.exp(-(x**2)))

    (names,) = check(value_and_gradient(function), X)
    assert "SigmoidGrad" in names


@pytest.mark.parametrize(
    "shape", [(COLUMNS,), (1, COLUMNS), (ROWS, 1), (1, 1), (1,), (), (ROWS, COLUMNS)], ids=str
)
def test_what_is_broadcast_goes_with_each_block(shape):
    check(lambda x, y: tf.tanh(x * y + 1.0) / y, X, numbers(*shape, seed=1))


@pytest.mark.parametrize(
    "shape", [(8, 1, 1, 128), (1, 4, 128, 1), (128, 128), (8, 4, 1, 1)], ids=str
)
def test_axes_are_folded_as_far_as_broadcasting_allows(shape):
    x, y = numbers(8, 4, 128, 128), numbers(*shape, seed=1)
    check(lambda x, y, z: (tf.exp(x) + y) * z - y, x, y, numbers(128, seed=2))


def test_ints_bools_and_doubles_may_stand_in_one_region():
    def function(x):
        y = tf.cast(x, tf.float64)
        return tf.where(x > 0.5, tf.exp(x), x * x) + 1.0, tf.sqrt(y) * y, x > 0.5

    check(function, np.abs(X), count=1)


def test_what_lies_otherwise_in_memory_is_done_step_by_step():
    def function(x):
        y = tf.exp(tf.transpose(x)) * 2.0 + 1.0
        return y, tf.reduce_sum(y, -1)

    check(function, X)
    check(lambda x: tf.tanh(x[:, ::2]) * 2.0, numbers(600, COLUMNS))


def test_numbers_that_are_not_aligned_are_done_step_by_step():
    memory = np.zeros(4 * ROWS * COLUMNS + 1, np.uint8)
    x = memory[1:].view(np.float32).reshape(ROWS, COLUMNS)
    x[...] = X
    assert not x.flags.aligned
    check(lambda x: tf.exp(x) * 2.0 + x, x)


def test_what_needs_the_region_comes_after_it_and_the_rest_before():
    w = np.eye(COLUMNS, dtype=np.float32)

    def function(x, w):
        a = tf.exp(x) + 1.0
        total = tf.reduce_sum(a)
        b = tf.tanh(x) * a
        other = w @ w
        c = b * 3.0
        d = c / total
        return d - 1.0, other

    first, second = check(function, np.nan_to_num(X, posinf=1, neginf=1), w, count=2)
    assert (len(first), len(second)) == (5, 2)


def test_nothing_passes_a_guard():
    def function(x):
        y = tf.exp(x) * 2.0
        z = y + 1.0 if y[0, 0] > -1 else y
        return tf.tanh(z) * z

    made = recorded(function, X)
    items = with_regions(for_running(made))
    kinds = ["region" if isinstance(each, Recording) else type(each).__name__ for each in items]
    assert kinds == ["region", "Step", "Step", "Guard", "region"]


def test_small_values_and_single_quick_steps_are_in_no_region():
    check(lambda x: tf.exp(x) * 2.0 + x, numbers(LARGE - 1), count=0)
    check(lambda x: x * 2.0, X, count=0)
    check(tf.exp, X)  # which takes long enough to be shared by threads


def test_constants_of_ones_and_steps_in_vain_disappear_inside():
    ones = np.ones([ROWS, COLUMNS], np.float32)
    check(lambda x: (tf.exp(x) * ones, tf.exp(x) * (2 * ones) + 1.0, x * ones), X)


def test_large_constants_are_cut_into_blocks_as_well():
    other = numbers(ROWS, COLUMNS, seed=3)
    check(lambda x: tf.tanh(x * other) + other[0], X)


def test_errors_in_blocks_are_those_of_the_op():
    made = recorded(lambda x: tf.sqrt(x) + 1.0, X)
    with np.errstate(all="raise"):
        found = NumpyProgram(made)([X])[0][0]
    assert found.tobytes() == results(made, [X])[0].tobytes()


ATTRIBUTES = {"LeakyRelu": {"alpha": 0.2}, "LeakyReluGrad": {"alpha": 0.2}}
EITHER_ZERO = ("Maximum", "Minimum", "Relu", "Relu6", "LeakyRelu", "Elu", "Selu", "Softplus")
"""Of zeros of two signs NumPy takes the one or the other as the greater, by where they lie."""
BLOCKED = [
    each
    for each in registry.all()
    if each.elementwise and (each.into is not None or each.name in POINTWISE)
]


@pytest.mark.parametrize("op", BLOCKED, ids=lambda each: each.name)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_each_element_is_computed_by_itself(op, dtype):
    whole = "Bitwise" in op.name or op.name == "Invert"
    dtype = "int32" if whole else dtype
    with np.errstate(all="ignore"):
        arrays = [numbers(LARGE + 5, seed=i).astype(dtype) for i in range(len(op.inputs))]
        if op.name in EITHER_ZERO:
            arrays = [x + 0 for x in arrays]
        attrs = ATTRIBUTES.get(op.name, {})
        expected = op.run(*arrays, **attrs)
        cut = 40_003
        parts = [slice(low, low + cut) for low in range(0, LARGE + 5, cut)]
        found = np.concatenate([op.run(*[a[part] for a in arrays], **attrs) for part in parts])
        assert found.tobytes() == expected.tobytes()
        if op.into is not None:
            out = np.empty_like(expected)
            op.into(*arrays, **attrs, out=out)
            assert out.tobytes() == expected.tobytes()
