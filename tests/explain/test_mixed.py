"""Programs of all kinds: what is explained of them, and about which nothing is said."""

from importlib import import_module

import pytest

import cinta as tf

from .marks import marks, programs

KINDS = (
    *("blow_up", "further", "healthy_library", "healthy_mixed", "healthy_training", "mixed"),
    *("recorded", "training", "training_system", "unlikely"),
)
MODULES = [import_module(f".{kind}_programs", __package__) for kind in KINDS]
PROGRAMS = {name: each for module in MODULES for name, each in programs(module).items()}


def test_no_two_programs_have_one_name():
    assert len(PROGRAMS) == sum(len(programs(module)) for module in MODULES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_cause_and_the_line_are_found(name):
    with tf.debugging.explaining() as found:
        PROGRAMS[name]()
    assert [(each.cause, each.line.lineno) for each in found] == marks(PROGRAMS[name])
