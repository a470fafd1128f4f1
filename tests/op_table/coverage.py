"""The rows that together call every op, each with real and with complex numbers if it has both."""

from __future__ import annotations

import functools

import pytest

import cinta as tf
from cinta.ops.random import state
from tests.shorthand import differentiable

from . import rows
from .row import Row


@functools.cache
def ops_of(row: Row) -> frozenset[tuple[str, bool]]:
    """The ops that the row and its gradients call, and whether its numbers are complex."""
    inputs = [tf.constant(x) for x in row.inputs]
    sources = differentiable(inputs)
    with tf.GradientTape() as outer:
        outer.watch(sources)
        with tf.GradientTape() as tape:
            tape.watch(sources)
            targets = differentiable(tf.nest.flatten(row.function(*inputs)))
        tape.gradient(targets, sources)
    state.set_seed(None)  # a row sets it
    is_complex = any(x.dtype.is_complex for x in (*sources, *targets))
    return frozenset(
        (record.plan.op.name, is_complex)
        for record in outer._recorder
        if record.plan.op is not None
    )


def _first_or_long():
    covered: set[tuple[str, bool]] = set()
    for row in rows():
        yield pytest.param(row, marks=[pytest.mark.long] if ops_of(row) <= covered else [])
        covered |= ops_of(row)


row_of_each_op = pytest.mark.parametrize("row", list(_first_or_long()), ids=repr)
"""All rows; those that call no op which no row before them calls are long tests."""
