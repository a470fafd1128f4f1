"""The benchmark of two ways runs each of its comparisons, whose results must agree."""

import pytest

from bench import ways


@pytest.mark.parametrize("name", ways.WAYS)
def test_both_ways_are_timed_and_agree(name):
    assert min(ways.least(name, rounds=1)) > 0.0


def test_the_memory_that_is_kept_is_measured():
    found = ways.memory_kept(100, rounds=1)
    assert len(found) == 2
    assert all(milliseconds > 0.0 and faults >= 0 for milliseconds, faults in found)


def test_ways_that_do_not_agree_are_refused(monkeypatch):
    monkeypatch.setitem(ways.WAYS, "wrong", lambda scale: (lambda: 1.0, lambda: 2.0))
    with pytest.raises(AssertionError, match="wrong"):
        ways.least("wrong", rounds=1)
