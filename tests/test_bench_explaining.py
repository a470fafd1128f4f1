"""The benchmark of explanations runs its programs, off and on."""

import pytest

from bench import explaining


@pytest.mark.parametrize("on", [False, True])
def test_a_chain_is_timed(on):
    assert float(explaining.run(explaining.chain("scalars", on, repeats=1))) > 0.0


def test_memory_is_measured():
    found = explaining.run(explaining.MEMORY.format(steps=20, parts=5)).split()
    assert len(found) == 5
    assert all(int(x) > 0 for x in found)
