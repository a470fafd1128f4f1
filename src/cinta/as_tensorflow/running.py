"""Programs run with cinta in TensorFlow's place: the command ``cinta run``.

Python itself runs the program, in the place of this process, so that a program notices no
difference: ``__main__``, ``-m``, options of Python's, signals and exit status are as always.
"""

from __future__ import annotations

import os
import site
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from .installing import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = """usage: cinta run [OPTION ...] (SCRIPT | -m MODULE | -c CODE) [ARGUMENT ...]
       cinta run NOTEBOOK.ipynb [-o OUTPUT.ipynb] [--keep-going]

Run a program that says `import tensorflow` on cinta. Options before the program are Python's.
"""

CHILDREN = Path(__file__).parent / "children"
"""The folder whose ``sitecustomize.py`` Python runs first of all."""

_STARTED_BY = "cinta.pth"
"""The file beside installed packages that starts cinta where the environment asks for it."""


def run(words: Sequence[str]) -> int:
    """Run the program of a command line, and return its exit status where that comes back."""
    if words and words[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0
    if words and words[0].endswith(".ipynb"):
        from .notebooks import run_notebook  # which needs packages that others do not

        return run_notebook(words)
    command, environment = [sys.executable, *words], environment_of_programs()
    if os.name != "nt":  # where a process cannot give its place to another
        sys.stdout.flush()
        os.execve(sys.executable, command, environment)
    return subprocess.run(command, env=environment).returncode


def environment_of_programs() -> dict[str, str]:
    """The environment of this process, with what puts cinta in TensorFlow's place."""
    found = {**os.environ, VARIABLE: "1"}
    if not _is_started_by_python():
        paths = [str(CHILDREN), *filter(None, [found.get("PYTHONPATH")])]
        found["PYTHONPATH"] = os.pathsep.join(paths)
    return found


def _is_started_by_python() -> bool:
    """Whether cinta was installed so that Python reads its startup file by itself."""
    folders = [*site.getsitepackages(), site.getusersitepackages()]
    return any(Path(folder, _STARTED_BY).exists() for folder in folders)
