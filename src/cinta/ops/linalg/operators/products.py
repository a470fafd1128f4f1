"""Products of two operators: of the simplest class that holds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from ....engine.shapes import written
from ...arrays.shaping import expand_dims
from .base import LinearOperator
from .block_operators import LinearOperatorBlockDiag
from .circulant import Circulant
from .combined import LinearOperatorComposition, batch_of
from .diagonal import (
    DiagonalOperator,
    LinearOperatorDiag,
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
    LinearOperatorZeros,
)
from .hints import known_of_all, non_singular
from .matrices import LinearOperatorLowerTriangular


def product_of(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    """The product, ``right`` acting first; a composition where no simpler class holds it."""
    if left._width != right._height:
        raise ValueError(
            f"Operators are incompatible: {left.name} is of shape {written(left._lengths())} and "
            f"{right.name} of {written(right._lengths())}; the columns of the first must be as "
            "many as the rows of the second."
        )
    if left.dtype == right.dtype:
        for (first, second), product in _PRODUCTS.items():
            if isinstance(left, first) and isinstance(right, second):
                found = product(left, right)
                if found is not None:
                    return found
    return LinearOperatorComposition([left, right])


def _left(left: LinearOperator, right: LinearOperator) -> LinearOperator | None:
    """The left one, if the other one, the identity, adds nothing to its batch."""
    return left if batch_of([left, right]) == left._lengths()[:-2] else None


def _right(left: LinearOperator, right: LinearOperator) -> LinearOperator | None:
    return _left(right, left)


def _zeros(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    batch = batch_of([left, right])
    return LinearOperatorZeros(left._height, right._width, batch, left.dtype)


def _multiple(
    left: LinearOperatorScaledIdentity, right: LinearOperatorScaledIdentity
) -> LinearOperator:
    product = left.multiplier * right.multiplier
    return LinearOperatorScaledIdentity(left._height, product, **_commuting(left, right))


def _diagonal(left: DiagonalOperator, right: DiagonalOperator) -> LinearOperator:
    """The product of two diagonals."""
    product = left._diag_part() * right._diag_part()
    return LinearOperatorDiag(product, **_commuting(left, right))


def _rows(left: DiagonalOperator, right: LinearOperator) -> LinearOperator:
    product = expand_dims(left._values(), -1) * right.to_dense()
    return LinearOperatorLowerTriangular(product, is_non_singular=non_singular([left, right]))


def _columns(left: LinearOperator, right: DiagonalOperator) -> LinearOperator:
    product = left.to_dense() * expand_dims(right._values(), -2)
    return LinearOperatorLowerTriangular(product, is_non_singular=non_singular([left, right]))


def _circulant(left: Circulant, right: Circulant) -> LinearOperator | None:
    """The product of two that own axes of the same lengths."""
    if type(left) is not type(right) or left._block() != right._block():
        return None
    spectrum = left._complex_spectrum() * right._complex_spectrum()
    return type(left)(spectrum, left.dtype, **_commuting(left, right))


def _blocks(left: LinearOperatorBlockDiag, right: LinearOperatorBlockDiag) -> LinearOperator | None:
    """The product block by block, if the blocks fit each other."""
    lengths = [each._width for each in left.operators]
    if lengths != [each._height for each in right.operators]:
        return None
    pairs = zip(left.operators, right.operators, strict=True)
    return LinearOperatorBlockDiag([product_of(first, second) for first, second in pairs])


class _Hints(TypedDict):
    is_non_singular: bool | None
    is_self_adjoint: bool | None
    is_positive_definite: bool | None


def _commuting(left: LinearOperator, right: LinearOperator) -> _Hints:
    """The hints of the product of two operators that commute."""
    return {
        "is_non_singular": non_singular([left, right]),
        "is_self_adjoint": known_of_all([left, right], "is_self_adjoint"),
        "is_positive_definite": known_of_all([left, right], "is_positive_definite"),
    }


_PRODUCTS: dict[
    tuple[type[LinearOperator], type[LinearOperator]], Callable[..., LinearOperator | None]
] = {
    (LinearOperator, LinearOperatorIdentity): _left,
    (LinearOperatorIdentity, LinearOperator): _right,
    (LinearOperator, LinearOperatorZeros): _zeros,
    (LinearOperatorZeros, LinearOperator): _zeros,
    (LinearOperatorScaledIdentity, LinearOperatorScaledIdentity): _multiple,
    (DiagonalOperator, DiagonalOperator): _diagonal,
    (DiagonalOperator, LinearOperatorLowerTriangular): _rows,
    (LinearOperatorLowerTriangular, DiagonalOperator): _columns,
    (Circulant, Circulant): _circulant,
    (LinearOperatorBlockDiag, LinearOperatorBlockDiag): _blocks,
}
"""How two operators of these classes are multiplied; the first that gives a result counts."""
