"""Programs that type checkers must accept, and lines that they must refuse, shown to mypy."""

import pathlib
import re
import subprocess
import sys

import pytest

PROGRAMS = pathlib.Path(__file__).parent / "typing"
ROOT = PROGRAMS.parent.parent


def lines_refused(program):
    """The numbers of the lines in which mypy finds errors, and what it says."""
    command = [sys.executable, "-m", "mypy", "--strict", "--hide-error-context", str(program)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = re.findall(rf"{program.name}:(\d+): error: ", done.stdout)
    return {int(number) for number in found}, done.stdout


def test_right_programs_are_accepted():
    pytest.importorskip("mypy")
    refused, report = lines_refused(PROGRAMS / "right.py")
    assert not refused, report


def test_every_wrong_line_is_refused():
    pytest.importorskip("mypy")
    program = PROGRAMS / "wrong.py"
    lines = program.read_text().splitlines()
    marked = {i for i, line in enumerate(lines, 1) if line.endswith("# error")}
    refused, _ = lines_refused(program)
    assert len(marked) >= 100
    assert refused == marked, [lines[i - 1] for i in sorted(refused ^ marked)]
