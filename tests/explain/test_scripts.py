"""Programs at the top level of a file, as people write them who know only the documentation."""

import pathlib

import pytest

import cinta as tf

from .marks import marks_in

SCRIPTS = sorted(pathlib.Path(__file__).with_name("scripts").glob("*.py"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_cause_and_the_line_are_found(path):
    text = path.read_text()
    if "import keras" in text:
        pytest.importorskip("keras")
    if "jit_compile" in text:
        pytest.importorskip("jax")
    program = compile(text, str(path), "exec")
    with tf.debugging.explaining() as found:
        exec(program, {"__name__": "__main__"})
    assert [(each.cause, each.line.lineno) for each in found] == marks_in(text.splitlines())
