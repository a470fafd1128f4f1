"""Batches of elements of different shapes, as sparse tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import nest
from ..engine.shapes import TensorShape, written
from ..errors import DataLossError, InvalidArgumentError
from ..programs.composite_specs import SparseTensorSpec
from ..programs.specs import TensorSpec
from .batching import Batch
from .composite_elements import SparseArray

if TYPE_CHECKING:
    from ..engine.annotations import ShapeLike
    from ..engine.shapes import Shape
    from ..engine.tensor import Array
    from .stage import Run, Specs, Stage


class SparseBatch(Batch):
    """Batches of which each element is a row, with a value wherever the element has one.

    A length of None in the shape of rows is that of the longest element of the batch.
    """

    def __init__(self, source: Stage, size: int, row_shape: ShapeLike) -> None:
        super().__init__(source, [size], drop_remainder=False)
        self.row_shape = TensorShape(row_shape)
        if self.row_shape.rank is None:
            raise ValueError(f"`row_shape` must have a known rank, got {row_shape!r}.")
        components = nest.flatten(source.spec())
        if len(components) != 1 or not isinstance(components[0], TensorSpec):
            raise TypeError(
                "`sparse_batch` requires an input dataset whose elements have a single component, "
                f"a dense tensor, but they are {source.spec()}."
            )
        self.component = components[0]

    def spec(self) -> Specs:
        return SparseTensorSpec([None, *self.row_shape], self.component.dtype)

    def together(self, run: Run) -> SparseArray:
        rows = [np.asarray(row) for element in run for row in nest.flatten(element)]
        for row in rows:
            self._check(row.shape)
        lengths = [
            max([row.shape[axis] for row in rows]) if length is None else length
            for axis, length in enumerate(self.row_shape)
        ]
        indices = np.concatenate([_places(number, row) for number, row in enumerate(rows)])
        values = np.concatenate([row.reshape(-1) for row in rows])
        return SparseArray(indices, values, (len(rows), *lengths))

    def _check(self, shape: Shape) -> None:
        if len(shape) != self.row_shape.rank:
            raise InvalidArgumentError(
                f"Input element had shape ({written(shape)}) that is incompatible with the row "
                f"shape ({written(self.row_shape.as_list())})."
            )
        if any(
            most is not None and n > most for n, most in zip(shape, self.row_shape, strict=True)
        ):
            raise DataLossError(
                f"Input element had shape ({written(shape)}) that is larger than the row shape "
                f"({written(self.row_shape.as_list())})."
            )


def _places(number: int, row: Array) -> Array:
    """The places in the batch of all values of a row."""
    places = np.indices(row.shape).reshape(row.ndim, row.size).T
    numbers = np.full([row.size, 1], number)
    return np.concatenate([numbers, places], axis=1).astype(np.int64)
