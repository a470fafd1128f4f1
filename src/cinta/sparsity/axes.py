"""Patterns of what axes tell: reductions, softmaxes, products, and all that is done per matrix."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from .pattern import Index, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.shapes import Shape
    from ..engine.tensor import Array


def numbers(shape: Shape) -> Array:
    """The numbers of the elements of a tensor, in flat order."""
    return np.arange(math.prod(shape)).reshape(shape)


def broadcast(array: Array, shape: Shape) -> Index:
    """An array broadcast to a shape, flat."""
    return np.broadcast_to(array, shape).reshape(-1)


def along(pattern: Pattern, own: Shape, axes: int | Sequence[int], shape: Shape) -> Pattern:
    """The pattern of a result that depends on all elements along some axes, as of a reduction."""
    given = (axes,) if isinstance(axes, int) else axes
    reduced = {axis % len(own) for axis in given}
    kept = numbers(tuple([1 if i in reduced else n for i, n in enumerate(own)]))
    groups = pattern.grouped(broadcast(kept, own), kept.size)
    if len(shape) < len(own):
        kept = kept.reshape(shape)
    return groups.take(broadcast(kept, shape))


def by_letters(pattern: Pattern, own: Shape, letters: str, shape: Shape, result: str) -> Pattern:
    """The pattern by letters for the last axes: a result element depends on all elements of the
    input that have the same places on the axes that they share. Axes before these are broadcast.
    """
    first = len(own) - len(letters)
    sizes = dict(zip(letters, own[first:], strict=True))
    ends = [n if c in result else 1 for c, n in sizes.items()]
    kept = numbers(own[:first] + tuple(ends))
    groups = pattern.grouped(broadcast(kept, own), kept.size)
    shared = [c for c in letters if c in result]
    places = kept.reshape(own[:first] + tuple([sizes[c] for c in shared]))
    in_order = sorted(shared, key=result.index)
    places = places.transpose(*range(first), *[first + shared.index(c) for c in in_order])
    ends = [sizes[c] if c in shared else 1 for c in result]
    return groups.take(broadcast(places.reshape(own[:first] + tuple(ends)), shape))
