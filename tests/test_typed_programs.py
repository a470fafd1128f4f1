"""Programs that type checkers must accept, and lines that they must refuse, shown to each."""

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


def lines_refused(checker, program):
    """The numbers of the lines in which a type checker finds errors, and what it says."""
    pytest.importorskip(checker)
    command = [sys.executable, "-m", checker, *CHECKERS[checker], str(program)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = re.findall(rf"{program.name}:(\d+):(?:\d+ -)? error: ", done.stdout)
    return {int(number) for number in found}, done.stdout


@pytest.mark.parametrize("checker", CHECKERS)
def test_right_programs_are_accepted(checker):
    refused, report = lines_refused(checker, PROGRAMS / "right.py")
    assert not refused, report


@pytest.mark.parametrize("checker", CHECKERS)
def test_every_wrong_line_is_refused(checker):
    program = PROGRAMS / "wrong.py"
    lines = program.read_text().splitlines()
    marked = {i for i, line in enumerate(lines, 1) if line.endswith("# error")}
    refused, _ = lines_refused(checker, program)
    assert len(marked) >= 100
    assert refused == marked, [lines[i - 1] for i in sorted(refused ^ marked)]
