"""Why gradients are None: the cause and the line, in programs that people write."""

import pytest

import cinta as tf

from . import none_programs, none_state_programs
from .marks import marks, programs

scale = tf.constant(3.0)
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


def test_a_source_that_is_a_global_is_called_by_its_name():
    def step():
        with tf.GradientTape() as tape:
            y = scale * 2.0
        return tape.gradient(y, scale)

    (found,) = tf.debugging.explain(step)
    assert "`y` with respect to `scale`" in found.headline
    assert "tape.watch(scale)" in found.advice


def test_lines_whose_text_nobody_keeps_have_their_number():
    typed = """
def step():
    with tf.GradientTape() as tape:
        y = scale * 2.0
    return tape.gradient(y, scale)
"""
    names = {"tf": tf, "scale": scale}
    exec(compile(typed, "<stdin>", "exec"), names)
    (found,) = tf.debugging.explain(names["step"])
    assert (found.line.filename, found.line.lineno, found.line.source) == ("<stdin>", 4, "")
    assert "<stdin>:4" in str(found)
