"""LinearOperator: what acts as a matrix, or as several, without being one.

A subclass says its shape, how it multiplies, and what it does better than a matrix would. All the
rest is worked out here from the matrix. Everything is made of differentiable functions of tensors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .... import dtypes
from ....engine.convert import as_tensor, is_tensor
from ....engine.module import Module
from ....engine.shapes import written
from ....public import name_methods, public
from ...arrays.creation import eye
from ...arrays.shaping import expand_dims, matrix_transpose, squeeze
from ...elementwise.unary import abs, log
from ...reductions.reduction import reduce_max, reduce_min, reduce_sum
from ..cholesky import cholesky, cholesky_solve
from ..decompositions import svd
from ..determinants import det, slogdet
from ..diagonals import diag_part
from ..eigenvalues import eigvalsh
from ..matmul import matmul
from ..solving import solve
from . import property_checks
from .answers import ANSWERS
from .composites import MadeOfTensors
from .hints import HINTS, checking_flags
from .shapes import HasShape, same_batch

if TYPE_CHECKING:
    from ....engine.annotations import DTypeLike, NumericLike
    from ....engine.dispatch import Function, Value
    from ....engine.tensor import Tensor


@public("linalg.LinearOperator")
class LinearOperator(HasShape, MadeOfTensors, Module):
    """A matrix, or a batch of matrices, by what it does.

    Its hints, such as ``is_self_adjoint``, are believed: they are not checked. ``None`` means that
    nothing is known.

    >>> import cinta as tf
    >>> hints = {"is_self_adjoint": True, "is_positive_definite": True}
    >>> operator = tf.linalg.LinearOperatorDiag([1.0, 2.0], **hints)
    >>> operator.matvec([10.0, 10.0]).numpy()
    array([10., 20.], dtype=float32)
    >>> operator.log_abs_determinant().numpy().round(4)
    np.float32(0.6931)

    The shape, as numbers and as tensors, of the matrices, their batches, rows and columns:

    >>> operator.shape, operator.batch_shape, operator.tensor_rank
    (TensorShape([2, 2]), TensorShape([]), 2)
    >>> operator.range_dimension, operator.domain_dimension, operator.is_square
    (Dimension(2), Dimension(2), True)
    >>> operator.shape_tensor().numpy(), operator.batch_shape_tensor().numpy()
    (array([2, 2], dtype=int32), array([], dtype=int32))
    >>> operator.range_dimension_tensor().numpy(), operator.domain_dimension_tensor().numpy()
    (np.int32(2), np.int32(2))
    >>> operator.tensor_rank_tensor().numpy()
    np.int32(2)

    The matrix, numbers that belong to it, and operators made of it:

    >>> operator.to_dense().numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)
    >>> operator.diag_part().numpy(), operator.trace().numpy(), operator.determinant().numpy()
    (array([1., 2.], dtype=float32), np.float32(3.0), np.float32(2.0))
    >>> operator.eigvals().numpy(), operator.cond().numpy()
    (array([1., 2.], dtype=float32), np.float32(2.0))
    >>> operator.inverse().diag_part().numpy(), operator.cholesky().diag_part().numpy()
    (array([1. , 0.5], dtype=float32), array([1.       , 1.4142135], dtype=float32))
    >>> operator.adjoint().shape, operator.H.shape
    (TensorShape([2, 2]), TensorShape([2, 2]))
    >>> operator.assert_non_singular(), operator.assert_self_adjoint()
    (None, None)
    >>> operator.assert_positive_definite()

    ``is_non_singular``, ``is_self_adjoint``, ``is_positive_definite`` and ``is_square`` are the
    hints.

    Args:
        dtype: The dtype of the matrix.
        graph_parents: Accepted; changes no result.
        parameters: The arguments of a subclass, by name; they are kept in ``parameters``.

    Raises:
        ValueError: If two hints contradict each other.
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset({"_given", "_parameters"})

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Have constructors and products check their flags before they look at them."""
        super().__init_subclass__(**kwargs)
        if cls.__doc__ and "is_square" in cls.__init__.__annotations__:
            cls.__doc__ += HINTS  # indented as the docstrings are
        for name in ("__init__", "matmul", "matvec", "solve", "solvevec"):
            if name in vars(cls):
                setattr(cls, name, checking_flags(vars(cls)[name]))

    def __init__(
        self,
        dtype: DTypeLike,
        graph_parents: object = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
        parameters: object = None,
    ) -> None:
        super().__init__(name or type(self).__name__)
        if is_square is False and (is_non_singular or is_self_adjoint or is_positive_definite):
            raise ValueError(
                "A non-singular, self-adjoint or positive definite operator is always square: "
                "is_square=False does not go with these hints."
            )
        if is_positive_definite and is_non_singular is False:
            raise ValueError("A positive definite matrix is always non-singular.")
        if isinstance(parameters, Mapping):
            self._parameters = dict(parameters)
        self.dtype = dtypes.as_dtype(dtype)
        self.is_positive_definite = is_positive_definite
        self.is_self_adjoint = is_self_adjoint
        self.is_non_singular = True if is_positive_definite else is_non_singular
        if is_square is False and self.is_square:
            raise ValueError("is_square=False contradicts the shape of the operator, a square.")

    # -- for subclasses ------------------------------------------------------------------------

    def _matmul(self, x: Tensor, adjoint: bool) -> Tensor:
        """The product of the matrix, or of its adjoint, and some columns."""
        return matmul(self.to_dense(), x, adjoint_a=adjoint)

    def _solve(self, rhs: Tensor, adjoint: bool) -> Tensor:
        """The columns that the matrix, or its adjoint, maps to these."""
        matrix, columns = same_batch(self.to_dense(), rhs)
        if self._has_cholesky():
            return cholesky_solve(cholesky(matrix), columns)
        return solve(matrix, columns, adjoint=adjoint)

    def _to_dense(self) -> Tensor:
        identity = eye(self._lengths()[-1], batch_shape=self._lengths()[:-2], dtype=self.dtype)
        return self._matmul(identity, adjoint=False)

    def _diag_part(self) -> Tensor:
        return diag_part(self.to_dense())

    def _determinant(self) -> Tensor:
        return det(self.to_dense())

    def _log_abs_determinant(self) -> Tensor:
        if self._has_cholesky():
            return 2.0 * reduce_sum(log(diag_part(cholesky(self.to_dense()))), -1)
        logarithm: Tensor = slogdet(self.to_dense())[1]
        return logarithm

    def _eigvals(self) -> Tensor:
        return eigvalsh(self.to_dense())

    def _inverse(self) -> LinearOperator:
        from .combined import LinearOperatorInversion

        return LinearOperatorInversion(self)

    def _adjoint(self) -> LinearOperator:
        from .combined import LinearOperatorAdjoint

        return LinearOperatorAdjoint(self)

    def _cholesky(self) -> LinearOperator:
        from .matrices import LinearOperatorLowerTriangular

        return LinearOperatorLowerTriangular(cholesky(self.to_dense()), is_non_singular=True)

    def _dispatch(
        self, function: Function, args: tuple[Value, ...], kwargs: dict[str, Value]
    ) -> Value:
        """The answer of a function of matrices."""
        answer = ANSWERS.get(function)
        return NotImplemented if answer is None else answer(*args, **kwargs)

    __iter__: None = None  # parts of the batch are asked for by their numbers

    def __getitem__(self, slices: object) -> LinearOperator:
        """The operator on a part of its batch."""
        from .slicing import part_of

        given = tuple(slices) if isinstance(slices, (list, tuple)) else (slices,)
        return part_of(self, given, self._lengths()[:-2])

    # -- products and equations ----------------------------------------------------------------

    def matmul(
        self, x: NumericLike, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul"
    ) -> Any:
        """The product with matrices, each conjugated and transposed if told, or with an operator.

        >>> import cinta as tf
        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).matmul([[1.0], [1.0]]).numpy()
        array([[1.],
               [2.]], dtype=float32)

        Args:
            x: Matrices, or an operator.
            adjoint: Whether to take the adjoint of this operator.
            adjoint_arg: Whether to take the adjoint of ``x``.
        """
        if isinstance(x, LinearOperator):
            from .products import product_of

            left = self.adjoint() if adjoint else self
            return product_of(left, x.adjoint() if adjoint_arg else x)
        columns = self._argument(x)
        if adjoint_arg:
            columns = matrix_transpose(columns, conjugate=True)
        self._check_columns(columns, self._height if adjoint else self._width)
        return self._matmul(columns, adjoint)

    def __matmul__(self, other: Any) -> Any:
        return self.matmul(other)

    def matvec(self, x: NumericLike, adjoint: bool = False, name: str = "matvec") -> Tensor:
        """The product with vectors.

        Args:
            x: Vectors, along the last axis.
            adjoint: Whether to take the adjoint of this operator.
        """
        column = expand_dims(self._argument(x), -1)
        return squeeze(self.matmul(column, adjoint), -1)

    def solve(
        self,
        rhs: NumericLike,
        adjoint: bool = False,
        adjoint_arg: bool = False,
        name: str = "solve",
    ) -> Any:
        """The matrices, or the operator, that this operator maps to ``rhs``.

        >>> import cinta as tf
        >>> tf.linalg.LinearOperatorDiag([1.0, 2.0]).solve([[1.0], [1.0]]).numpy()
        array([[1. ],
               [0.5]], dtype=float32)

        Args:
            rhs: Matrices, or an operator.
            adjoint: Whether to take the adjoint of this operator.
            adjoint_arg: Whether to take the adjoint of ``rhs``.
        """
        self._check_invertible("Exact solve")
        if isinstance(rhs, LinearOperator):
            left = self.adjoint() if adjoint else self
            return left.inverse().matmul(rhs.adjoint() if adjoint_arg else rhs)
        columns = self._argument(rhs)
        if adjoint_arg:
            columns = matrix_transpose(columns, conjugate=True)
        self._check_columns(columns, self._height)
        return self._solve(columns, adjoint)

    def solvevec(self, rhs: NumericLike, adjoint: bool = False, name: str = "solve") -> Tensor:
        """The vectors that the operator maps to these.

        >>> import cinta as tf
        >>> tf.linalg.LinearOperatorDiag([2.0, 4.0]).solvevec([2.0, 2.0]).numpy()
        array([1. , 0.5], dtype=float32)

        Args:
            rhs: Vectors, along the last axis.
            adjoint: Whether to take the adjoint of this operator.
        """
        column = expand_dims(self._argument(rhs), -1)
        return squeeze(self.solve(column, adjoint), -1)

    def _argument(self, x: NumericLike) -> Tensor:
        """The operand, which must be of the operator's dtype."""
        tensor = as_tensor(x, None if is_tensor(x) else self.dtype.dtype)
        if tensor.dtype != self.dtype:
            raise TypeError(
                f"Expected argument to have dtype {self.dtype!r}. Found: {tensor.dtype!r}. Use "
                f"tf.cast(x, {self.dtype!r})."
            )
        return tensor

    def _check_columns(self, x: Tensor, length: int) -> None:
        shape = x._array.shape
        if len(shape) < 2 or shape[-2] != length:
            raise ValueError(
                f"Dimensions {written(self._lengths())} of {self.name} and {written(shape)} are "
                f"not compatible: matrices of {length} rows are needed; see matvec for vectors."
            )

    def _check_invertible(self, what: str) -> None:
        if self.is_non_singular is False:
            raise NotImplementedError(
                f"{what} not implemented for an operator that is expected to be singular."
            )
        self._check_square(what)

    def _has_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    # -- the matrix and its numbers ------------------------------------------------------------

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """The matrix, or matrices, as a tensor."""
        return self._to_dense()

    def add_to_tensor(self, x: NumericLike, name: str = "add_to_tensor") -> Tensor:
        """The matrix plus a tensor.

        >>> import cinta as tf
        >>> tf.linalg.LinearOperatorDiag([2.0, 4.0]).add_to_tensor(tf.ones([2, 2])).numpy()
        array([[3., 1.],
               [1., 5.]], dtype=float32)

        Args:
            x: Matrices of the same shape.
        """
        return self.to_dense() + self._argument(x)

    def diag_part(self, name: str = "diag_part") -> Tensor:
        """The diagonal."""
        return self._diag_part()

    def trace(self, name: str = "trace") -> Tensor:
        """The sum of the diagonal."""
        return reduce_sum(self.diag_part(), -1)

    def determinant(self, name: str = "det") -> Tensor:
        """The determinant."""
        self._check_square("Determinant")
        return self._determinant()

    def log_abs_determinant(self, name: str = "log_abs_det") -> Tensor:
        """The logarithm of the determinant's absolute value."""
        self._check_square("Determinant")
        return self._log_abs_determinant()

    def eigvals(self, name: str = "eigvals") -> Tensor:
        """The eigenvalues, of self-adjoint operators only.

        Raises:
            NotImplementedError: If the operator does not say that it is self-adjoint.
        """
        if not self.is_self_adjoint:
            raise NotImplementedError(
                "Only self-adjoint matrices are supported: give the operator is_self_adjoint=True."
            )
        return self._eigvals()

    def cond(self, name: str = "cond") -> Tensor:
        """The largest singular value over the smallest."""
        if self.is_self_adjoint:
            values = abs(self._eigvals())
        else:
            values = svd(self.to_dense(), compute_uv=False)
        return reduce_max(values, -1) / reduce_min(values, -1)

    # -- hints, checked ------------------------------------------------------------------------

    def assert_non_singular(self, name: str = "assert_non_singular") -> None:
        """Refuse an operator that is singular, up to the precision of its dtype."""
        property_checks.assert_non_singular(self)

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> None:
        """Refuse an operator that is not its own adjoint."""
        property_checks.assert_self_adjoint(self)

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> None:
        """Refuse an operator that is not positive definite."""
        property_checks.assert_positive_definite(self)

    # -- other operators -----------------------------------------------------------------------

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """The conjugate transpose."""
        return self if self.is_self_adjoint else self._adjoint()

    H = property(adjoint)

    def inverse(self, name: str = "inverse") -> LinearOperator:
        """The operator that undoes this one.

        Raises:
            ValueError: If the operator is not square, or is singular.
        """
        if not self.is_square or self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        return self._inverse()

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The lower triangular factor, of operators hinted to be self-adjoint and definite.

        Raises:
            ValueError: If the operator does not say that it is self-adjoint and positive definite.
        """
        if not self._has_cholesky():
            raise ValueError(
                "Cannot take the Cholesky decomposition: Not a positive definite self adjoint "
                "matrix. Give is_self_adjoint=True and is_positive_definite=True if it is."
            )
        return self._cholesky()

    def __repr__(self) -> str:
        return f"<cinta {type(self).__name__}: shape={self.shape}, dtype={self.dtype.name}>"


name_methods("LinearOperator", HasShape)


for _name in ("__init__", "matmul", "matvec", "solve", "solvevec"):
    setattr(LinearOperator, _name, checking_flags(vars(LinearOperator)[_name]))


def checked_operator(value: object, argument: str) -> LinearOperator:
    """An argument that must be an operator."""
    if not isinstance(value, LinearOperator):
        raise TypeError(f"Argument `{argument}` must be a LinearOperator, got {value!r}.")
    return value
