"""The picture of a training: curves of norms, on a scale of powers of ten, and histograms."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from ..texts import watched_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .curves import BinCounts, Curve
    from .watched import Course, Watched

_WIDTH, _ROW = 760, 72
_CURVE = 180, 300
"""Where the frames of curves begin, and how wide they are."""
_SCALE = 46
"""The room in a frame for numbers, to the left of the curves."""
_BARS = 110
_MOST = 40
"""How many variables are drawn."""

_LETTERS = 26
"""How many letters of a name are shown."""

_STYLE = """
.training .paper{fill:#fff}.training text{font:12px sans-serif;fill:#17212b}
.training .small{font-size:10px;fill:#4a5b6b}
.training path{fill:none}.training .bars{stroke:none}
.training .value{stroke:#2471a3}.training .gradient{stroke:#b9600f}.training .loss{stroke:#1e8449}
.training .bars.value{fill:#2471a3}.training .bars.gradient{fill:#b9600f}
.training .frame{fill:#8881;stroke:#8884}
@media(prefers-color-scheme:dark){.training .paper{fill:#12181f}.training text{fill:#e9eef3}
.training .small{fill:#b3c0cc}
.training .value{stroke:#5aa2e6}.training .gradient{stroke:#f0a04b}.training .loss{stroke:#4cc585}
.training .bars.value{fill:#5aa2e6}.training .bars.gradient{fill:#f0a04b}}
"""


def svg_of(watched: Watched) -> str:
    """A row for the loss, and one for each variable."""
    shown = watched.courses[:_MOST]
    height = _ROW * (len(shown) + 1) + 20
    title = f"{watched!r}. {' '.join(watched.findings)}"
    rows = [_row_of_loss(watched)]
    rows += [_row_of(course, i + 1) for i, course in enumerate(shown)]
    left = len(watched.courses) - len(shown)
    if left:
        rows.append(f"<text class='small' x='8' y='{height - 6}'>+ {left}</text>")
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' class='training' "
        f"viewBox='0 0 {_WIDTH} {height}' width='{_WIDTH}' role='img'>"
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style>"
        f"<rect class='paper' width='{_WIDTH}' height='{height}'/>{''.join(rows)}</svg>"
    )


def _row_of_loss(watched: Watched) -> str:
    x, width = _CURVE
    legend = x + width + 20
    colors = (
        f"<text class='small' x='{legend}' y='24'>{watched_text('legend-value')}</text>"
        f"<text class='small' x='{legend + _BARS + 10}' y='24'>"
        f"{watched_text('legend-gradient')}</text>"
    )
    line = "" if watched.line is None else html.escape(str(watched.line))
    name = watched_text("legend-loss")
    return _frame(0, name, line) + colors + _curves(0, (("loss", watched.loss),))


def _row_of(course: Course, row: int) -> str:
    made = "" if course.made is None else html.escape(str(course.made))
    x = _CURVE[0] + _CURVE[1] + 20
    bars = _bars(x, row, "value", course.value)
    if course.gradient is not None:
        bars += _bars(x + _BARS + 10, row, "gradient", course.gradient)
    curves = (("value", course.values), ("gradient", course.gradients))
    return _frame(row, html.escape(_short(course.name)), made) + _curves(row, curves) + bars


def _short(name: str) -> str:
    """The end of a name, which tells variables of one model apart."""
    return name if len(name) <= _LETTERS else f"…{name[1 - _LETTERS :]}"


def _frame(row: int, name: str, below: str) -> str:
    y, (x, width) = row * _ROW, _CURVE
    return (
        f"<text x='8' y='{y + 26}'>{name}</text>"
        f"<text class='small' x='8' y='{y + 42}'>{below}</text>"
        f"<rect class='frame' x='{x}' y='{y + 6}' width='{width}' height='{_ROW - 12}'/>"
    )


def _curves(row: int, curves: Sequence[tuple[str, Curve]]) -> str:
    """Curves on one scale, of powers of ten; what is not finite leaves a gap."""
    sizes = [abs(p) for _, curve in curves for p in curve.finite() if p]
    if not sizes:
        return ""
    low, high = math.log10(min(sizes)), math.log10(max(sizes))
    drawn = [
        f"<path class='{kind}' d='{_path(row, curve.points, low, max(high - low, 1e-9))}'/>"
        for kind, curve in curves
    ]
    x, y = _CURVE[0] + 3, row * _ROW
    scale = (
        f"<text class='small' x='{x}' y='{y + 18}'>{10**high:.2g}</text>"
        f"<text class='small' x='{x}' y='{y + _ROW - 9}'>{10**low:.2g}</text>"
    )
    return "".join(drawn) + scale


def _path(row: int, points: Sequence[float], low: float, span: float) -> str:
    x, width = _CURVE[0] + _SCALE, _CURVE[1] - _SCALE
    top, height = row * _ROW + 8, _ROW - 16
    step = width / max(len(points) - 1, 1)
    parts, pen = [], "M"
    for i, point in enumerate(points):
        if not math.isfinite(point) or not point:
            pen = "M"
            continue
        y = top + height * (1.0 - (math.log10(abs(point)) - low) / span)
        parts.append(f"{pen}{x + i * step:.1f} {y:.1f}")
        pen = "L"
    return "".join(parts)


def _bars(x: int, row: int, kind: str, histogram: BinCounts) -> str:
    if not histogram.counts:
        return ""
    bottom, height = (row + 1) * _ROW - 18, _ROW - 30
    width, most = _BARS / len(histogram.counts), max(histogram.counts)
    bars = "".join(
        f"M{x + i * width:.1f} {bottom}v{-height * count / most:.1f}h{width - 0.5:.1f}V{bottom}z"
        for i, count in enumerate(histogram.counts)
        if count
    )
    return (
        f"<path class='bars {kind}' d='{bars}'/>"
        f"<text class='small' x='{x}' y='{bottom + 11}'>{histogram.low:.2g}</text>"
        f"<text class='small' x='{x + _BARS}' y='{bottom + 11}' text-anchor='end'>"
        f"{histogram.high:.2g}</text>"
    )
