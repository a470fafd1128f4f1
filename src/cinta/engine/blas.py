"""NumPy's BLAS kept to one thread while several threads of cinta each multiply matrices.

BLAS shares every product among its own threads. Where a product is only one of several steps on a
block, a thread that takes all of them finds the block in its cache, and does not wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock

from ..machine import openblas_functions

_one_at_a_time = Lock()


def threads() -> int:
    """How many threads BLAS uses; 1 as well if it cannot be told to use less."""
    return max([count() for count, _ in _controls()], default=1)


@contextmanager
def on_one_thread() -> Iterator[bool]:
    """Let BLAS compute in the calling thread, unless another caller has requested that already.

    The context is whether it is so for this caller.
    """
    if not _one_at_a_time.acquire(blocking=False):
        yield False
        return
    before = [(choose, count()) for count, choose in _controls()]
    try:
        for choose, _ in before:
            choose(1)
        yield True
    finally:
        for choose, several in before:
            choose(several)
        _one_at_a_time.release()


@cache
def _controls() -> list[tuple[Callable[[], int], Callable[[int], None]]]:
    """For each OpenBLAS in the process what tells its number of threads, and what sets it."""
    pairs = openblas_functions("get_num_threads", "set_num_threads")
    return [(count, choose) for count, choose in pairs if count and choose]
