"""The operators of ragged tensors: the functions that the operators of tensors are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InvalidArgumentError
from ..elementwise import arithmetic, comparison, division, powers, unary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .annotations import Function, RaggedOrDense


_DIFFERENT = (InvalidArgumentError, TypeError, ValueError)
"""The errors of comparisons of shapes or dtypes that do not fit together."""


def _both(function: Function) -> tuple[Function, Function]:
    """The method for an operator, and that for the operand on its right."""

    def forwards(self: RaggedOrDense, other: object) -> RaggedOrDense:
        return function(self, other)

    def backwards(self: RaggedOrDense, other: object) -> RaggedOrDense:
        return function(other, self)

    return forwards, backwards


def _forwards(function: Function) -> Function:
    return _both(function)[0]


class Operators:
    """The operators, each the function of the same operator of tensors."""

    __slots__ = ()
    _compares_itself = True

    __add__, __radd__ = _both(arithmetic.add)
    __sub__, __rsub__ = _both(arithmetic.subtract)
    __mul__, __rmul__ = _both(arithmetic.multiply)
    __truediv__, __rtruediv__ = _both(division.truediv)
    __floordiv__, __rfloordiv__ = _both(division.floordiv)
    __mod__, __rmod__ = _both(division.floormod)
    __pow__, __rpow__ = _both(powers.pow)
    __and__, __rand__ = _both(comparison.logical_and)
    __or__, __ror__ = _both(comparison.logical_or)
    __xor__, __rxor__ = _both(comparison.logical_xor)
    __lt__, __le__ = _forwards(comparison.less), _forwards(comparison.less_equal)
    __gt__, __ge__ = _forwards(comparison.greater), _forwards(comparison.greater_equal)

    def __matmul__(self, other: object) -> RaggedOrDense:
        from .matmul import matmul

        return matmul(self, other)

    def __rmatmul__(self, other: object) -> RaggedOrDense:
        from .matmul import matmul

        return matmul(other, self)

    def __eq__(self: RaggedOrDense, other: RaggedOrDense) -> RaggedOrDense:
        if _is_no_tensor(other):
            return False
        try:
            return comparison.equal(self, other)
        except _DIFFERENT:
            return False

    def __ne__(self: RaggedOrDense, other: RaggedOrDense) -> RaggedOrDense:
        if _is_no_tensor(other):
            return True
        try:
            return comparison.not_equal(self, other)
        except _DIFFERENT:
            return True

    def __hash__(self) -> int:
        raise TypeError("RaggedTensor is unhashable. Use id(x) as a key.")

    def __neg__(self: RaggedOrDense) -> RaggedOrDense:
        return arithmetic.negative(self)

    def __abs__(self: RaggedOrDense) -> RaggedOrDense:
        return unary.abs(self)

    def __invert__(self: RaggedOrDense) -> RaggedOrDense:
        return comparison.logical_not(self)

    def __bool__(self) -> bool:
        raise TypeError(
            "RaggedTensor may not be used as a boolean. Reduce it first, as by tf.reduce_all."
        )

    def __len__(self) -> int:
        raise TypeError("object of type 'RaggedTensor' has no len(). Use x.nrows().")

    def __getitem__(self, key: RaggedOrDense) -> RaggedOrDense:
        from .slicing import getitem

        return getitem(self, key)  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        count = self._row_partition.static_nrows  # type: ignore[attr-defined]
        return (self[i] for i in range(count))


def _is_no_tensor(other: object) -> bool:
    return other is None or isinstance(other, (type, np.dtype))
