"""Operators made of blocks on and below a diagonal."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, ClassVar

from ....engine.convert import as_tensor
from ....public import public
from ...arguments import listed
from ...arrays.creation import zeros
from ...arrays.joining import concat, split
from ...arrays.tiling import broadcast_to
from .base import LinearOperator
from .block_operators import are_blocks
from .combined import batch_of, checked
from .hints import agreed, known_of_all
from .shapes import same_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....engine.annotations import NumericLike
    from ....engine.shapes import Shape
    from ....engine.tensor import Tensor


@public("linalg.LinearOperatorBlockLowerTriangular")
class LinearOperatorBlockLowerTriangular(LinearOperator):
    """``operators`` on and below the diagonal of a larger one, which is zero above it.

    They are given row by row, each row one longer than that before; those on the diagonal are
    square. The operand of a product or equation may be a list of blocks; then the result is one.

    >>> import cinta as tf
    >>> full = tf.linalg.LinearOperatorFullMatrix
    >>> operator = tf.linalg.LinearOperatorBlockLowerTriangular(
    ...     [[full([[2.0]])], [full([[1.0]]), full([[4.0]])]]
    ... )
    >>> operator.to_dense().numpy()
    array([[2., 0.],
           [1., 4.]], dtype=float32)
    >>> operator.solvevec([2.0, 5.0]).numpy()
    array([1., 1.], dtype=float32)
    """

    batched: ClassVar[dict[str, int]] = {"operators": 0, "_batch": 0}

    def __init__(
        self,
        operators: object,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = "LinearOperatorBlockLowerTriangular",
    ) -> None:
        self.operators = _checked_rows(operators)
        every = [operator for row in self.operators for operator in row]
        hints = (
            agreed("is_non_singular", is_non_singular, _non_singular(self._diagonal)),
            is_self_adjoint,
            is_positive_definite,
            True if is_square is None else is_square,
        )
        self._batch = batch_of(every)
        super().__init__(self._diagonal[0].dtype, None, *hints, name)

    @property
    def _diagonal(self) -> list[LinearOperator]:
        return [row[-1] for row in self.operators]

    def _sizes(self) -> list[int]:
        return [operator._width for operator in self._diagonal]

    def _lengths(self) -> Shape:
        return (*self._batch, sum(self._sizes()), sum(self._sizes()))

    def matmul(
        self, x: NumericLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """The product with matrices, or with the blocks of one.

        >>> import cinta as tf
        >>> one = tf.linalg.LinearOperatorFullMatrix([[1.0]])
        >>> blocks = tf.linalg.LinearOperatorBlockLowerTriangular([[one], [one, one]])
        >>> blocks.matmul(tf.ones([2, 1])).numpy().ravel()
        array([1., 2.], dtype=float32)

        Args:
            x: Matrices, an operator, or a list of the blocks of matrices.
            adjoint: Whether to take the adjoint of this operator.
            adjoint_arg: Whether to take the adjoint of ``x``.
        """
        if not are_blocks(x, len(self.operators)):
            return super().matmul(x, adjoint, adjoint_arg)
        whole = _joined(x, adjoint_arg)
        return split(super().matmul(whole, adjoint, adjoint_arg), self._sizes(), -2)

    def solve(
        self,
        rhs: NumericLike,
        adjoint: bool = False,
        adjoint_arg: bool = False,
        name: str = "solve",
    ) -> Any:
        """The matrices, or the blocks of one, that the operator maps to ``rhs``.

        >>> import cinta as tf
        >>> one = tf.linalg.LinearOperatorFullMatrix([[1.0]])
        >>> blocks = tf.linalg.LinearOperatorBlockLowerTriangular([[one], [one, one]])
        >>> blocks.solve([[1.0], [2.0]]).numpy().ravel()
        array([1., 1.], dtype=float32)

        Args:
            rhs: Matrices, an operator, or a list of the blocks of matrices.
            adjoint: Whether to take the adjoint of this operator.
            adjoint_arg: Whether to take the adjoint of ``rhs``.
        """
        if not are_blocks(rhs, len(self.operators)):
            return super().solve(rhs, adjoint, adjoint_arg)
        whole = _joined(rhs, adjoint_arg)
        return split(super().solve(whole, adjoint, adjoint_arg), self._sizes(), -2)

    def _column(self, j: int, adjoint: bool) -> list[tuple[int, LinearOperator]]:
        """The blocks off the diagonal that multiply block j, by the place that they add to."""
        if adjoint:
            return list(enumerate(self.operators[j][:-1]))
        return [(i, self.operators[i][j]) for i in range(j + 1, len(self.operators))]

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        blocks = split(x, self._sizes(), -2)
        sums = [
            operator._matmul(block, adjoint)
            for operator, block in zip(self._diagonal, blocks, strict=True)
        ]
        for j, block in enumerate(blocks):
            for i, operator in self._column(j, adjoint):
                sums[i] = sums[i] + operator._matmul(block, adjoint)
        return concat(same_batch(*sums), -2)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        """By substitution, from the first block on, or for the adjoint from the last."""
        left = split(rhs, self._sizes(), -2)
        for j in reversed(range(len(left))) if adjoint else range(len(left)):
            left[j] = self._diagonal[j].solve(left[j], adjoint)
            for i, operator in self._column(j, adjoint):
                left[i] = left[i] - operator._matmul(left[j], adjoint)
        return concat(same_batch(*left), -2)

    def _to_dense(self) -> Tensor:
        sizes, rows = self._sizes(), []
        for row, height in zip(self.operators, sizes, strict=True):
            rest = sum(sizes[len(row) :])
            parts = [operator.to_dense() for operator in row] + [zeros([height, rest], self.dtype)]
            rows.append(concat(same_batch(*parts), -1))
        return concat(same_batch(*rows), -2)

    def _diag_part(self) -> Tensor:
        parts = [operator.diag_part() for operator in self._diagonal]
        return concat([broadcast_to(x, [*self._batch, x._array.shape[-1]]) for x in parts], -1)

    def _determinant(self) -> Tensor:
        found = reduce(lambda a, b: a * b, [each.determinant() for each in self._diagonal])
        return broadcast_to(found, self._batch)

    def _log_abs_determinant(self) -> Tensor:
        found = reduce(lambda a, b: a + b, [each.log_abs_determinant() for each in self._diagonal])
        return broadcast_to(found, self._batch)


def _non_singular(diagonal: Sequence[LinearOperator]) -> bool | None:
    """Whether the blocks on the diagonal, and so the whole, can be inverted, if that is known."""
    if any(block.is_non_singular is False for block in diagonal):
        return False
    return known_of_all(diagonal, "is_non_singular")


def _checked_rows(rows: object) -> list[list[LinearOperator]]:
    """The rows, if they make a triangle of operators whose sizes go together."""
    found = [checked(row) for row in listed(rows, "operators")]
    if not found or [len(row) for row in found] != list(range(1, len(found) + 1)):
        raise ValueError(
            "operators must have one block in the first row, two in the second, and so on; got "
            f"rows of {[len(row) for row in found]} blocks."
        )
    checked([operator for row in found for operator in row])  # they have one dtype
    widths = [row[-1]._width for row in found]
    for i, row in enumerate(found):
        for j, operator in enumerate(row):
            lengths = operator._height, operator._width
            if lengths != (widths[i], widths[j]):
                raise ValueError(
                    f"The block in row {i} and column {j} must be {widths[i]} by {widths[j]}, as "
                    f"those on the diagonal are square; it is {lengths[0]} by {lengths[1]}."
                )
    return found


def _joined(blocks: Sequence[Any], adjoint: bool) -> Tensor:
    return concat(same_batch(*[as_tensor(block) for block in blocks]), -1 if adjoint else -2)
