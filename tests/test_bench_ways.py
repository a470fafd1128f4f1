"""The benchmarks of several ways run each of their comparisons, whose results must agree."""

import pytest

from bench import threads, ways


@pytest.mark.parametrize("name", ways.WAYS)
def test_both_ways_are_timed_and_agree(name):
    assert min(ways.least(ways.WAYS[name](1), rounds=1)) > 0.0


def test_the_start_of_a_thread_is_timed():
    assert threads.started(rounds=3) > 0.0


@pytest.mark.parametrize("name", threads.FUNCTIONS)
def test_one_thread_and_all_are_timed_and_agree(name):
    assert min(ways.least(threads.shared(name, 1 << 20), rounds=1)) > 0.0


def test_a_chain_is_timed_in_three_ways_that_agree():
    assert min(ways.least([*threads.chain(600).values()], rounds=1)) > 0.0


def test_the_memory_that_is_kept_is_measured():
    found = ways.memory_kept(100, rounds=1)
    assert len(found) == len(ways.SETTINGS)
    assert all(
        milliseconds > 0.0 and faults >= 0 and held > 1.0 for milliseconds, faults, held in found
    )


def test_ways_that_do_not_agree_are_refused():
    with pytest.raises(AssertionError, match="Not equal"):
        ways.least([lambda: 1.0, lambda: 1.0, lambda: 2.0], rounds=1)
