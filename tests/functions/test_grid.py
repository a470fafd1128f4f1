"""Every kind of change in every kind of holder changes what a function gives."""

import pytest

from tests.functions.changes.grid import GRID
from tests.functions.pending import PENDING
from tests.functions.running import Run, marked, same


@pytest.mark.parametrize("name", marked(GRID, PENDING))
def test_changes_in_holders_are_noticed(name):
    expected = Run(GRID[name], "eager")
    found = Run(GRID[name], "numpy")
    assert not same(expected.results[:1], expected.results[-1:], 0)
    assert same(found.results, expected.results, 0)
