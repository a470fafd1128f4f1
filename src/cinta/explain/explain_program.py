"""A program run as it is, with explanations on: the command ``cinta explain``."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from typing import TYPE_CHECKING

from ..languages.phrases import said
from .enable import explaining
from .explanation import Explanations
from .pictures.page import page_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_RUNNERS = __file__, runpy.run_path.__code__.co_filename
"""The files whose frames stand above those of the program."""


def run_program(script: str, args: Sequence[str], page: Path | None = None) -> None:
    """Run a program, print what there is to explain, and write it as a page if one is wanted.

    A program that raises ends as it does without explanations: with its traceback and status 1.
    """
    os.stat(script)  # a script that is not there is a mistake of the command, not of a program
    before, path = sys.argv, sys.path[0]
    sys.argv, sys.path[0] = [script, *args], os.path.dirname(os.path.abspath(script))
    found = Explanations()
    try:
        with explaining() as found:
            runpy.run_path(script, run_name="__main__")
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "tensorflow":
            error.add_note(
                said("To explain it on cinta: CINTA_EXPLAIN=1 cinta run {}").format(script)
            )
        _print_traceback(error)
        raise SystemExit(1) from error
    finally:
        print(f"\n{'-' * 80}\n\n{found}", flush=True)
        if page is not None:
            page_of(found, script).save(page)
            print(f"\nThe page is {page}.", flush=True)
        sys.argv, sys.path[0] = before, path


def _print_traceback(error: Exception) -> None:
    """Print the traceback of a program without the frames that run it."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in _RUNNERS:
        frames = frames.tb_next
    traceback.print_exception(type(error), error, frames)
