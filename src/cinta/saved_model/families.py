"""The recordings of a function for all sizes of unknown dimensions, and those for special ones.

A function is recorded at several sizes. Where its steps differ, they may be turns of loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .merging import merged_traces
from .plain_structures import CannotBeSaved
from .repetition import unfolded, with_loops_found, with_scalars_as_arrays
from .size_formulas import NeedsPoints, NoPattern, Points

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .sizes import Sizes
    from .tracing import Traced

LOW, HIGH = (3, 5, 7, 9, 11, 13), (4, 6, 8, 10, 12, 14)
_OTHERS = (7, 11, 13, 17, 5, 4), (67, 19, 23, 29, 3, 2)
MOST_UNKNOWN = len(LOW)
_MOST_POINTS, _MOST_TRIED = 48, 12
_MANY = 6, 8, 10, 12
_MANY_MORE = (11, 13, 17, 19), (67, 23, 29, 31)
_FEW = range(6)
"""Numbers of turns that are too few for a loop to be found in each part of it."""


def family(
    record: Callable[[Sizes], Traced], serves: tuple[int | None, ...], decided: int = 0
) -> list[tuple[tuple[int | None, ...], Traced]]:
    """The recordings for these sizes, where None is any size; special cases come first.

    ``decided`` lengths, which values decide, come after the sizes.
    """
    free = [i for i, size in enumerate(serves) if size is None]

    def at(point: Sizes) -> Traced:
        sizes = dict(zip(free, point, strict=False))
        known = [sizes.get(i, size or 0) for i, size in enumerate(serves)]
        return record((*known, *point[len(free) :]))

    count = len(free) + decided
    if not count:
        return [(serves, merged_traces([at(())], Points((), ())))]
    if count > MOST_UNKNOWN:
        raise CannotBeSaved(f"more than {MOST_UNKNOWN} dimensions are unknown")
    try:
        general, others = _for_any_size(at, count)
    except NoPattern as error:
        try:
            general, others = _with_loops_over_sizes(at, count)
        except NoPattern:
            raise error from None
    special = []
    for k, size in others:
        if k >= len(free):
            raise NoPattern("it goes another way if a length that values decide is small")
        i = free[k]
        special += family(record, (*serves[:i], size, *serves[i + 1 :]), decided)
    return [*special, (serves, general)]


def _for_any_size(
    at: Callable[[Sizes], Traced], count: int
) -> tuple[Traced, list[tuple[int, int]]]:
    """A recording for all sizes, and which of these are 1 where the function goes another way."""
    points = Points(LOW[:count], HIGH[:count], *[sizes[:count] for sizes in _OTHERS])
    made, points, general = _merged(at, points, [at(point) for point in points.all])
    others = []
    for k in range(count):
        one = (*LOW[:k], 1, *LOW[k + 1 : count])
        alone = _recorded(at, one)
        if alone is None:
            continue
        try:
            _merged(at, points.with_point(one), [*made, alone])
        except NoPattern:
            others.append((k, 1))
    return general, others


def _with_loops_over_sizes(
    at: Callable[[Sizes], Traced], count: int
) -> tuple[Traced, list[tuple[int, int]]]:
    """The same for a function with loops whose turns are as many as a size, or some more or less.

    For few turns these cannot be told from other steps. So what the recording for all sizes does
    at few turns is compared with what the function does.
    """
    if count > len(_MANY):
        raise NoPattern("loops, where so many dimensions are unknown")

    def looped(sizes: Sizes) -> Traced:
        made = at(sizes)
        return made._replace(recording=with_loops_found(made.recording))

    low, high = _MANY[:count], [n + 1 for n in _MANY[:count]]
    points = Points(low, tuple(high), *[sizes[:count] for sizes in _MANY_MORE])
    if not any([step.bodies for step in looped(low).recording.calls]):
        raise NoPattern
    *_, general = _merged(looped, points, [looped(point) for point in points.all])
    others = []
    for k in range(count):
        for few in _FEW:
            sizes = (*low[:k], few, *low[k + 1 :])
            alone = _recorded(at, sizes)
            if alone is not None and not _is_at(general, sizes, alone):
                others.append((k, few))
    return general, others


def _is_at(general: Traced, sizes: Sizes, alone: Traced) -> bool:
    """Whether a recording for all sizes is this one at some sizes."""
    found = [guard.found for guard in alone.recording.guards]
    try:
        filled = general._replace(recording=unfolded(general.recording, sizes, found))
        bare = Points((), ())
        both = [
            merged_traces([each._replace(recording=with_scalars_as_arrays(each.recording))], bare)
            for each in (filled, alone)
        ]
        merged_traces(both, bare.with_point(()))
    except (NoPattern, ValueError):
        return False
    return True


def _merged(
    at: Callable[[Sizes], Traced], points: Points, made: Sequence[Traced]
) -> tuple[Sequence[Traced], Points, Traced]:
    """The recordings at these points and others that are needed, and the one for all sizes."""
    for _ in range(_MOST_POINTS):
        try:
            return made, points, merged_traces(made, points)
        except NeedsPoints as error:
            point, traced = _first_recorded(at, error)
            made = [*made, traced]
            points = points.with_point(point)
    raise NoPattern("sizes that cannot be told apart from others")


def _first_recorded(at: Callable[[Sizes], Traced], error: NeedsPoints) -> tuple[Sizes, Traced]:
    """The first of the sizes that are needed for which the function can be recorded."""
    for point in error.candidates[:_MOST_TRIED]:
        traced = _recorded(at, point)
        if traced is not None:
            return point, traced
    raise NoPattern(str(error))


def _recorded(at: Callable[[Sizes], Traced], sizes: Sizes) -> Traced | None:
    """The recording for these sizes; None if the function refuses them."""
    try:
        return at(sizes)
    except Exception:
        return None
