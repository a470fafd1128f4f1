"""Programs as people write them are replayed, with the results of the Python."""

import pytest

from tests.functions.pending import PENDING_PROGRAMS
from tests.functions.programs.table import PROGRAMS
from tests.functions.running import Run, marked, same


@pytest.mark.parametrize("name", marked(PROGRAMS, PENDING_PROGRAMS))
def test_programs_are_replayed(name):
    assert_replayed(name, "numpy", 1e-6)


@pytest.mark.parametrize("name", marked(PROGRAMS, PENDING_PROGRAMS, every=3))
def test_programs_are_compiled(name):
    assert_replayed(name, "xla", 1e-4)


def assert_replayed(name, engine, rtol):
    expected = Run(PROGRAMS[name], "eager")
    found = Run(PROGRAMS[name], engine)
    assert same(found.results, expected.results, rtol), found.results
    assert found.report().replays > 0
    assert not found.report().refused


def test_results_are_numbers():
    for name in PROGRAMS:
        assert not any(isinstance(each, str) for each in Run(PROGRAMS[name], "eager").results), name


def test_pending_programs_are_in_the_table():
    assert PROGRAMS.keys() >= PENDING_PROGRAMS
