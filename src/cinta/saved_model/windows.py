"""Windows over images whose lengths depend on the sizes of unknown dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ops.nn.sliding_windows import Window
from .size_formulas import fitted
from .sizes import Floor, SamePadding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..ops.nn.sliding_windows import PlacedWindow
    from .points import Points


def window_for_any_size(windows: Sequence[PlacedWindow], points: Points) -> Window:
    """The window that has these forms at some sizes.

    The padding of "SAME" depends on lengths. Windows over the results depend on the lengths of
    these, whose forms are kept among the points.
    """
    size, strides, padding, dilations = fitted([(*window,) for window in _bare(windows)], points)
    if any([type(n) is not int for n in (*size, *strides, *dilations)]):
        return Window(*fitted([(*window,) for window in windows], points))
    padding = tuple([_padding(windows, axis, points) for axis in range(len(size))])
    return Window(size, strides, padding, dilations)


def _bare(windows: Sequence[Window]) -> list[Window]:
    return [window._replace(padding=()) for window in windows]


def _padding(windows: Sequence[PlacedWindow], axis: int, points: Points) -> tuple[Any, Any]:
    """The padding along an axis; how often the window fits along it becomes known."""
    first = windows[0]
    span, stride = first.spans()[axis], first.strides[axis]
    length = fitted([window.lengths_seen[axis] for window in windows], points)
    if type(length) is int or (first.is_same and stride == 1):
        return first.padding[axis]
    if first.is_same:
        before, behind = [SamePadding(length, span, stride, each) for each in (False, True)]
        more = stride - 1
    else:
        before, behind = fitted([window.padding[axis] for window in windows], points)
        if type(before) is not int or type(behind) is not int:
            return before, behind
        more = before + behind - span + stride
    if stride > 1:
        counts = [window.counts(window.lengths_seen)[axis] for window in windows]
        points.know_length(counts, Floor(length, more, stride))
    return before, behind
