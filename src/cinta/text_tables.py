"""Tables, as text and as HTML: what notebooks show of tensors, tapes, functions and datasets."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from . import dtypes
from .languages.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[np.generic] | np.generic

_BINS = 16
_MOST_COUNTED = 1_000_000
_BARS = " ▁▂▃▄▅▆▇█"

FACTS = "shape", "dtype", "min", "mean", "max", "norm", "values"
"""The headings of the facts of an array, in English."""


class Histogram:
    """How often values occur, from the least to the greatest, as small bars."""

    def __init__(self, values: npt.NDArray[np.float64]) -> None:
        values = values[:: -(-values.size // _MOST_COUNTED) or 1]
        values = values[np.isfinite(values)]
        values = values / max(np.abs(values).max(initial=0.0), np.finfo(np.float64).tiny)
        least, span = values.min(initial=1.0), np.ptp(values) if values.size else 0.0
        places = (values - least) / span * _BINS if span else np.full(values.size, _BINS / 2)
        bins = np.minimum(places.astype(np.int64), _BINS - 1)
        self.counts = np.bincount(bins, minlength=_BINS)

    def _heights(self, most: int) -> list[int]:
        """Heights of the bars; what occurs at all can be seen."""
        tallest = max(int(self.counts.max()), 1)
        return [-(-int(count) * most // tallest) for count in self.counts]

    def __str__(self) -> str:
        return "".join(_BARS[height] for height in self._heights(len(_BARS) - 1))

    def _repr_html_(self) -> str:
        bars = "".join(
            f"<rect x='{5 * place}' y='{20 - height}' width='4' height='{height}'/>"
            for place, height in enumerate(self._heights(20))
        )
        size = f"width='{5 * _BINS}' height='20'"
        return f"<svg {size} fill='#5b8def' role='img' aria-label='{self}'>{bars}</svg>"


Cell: TypeAlias = str | Histogram


class Table:
    """Rows of words and histograms under headings, which are shown in the user's language.

    >>> import numpy as np
    >>> from cinta.text_tables import FACTS, Table, facts
    >>> print(Table(FACTS, [facts(np.array([1.0, 2.0, 2.0]))]))
    shape  dtype    min  mean  max  norm  values
    (3,)   float64  1    1.67  2    3     ▄              █
    """

    def __init__(self, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        self.headings, self.rows = tuple(headings), [tuple(row) for row in rows]

    def __str__(self) -> str:
        lines = [[*map(str, row)] for row in (map(said, self.headings), *self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(
            f"<th style='text-align:left'>{html.escape(said(heading))}</th>"
            for heading in self.headings
        )
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(cell: Cell) -> str:
    content = cell._repr_html_() if isinstance(cell, Histogram) else html.escape(cell)
    return f"<td style='text-align:left'>{content}</td>"


def facts(array: Array) -> list[Cell]:
    """The cells of an array under ``FACTS``."""
    named: list[Cell] = [str(array.shape), dtypes.of(array.dtype).name]
    if array.dtype.kind == "O":
        return [*named, "", "", "", "", ""]
    sizes = np.abs(array) if array.dtype.kind == "c" else array
    values = np.asarray(sizes, np.float64).ravel()
    measured = ["", "", ""]
    if values.size and array.dtype.kind != "c":
        measured = [number(each()) for each in (values.min, values.mean, values.max)]
    return [*named, *measured, number(norm(array)), Histogram(values)]


def norm(array: Array) -> float:
    """The root of the sum of the squares of an array's elements."""
    sizes = np.abs(array) if array.dtype.kind == "c" else array
    with np.errstate(all="ignore"):
        return float(np.linalg.norm(np.asarray(sizes, np.float64).ravel()))


def number(value: float) -> str:
    """A number in few digits."""
    return f"{value:.3g}"


def shown(array: Array, text: str) -> str | None:
    """A tensor as a notebook shows it: its facts above its text; None where the text tells all."""
    if array.dtype.kind == "O" or array.size < 2:
        return None
    return f"{Table(FACTS, [facts(array)])._repr_html_()}<pre>{html.escape(text)}</pre>"
