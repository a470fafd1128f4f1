"""A program run as it is, with explanations on: the command ``cinta explain``."""

from __future__ import annotations

import os
import runpy
import sys
from typing import TYPE_CHECKING

from .faces import explaining
from .page import page_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def run_program(script: str, args: Sequence[str], page: Path | None = None) -> None:
    """Run a program, print what there is to explain, and write it as a page if one is wanted."""
    before, path = sys.argv, sys.path[0]
    sys.argv, sys.path[0] = [script, *args], os.path.dirname(os.path.abspath(script))
    try:
        with explaining() as found:
            try:
                runpy.run_path(script, run_name="__main__")
            finally:
                print(f"\n{'-' * 80}\n\n{found}", flush=True)
                if page is not None:
                    page.write_text(page_of(found, script), "utf-8")
    finally:
        sys.argv, sys.path[0] = before, path
