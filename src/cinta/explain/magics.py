"""Magics for notebooks: ``%%explain`` and ``%%tape``, which ``%load_ext cinta`` brings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from ..derivatives.tape import GradientTape
from .enable import explaining

if TYPE_CHECKING:
    from collections.abc import Callable

    from .explanation import Explanations


class _Outcome(Protocol):
    success: bool


class _Shell(Protocol):
    """The part of IPython that the magics need."""

    user_ns: dict[str, object]

    def run_cell(self, raw_cell: str) -> _Outcome: ...

    def register_magic_function(
        self, func: Callable[[str, str], object], magic_kind: str, magic_name: str
    ) -> None: ...


def register(shell: _Shell) -> None:
    """Give the magics to a notebook."""
    if not hasattr(shell, "register_magic_function"):
        raise TypeError(f"Expected the shell of IPython, got {shell!r}. Write: %load_ext cinta")
    for name, magic in (("explain", explain_cell), ("tape", tape_cell)):
        shell.register_magic_function(partial(magic, shell), "cell", name)


def explain_cell(shell: _Shell, line: str, cell: str) -> Explanations:
    """Run the cell, and show why what comes out as None, zero or not finite does so."""
    with explaining() as found:
        _run(shell, cell)
    return found


def tape_cell(shell: _Shell, line: str, cell: str) -> GradientTape:
    """Run the cell on a persistent tape, which gets the name in the line or ``tape``; show it."""
    name = line.strip() or "tape"
    if not name.isidentifier():
        raise ValueError(f"%%tape {name}: give the tape the name of a variable, as in %%tape t.")
    with explaining(), GradientTape(persistent=True) as tape:
        _run(shell, cell)
    shell.user_ns[name] = tape
    return tape


def _run(shell: _Shell, cell: str) -> None:
    """Run the code as a cell of its own, which shows its results and errors itself."""
    if not shell.run_cell(cell).success:
        from IPython.core.error import UsageError  # shown without a traceback, as one stands above

        raise UsageError("the cell ended with the error above.")
