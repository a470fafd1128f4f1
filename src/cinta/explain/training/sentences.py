"""Sentences about a training, read from its curves."""

from __future__ import annotations

import math
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from ..texts import watched_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .watched import Course, Watched

_FEW_STEPS = 10
"""Curves of fewer steps tell nothing."""
_SILENT_STEPS = 50
"""A unit that has had no gradient for so many steps is dead."""
_SMALL = 1e-6
"""A loss that changes by a smaller part is constant, and a gradient vanishes that is a smaller
part of the largest one."""
_LARGE = 1e3
"""A gradient or a value that grows by this factor explodes."""


def sentences_of(watched: Watched) -> list[str]:
    """The troubles of a training, the loss first, then by variable."""
    found = list(_of_loss(watched))
    largest = max((_late(course) for course in watched.courses), default=0.0)
    for course in watched.courses:
        place = course.made or watched.line
        found += [
            watched_text(kind, name=course.name, line=str(place or ""), **names)
            for kind, names in _of_variable(course, largest)
        ]
    return found


def _of_loss(watched: Watched) -> Iterator[str]:
    line = str(watched.line or "")
    if watched.first_bad is not None:
        step, what = watched.first_bad
        yield watched_text("nan", step=str(step), name=what, line=line)
    points = watched.loss.finite()
    if watched.steps >= _FEW_STEPS and points:
        size = max(map(abs, points))
        if max(points) - min(points) <= _SMALL * size:
            names = {"value": f"{points[0]:.6g}", "steps": str(watched.steps)}
            yield watched_text("constant", line=line, **names)


def _of_variable(course: Course, largest: float) -> Iterator[tuple[str, dict[str, str]]]:
    """The kinds of trouble of one variable, with what their sentences name."""
    if course.gradients.steps < _FEW_STEPS:
        return
    late, early = _late(course), _mean(_part(course.gradients.points, first=True))
    if not any(course.gradients.points):
        yield "silent", {"steps": str(course.gradients.steps)}
        return
    if course.silent is not None:
        dead = int(np.sum(course.silent >= min(course.gradients.steps, _SILENT_STEPS)))
        if dead:
            yield "dead", {"dead": str(dead), "units": str(course.silent.size)}
    if 0 < late < _SMALL * largest:
        yield "vanishing", {"size": f"{late:.2g}", "largest": f"{largest:.2g}"}
    if late > _LARGE * early > 0:
        yield "exploding", {"early": f"{early:.2g}", "size": f"{late:.2g}"}


def _late(course: Course) -> float:
    """The size of the gradients in the last quarter of the steps."""
    return _mean(_part(course.gradients.points, first=False))


def _part(points: Sequence[float], first: bool) -> Sequence[float]:
    count = max(len(points) // 4, 1)
    return points[:count] if first else points[-count:]


def _mean(points: Sequence[float]) -> float:
    finite = [x for x in points if math.isfinite(x)]
    return fmean(finite) if finite else 0.0
