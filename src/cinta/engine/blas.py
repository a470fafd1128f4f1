"""How many threads NumPy's BLAS uses: as many as it likes, or one where more would only wait.

BLAS shares every product among its own threads. Where a product is only one of several steps on a
block, a thread that takes all of them finds the block in its cache, and does not wait. And where
other processes keep the cores busy, threads that share a product wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from ..machine import openblas_functions

_one_at_a_time, _changing = Lock(), Lock()
_reasons: set[str] = set()
_before: list[tuple[Callable[[int], None], int]] = []


def threads() -> int:
    """How many threads BLAS may use; 1 as well if it cannot be told to use less."""
    if _reasons == {"busy cores"}:
        return max([several for _, several in _before], default=1)
    return max([count() for count, _ in _controls()], default=1)


@cache
def has_one_thread() -> bool:
    """Whether it was OpenBLAS, with one thread, when this was first asked; limits do not count."""
    with _changing:
        counts = [several for _, several in _before] if _reasons else [n() for n, _ in _controls()]
    return max(counts, default=0) == 1


@contextmanager
def on_one_thread() -> Iterator[bool]:
    """Let BLAS compute in the calling thread, unless another caller has requested that already.

    The context is whether it is so for this caller.
    """
    if not _one_at_a_time.acquire(blocking=False):
        yield False
        return
    limit("blocks")
    try:
        yield True
    finally:
        lift("blocks")
        _one_at_a_time.release()


def limit(reason: str) -> None:
    """Let BLAS use one thread, for a reason of this name."""
    with _changing:
        if not _reasons:
            _before[:] = [(choose, count()) for count, choose in _controls()]
            for choose, _ in _before:
                choose(1)
        _reasons.add(reason)


def lift(reason: str) -> None:
    """Let BLAS use as many as before, unless another reason is left."""
    with _changing:
        _reasons.discard(reason)
        if not _reasons:
            for choose, several in _before:
                choose(several)
            _before.clear()


@cache
def _controls() -> list[tuple[Callable[[], int], Callable[[int], None]]]:
    """For each OpenBLAS in the process what tells its number of threads, and what sets it."""
    pairs = openblas_functions("get_num_threads", "set_num_threads")
    return [(count, choose) for count, choose in pairs if count and choose]
