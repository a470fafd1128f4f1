"""Every op in a recording: on other inputs it gives what the Python gives, bit by bit."""

import pytest

import cinta as tf
from tests.op_table import rows
from tests.replaying import (
    assert_close,
    assert_same,
    gradients_outside,
    inputs_of,
    seeded,
    with_gradients,
)

# The Python of a row that does so runs at every call, and says so.
pytestmark = pytest.mark.filterwarnings("ignore:.*it sets the global seed")

each_row = pytest.mark.parametrize("row", rows(), ids=repr)


@each_row
def test_replay_gives_what_python_gives(row):
    function = with_gradients(row)
    replayed = tf.function(function)
    for factor in (1.0, 0.97, 1.0, 0.97):
        inputs = inputs_of(row, factor)
        assert_same(seeded(replayed, *inputs), seeded(function, *inputs))


@each_row
def test_gradients_of_replayed_calls_are_those_of_python(row):
    replayed = tf.function(lambda *inputs: row.function(*inputs))
    for factor in (1.0, 0.97, 0.97):
        inputs = inputs_of(row, factor)
        found = [gradients_outside(f, inputs) for f in (row.function, replayed)]
        assert_close(*found)
