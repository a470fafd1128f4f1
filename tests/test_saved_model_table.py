"""Every op in a saved model: loaded, it gives what the Python gives, with its gradients."""

import pytest

import cinta as tf
from tests.op_table import rows
from tests.replaying import assert_close, assert_same, inputs_of, seeded
from tests.shorthand import differentiable

NOT_RECORDED = {"dropout"}
"""The rows whose Python runs at every call, because it sets the seed, and which cannot be saved."""


@pytest.mark.filterwarnings("ignore:.*it sets the global seed")
@pytest.mark.parametrize("row", rows(), ids=repr)
def test_a_loaded_function_gives_what_python_gives(row, tmp_path):
    module = tf.Module()
    module.f = tf.function(lambda *inputs: row.function(*inputs))
    inputs = inputs_of(row)
    seeded(module.f, *inputs)
    assert (module.f.experimental_get_tracing_count() == 0) == (row.name in NOT_RECORDED)
    if row.name in NOT_RECORDED:
        return
    tf.saved_model.save(module, tmp_path)
    model = tf.saved_model.load(tmp_path)
    assert_same(seeded(model.f, *inputs), seeded(row.function, *inputs))
    found = []
    for function in (row.function, model.f):
        with tf.GradientTape() as tape:
            tape.watch(differentiable(inputs))
            results = differentiable(tf.nest.flatten(seeded(function, *inputs)))
        found.append(tape.gradient(results, differentiable(inputs)))
    assert_close(*found)
