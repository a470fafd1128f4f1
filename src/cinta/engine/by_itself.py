"""Work that a process does by itself: it waits for no other process.

To describe a value is such work. Whether something is described, and what, is for each process to
know: one of them may say more than others, or find another difference first. The words must not
depend on the others, who may be elsewhere.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_is_by_itself: ContextVar[bool] = ContextVar("is_by_itself", default=False)


@contextmanager
def by_itself() -> Iterator[None]:
    """Refuse to wait for other processes in the block."""
    before = _is_by_itself.set(True)
    try:
        yield
    finally:
        _is_by_itself.reset(before)


def check_may_wait(what: str) -> None:
    """Raise where a process is to do its work by itself."""
    if _is_by_itself.get():
        raise RuntimeError(
            f"A description does not wait for other processes, as {what} does: let all processes "
            "get the value first, and describe that."
        )
