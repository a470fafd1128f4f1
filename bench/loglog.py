"""Curves over axes whose steps are powers of ten, as SVG."""

import math

from cinta.tour.chart import BOTTOM, COLORS, HEIGHT, LEFT, RIGHT, STYLE, TOP, WIDTH, legend, text


def chart(curves, title, xlabel, ylabel):
    """An SVG picture, as text, of curves by name: lists of points."""
    points = [point for curve in curves.values() for point in curve]
    x_powers, y_powers = powers([x for x, _ in points]), powers([y for _, y in points])
    across, up = scale(x_powers, LEFT, RIGHT), scale(y_powers, BOTTOM, TOP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -24 {WIDTH} {HEIGHT + 24}">',
        f'<style>{STYLE}</style><rect y="-24" width="100%" height="100%" fill="#fff"/>',
        text((LEFT + RIGHT) / 2, 6, title, anchor="middle"),
    ]
    for power in x_powers:
        x = across(10.0**power)
        lines.append(f'<path class="grid" d="M{x:.1f} {TOP}V{BOTTOM}"/>')
        lines.append(text(x, BOTTOM + 22, written(power), anchor="middle"))
    for power in y_powers:
        y = up(10.0**power)
        lines.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>')
        lines.append(text(LEFT - 8, y + 5, written(power), anchor="end"))
    lines.append(f'<path class="axis" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>')
    lines.append(
        text((LEFT + RIGHT) / 2, HEIGHT - 16, f"{xlabel} (across), {ylabel} (up)", "middle")
    )
    for row, (name, curve) in enumerate(curves.items()):
        color = COLORS[row % len(COLORS)]
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in curve)
        lines.append(f'<polyline class="curve" stroke="{color}" points="{path}"/>')
        lines.append(legend(row, name, color))
    return "\n".join([*lines, "</svg>", ""])


def written(power):
    """A power of ten in print."""
    return "10" + str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def powers(values):
    """The powers of ten from below the smallest value to above the largest."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return range(low, max(high, low + 1) + 1)


def scale(steps, start, stop):
    """Where a number stands between the first power of ten and the last."""
    length = (stop - start) / (steps[-1] - steps[0])
    return lambda value: start + length * (math.log10(value) - steps[0])
