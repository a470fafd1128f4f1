"""Ragged tensors as text: rows as lists, of which those in the middle may be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ...engine.tensor import Array
    from .annotations import Function, RaggedOrDense


def abridged(count: int, item: Function, summarize: int) -> str:
    """The items of a list, of which those in the middle may be left out."""
    shown = list(range(count))
    if summarize != -1 and count > 2 * summarize:
        shown = [*shown[:summarize], -1, *shown[count - summarize :]]
    return f"[{', '.join('...' if i < 0 else item(i) for i in shown)}]"


def listed(array: Array, element: Function, summarize: int) -> str:
    """An array as a list."""
    if not array.ndim:
        return element(array[()])  # type: ignore[no-any-return]
    return abridged(
        len(array), lambda i: listed(np.asarray(array[i, ...]), element, summarize), summarize
    )


def written(x: RaggedOrDense) -> str:
    """An array, or one of its elements, with commas."""
    if isinstance(x, np.ndarray):
        return np.array2string(x, separator=", ") if x.size else repr(x.tolist())
    return str(x)
