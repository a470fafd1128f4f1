"""Programs of all kinds: what is explained of them, and about which nothing is said."""

import pytest

import cinta as tf

from . import healthy_mixed_programs, mixed_programs
from .marks import marks, programs

PROGRAMS = programs(mixed_programs) | programs(healthy_mixed_programs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_cause_and_the_line_are_found(name):
    with tf.debugging.explaining() as found:
        PROGRAMS[name]()
    assert [(each.cause, each.line.lineno) for each in found] == marks(PROGRAMS[name])
