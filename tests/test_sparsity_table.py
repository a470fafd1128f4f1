"""Every op passes dependences on: the structure that is found holds all nonzeros there are."""

import numpy as np
import pytest

import cinta as tf
from cinta.engine import recorders
from cinta.engine.op import registry
from cinta.sparsity import rules
from cinta.sparsity.pattern import identity
from cinta.sparsity.structure import Dependences
from tests.op_table import rows
from tests.shorthand import differentiable

ROWS = {repr(row): row for row in rows()}


class Watcher(Dependences):
    """Keeps which ops were called."""

    __slots__ = ("ops",)

    def __init__(self):
        super().__init__()
        self.ops = set()

    def follow(self, call):
        self.ops.add(call.op)
        super().follow(call)


def structures(row, source):
    """For each target: the structure that is found, the nonzeros that there are; and the ops."""
    inputs = [tf.constant(x) for x in row.inputs]
    x, watcher = inputs[source], Watcher()
    recorders.watch(x, watcher)
    watcher.known[x._number] = identity(x._array.size)
    with recorders.following(watcher), tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        targets = differentiable(tf.nest.flatten(row.function(*inputs)))
    pairs = []
    for target in targets:
        shape = (target._array.size, x._array.size)
        pattern = watcher.of(target)
        jacobian = tape.jacobian(target, x)
        there = np.zeros(shape) if jacobian is None else jacobian.numpy().reshape(shape)
        found = np.zeros(shape, bool) if pattern is None else pattern.matrix().toarray()
        pairs.append((found, there != 0))
    return pairs, watcher.ops


def sources(row):
    inputs = [tf.constant(x) for x in row.inputs]
    return [i for i, x in enumerate(inputs) if x.dtype.is_floating or x.dtype.is_complex]


@pytest.mark.parametrize("name", ROWS)
def test_no_nonzero_is_outside_of_the_structure(name):
    for source in sources(ROWS[name]):
        for found, there in structures(ROWS[name], source)[0]:
            assert not (there & ~found).any()


@pytest.mark.parametrize("name", ROWS)
def test_the_structure_is_exact_where_elements_are_moved_or_worked_on_one_by_one(name):
    for source in sources(ROWS[name]):
        pairs, ops = structures(ROWS[name], source)
        for found, there in pairs:
            if all(op.moves for op in ops):
                np.testing.assert_array_equal(found, there)
            if all(op.elementwise for op in ops) and len(ops) == 1:
                assert (found.sum(1) == 1).all()


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.order > 1])
def test_no_nonzero_of_a_hessian_is_outside_of_its_structure(name):
    row = ROWS[name]
    for source in sources(row):
        inputs = [tf.constant(x) for x in row.inputs]
        x, dependences = inputs[source], Dependences()
        recorders.watch(x, dependences)
        dependences.known[x._number] = identity(x._array.size)
        with recorders.following(dependences), tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as tape:
                tape.watch(x)
                targets = differentiable(tf.nest.flatten(row.function(*inputs)))
            weights = [directions(t) for t in targets]
            g = tf.convert_to_tensor(tape.gradient(targets, x, weights, "zero"))
        pattern, hessian = dependences.of(g), outer.jacobian(g, x)
        if hessian is not None:
            there = hessian.numpy().reshape(x._array.size, x._array.size) != 0
            assert not (there if pattern is None else there & ~pattern.matrix().toarray()).any()


def directions(target):
    """Random numbers like the target, so that no derivative hides."""
    draw = np.random.default_rng(1).standard_normal
    imaginary = 1j * draw(target.shape) if target.dtype.is_complex else 0
    return tf.cast(tf.constant(draw(target.shape) + imaginary), target.dtype)


def test_every_rule_is_that_of_an_op_that_there_is():
    tables = (rules.ALONG_AXES, rules.LETTERS, rules.SPECIAL)
    for table in tables:
        assert set(table) <= set(registry)
    assert len(set().union(*tables)) == sum(map(len, tables))
