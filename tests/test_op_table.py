"""Every op: right to third order, in every dtype, stacked, and never writing to its inputs."""

import numpy as np
import pytest

import cinta as tf
from cinta.derivatives.tape_arguments import is_known
from cinta.engine import op, recorders
from cinta.engine.indexed_slices import GradientRows
from cinta.engine.sweep import sweep
from tests.checking import check_gradients
from tests.op_table import rows
from tests.op_table.coverage import ops_of, row_of_each_op
from tests.shorthand import differentiable

ROWS = rows()
ROUNDING = {"float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}

# Ops that no public function calls with something to differentiate, and where they are tested.
ELSEWHERE = {
    "AllGather": "test_replicas",
    "AllReduce": "test_replicas",
    "CopyToMesh": "test_dtensor",
    "AttentionWeights": "test_attention",
    "CustomGradient": "test_custom_gradient",
    "EagerPyFunc": "test_call_once",
    "EagerPyFuncGrad": "test_call_once",
    "GRUStepsForwards": "test_recurrent",
    "LSTMStepsBackwards": "test_recurrent",
    "LSTMStepsForwards": "test_recurrent",
    "RangeLength": "test_loops_over_ranges",
    "ReadVariableOp": "test_variable",
    "StatelessParameterizedTruncatedNormal": "test_random",
    "StatelessRandomGammaV3": "test_random",
    "Beside": "test_one_sided_branches",
    "Branch": "test_branches",
    "Sweeps": "test_while_loops",
    "ToldGradient": "test_replay",
    "WatchStep": "test_training",
    "While": "test_while_loops",
}

each_row = pytest.mark.parametrize("row", ROWS, ids=repr)
each_row_in_float32 = pytest.mark.parametrize(
    "row", [row for row in ROWS if "float32" in row.dtypes], ids=repr
)


def tensors(row, *dtypes):
    """The inputs; those that are real are cast to one dtype after the other."""
    inputs = [tf.constant(x) for x in row.inputs]
    for dtype in dtypes:
        inputs = [tf.cast(x, dtype) if x.dtype.is_floating else x for x in inputs]
    return inputs


def targets_and_sources(row, inputs, tape):
    sources = differentiable(inputs)
    with tape:
        tape.watch(sources)
        targets = differentiable(tf.nest.flatten(row.function(*inputs)))
    return targets, sources


@each_row
def test_gradients_are_those_of_finite_differences(row):
    check_gradients(
        row.function, *row.inputs, order=1, rtol=1e-5 * row.loose, atol=1e-6 * row.loose
    )


@row_of_each_op
def test_derivatives_are_those_of_finite_differences(row):
    assert_differentiated(row, row.order)


def assert_differentiated(row, order):
    check_gradients(
        row.function, *row.inputs, order=order, rtol=1e-5 * row.loose, atol=1e-6 * row.loose
    )


@each_row
def test_gradients_in_low_precision_are_off_by_few_roundings_and_keep_the_dtype(row):
    for dtype in row.dtypes:
        wide = gradients(row, dtype, "float64")  # by inputs that are rounded, too
        for low, high in zip(gradients(row, dtype), wide, strict=True):
            assert (low is None) == (high is None)
            if low is None:
                continue
            assert low.dtype == dtype or low.dtype.is_complex
            bound = 16 * ROUNDING[dtype] * row.loose * max(1, np.abs(high.numpy()).max(initial=0))
            np.testing.assert_allclose(
                tf.cast(low, tf.float64).numpy(), high.numpy(), rtol=0, atol=bound
            )


@each_row
def test_gradients_in_low_precision_are_recorded_in_that_dtype(row):
    for dtype in row.dtypes:
        plain = gradients(row, dtype)
        with tf.GradientTape() as outer:
            inputs, tape = tensors(row, dtype), tf.GradientTape()
            outer.watch(differentiable(inputs))
            recorded = tape.gradient(*targets_and_sources(row, inputs, tape))
        for one, other in zip(recorded, plain, strict=True):
            assert (one is None) == (other is None)
            assert one is None or one.dtype == other.dtype


@each_row_in_float32
def test_gradients_are_computed_in_the_dtype_of_their_source(row):
    tape = tf.GradientTape()
    targets, sources = targets_and_sources(row, tensors(row, "float32"), tape)
    seeds = [(t._number, np.ones(t.shape, t.dtype.dtype)[()]) for t in targets if is_known(t)]
    found = sweep(tape._recorder, seeds, {x._number for x in sources}, keep=True)
    for x in sources:
        gradient = found.get(x._number)
        if isinstance(gradient, GradientRows):
            gradient = gradient.dense()
        assert gradient is None or (gradient.dtype, gradient.shape) == (x.dtype, x.shape)


def gradients(row, *dtypes):
    tape = tf.GradientTape()
    targets, sources = targets_and_sources(row, tensors(row, *dtypes), tape)
    return [g if g is None else tf.convert_to_tensor(g) for g in tape.gradient(targets, sources)]


@each_row
def test_gradients_that_are_stacked_are_the_single_ones(row):
    tape = tf.GradientTape(persistent=True)
    targets, sources = targets_and_sources(row, tensors(row), tape)
    target = targets[0]
    size = int(np.prod(target.shape))
    eye = np.eye(size, dtype=target.numpy().dtype).reshape(size, *target.shape)
    stacked = tape.jacobian(target, sources)
    for k in range(size):
        single = tape.gradient(target, sources, output_gradients=tf.constant(eye[k]))
        for jacobian, gradient, source in zip(stacked, single, sources, strict=True):
            assert (jacobian is None) == (gradient is None)
            if gradient is not None:
                row_k = jacobian.numpy().reshape(size, *source.shape)[k]
                one = tf.convert_to_tensor(gradient).numpy()
                np.testing.assert_allclose(row_k, one, rtol=1e-9, atol=1e-9)


MOST_NUMBERS = {2: 4000, 3: 300}


@each_row
@pytest.mark.parametrize("order", [2, 3])
def test_jacobians_of_jacobians_are_the_same_by_rows_and_by_columns(row, order):
    arrays = [x for x in row.inputs if x.dtype.kind == "f"]
    if not arrays or row.order < order:
        return
    x = tf.constant(np.concatenate([a.ravel() for a in arrays]))
    value = first_value(row, arrays, x)
    if not value.dtype.is_floating or tf.size(value) * tf.size(x) ** order > MOST_NUMBERS[order]:
        return
    found = {}
    for mode in ("forward", "reverse"):
        derivative = lambda x: first_value(row, arrays, x)  # noqa: E731
        for _ in range(order):
            derivative = tf.jacobian(derivative, mode=mode)
        found[mode] = derivative(x).numpy()
    scale = np.abs(found["reverse"]).max(initial=1)
    np.testing.assert_allclose(found["forward"], found["reverse"], rtol=0, atol=1e-9 * scale)


def first_value(row, arrays, x):
    """The first result of the row's function, for its floating inputs in one vector."""
    parts = iter(tf.split(x, [a.size for a in arrays]))
    inputs = [
        tf.reshape(next(parts), a.shape) if a.dtype.kind == "f" else tf.constant(a)
        for a in row.inputs
    ]
    return differentiable(tf.nest.flatten(row.function(*inputs)))[0]


def test_every_op_with_a_gradient_has_a_row():
    recorded = {name for row in ROWS for name, _ in ops_of(row)} | set(ELSEWHERE)
    missing = {each.name for each in op.registry.all() if each.differentiable} - recorded
    assert not missing, f"add rows to tests/op_table for {sorted(missing)}"


def test_rows_leave_no_tape_behind():
    assert not recorders.recording()
