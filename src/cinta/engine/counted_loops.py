"""Loops over numbers whose count is a value, as in ``for i in tf.range(n)``.

A recording need not know the count: an iterator looks, before each turn, whether there is another
one. For that, the loop must be the only one that ever holds the iterator.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from .listeners import listeners
from .recorders import Observer, Recorder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType, FrameType

    from .tensor import Tensor


class CountedLoop:
    """The iterator of such a loop: ``count`` elements, made of a position and other tensors."""

    def __init__(
        self, count: Tensor, element: Callable[..., Tensor], others: Sequence[Tensor]
    ) -> None:
        self._count, self._element, self._others = count, element, others
        self._position = count * 0  # which is recorded, as the count is

    def __iter__(self) -> CountedLoop:
        return self

    def __next__(self) -> Tensor:
        if not self._position < self._count:
            raise StopIteration
        found = self._element(self._position, *self._others)
        self._position = self._position + 1
        return found

    @property
    def known(self) -> tuple[Tensor, ...]:
        """The tensors on which its next elements depend."""
        return (self._position, self._count, *self._others)


def follower_of_loop(frame: FrameType) -> Callable[[CountedLoop], None] | None:
    """Tells the recorder of a function of the iterator of a loop, if it can follow the loop.

    The frame has made a call. A ``for`` must take its result at once, and of those that listen
    since the function is recorded all must be tapes.
    """
    latest = next((x for x in reversed(listeners()) if type(x) is not Recorder), None)
    loop = _loop_over_call(frame.f_code, frame.f_lasti)
    if loop is None or not isinstance(latest, Observer):
        return None
    return latest.follower_of_loop(frame, loop)


@lru_cache(maxsize=256)
def _loop_over_call(code: CodeType, offset: int) -> int | None:
    """The offset of the ``FOR_ITER`` of the loop over the result of a call, if there is one."""
    import dis  # in functions that have such loops

    steps = [each for each in dis.get_instructions(code) if each.opname != "EXTENDED_ARG"]
    behind = [each for each in steps if each.offset > offset][:2]
    if [each.opname for each in behind] != ["GET_ITER", "FOR_ITER"]:
        return None
    return behind[1].offset
