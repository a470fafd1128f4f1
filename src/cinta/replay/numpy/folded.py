"""Shapes as rows, for steps that go through arrays block by block."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.shapes import Shape


class Folded:
    """A shape as rows: all its axes as one, or the first ones where inputs are broadcast."""

    def __init__(self, shape: Shape, others: Sequence[Shape]) -> None:
        self.shape = shape
        self._axes = max(
            i for i in range(1, len(shape) + 1) if all(self._fits(s, i) for s in others)
        )
        self.length, self.rest = prod(shape[: self._axes]), shape[self._axes :]

    def _fits(self, other: Shape, axes: int) -> bool:
        front = self._padded(other)[:axes]
        return front == self.shape[:axes] or set(front) == {1}

    def _padded(self, other: Shape) -> Shape:
        return (1,) * (len(self.shape) - len(other)) + other

    def is_large(self, other: Shape) -> bool:
        """Whether such an array has rows of its own; others go with each row."""
        return self._padded(other)[: self._axes] == self.shape[: self._axes]

    def rows(self, other: Shape) -> Shape:
        """The shape of a large array as rows."""
        return (self.length, *self._padded(other)[self._axes :])

    def alone(self, other: Shape) -> Shape:
        """The shape of another array as it goes with each row."""
        return self._padded(other)[self._axes :]
