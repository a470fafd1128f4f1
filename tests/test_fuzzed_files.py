"""Files of every kind, changed in thousands of ways: each is refused in so many words, or right."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import fuzzing

ROOT = Path(__file__).parents[1]
FEW, MANY = 40, 10_000


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(fuzzing.kinds()))
def test_some_changed_files(name):
    kind = fuzzing.kinds()[name]
    complaints = [fuzzing.complaint(kind, name, number) for number in range(FEW)]
    assert not list(filter(None, complaints))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(fuzzing.kinds()))
def test_many_changed_files_with_little_memory(name):
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzzing", name, str(MANY)],
        cwd=ROOT,
        env={"PYTHONPATH": "src:."},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    assert f"{name}: {MANY} changed files, 0 complaints" in done.stdout
