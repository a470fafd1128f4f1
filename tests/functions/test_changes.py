"""A change between two calls of a function changes the function's result.

Each row of the table is run eagerly, replayed by NumPy, and compiled by XLA. A function that runs
as Python at every call passes, as it should; tests/functions/test_programs.py tells which may not.
"""

import inspect
import types

import keras
import pytest

import cinta as tf
from cinta.replay.captures.callables import reads_a_setting
from tests.functions.changes.grid import GRID
from tests.functions.changes.table import TABLE
from tests.functions.pending import PENDING
from tests.functions.running import Run, marked, same

CALLS = {"numpy": (3, 2), "xla": (3, 1)}
"""The calls before and after each change."""
TOLERANCE = {"numpy": 0, "xla": 1e-6}


OLD_WAYS = pytest.mark.filterwarnings("ignore:Setting the .* on a NumPy array:DeprecationWarning")
"""Arrays can be changed in ways of which newer versions of NumPy warn."""


@OLD_WAYS
@pytest.mark.parametrize("name", marked(TABLE, PENDING))
def test_changes_are_noticed(name):
    assert_noticed(name, "numpy")


@OLD_WAYS
@pytest.mark.parametrize("name", marked(TABLE, PENDING, every=4))
def test_changes_are_noticed_by_compiled_functions(name):
    assert_noticed(name, "xla")


def assert_noticed(name, engine):
    expected = Run(TABLE[name], "eager", *CALLS[engine])
    found = Run(TABLE[name], engine, *CALLS[engine])
    assert same(found.results, expected.results, TOLERANCE[engine]), (
        f"{found.results}, expected {expected.results}"
    )


@OLD_WAYS
def test_each_row_changes_something():
    unchanged = []
    for name, program in TABLE.items():
        results = Run(program, "eager").results
        if all(same(results[:1], [other], 0) for other in results):
            unchanged.append(name)
    assert not unchanged


def test_functions_that_tell_a_setting_are_known():
    modules = tf.config, tf.config.optimizer, tf.config.threading, tf.config.experimental
    found = [
        function
        for module in (*modules, tf.debugging, tf.distribute, keras.config)
        for function in [getattr(module, name) for name in dir(module) if _tells(name)]
        if isinstance(function, types.FunctionType) and _needs_nothing(function)
    ]
    assert len(found) > 20
    assert [each.__name__ for each in found if not reads_a_setting(each)] == []


def _tells(name):
    return name.startswith(("get_", "is_", "has_", "list_")) or name.endswith(
        ("_enabled", "_eagerly", "_epochs", "_per_epoch")
    )


def _needs_nothing(function):
    parameters = inspect.signature(function).parameters.values()
    return all(each.default is not each.empty for each in parameters)


def test_pending_rows_are_in_the_table():
    assert TABLE.keys() | GRID.keys() >= PENDING
