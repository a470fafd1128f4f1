"""Operators made of blocks, and Kronecker products."""

from __future__ import annotations

from functools import reduce
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

from ....engine.convert import as_tensor
from ....public import public
from ...arrays.joining import concat, split
from ...arrays.shaping import matrix_transpose, reshape
from ...arrays.tiling import broadcast_to
from .base import LinearOperator
from .combined import batch_of, checked
from .hints import agreed_with_all
from .shapes import same_batch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ....engine.annotations import NumericLike
    from ....engine.shapes import Shape
    from ....engine.tensor import Tensor


class OperatorOfParts(LinearOperator):
    """The base of block diagonals and Kronecker products.

    A property of all parts is one of the whole, and the inverse, the adjoint and the Cholesky
    factor of the whole are made of those of the parts.
    """

    batched: ClassVar[dict[str, int]] = {"operators": 0}
    between: ClassVar[str]
    """The text between the names of the parts in the name of the whole."""

    def __init__(
        self,
        operators: object,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        self.operators = checked(operators)
        hints = agreed_with_all(
            self.operators,
            is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint,
            is_positive_definite=is_positive_definite,
        )
        name = name or self.between.join(operator.name for operator in self.operators)
        super().__init__(self.operators[0].dtype, is_square=is_square, name=name, **hints)

    def _inverse(self) -> LinearOperator:
        return type(self)([operator.inverse() for operator in self.operators])

    def _adjoint(self) -> LinearOperator:
        return type(self)([operator.adjoint() for operator in self.operators])

    def _cholesky(self) -> LinearOperator:
        return type(self)([operator.cholesky() for operator in self.operators])


@public("linalg.LinearOperatorBlockDiag")
class LinearOperatorBlockDiag(OperatorOfParts):
    """``operators`` along the diagonal of a larger one, which is zero elsewhere.

    >>> import cinta as tf
    >>> block = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0], [3.0, 4.0]])
    >>> one = tf.linalg.LinearOperatorIdentity(1)
    >>> tf.linalg.LinearOperatorBlockDiag([block, one]).to_dense().numpy()
    array([[1., 2., 0.],
           [3., 4., 0.],
           [0., 0., 1.]], dtype=float32)

    The other factor may be a list of blocks; then the product is one, too.
    """

    between = "_ds_"

    def _lengths(self) -> Shape:
        return _together(self.operators, sum)

    def matmul(
        self, x: NumericLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """The product with matrices, or with the blocks of one.

        >>> import cinta as tf
        >>> identity = tf.linalg.LinearOperatorIdentity(1)
        >>> blocks = tf.linalg.LinearOperatorBlockDiag([identity, identity])
        >>> [block.numpy().item() for block in blocks.matmul([tf.ones([1, 1]), tf.zeros([1, 1])])]
        [1.0, 0.0]

        Args:
            x: Matrices, an operator, or a list of the blocks of matrices.
            adjoint: Whether to take the adjoint of this operator.
            adjoint_arg: Whether to take the adjoint of ``x``.
        """
        if are_blocks(x, len(self.operators)):
            return [
                operator.matmul(block, adjoint, adjoint_arg)
                for operator, block in zip(self.operators, x, strict=True)
            ]
        return super().matmul(x, adjoint, adjoint_arg)

    def solve(
        self,
        rhs: NumericLike,
        adjoint: bool = False,
        adjoint_arg: bool = False,
        name: str = "solve",
    ) -> Any:
        """The matrices, or the blocks of one, that the operator maps to ``rhs``.

        >>> import cinta as tf
        >>> half = tf.linalg.LinearOperatorDiag([2.0])
        >>> tf.linalg.LinearOperatorBlockDiag([half, half]).solve(tf.ones([2, 1])).numpy().ravel()
        array([0.5, 0.5], dtype=float32)

        Args:
            rhs: Matrices, an operator, or a list of the blocks of matrices.
            adjoint: Whether to take the adjoint of this operator.
            adjoint_arg: Whether to take the adjoint of ``rhs``.
        """
        if are_blocks(rhs, len(self.operators)):
            return [
                operator.solve(block, adjoint, adjoint_arg)
                for operator, block in zip(self.operators, rhs, strict=True)
            ]
        return super().solve(rhs, adjoint, adjoint_arg)

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        lengths = [op._height if adjoint else op._width for op in self.operators]
        blocks = zip(self.operators, split(x, lengths, -2), strict=True)
        return concat(same_batch(*[op._matmul(block, adjoint) for op, block in blocks]), -2)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        lengths = [operator._height for operator in self.operators]
        blocks = zip(self.operators, split(rhs, lengths, -2), strict=True)
        return concat(same_batch(*[op.solve(block, adjoint) for op, block in blocks]), -2)

    def _diag_part(self) -> Tensor:
        batch = batch_of(self.operators)
        parts = [operator.diag_part() for operator in self.operators]
        return concat([broadcast_to(x, [*batch, x._array.shape[-1]]) for x in parts], -1)

    def _determinant(self) -> Tensor:
        return reduce(lambda a, b: a * b, [each.determinant() for each in self.operators])

    def _log_abs_determinant(self) -> Tensor:
        return reduce(lambda a, b: a + b, [each.log_abs_determinant() for each in self.operators])


def _together(operators: Sequence[LinearOperator], combined: Callable[[list[int]], int]) -> Shape:
    """The shape of an operator whose height is made of the heights of these, and so its width."""
    rows = combined([operator._height for operator in operators])
    columns = combined([operator._width for operator in operators])
    return (*batch_of(operators), rows, columns)


def are_blocks(x: object, count: int) -> TypeGuard[Sequence[NumericLike]]:
    """Whether these are so many matrices, and not the rows of one."""
    if not isinstance(x, (list, tuple)) or len(x) != count:
        return False
    return all(len(as_tensor(part)._array.shape) >= 2 for part in x)


@public("linalg.LinearOperatorKronecker")
class LinearOperatorKronecker(OperatorOfParts):
    """The Kronecker product of operators.

    >>> import cinta as tf
    >>> two = tf.linalg.LinearOperatorDiag([1.0, 2.0])
    >>> tf.linalg.LinearOperatorKronecker([two, two]).diag_part().numpy()
    array([1., 2., 2., 4.], dtype=float32)
    """

    between = "_x_"

    def _lengths(self) -> Shape:
        return _together(self.operators, prod)

    def _one_after_the_other(self, x: Tensor, adjoint: bool, solves: bool) -> Tensor:
        """Each operator acts along an axis of its own; the axes are turned in a circle."""
        *batch, _, width = x._array.shape
        for operator in self.operators:
            length = operator._lengths()[-2 if adjoint or solves else -1]
            flat = reshape(x, [*batch, length, -1])
            acted = (operator.solve if solves else operator.matmul)(flat, adjoint=adjoint)
            x = matrix_transpose(acted)
            batch = list(x._array.shape[:-2])
        return matrix_transpose(reshape(x, [*batch, width, -1]))

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        return self._one_after_the_other(x, adjoint, solves=False)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        return self._one_after_the_other(rhs, adjoint, solves=True)

    def _diag_part(self) -> Tensor:
        def product(a: Tensor, b: Tensor) -> Tensor:
            both = a[..., :, None] * b[..., None, :]
            return reshape(both, [*both._array.shape[:-2], -1])

        return reduce(product, [operator.diag_part() for operator in self.operators])

    def _log_abs_determinant(self) -> Tensor:
        size = self._width
        parts = [
            operator.log_abs_determinant() * float(size // operator._width)
            for operator in self.operators
        ]
        return reduce(lambda a, b: a + b, parts)

    def _determinant(self) -> Tensor:
        size = self._width
        parts = [each.determinant() ** (size // each._width) for each in self.operators]
        return reduce(lambda a, b: a * b, parts)
