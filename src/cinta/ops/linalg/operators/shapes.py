"""The shapes of operators: of the matrices, of their batches, and of what goes with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ....engine.dimension import Dimension
from ....engine.shapes import TensorShape, written
from ....engine.tensor import wrap
from ...arrays.tiling import broadcast_to

if TYPE_CHECKING:
    from ....dtypes import DType
    from ....engine.shapes import Shape
    from ....engine.tensor import Tensor


class HasShape:
    """The shape of an operator, as numbers and as tensors."""

    dtype: DType

    def _lengths(self) -> Shape:
        """The shape, batches included; operators of TensorFlow's programs say it by ``_shape``."""
        shape = getattr(self, "_shape", None)
        if not callable(shape):
            raise NotImplementedError(f"{type(self).__name__} must say its shape.")
        return tuple(TensorShape(shape()).as_list())

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor: batches, rows, columns."""
        return TensorShape(self._lengths())

    @property
    def batch_shape(self) -> TensorShape:
        """The shape without the two axes of the matrix."""
        return TensorShape(self._lengths()[:-2])

    def _for_each(self, number: int) -> Tensor:
        """The same number for each matrix of the batch."""
        return wrap(np.full(self._lengths()[:-2], number, self.dtype.dtype)[()])

    @property
    def tensor_rank(self) -> int:
        """The number of axes of the dense tensor."""
        return len(self._lengths())

    @property
    def _height(self) -> int:
        return self._lengths()[-2]

    @property
    def _width(self) -> int:
        return self._lengths()[-1]

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows."""
        return Dimension(self._height)

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns."""
        return Dimension(self._width)

    @property
    def is_square(self) -> bool:
        """Whether there are as many rows as columns."""
        return self._height == self._width

    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """The shape as a tensor."""
        return wrap(np.array(self._lengths(), np.int32))

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """The batches' shape as a tensor."""
        return wrap(np.array(self._lengths()[:-2], np.int32))

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """The number of axes as a tensor."""
        return wrap(np.int32(self.tensor_rank))

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """The number of rows as a tensor."""
        return wrap(np.int32(self._height))

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """The number of columns as a tensor."""
        return wrap(np.int32(self._width))

    def _check_square(self, what: str) -> None:
        if not self.is_square:
            raise NotImplementedError(
                f"{what} not implemented for an operator that is expected to not be square: its "
                f"shape is {written(self._lengths())}."
            )


def same_batch(*matrices: Tensor) -> list[Tensor]:
    """Matrices with the axes in front that they have together."""
    batch = np.broadcast_shapes(*[x._array.shape[:-2] for x in matrices])
    return [broadcast_to(x, [*batch, *x._array.shape[-2:]]) for x in matrices]
