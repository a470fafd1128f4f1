"""SVG: a graph as a picture, with the boxes in layers and arrows between them."""

from __future__ import annotations

import html
from itertools import pairwise
from statistics import mean
from typing import TYPE_CHECKING

from ..memory_summary import written_bytes
from .box_placement import ArrowPlace, layout_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from .box_placement import PictureLayout
    from .boxes import Box, BoxGraph

_WIDTH, _HEIGHT = 290, 48
_ACROSS, _DOWN = 28, 40
_WAY = 12
_MARGIN = 20
_LETTERS, _SMALL_LETTERS = 37, 42
"""How many letters of a title fit in a box, and of what stands below it."""

STYLE = """
.cinta .paper{fill:#fff}.cinta text{fill:#17212b;font:12px ui-monospace,Menlo,Consolas,monospace}
.cinta .more{fill:#4a5b6b;font-size:10.5px}.cinta .box{fill:#f1f4f7;stroke:#9aa8b5}
.cinta .source .box{fill:#dcecfb;stroke:#3d85c6}.cinta .target .box{fill:#dcf3e4;stroke:#2f9e62}
.cinta .lost .box{fill:#fbfbfb;stroke-dasharray:5 3}.cinta .data .box{fill:#fbf3dc;stroke:#b98a1c}
.cinta .cut .box,.cinta .spot .box{fill:#fde4e1;stroke:#c0392b;stroke-width:2}
.cinta path{fill:none;stroke:#8795a3}
.cinta .head{fill:#8795a3;stroke:none}.cinta path.lost{stroke:#c0392b;stroke-dasharray:5 3}
.cinta .scissors{fill:#c0392b;font-size:16px}
@media(prefers-color-scheme:dark){.cinta .paper{fill:#12181f}.cinta text{fill:#e9eef3}
.cinta .more{fill:#b3c0cc}.cinta .box{fill:#222d38;stroke:#5f7182}
.cinta .source .box{fill:#14375a;stroke:#5aa2e6}.cinta .target .box{fill:#12422a;stroke:#4cc585}
.cinta .lost .box{fill:#171e26}.cinta .data .box{fill:#40340f;stroke:#d9ac3f}
.cinta .cut .box,.cinta .spot .box{fill:#5a1f1a;stroke:#ff7a6b}.cinta path{stroke:#7d8d9c}
.cinta .head{fill:#7d8d9c}.cinta path.lost{stroke:#ff7a6b}.cinta .scissors{fill:#ff7a6b}}
"""


def svg_of(graph: BoxGraph, title: str) -> str:
    """The picture as text."""
    layout = layout_of(graph)
    lefts = _lefts(layout)
    width = 2 * _MARGIN + max([lefts[key] + _width(key) for key in lefts], default=_WIDTH)
    height = 2 * _MARGIN + max(len(layout.rows), 1) * (_HEIGHT + _DOWN) - _DOWN
    places = {
        key: (_MARGIN + lefts[key], _MARGIN + depth * (_HEIGHT + _DOWN))
        for depth, row in enumerate(layout.rows)
        for key in row
    }
    arrows = [
        _arrow(graph, arrow, count, [places[key] for key in _stations(layout, arrow)])
        for arrow, count in graph.arrows.items()
    ]
    boxes = [_box(box, *places[key]) for key, box in graph.boxes.items()]
    label = html.escape(title, quote=True)
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' class='cinta' role='img' aria-label='{label}' "
        f"viewBox='0 0 {width} {height}' width='{width}' height='{height}'>\n"
        f"<style>{STYLE}</style>\n"
        "<marker id='head' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' "
        "orient='auto'><path class='head' d='M0 0L8 4L0 8z'/></marker>\n"
        f"<rect class='paper' width='{width}' height='{height}'/>\n"
        f"{''.join(arrows)}{''.join(boxes)}</svg>\n"
    )


