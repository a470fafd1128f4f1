"""Programs of all kinds: what is explained of them, and about which nothing is said."""

import pytest

import cinta as tf

from . import (
    blow_up_programs,
    further_programs,
    healthy_mixed_programs,
    healthy_training_programs,
    mixed_programs,
    recorded_programs,
    training_programs,
)
from .marks import marks, programs

MODULES = (
    blow_up_programs,
    further_programs,
    healthy_mixed_programs,
    healthy_training_programs,
    mixed_programs,
    recorded_programs,
    training_programs,
)
PROGRAMS = {name: each for module in MODULES for name, each in programs(module).items()}


def test_no_two_programs_have_one_name():
    assert len(PROGRAMS) == sum(len(programs(module)) for module in MODULES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_cause_and_the_line_are_found(name):
    with tf.debugging.explaining() as found:
        PROGRAMS[name]()
    assert [(each.cause, each.line.lineno) for each in found] == marks(PROGRAMS[name])
