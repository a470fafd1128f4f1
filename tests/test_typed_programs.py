"""Programs that type checkers must accept, and lines that they must refuse, shown to each."""

import functools
import pathlib
import re
import subprocess
import sys

import pytest

PROGRAMS = pathlib.Path(__file__).parent / "typing"
ROOT = PROGRAMS.parent.parent

CHECKERS = {
    "mypy": ["--strict", "--hide-error-context"],
    "pyright": ["--pythonpath", sys.executable],
}
"""The options of each."""


@functools.cache
def said_by(checker):
    """The answer of a type checker to the programs; it reads cinta once for both."""
    pytest.importorskip(checker)
    programs = [str(PROGRAMS / name) for name in ("right.py", "wrong.py")]
    command = [sys.executable, "-m", checker, *CHECKERS[checker], *programs]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def lines_refused(checker, name):
    """The numbers of the lines of a program in which a type checker finds errors."""
    found = re.findall(rf"{name}:(\d+):(?:\d+ -)? error: ", said_by(checker))
    return {int(number) for number in found}


@pytest.mark.parametrize("checker", CHECKERS)
def test_right_programs_are_accepted(checker):
    assert not lines_refused(checker, "right.py"), said_by(checker)


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_wrong_line_is_refused(checker):
    lines = (PROGRAMS / "wrong.py").read_text().splitlines()
    marked = {i for i, line in enumerate(lines, 1) if line.endswith("# error")}
    refused = lines_refused(checker, "wrong.py")
    assert len(marked) >= 100
    assert refused == marked, [lines[i - 1] for i in sorted(refused ^ marked)]
