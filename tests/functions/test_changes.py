"""A change between two calls of a function changes the function's result.

Each row of the table is run eagerly, replayed by NumPy, and compiled by XLA. A function that runs
as Python at every call passes, as it should; tests/functions/test_programs.py tells which may not.
"""

import pytest

from tests.functions.changes.grid import GRID
from tests.functions.changes.table import TABLE
from tests.functions.pending import PENDING
from tests.functions.running import Run, same

ROWS = [pytest.param(name, marks=pytest.mark.xfail) if name in PENDING else name for name in TABLE]
ENGINES = {"numpy": (3, 2, 0), "xla": (3, 1, 1e-6)}
"""The calls before and after each change, and by how much results may differ."""


@pytest.mark.parametrize("name", ROWS)
def test_changes_are_noticed(name):
    for engine, (before, after, rtol) in ENGINES.items():
        expected = Run(TABLE[name], "eager", before, after)
        found = Run(TABLE[name], engine, before, after)
        assert same(found.results, expected.results, rtol), (
            f"{engine}: {found.results}, expected {expected.results}"
        )


def test_each_row_changes_something():
    unchanged = []
    for name, program in TABLE.items():
        results = Run(program, "eager").results
        if all(same(results[:1], [other], 0) for other in results):
            unchanged.append(name)
    assert not unchanged


def test_pending_rows_are_in_the_table():
    assert TABLE.keys() | GRID.keys() >= PENDING