def _width(key: Hashable) -> int:
    return _WAY if isinstance(key, ArrowPlace) else _WIDTH


def _lefts(layout: PictureLayout) -> dict[Hashable, int]:
    """Where boxes and ways begin: each row stands, on average, below what leads into it."""
    above: dict[Hashable, list[Hashable]] = {}
    for arrow in layout.ways:
        for a, b in pairwise(_stations(layout, arrow)):
            above.setdefault(b, []).append(a)
    middles: dict[Hashable, float] = {}
    for row in layout.rows:
        x = 0.0
        own = {}
        for key in row:
            own[key] = x + _width(key) / 2
            x += _width(key) + _ACROSS
        wished = [
            mean(middles[each] for each in above[key] if each in middles) - own[key]
            for key in row
            if any(each in middles for each in above.get(key, ()))
        ]
        left = mean(wished) if wished else (_ACROSS - x) / 2
        middles.update({key: left + middle for key, middle in own.items()})
    first = min([middle - _width(key) / 2 for key, middle in middles.items()], default=0.0)
    return {key: round(middle - _width(key) / 2 - first) for key, middle in middles.items()}


def _stations(layout: PictureLayout, arrow: tuple[Hashable, Hashable]) -> list[Hashable]:
    return [arrow[0], *layout.ways.get(arrow, ()), arrow[1]]


def _arrow(
    graph: BoxGraph, ends: tuple[Hashable, Hashable], count: int, stations: list[tuple[int, int]]
) -> str:
    """A curve from box to box: down from the first, straight past each way, to the last."""
    (x, y), *ways, (end, bottom) = stations
    x, y = x + _WIDTH // 2, y + _HEIGHT
    curve = f"M{x} {y}"
    for way, top in ways:
        middle = way + _WAY // 2
        curve += f"{_bend(x, y, middle, top)}V{top + _HEIGHT}"
        x, y = middle, top + _HEIGHT
    curve += _bend(x, y, end + _WIDTH // 2, bottom)
    kind = " class='lost'" if "lost" in [graph.boxes[key].role for key in ends] else ""
    title = f"<title>× {count}</title>" if count > 1 else ""
    return f"<path{kind} d='{curve}' marker-end='url(#head)'>{title}</path>\n"


def _bend(x1: int, y1: int, x2: int, y2: int) -> str:
    bend = max(abs(y2 - y1) // 2, 12)
    return f"C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"


def _box(box: Box, x: int, y: int) -> str:
    label = html.escape(f"{box.title} {box.where}".strip(), quote=True)
    second = _fitting([box.where, box.result, *_measured(box)])
    letters = _LETTERS - 3 if box.role == "cut" else _LETTERS
    scissors = f"<text class='scissors' x='{_WIDTH - 26}' y='21'>✂</text>"
    return (
        f"<g class='{box.role or 'op'}' transform='translate({x} {y})'><title>{label}</title>"
        f"<rect class='box' width='{_WIDTH}' height='{_HEIGHT}' rx='7'/>"
        f"<text x='10' y='{20 if second else 29}'>{html.escape(_short(box.title, letters))}</text>"
        f"<text class='more' x='10' y='37'>{html.escape(second)}</text>"
        f"{scissors if box.role == 'cut' else ''}</g>\n"
    )


def _fitting(parts: list[str]) -> str:
    """The first ones of these parts that fit in the second line of a box."""
    text = ""
    for part in filter(None, parts):
        longer = f"{text} · {part}" if text else _short(part, _SMALL_LETTERS)
        if len(longer) > _SMALL_LETTERS:
            break
        text = longer
    return text


def _measured(box: Box) -> list[str]:
    facts = box.facts
    ops = f"{facts.count} ops" if facts.count > 1 else ""
    kept = written_bytes(facts.bytes) if facts.bytes else ""
    weights = f"{box.parameters:,} parameters" if box.parameters else ""
    return [weights, kept, ops]


def _short(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"
