"""Programs as people write them are replayed, with the results of the Python."""

import pytest

from tests.functions.pending import PENDING_PROGRAMS
from tests.functions.programs.table import PROGRAMS
from tests.functions.running import Run, same

ROWS = [
    pytest.param(name, marks=pytest.mark.xfail) if name in PENDING_PROGRAMS else name
    for name in PROGRAMS
]


@pytest.mark.parametrize("name", ROWS)
def test_programs_are_replayed(name):
    expected = Run(PROGRAMS[name], "eager")
    for engine, rtol in (("numpy", 1e-6), ("xla", 1e-4)):
        found = Run(PROGRAMS[name], engine)
        assert same(found.results, expected.results, rtol), f"{engine}: {found.results}"
        assert found.report().replays > 0
        assert not found.report().refused


def test_results_are_numbers():
    for name in PROGRAMS:
        assert not any(isinstance(each, str) for each in Run(PROGRAMS[name], "eager").results), name


def test_pending_programs_are_in_the_table():
    assert PROGRAMS.keys() >= PENDING_PROGRAMS
