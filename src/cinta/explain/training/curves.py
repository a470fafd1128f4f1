"""Curves: numbers of many steps in a bounded number of points, and the spread of one step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ...engine.tensor import Array

_MOST_POINTS = 256
_BINS = 24
_SAMPLES = 4096


class Curve:
    """The course of a number: points stand for equally many steps, the more the longer it is."""

    def __init__(self) -> None:
        self.points: list[float] = []
        self.stride = 1
        self.steps = 0
        self.last = math.nan
        self._sum, self._count = 0.0, 0

    def add(self, value: float) -> None:
        """Add the number of a step; where points are too many two become one."""
        self.steps += 1
        self.last = value
        self._sum += value
        self._count += 1
        if self._count < self.stride:
            return
        self.points.append(self._sum / self._count)
        self._sum, self._count = 0.0, 0
        if len(self.points) >= _MOST_POINTS:
            pairs = zip(self.points[::2], self.points[1::2], strict=True)
            self.points = [(a + b) / 2 for a, b in pairs]
            self.stride *= 2

    def finite(self) -> list[float]:
        """The points that are finite."""
        return [x for x in self.points if math.isfinite(x)]


class BinCounts(NamedTuple):
    """How often the values of an array lie in equal parts of their range."""

    low: float
    high: float
    counts: tuple[int, ...]

    @classmethod
    def of(cls, array: Array) -> BinCounts:
        """The histogram of an array, of a sample of it if it is large."""
        flat = np.asarray(array).reshape(-1)
        if flat.size > _SAMPLES:
            flat = flat[:: flat.size // _SAMPLES]
        flat = flat[np.isfinite(flat)].astype(np.float64)
        if not flat.size:
            return cls(0.0, 0.0, ())
        counts, edges = np.histogram(flat, _BINS)
        return cls(float(edges[0]), float(edges[-1]), tuple(counts.tolist()))


def rms(array: Array) -> float:
    """The root of the mean square of an array: its norm, whatever its size."""
    if not array.size:
        return 0.0
    flat = np.asarray(array).reshape(-1)
    with np.errstate(all="ignore"):
        return math.sqrt(float(np.vdot(flat, flat).real) / flat.size)
