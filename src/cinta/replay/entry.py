"""Entries: the short way from a call to a recording, for calls like one that it has served.

An entry is one generated function. It looks whether the arguments are of the variant's kind, where
`Arguments` finds out of what kind they are; whether nobody listens; and whether all that the
variant depends on is as it was. Then it runs the recording on the arrays. Wherever something is
different, or fails, it returns `ELSEWHERE`. Then nothing has happened, and the call takes the way
of all calls.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import BoundArguments
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from .. import nest
from .argument_structures import sample
from .entry_source import ELSEWHERE as ELSEWHERE
from .entry_source import Enter, Unmatched, Writer

if TYPE_CHECKING:
    from .argument_structures import Arguments
    from .variant import Variant

Layout: TypeAlias = tuple[int, *tuple[str, ...]]


class Written(NamedTuple):
    """How a call was written, and how arguments are bound to the function's parameters."""

    owner: tuple[Any, ...]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    bind: Callable[..., BoundArguments]

    @property
    def layout(self) -> Layout:
        """How many arguments are given by position, and the names of the others."""
        return len(self.args), *self.kwargs

    def gives(self, given: Arguments) -> bool:
        """Whether these arguments are what was written, and nothing of it was converted."""
        bound = self.bind(*self.args, **self.kwargs)
        args, kwargs = given.passed
        if len(args) != len(bound.args) or [*kwargs] != [*bound.kwargs]:
            return False
        written, passed = nest.flatten((bound.args, bound.kwargs)), nest.flatten(given.passed)
        return len(written) == len(passed) and all(map(is_, written, passed))

    def places(self) -> BoundArguments:
        """The source for each argument of the function."""
        args = [f"args[{i}]" for i in range(len(self.args))]
        return self.bind(*args, **{name: f"kwargs[{name!r}]" for name in self.kwargs})


class Entry:
    """The entry to a variant for calls that are written like one that was made.

    ``enter`` does all; ``arguments`` gives the values of the tensors among the arguments, or
    `ELSEWHERE`.
    """

    __slots__ = ("_kind", "_places", "_writer", "enter", "variant")

    def __init__(self, kind: Any, written: Written, variant: Variant) -> None:
        self._kind, self._places, self.variant = kind, written.places(), variant
        self._writer = Writer(*written.layout)
        places = self._places
        self._writer.match_all(kind, places.args, places.kwargs.values())
        self.enter = self._writer.compiled(*self._writer.running(variant))

    @property
    def arguments(self) -> Enter:
        """The part of it that looks at the arguments."""
        return self._writer.compiled(f"return [{', '.join(self._writer.arrays)}]")

    def sample(self) -> tuple[tuple[Any, ...], tuple[Any, ...], dict[str, Any]]:
        """A call that it serves, in which all tensors are zeros."""
        owners, *kinds = self._kind
        owner, args, kwargs = sample((tuple, (tuple, *owners), *kinds), [])
        places = [*self._places.args, *self._places.kwargs.values()]
        values = dict(zip(places, [*args, *kwargs.values()], strict=True))
        return owner, *self._writer.written(values)


def entry_to(kind: object, written: Written, variant: Variant) -> Entry | None:
    """An entry for calls that are written like this one, with arguments of this kind.

    None if arguments of this kind have to be looked at in general.
    """
    try:
        return Entry(kind, written, variant)
    except Unmatched:
        return None
