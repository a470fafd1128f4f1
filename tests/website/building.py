"""The site, built once for all tests of a run; they are skipped where MkDocs is missing."""

import importlib.util
import os
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SITE_IS_BUILT = pytest.mark.skipif(
    importlib.util.find_spec("material") is None,
    reason='Nothing builds the site here: pip install -e ".[docs]" brings it',
)
PATIENCE = 900  # seconds, for the process of another worker that builds it
shared = Path()  # a folder that all workers of a run share; the fixture in conftest sets it


@cache
def built():
    """The folder of the site. The first worker that asks builds it, and the others wait."""
    folder = (shared / "site").resolve()
    said = shared / "site.said"  # it is there when the build has ended, with its complaints
    try:
        (shared / "site.begun").touch(exist_ok=False)
    except FileExistsError:
        _wait_for(said)
    else:
        unfinished = said.with_suffix(".unfinished")
        unfinished.write_text(_build(folder), "utf-8")
        unfinished.rename(said)
    assert said.read_text("utf-8") == ""
    return folder


def _wait_for(path):
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not appear"
        time.sleep(0.2)


def _build(folder):
    """Build the site; what there is to complain of."""
    command = [sys.executable, str(ROOT / "tools/website/build.py"), str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr
