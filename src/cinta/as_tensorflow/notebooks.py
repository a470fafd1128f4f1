"""Notebooks run with cinta in TensorFlow's place: ``cinta run notebook.ipynb``."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

_NEEDED = "A notebook is run by Jupyter's own packages: pip install nbclient ipykernel"


def run_notebook(words: Sequence[str]) -> int:
    """Run the cells of a notebook, print what they show, and keep it in a file if one is named."""
    options = _command_line().parse_args(words)
    try:
        nbformat, nbclient = import_module("nbformat"), import_module("nbclient")
        import_module("ipykernel")
    except ImportError as error:
        raise OSError(f"{_NEEDED} ({error})") from None
    from .running import environment_of_programs

    notebook = nbformat.read(options.notebook, as_version=4)
    os.environ.update(environment_of_programs())  # which the kernel gets
    client = nbclient.NotebookClient(
        notebook,
        timeout=None,
        kernel_name="python3",
        allow_errors=options.keep_going,
        resources={"metadata": {"path": str(options.notebook.resolve().parent)}},
        on_cell_executed=_print_outputs,
    )
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as error:
        print(error, file=sys.stderr)
    finally:
        if options.output is not None:
            nbformat.write(notebook, options.output)
    return int(any(_errors(cell) for cell in notebook.cells))


def _command_line() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cinta run")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("-o", "--output", type=Path, help="where to write it with its outputs")
    parser.add_argument("--keep-going", action="store_true", help="go on after cells that fail")
    return parser


def _errors(cell: Any) -> list[Any]:
    return [each for each in cell.get("outputs", ()) if each.output_type == "error"]


def _print_outputs(cell: Any, cell_index: int, execute_reply: object) -> None:
    """Print what a cell shows as text."""
    for output in cell.get("outputs", ()):
        if output.output_type == "stream":
            stream = sys.stderr if output.name == "stderr" else sys.stdout
            print(output.text, end="", file=stream, flush=True)
        elif output.output_type in ("execute_result", "display_data"):
            print(output.data.get("text/plain", ""), flush=True)
