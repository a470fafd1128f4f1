"""A line chart as SVG: numbers in, text out, nothing to install."""

import math
from collections.abc import Callable, Mapping
from html import escape
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 60, WIDTH - 28, 28, HEIGHT - 60
COLORS = ("#1f6feb", "#d9480f", "#2b8a3e", "#862e9c", "#0b7285")
STYLE = """
text { font: 14px system-ui, sans-serif; fill: #495057 }
.grid { stroke: #e9ecef } .axis { stroke: #868e96; fill: none }
.curve { fill: none; stroke-width: 2.5; stroke-linejoin: round }
"""


def line_chart(x: npt.ArrayLike, curves: Mapping[str, npt.ArrayLike], xlabel: str = "x") -> str:
    """An SVG picture, as text, of `curves`: by name, the values at the points `x`.

    >>> line_chart([0, 1, 2], {"square": [0, 1, 4]}).count("<polyline")
    1
    """
    points = np.asarray(x, dtype=float)
    values = {name: np.asarray(curve, dtype=float) for name, curve in curves.items()}
    x_ticks, y_ticks = round_steps(points), round_steps(np.concatenate([*values.values()]))
    across, up = scale(x_ticks, LEFT, RIGHT), scale(y_ticks, BOTTOM, TOP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<style>{STYLE}</style><rect width="100%" height="100%" fill="#fff"/>',
        *map(x_tick, x_ticks, across(x_ticks)),
        *map(y_tick, y_ticks, up(y_ticks)),
        f'<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>',
        text((LEFT + RIGHT) / 2, HEIGHT - 16, xlabel, anchor="middle"),
    ]
    for row, (name, heights) in enumerate(values.items()):
        color = COLORS[row % len(COLORS)]
        lines += [curve(across(points), up(heights), color), legend(row, name, color)]
    return "\n".join([*lines, "</svg>", ""])


def round_steps(values: Floats, about: int = 5) -> Floats:
    """Some `about` + 1 round numbers that reach from the smallest value to the largest."""
    low, high = float(values.min()), float(values.max())
    wanted = (high - low or 1.0) / about
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(nice * power for nice in (1, 2, 5, 10) if nice * power >= wanted)
    # The slack keeps a value that rounding moves past a step from adding an empty interval.
    first = math.floor(low / step + 0.01)
    last = max(math.ceil(high / step - 0.01), first + 1)
    return np.arange(first, last + 1, dtype=np.float64) * step


def scale(steps: Floats, start: float, stop: float) -> Callable[[Floats], Floats]:
    """The linear map that sends the first step to `start` and the last to `stop`."""
    slope = (stop - start) / (steps[-1] - steps[0])
    return lambda values: start + slope * (values - steps[0])


def x_tick(value: float, x: float) -> str:
    grid = f'<path class="grid" d="M{x:.1f} {TOP}V{BOTTOM}"/>'
    return grid + text(x, BOTTOM + 22, f"{value:g}", anchor="middle")


def y_tick(value: float, y: float) -> str:
    grid = f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>'
    return grid + text(LEFT - 10, y + 5, f"{value:g}", anchor="end")


def curve(xs: Floats, ys: Floats, color: str) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
    return f'<polyline class="curve" stroke="{color}" points="{points}"/>'


def legend(row: int, name: str, color: str) -> str:
    y = TOP + 20 + 22 * row
    stroke = f'<path class="curve" stroke="{color}" d="M{LEFT + 16} {y}h24"/>'
    return stroke + text(LEFT + 48, y + 5, name)


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
