"""Tables of the functions that write the steps of a recording in another format."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

WriterT = TypeVar("WriterT")


class StepWriters(dict[str, WriterT]):
    """By the name of an op, the function that writes calls of it.

    >>> writers = StepWriters()
    >>> @writers.of("Sin", "Cos")
    ... def wave(call): ...
    >>> sorted(writers)
    ['Cos', 'Sin']
    """

    def of(self, *names: str) -> Callable[[WriterT], WriterT]:
        """Declare the function that writes these ops."""

        def declared(writer: WriterT) -> WriterT:
            self.update(dict.fromkeys(names, writer))
            return writer

        return declared
