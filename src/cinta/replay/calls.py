"""A call of a function: its arguments, its Python, and what that refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .argument_structures import returned_by
from .call_once import Attempts
from .captures import Captures

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from types import CodeType

    from .argument_structures import Arguments
    from .entry import Written


class Call:
    """A call of a function, in which several recordings and the Python may be tried.

    ``roots`` are the Python function and its owner; ``written`` is how the call was written, if it
    is one that may be made again.
    """

    __slots__ = ("attempts", "given", "python", "roots", "written")

    def __init__(
        self,
        given: Arguments,
        python: Callable[..., Any],
        roots: Sequence[Any],
        written: Written | None = None,
    ) -> None:
        self.given, self.python, self.roots = given, python, roots
        self.written = written
        self.attempts = Attempts()

    def captures(self, apart: Collection[CodeType] = ()) -> Captures:
        """The objects to which the Python refers, with those among the arguments."""
        return Captures(*self.roots, *self.given.objects, apart=apart, reads_arrays=True)

    def returned(self) -> object:
        """The value that the Python returns, without a recording."""
        return returned_by(self.given.passed_to, self.python)
