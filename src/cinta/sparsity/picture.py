"""A plan as a picture: the nonzeros, each in the color of the product that gives it."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .derivative_plan import SparsePlan
    from .pattern import Index

SIDE, MARGIN, HEAD = 560, 14, 26
MOST = 160
"""How many cells the picture has along an axis; of more rows or columns several share one."""


def picture(plan: SparsePlan) -> str:
    """An SVG picture, as text.

    Above the matrix stand the colors of the columns, left of it those of the rows. A square is
    computed by a product of columns, a circle by one of rows.
    """
    height, width = plan.shape
    down, across = min(height, MOST), min(width, MOST)
    cell = SIDE / max(down, across, 8)
    size = f'width="{cell * (across + 2) + 2 * MARGIN:.0f}"'
    size += f' height="{cell * (down + 2) + 2 * MARGIN + HEAD:.0f}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{MARGIN}" y="{MARGIN + 8}" font-family="system-ui, sans-serif" font-size="13" '
        f'fill="#495057">{title(plan)}</text>',
        f'<g transform="translate({MARGIN} {MARGIN + HEAD}) scale({cell:.5g})">',
        f'<rect x="1.5" y="1.5" width="{across}" height="{down}" fill="#f8f9fa"/>',
        *marks(plan, down, across),
        "</g>",
    ]
    return "\n".join([*lines, "</svg>", ""])


def title(plan: SparsePlan) -> str:
    """The picture in words."""
    return repr(plan).removeprefix("<SparsePlan of a ").removesuffix(">")


def marks(plan: SparsePlan, down: int, across: int) -> Iterator[str]:
    """The colors of columns and rows, then the nonzeros; of those in one cell, one."""
    height, width = plan.shape
    first_row_color = int(plan.columns.max(initial=-1)) + 1
    columns, rows = plan.columns, np.where(plan.rows < 0, -1, plan.rows + first_row_color)
    for j, color in in_cells(columns, across):
        yield square(j + 1.5, 0.25, color)
    for i, color in in_cells(rows, down):
        yield circle(0.25, i + 1.5, color)
    i, j = plan.structure.nonzero()
    cells = (i * down // max(height, 1)) * across + j * across // max(width, 1)
    cells, chosen = np.unique(cells, return_index=True)
    for cell, product in zip(cells.tolist(), plan.product_of_each()[chosen].tolist(), strict=True):
        draw = square if product < first_row_color else circle
        yield draw(cell % across + 1.5, cell // across + 1.5, product)


def in_cells(colors: Index, count: int) -> list[tuple[int, int]]:
    """A color for each cell along an axis that is had by some product."""
    cells = np.arange(len(colors)) * count // max(len(colors), 1)
    inside = np.flatnonzero(colors >= 0)
    first = inside[np.unique(cells[inside], return_index=True)[1]]
    return list(zip(cells[first].tolist(), colors[first].tolist(), strict=True))


def square(x: float, y: float, product: int) -> str:
    return f'<rect x="{x + 0.05:g}" y="{y + 0.05:g}" width="0.9" height="0.9" {paint(product)}/>'


def circle(x: float, y: float, product: int) -> str:
    return f'<circle cx="{x + 0.5:g}" cy="{y + 0.5:g}" r="0.45" {paint(product)}/>'


def paint(product: int) -> str:
    """A color for each product; the golden angle keeps those of neighbors apart."""
    hue = (210 + 137.508 * product) % 360 / 360
    channels = colorsys.hls_to_rgb(hue, 0.45 + 0.12 * (product % 3), 0.65)
    return 'fill="#' + "".join([f"{round(255 * channel):02x}" for channel in channels]) + '"'
