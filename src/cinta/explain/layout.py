"""Layout: where the nodes of a graph stand, in layers from top to bottom.

A node stands one layer below the lowest node that it takes something of (longest paths); arrows
that would go up, as in loops, are left out of this. In a layer, nodes are ordered by the mean
place of their neighbours (the barycentre heuristic of Sugiyama, Tagawa and Toda, 1981).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from .graph import Graph

_SWEEPS = 6


def layers_of(graph: Graph) -> list[list[Hashable]]:
    """The keys of the nodes, layer by layer, in order."""
    order = {key: i for i, key in enumerate(graph.nodes)}
    before: dict[Hashable, list[Hashable]] = {key: [] for key in order}
    after: dict[Hashable, list[Hashable]] = {key: [] for key in order}
    for a, b in graph.edges:
        if order[a] < order[b]:
            before[b].append(a)
            after[a].append(b)
    depth: dict[Hashable, int] = {}
    for key in order:
        depth[key] = max([depth[each] + 1 for each in before[key]], default=0)
    for key in reversed(list(order)):  # sources stand near their first use
        if not before[key] and after[key]:
            depth[key] = min(depth[each] for each in after[key]) - 1
    rows: list[list[Hashable]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for key in order:
        rows[depth[key]].append(key)
    for sweep in range(_SWEEPS):
        _order(rows if sweep % 2 == 0 else rows[::-1], before if sweep % 2 == 0 else after)
    return rows


def _order(rows: list[list[Hashable]], neighbours: dict[Hashable, list[Hashable]]) -> None:
    place: dict[Hashable, float] = {}
    for row in rows:
        middle = {}
        for i, key in enumerate(row):
            near = [place[each] for each in neighbours[key] if each in place]
            middle[key] = sum(near) / len(near) if near else float(i)
        row.sort(key=lambda key: middle[key])
        place.update({key: float(i) for i, key in enumerate(row)})
