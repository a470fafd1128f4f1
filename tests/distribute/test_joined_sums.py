"""Sums over replicas in several processes, which are sent together where they can be."""

import numpy as np
import pytest

pytest.importorskip("jax")

from cinta.engine.primitives import Identity, Mul
from cinta.ops.collective import AllReduce
from cinta.replay.recording import Step
from cinta.replay.xla.joined_sums import _groups, rounds


def step(op, inputs, output):
    return Step(op, inputs, {}, (output,), False)


def names(steps):
    return [(step.op.name, step.outputs[0]) for step in steps]


def test_sums_that_wait_for_no_other_are_made_together():
    steps = [
        step(AllReduce, (1,), 11),
        step(Mul, (11, 1), 12),
        step(AllReduce, (2,), 13),
        step(Identity, (2,), 14),
        step(AllReduce, (12,), 15),
        step(Mul, (13, 14), 16),
    ]
    found = [(names(sums), names(others)) for sums, others in rounds(steps)]
    assert found == [
        ([], [("Identity", 14)]),
        ([("AllReduce", 11), ("AllReduce", 13)], [("Mul", 12), ("Mul", 16)]),
        ([("AllReduce", 15)], []),
    ]


def test_a_program_without_sums_is_one_round():
    assert [*rounds([])] == []
    ((sums, others),) = rounds([step(Identity, (1,), 2)])
    assert (sums, names(others)) == ([], [("Identity", 2)])


def test_small_values_of_one_dtype_are_sent_as_one():
    shapes = [(2,), (1 << 17,), (3, 4), (0,), ()]
    values = [np.zeros(shape, "f4") for shape in shapes] + [np.zeros(2, "f8")]
    assert _groups(values) == [[0, 2, 3, 4], [1], [5]]
    many = [np.zeros(1 << 16, "f4")] * 5
    assert _groups(many) == [[0, 1, 2, 3], [4]]
