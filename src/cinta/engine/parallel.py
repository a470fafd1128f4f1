"""Work through large elementwise chains block by block, over threads.

A chain of elementwise steps over whole arrays is bound by memory: each step reads and writes all of
it. Block by block, the intermediate values stay in the processor's cache; and as NumPy's loops run
without the interpreter's lock, every core can take its share. The results are the same bit by bit.

`CINTA_THREADS` in the environment sets the number of threads; with `1` all runs in the caller's.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextvars import copy_context
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..machine import cores
from . import blas

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Array = np.ndarray[Any, Any]

# A few blocks fit into a core's cache, and a call on one takes far longer than the passing of the
# interpreter's lock between two threads.
_BLOCK_BYTES = 1 << 18
LARGE = 1 << 17
"""From this many elements on, arrays do not fit into a core's cache: they are done by blocks."""
# Threads start late where work is short: with smaller shares they were measured to gain nothing.
_SHARE = 1 << 18
# For each thread so many parts of the work, and at most one of them is waited for in the end.
_PARTS = 4


def in_blocks(steps: Callable[..., object], *arrays: Array, share: int = _SHARE) -> Array | None:
    """The result that the steps write into their last argument; None if blocks would not pay."""
    first = arrays[0]
    if type(first) is not np.ndarray or first.size < LARGE:
        return None
    for array in arrays:
        if array.shape != first.shape or not array.flags.c_contiguous or array.dtype != first.dtype:
            return None
    return blockwise(steps, *arrays, out=np.empty_like(first), share=share)


SLOW = frozenset(
    {
        *(np.exp, np.expm1, np.log, np.log1p, np.sqrt),
        *(np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan),
        *(np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh),
    }
)
"""Functions so slow per number that two threads take little more than half of the time."""
MANY = 2 * _SHARE
"""Elements from which on there is enough for two threads."""


def for_many(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function of an array, to be called for large ones: on threads if that is faster."""
    if function not in SLOW:
        return function

    def shared(x: Array) -> Array:
        done = in_blocks(function, x) if x.dtype.char in "fd" else None
        return function(x) if done is None else done

    return shared


exponentials = for_many(np.exp)
"""The exponentials of an array, on threads if it is large."""


def blockwise(
    kernel: Callable[..., object], *inputs: Array, out: Array, share: int = _SHARE
) -> Array:
    """Call `kernel(*inputs, out)` on corresponding flat blocks of the arrays until `out` is filled.

    A thread gets at least `share` elements: fewer if the kernel has many steps.

    `kernel` may be a ufunc, or a chain of them that writes its result into the block of `out`. It
    is called from several threads at once. The arrays are C-contiguous and have one shape.

    >>> def sigmoid(x, out):
    ...     np.negative(x, out)
    ...     np.exp(out, out)
    ...     np.add(out, 1, out)
    ...     np.reciprocal(out, out)
    >>> x = np.zeros(3)
    >>> blockwise(sigmoid, x, out=np.empty_like(x))
    array([0.5, 0.5, 0.5])
    """
    arrays = (*inputs, out)
    if not all(array.flags.c_contiguous and array.shape == out.shape for array in arrays):
        raise ValueError(
            "blockwise() needs C-contiguous arrays of one shape, but was given "
            + ", ".join(f"{array.shape} with strides {array.strides}" for array in arrays)
            + "; broadcast them and use np.ascontiguousarray() first."
        )
    flat = [array.reshape(-1) for array in arrays]
    block = _BLOCK_BYTES // out.itemsize

    def work(start: int, stop: int) -> None:
        for low in range(start, stop, block):
            high = min(low + block, stop)
            kernel(*[array[low:high] for array in flat])

    spread(work, out.size, block, share)
    return out


_chosen = 0


def chosen_threads() -> int:
    """How many threads the program chose to share large work; 0 if it left that open."""
    return _chosen


def choose_threads(count: int) -> None:
    """Let so many threads share large work from now on; 0 leaves it to `CINTA_THREADS`."""
    global _chosen
    _chosen = count
    threads.cache_clear()
    _pool.cache_clear()  # work that runs on the old threads holds them until it is done


@cache
def threads() -> int:
    """Return how many threads share large work: as the program chose, or `CINTA_THREADS` says, or
    else the cores of this process."""
    if _chosen:
        return _chosen
    setting = os.environ.get("CINTA_THREADS", "").strip()
    if not setting:
        return cores()
    if not setting.isdecimal() or int(setting) < 1:
        raise ValueError(
            f"The environment variable CINTA_THREADS is {setting!r}; "
            "set it to a number from 1 on, or remove it."
        )
    return int(setting)


def spread(work: Callable[[int, int], None], size: int, block: int, share: int = _SHARE) -> None:
    """Call `work` on consecutive parts of `range(size)`, on as many threads as get a `share` each.

    Each part begins at a multiple of `block`. Whoever is done with one takes the next: a thread
    that starts late, or that has to share its core, does not delay the others.
    """
    _divide(work, size, block, min(threads(), size // share))


def spread_products(
    work: Callable[[int, int], None], size: int, block: int, share: int = _SHARE
) -> None:
    """The same for work with products of matrices, which each thread then computes for itself."""
    several = min(threads(), size // share)
    several = min(several, blas.threads()) if several > 1 else 1
    if several < 2:
        work(0, size)
        return
    with blas.on_one_thread() as possible:
        _divide(work, size, block, several if possible else 1)


def _divide(work: Callable[[int, int], None], size: int, block: int, several: int) -> None:
    """Call `work` on parts of `range(size)` on so many threads, of which one is the caller's."""
    if several < 2:
        work(0, size)
        return
    step = -(-size // (several * _PARTS * block)) * block
    parts = iter(range(0, size, step))

    def take() -> None:
        for start in parts:
            work(start, min(start + step, size))

    try:
        # NumPy's error state lives in the context: what is silenced here is silenced there.
        futures = [_pool().submit(copy_context().run, take) for _ in range(several - 1)]
    except RuntimeError:  # the interpreter is about to exit and takes no more work for threads
        take()
        return
    try:
        take()
    finally:
        # Nobody may see or reuse the output while others still write to it.
        started = [future for future in futures if not future.cancel()]
        errors = [future.exception() for future in started]
    for error in filter(None, errors):
        raise error


def in_order(parts: dict[int, Array]) -> Array:
    """The sum of what threads made of parts of the work, by where these start: the same always."""
    total, *others = [parts[start] for start in sorted(parts)]
    for part in others:
        total += part
    return total


@cache
def _pool() -> ThreadPoolExecutor:
    # Not every program has work for it, and its import takes a while.
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max(threads() - 1, 1), thread_name_prefix="cinta")


if hasattr(os, "register_at_fork"):
    # A forked child inherits the pool but not its threads, and would wait for them forever.
    os.register_at_fork(after_in_child=_pool.cache_clear)
