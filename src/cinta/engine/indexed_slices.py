"""IndexedSlices: the gradient of looked-up rows, which are few of many."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, final

import numpy as np

from .. import dtypes
from ..errors import InvalidArgumentError
from ..public import public
from .convert import as_tensor, is_tensor
from .gradient_plan import Undense
from .primitives import ConcatV2, ScatterRows
from .shapes import Shape, TensorShape
from .tensor import Tensor, as_wrapped, wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from .annotations import DTypeLike, Gradient, NumericLike, Swept, TensorLike
    from .tensor import Array


@public("IndexedSlices")
class IndexedSlices:
    """Rows of a larger tensor that is zero elsewhere: ``dense[indices[i]] += values[i]``.

    Rows may repeat. ``tf.convert_to_tensor`` gives the dense tensor.

    >>> import cinta as tf
    >>> table = tf.Variable(tf.zeros([100_000, 2]))
    >>> with tf.GradientTape() as tape:
    ...     y = tf.reduce_sum(tf.gather(table, [7, 7]))
    >>> tape.gradient(y, table).indices.numpy()
    array([7, 7], dtype=int32)

    >>> rows = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([2]), dense_shape=[5, 1])
    >>> rows.with_values(tf.constant([[3.0]]))
    IndexedSlices(indices=[2], values=[[3.]], dense_shape=[5 1])

    Args:
        values: The rows.
        indices: The number of each row in the larger tensor.
        dense_shape: The shape of the larger tensor; None if it is not known.

    Raises:
        TypeError: If this is not a shape.
    """

    __slots__ = ("_shape", "indices", "values")

    def __init__(
        self, values: Tensor, indices: Tensor, dense_shape: TensorLike | None = None
    ) -> None:
        self.values = values
        self.indices = indices
        try:
            self._shape = None if dense_shape is None else _lengths(dense_shape)
        except (TypeError, ValueError, OverflowError):
            raise TypeError(
                "tf.IndexedSlices takes rows, their indices and the shape of the whole table: "
                "tf.IndexedSlices(values, indices, dense_shape=[rows, columns]); dense_shape is "
                f"{dense_shape!r}."
            ) from None

    @property
    def dense_shape(self) -> Tensor | None:
        """The shape of the dense tensor, as a tensor."""
        return None if self._shape is None else wrap(np.array(self._shape, np.int32))

    @property
    def shape(self) -> TensorShape:
        """The shape of the dense tensor; how many rows is unknown if no shape was given."""
        return TensorShape(self._shape or (None, *self.values.shape[1:]))

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        return self.values.dtype

    @property
    def device(self) -> str:
        """Where the values live."""
        return self.values.device

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
        """The dense tensor; repeated rows are summed."""
        if self._shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape: "
                "how many rows the dense tensor has is not known."
            )
        values, indices = as_tensor(self.values), as_tensor(self.indices)
        whole: Tensor = GradientRows([(values, _plain(indices))], self._shape).dense()
        return whole

    def with_values(self, values: Tensor) -> IndexedSlices:
        """Other values in the same rows."""
        return IndexedSlices(values, self.indices, self._shape)

    def _parts(self) -> tuple[Tensor, ...]:
        """The tensors that it is made of, for `tf.nest`."""
        shape = self.dense_shape
        return (self.values, self.indices) if shape is None else (self.values, self.indices, shape)

    def _of_parts(self, parts: list[Tensor]) -> IndexedSlices:
        return IndexedSlices(*parts)

    # -- operators ---------------------------------------------------------------------------

    __array_ufunc__ = None  # number * slices asks the slices

    def __neg__(self) -> IndexedSlices:
        return self.with_values(-self.values)

    def __mul__(self, other: NumericLike) -> Gradient:
        if _is_number(other):
            return self.with_values(self.values * other)
        return self._left_to(other, "*")

    __rmul__ = __mul__

    def __truediv__(self, other: NumericLike) -> Gradient:
        if _is_number(other):
            return self.with_values(self.values / other)
        return self._left_to(other, "/")

    def __add__(self, other: TensorLike) -> Tensor:
        return self._left_to(other, "+")

    def __sub__(self, other: TensorLike) -> Tensor:
        return self._left_to(other, "-")

    __radd__, __rsub__ = __add__, __sub__

    def __pow__(self, other: TensorLike) -> Tensor:
        return self._left_to(other, "**")

    def _left_to(self, other: object, sign: str) -> Tensor:
        """Tensors know how to compute with slices: they make them dense."""
        if is_tensor(other) and not isinstance(other, IndexedSlices):
            asked: Tensor = NotImplemented  # so Python asks the tensor
            return asked
        raise TypeError(
            f"unsupported operand type(s) for {sign}: 'IndexedSlices' and "
            f"{type(other).__name__!r}. Rows of a table can be multiplied with numbers; for all "
            "else make a tensor of them: tf.convert_to_tensor(g)."
        )

    def __repr__(self) -> str:
        return (
            f"IndexedSlices(indices={self.indices}, values={self.values}, "
            f"dense_shape={self.dense_shape})"
        )


def _is_number(value: NumericLike) -> bool:
    """Whether this is a number of Python or NumPy; a tensor makes the slices dense."""
    return isinstance(value, (int, float, complex, np.generic))


@final
class GradientRows(Undense):
    """Gradients of lookups in one table, while a tape adds them up: pieces, joined at the end."""

    __slots__ = ("pieces", "shape")
    __array_ufunc__ = None  # array + rows asks the rows

    def __init__(self, pieces: list[tuple[Any, Any]], shape: Shape) -> None:
        self.pieces = pieces
        self.shape = shape

    def __add__(self, other: GradientRows | Array | Tensor) -> GradientRows | Array | Tensor:
        if isinstance(other, GradientRows):
            return GradientRows([*self.pieces, *other.pieces], self.shape)
        return self.dense() + other

    __radd__ = __add__

    def __iadd__(self, other: GradientRows) -> GradientRows:  # type: ignore[misc]  # to rows alone
        self.pieces += other.pieces
        return self

    def __neg__(self) -> GradientRows:
        return self.mapped(operator.neg)

    def mapped(self, change: Callable[[Any], Any]) -> GradientRows:
        """The rows with a linear function of their elements in their place."""
        return GradientRows([(change(values), rows) for values, rows in self.pieces], self.shape)

    def dense(self) -> Tensor:
        """The dense gradient: an array, or a tensor if the values are tensors."""
        values, indices = self._in_one_piece()
        return ScatterRows(values, indices, rows=self.shape[0], rank=len(self.shape))

    def joined(self) -> IndexedSlices:
        """The gradient that people get."""
        values, indices = self._in_one_piece()
        values = as_wrapped(values)
        indices = as_wrapped(indices)
        return IndexedSlices(values, indices, self.shape)

    def _in_one_piece(self) -> tuple[Any, Any]:
        if len(self.pieces) == 1:
            return self.pieces[0]
        values, indices = zip(*self.pieces, strict=True)
        join = ConcatV2
        return join(*values, axis=-len(self.shape)), join(*indices, axis=-1)


def dense(gradient: Swept | None) -> Array | Tensor | None:
    """The gradient, if it is rows of a table, as a whole table."""
    return gradient.dense() if isinstance(gradient, GradientRows) else gradient


def rows_of(slices: IndexedSlices, shape: Shape) -> GradientRows:
    """Slices that a gradient function returned, as what the tape adds up."""
    if slices._shape is not None and slices._shape != shape:
        raise InvalidArgumentError(
            f"IndexedSlices of dense shape {slices._shape} given as the gradient of a tensor of "
            f"shape {shape}."
        )
    return GradientRows([(slices.values, _plain(slices.indices))], shape)


def _plain(indices: Tensor) -> Array | Tensor:
    """Indices as an array, unless a recorder tracks them."""
    return indices._array if indices._recorder is None else indices


def _lengths(dense_shape: TensorLike) -> tuple[int, ...]:
    return tuple([int(n) for n in np.asarray(dense_shape).tolist()])
