"""Layout: in which rows the boxes of a graph stand, and past which places long arrows go.

A box stands one row below the lowest box that it takes something of (longest paths); arrows that
would go up, as in loops, are left out of this. An arrow over several rows has a *way*, a place of
its own, in each row between. In a row, boxes and ways are ordered by the mean place of their
neighbors (the barycenter heuristic of Sugiyama, Tagawa and Toda, 1981).
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil, sqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

    from .boxes import BoxGraph

    Arrow = tuple[Hashable, Hashable]

_SWEEPS = 8
_BEGINNINGS = "source", "data"
_WIDEST = 6
"""How many boxes stand beside each other at least before a row is broken into several."""
_WIDEST_ALONE = 3
"""The same of boxes without arrows: what is in a checkpoint."""
_LONGEST = 24
"""Over how many rows arrows have ways; longer ones go straight, lest ways outnumber boxes."""


class ArrowPlace(NamedTuple):
    """A place in a row for an arrow that passes it."""

    arrow: Arrow
    row: int


class PictureLayout(NamedTuple):
    """The rows from top to bottom, of keys of boxes and of ways, and the ways of each arrow."""

    rows: list[list[Hashable]]
    ways: dict[Arrow, list[ArrowPlace]]


def layout_of(graph: BoxGraph) -> PictureLayout:
    """Where the boxes of a graph stand."""
    first = [key for key, box in graph.boxes.items() if box.role in _BEGINNINGS]
    order = {key: i for i, key in enumerate(dict.fromkeys([*first, *graph.boxes]))}
    arrows = [(a, b) for a, b in graph.arrows if order[a] < order[b]]
    depth = _depths(order, arrows)
    rows: list[list[Hashable]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for key in order:
        rows[depth[key]].append(key)
    ways = {}
    links: list[Arrow] = []
    for a, b in arrows:
        between = range(depth[a] + 1, depth[b]) if depth[b] - depth[a] <= _LONGEST else ()
        ways[a, b] = [ArrowPlace((a, b), row) for row in between]
        for way in ways[a, b]:
            rows[way.row].append(way)
        chain = [a, *ways[a, b], b]
        links += pairwise(chain)
    _untangle(rows, links)
    widest = _WIDEST if arrows else _WIDEST_ALONE
    return PictureLayout([part for row in rows for part in _broken(row, widest)], ways)


def _depths(order: dict[Hashable, int], arrows: list[Arrow]) -> dict[Hashable, int]:
    """The row of each box, of those that come first in this order."""
    before: dict[Hashable, list[Hashable]] = {key: [] for key in order}
    after: dict[Hashable, list[Hashable]] = {key: [] for key in order}
    for a, b in arrows:
        before[b].append(a)
        after[a].append(b)
    depth: dict[Hashable, int] = {}
    for key in order:
        depth[key] = max([depth[each] + 1 for each in before[key]], default=0)
    for key in reversed(list(order)):  # sources stand near their first use
        if not before[key] and after[key]:
            depth[key] = min(depth[each] for each in after[key]) - 1
    return depth


def _untangle(rows: list[list[Hashable]], links: list[Arrow]) -> None:
    """Order the rows so that few links between neighboring rows cross."""
    if all(len(row) == 1 for row in rows):
        return
    above: dict[Hashable, list[Hashable]] = {}
    below: dict[Hashable, list[Hashable]] = {}
    for a, b in links:
        above.setdefault(b, []).append(a)
        below.setdefault(a, []).append(b)
    for sweep in range(_SWEEPS):
        _order(rows if sweep % 2 == 0 else rows[::-1], above if sweep % 2 == 0 else below)


def _order(rows: list[list[Hashable]], neighbors: dict[Hashable, list[Hashable]]) -> None:
    place: dict[Hashable, float] = {}
    for row in rows:
        middle = {}
        for i, key in enumerate(row):
            near = [place[each] for each in neighbors.get(key, ()) if each in place]
            middle[key] = sum(near) / len(near) if near else i - len(row) / 2
        row.sort(key=lambda key: middle[key])
        place.update({key: i - len(row) / 2 for i, key in enumerate(row)})


def _broken(row: list[Hashable], widest: int) -> list[list[Hashable]]:
    """A row that is too wide as several, which fill about a square."""
    width = max(widest, ceil(sqrt(len(row))))
    return [row[i : i + width] for i in range(0, len(row), width)]
