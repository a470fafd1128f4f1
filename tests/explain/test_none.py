"""Why gradients are None: the cause and the line, in programs that people write."""

import pytest

import cinta as tf

from . import none_programs, none_state_programs
from .marks import marks, programs

PROGRAMS = programs(none_programs) | programs(none_state_programs)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_cause_and_the_line_are_found(name):
    program = PROGRAMS[name]
    with tf.debugging.explaining() as found:
        program()
    expected = marks(program) or marks(none_programs.Model)
    assert [(each.cause, each.line.lineno) for each in found] == expected
    assert found[0].kind == "none"
    assert str(found[0])
    assert found[0].advice
