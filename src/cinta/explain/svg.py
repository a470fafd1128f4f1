"""SVG: a graph as a picture, with the boxes in layers and arrows between them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from .graph import graph_of
from .layout import layers_of
from .summary import written_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Hashable

    from .graph import Graph, Node

_WIDTH, _HEIGHT = 230, 46
_ACROSS, _DOWN = 30, 44
_MARGIN = 20
_LETTERS = 29
"""How many letters of a title fit in a box."""

STYLE = """
.cinta { --paper: #ffffff; --ink: #1b2631; --soft: #5d6d7e; --box: #eef2f5; --edge: #85929e;
  --source: #d6eaf8; --target: #d5f5e3; --cut: #fadbd8; --lost: #f4f6f6; --red: #b03a2e }
@media (prefers-color-scheme: dark) { .cinta { --paper: #17202a; --ink: #eaecee; --soft: #aeb6bf;
  --box: #2c3e50; --edge: #85929e; --source: #1b4f72; --target: #145a32; --cut: #78281f;
  --lost: #212f3c; --red: #ec7063 } }
.cinta text { fill: var(--ink); font: 12px ui-monospace, monospace }
.cinta .more { fill: var(--soft); font-size: 10px }
.cinta rect { fill: var(--box); stroke: var(--edge) }
.cinta .source rect { fill: var(--source) } .cinta .target rect { fill: var(--target) }
.cinta .lost rect { fill: var(--lost); stroke-dasharray: 4 3 }
.cinta .cut rect { fill: var(--cut); stroke: var(--red); stroke-width: 2 }
.cinta path { fill: none; stroke: var(--edge) }
.cinta path.lost { stroke: var(--red); stroke-dasharray: 4 3 }
"""


class Drawing:
    """A picture of a tape, a function or an explanation; notebooks show it.

    >>> import cinta as tf
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = x * x
    >>> tape.draw()
    <Drawing of a tape: 2 boxes>
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph.folded()

    def __repr__(self) -> str:
        count = len(self.graph.nodes)
        return f"<Drawing of a {self.graph.title}: {count} box{'es' * (count != 1)}>"

    def _repr_svg_(self) -> str:
        return svg_of(self.graph)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._repr_svg_())


def drawing_of(thing: object) -> Drawing:
    """A picture of what can be drawn."""
    return Drawing(graph_of(thing))


def svg_of(graph: Graph) -> str:
    """The picture as text."""
    rows = layers_of(graph)
    widest = max(map(len, rows), default=1)
    width = 2 * _MARGIN + widest * (_WIDTH + _ACROSS) - _ACROSS
    height = 2 * _MARGIN + len(rows) * (_HEIGHT + _DOWN) - _DOWN
    places = _places(rows, width)
    arrows = [_arrow(graph, places, a, b, count) for (a, b), count in graph.edges.items()]
    boxes = [_box(i, node, *places[key]) for i, (key, node) in enumerate(graph.nodes.items())]
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' class='cinta' role='img' "
        f"aria-label='{html.escape(graph.title, quote=True)}' viewBox='0 0 {width} {height}' "
        f"width='{width}' height='{height}'>\n<style>{STYLE}</style>\n"
        f"<g class='all'>{''.join(arrows)}{''.join(boxes)}</g>\n</svg>"
    )


def _places(rows: list[list[Hashable]], width: int) -> dict[Hashable, tuple[int, int]]:
    """Where the boxes begin; each row stands in the middle."""
    found = {}
    for depth, row in enumerate(rows):
        left = (width - len(row) * (_WIDTH + _ACROSS) + _ACROSS) // 2
        for i, key in enumerate(row):
            found[key] = left + i * (_WIDTH + _ACROSS), _MARGIN + depth * (_HEIGHT + _DOWN)
    return found


def _arrow(
    graph: Graph,
    places: dict[Hashable, tuple[int, int]],
    a: Hashable,
    b: Hashable,
    count: int,
) -> str:
    (x1, y1), (x2, y2) = places[a], places[b]
    x1, x2, y1 = x1 + _WIDTH // 2, x2 + _WIDTH // 2, y1 + _HEIGHT
    bend = max(abs(y2 - y1) // 2, 12)
    kind = " class='lost'" if graph.nodes[b].role in ("cut", "lost") else ""
    title = f"<title>{count} times</title>" if count > 1 else ""
    return f"<path{kind} d='M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}'>{title}</path>"


def _box(i: int, node: Node, x: int, y: int) -> str:
    text = node.source or (node.ops[0].name if node.ops else "")
    first = html.escape(_short(text if node.source else node.title))
    label = html.escape(f"{node.title} {text}", quote=True)
    more = [node.title if node.source else "", _times(node), _kept(node)]
    second = html.escape(" · ".join(filter(None, more)))
    cut = "<text x='8' y='-6' style='fill:var(--red)'>✂</text>" if node.role == "cut" else ""
    return (
        f"<g class='node {node.role}' data-i='{i}' tabindex='0' role='button' "
        f"aria-label='{label}' transform='translate({x} {y})'><title>{label}</title>"
        f"<rect width='{_WIDTH}' height='{_HEIGHT}' rx='6'/>{cut}"
        f"<text x='8' y='19'>{first}</text><text class='more' x='8' y='36'>{second}</text></g>"
    )


def _times(node: Node) -> str:
    if node.count <= 1:
        return node.ops[0].result if node.ops else ""
    return f"{node.count} ops"


def _kept(node: Node) -> str:
    return written_bytes(node.bytes) if node.bytes else ""


def _short(text: str) -> str:
    return text if len(text) <= _LETTERS else text[: _LETTERS - 1] + "…"
