"""Which unknown dimensions of arguments are equal: at first none, then as few as can be.

A function may take arguments only if some of their dimensions are equal, as those of a matrix and
of what it is multiplied with.
"""

from __future__ import annotations

from itertools import combinations, count
from typing import TYPE_CHECKING, Any, NamedTuple

from .plain_structures import Argument, Unknown, with_arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..programs.specs import TensorSpec

    Arguments = tuple[dict[str, Any] | tuple[TensorSpec, ...], ...]

_FEW = 6
"""So many unknown dimensions have few enough ways to be equal that all can be tried."""


class Dimension(NamedTuple):
    """An unknown dimension: an axis of one of the tensors among the arguments."""

    leaf: int
    axis: int


def ties(given: Arguments) -> Iterator[tuple[object, int]]:
    """The arguments with specs as places of tensors, and how many sizes are unknown.

    Each time other dimensions are equal; those with the most sizes come first.
    """
    found = _unknown(given)
    ways = [*_partitions(found)] if len(found) <= _FEW else [*_usual(found)]
    for way in sorted(ways, key=_order):
        numbers = {one: i for i, block in enumerate(way) for one in block}
        yield _placed(given, numbers), len(way)


def _partitions(found: list[Dimension]) -> Iterator[list[list[Dimension]]]:
    """All ways in which they may be equal, as lists of those that are."""
    if not found:
        yield []
        return
    *others, last = found
    for way in _partitions(others):
        for i, block in enumerate(way):
            yield [*way[:i], [*block, last], *way[i + 1 :]]
        yield [*way, [last]]


def _usual(found: list[Dimension]) -> Iterator[list[list[Dimension]]]:
    """None are equal, the first axes are, as those of batches, or all."""
    yield [[one] for one in found]
    first = [one for one in found if not one.axis]
    yield [*([first] if first else []), *[[one] for one in found if one.axis]]
    yield [found]


def _order(way: list[list[Dimension]]) -> tuple[int, int]:
    """Ways with many sizes come first, and then those in which what is equal is most alike."""
    pairs = [pair for block in way for pair in combinations(block, 2)]
    return -len(way), sum([_unlike(*pair) for pair in pairs])


def _unlike(one: Dimension, other: Dimension) -> int:
    """How unusual it is that two dimensions are equal: least for the first axes of arguments."""
    if one.leaf == other.leaf:
        return 3
    return 2 if one.axis != other.axis else min(one.axis, 1)


def _unknown(given: Arguments) -> list[Dimension]:
    """The unknown dimensions, in order."""
    specs: list[TensorSpec] = []

    def noted(spec: TensorSpec) -> Argument:
        specs.append(spec)
        return Argument(spec.dtype.dtype, (), spec.name)

    with_arguments(given, noted)
    return [
        Dimension(leaf, axis)
        for leaf, spec in enumerate(specs)
        for axis, n in enumerate(spec.shape.as_list())
        if n is None
    ]


def _placed(given: Arguments, numbers: Mapping[Dimension, int]) -> object:
    """The structure with specs as places of tensors, in which these sizes are unknown."""
    leaves = count()

    def placed(spec: TensorSpec) -> Argument:
        leaf = next(leaves)
        shape = [
            Unknown(numbers[Dimension(leaf, axis)]) if n is None else n
            for axis, n in enumerate(spec.shape.as_list())
        ]
        return Argument(spec.dtype.dtype, tuple(shape), spec.name)

    return with_arguments(given, placed)
