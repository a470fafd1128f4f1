"""Products of matrices while other processes keep the cores busy.

The threads of BLAS that share a product wait for each other, and if one of them has no core, for as
long as the system lets others run: 15 ms were measured for products of 0.2 ms. So large products
are timed, and when they take far longer than their arithmetic, BLAS gets one thread for a while.
"""

from __future__ import annotations

import math
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from . import blas, settings

if TYPE_CHECKING:
    from .tensor import Array

_TIMED = 1 << 22
"""Bytes of the first factor times columns of the second: 10 µs or more, which two looks at the
clock make longer by one percent at most."""
SMALL = 1 << 12
"""Elements of the first factor, below which products need not ask whether they are to be timed."""
_LONG = 0.002  # seconds: what is over by then has not waited for the system
_FAR = 8  # times the time of the arithmetic
_SLOWEST_MEMORY = 4e9  # bytes a second
_FIRST_RATE = 6e10  # bytes times columns a second, until products have shown what they reach
_SOON = 1.0  # seconds between two products that took far too long
_SHORTEST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0


class ProductWatch:
    """The rate that products have reached so far, and until when BLAS has one thread."""

    def __init__(self) -> None:
        self.rate = _FIRST_RATE
        self.until = math.inf
        self.pause = _SHORTEST_PAUSE
        self.times = 0
        self._last = self._lifted = -math.inf

    def product(self, a: Array, b: Array, work: int, out: Array | None) -> Array:
        before = perf_counter()
        if before > self.until:
            self.lift(before)
        result: Array = np.matmul(a, b, out)
        took = perf_counter() - before
        if took > _LONG:
            if self._is_far(took, work, a, b, result):
                self._note(before + took)
        elif work > took * self.rate:
            self.rate = work / took
        return result

    @property
    def limited(self) -> bool:
        """Whether BLAS has one thread now."""
        return self.until < math.inf

    def _is_far(self, took: float, work: int, a: Array, b: Array, result: Array) -> bool:
        """Whether a product took far longer than its arithmetic and its way through memory."""
        if self.limited or settings.deterministic or not (_is_for_blas(a) and _is_for_blas(b)):
            return False
        moved = (a.nbytes + b.nbytes + result.nbytes) / _SLOWEST_MEMORY
        return took > _FAR * (work / self.rate + moved) and blas.threads() > 1

    def _note(self, now: float) -> None:
        """One such product may be chance; two within a second are not."""
        if now - self._last > _SOON:
            self._last = now
            return
        again = now - self._lifted < self.pause
        self.pause = min(2 * self.pause, _LONGEST_PAUSE) if again else _SHORTEST_PAUSE
        self.times += 1
        blas.limit("busy cores")
        self.until = now + self.pause

    def lift(self, now: float) -> None:
        """Let products show whether it is quiet again."""
        self.until, self._last, self._lifted = math.inf, -math.inf, now
        blas.lift("busy cores")


watch = ProductWatch()


def product(a: Array, b: Array, out: Array | None = None) -> Array:
    """NumPy's product of matrices; a large one is timed."""
    work = a.nbytes * b.shape[-1]
    if work < _TIMED:
        small: Array = np.matmul(a, b, out)
        return small
    return watch.product(a, b, work, out)


def _is_for_blas(x: Array) -> bool:
    """Whether BLAS multiplies such an array: NumPy's own loops take far longer."""
    return x.dtype.char in "fdFD" and x.itemsize in x.strides[-2:]


def report() -> str:
    """The time of a product here and now, on one thread and on all."""
    from ..languages.phrases import said  # which other programs do not need

    several = blas.threads()
    if several < 2:
        return said("on one thread of BLAS")
    a = np.ones((384, 384), np.float32)
    times: dict[int, list[float]] = {1: [], several: []}
    for _ in range(15):
        times[several].append(_seconds(a))
        with blas.on_one_thread():
            times[1].append(_seconds(a))
    one, shared = (1e3 * float(np.median(times[count])) for count in (1, several))
    times_of_both = said("384×384 takes {:.2f} ms on {} threads of BLAS, {:.2f} on one")
    found = [times_of_both.format(shared, several, one)]
    if shared > 2 * one:
        found.append(said("other processes keep the cores busy; OPENBLAS_NUM_THREADS=1 may help"))
    if watch.limited:
        found.append(said("on one thread now, as products took far longer than their arithmetic"))
    return "; ".join(found)


def _seconds(a: Array) -> float:
    before = perf_counter()
    np.matmul(a, a)
    return perf_counter() - before
