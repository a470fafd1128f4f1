"""SparseTensor: the elements of a tensor that are not zero, and where they stand."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from ..errors import InvalidArgumentError
from ..public import public
from .convert import as_tensor
from .indexed_slices import IndexedSlices
from .shapes import TensorShape, written
from .tensor import Array, Tensor, seen, wrap

if TYPE_CHECKING:
    from .. import dtypes
    from .annotations import DTypeLike, NumericLike, PartialShape, TensorLike
    from .shapes import Shape

    T = TypeVar("T")


_MOST_PLACES = 2**63 - 1


@public("compat.v1.SparseTensorValue")
class SparseTensorValue(NamedTuple):
    """The parts of a sparse tensor as NumPy's arrays.

    >>> import cinta as tf
    >>> sparse = tf.sparse.from_dense([0.0, 2.0])
    >>> tf.test.TestCase().evaluate(sparse).values
    array([2.], dtype=float32)

    Args:
        indices: The places of the elements, a row for each.
        values: The elements.
        dense_shape: The shape of the whole.
    """

    indices: Array
    values: Array
    dense_shape: Array


_PARTS = SparseTensorValue._fields


@public("SparseTensor", "sparse.SparseTensor")
class SparseTensor:
    """The values at some places of a tensor of which all else is zero.

    Gradients flow through ``values``, which is also what a tape watches.

    Args:
        indices: A row for each value: its coordinates.
        values: The values, a vector.
        dense_shape: The length of every axis, zeros included.

    Raises:
        ValueError: If their shapes do not go together.
        TypeError: If ``indices`` or ``dense_shape`` are not whole numbers.

    >>> import cinta as tf
    >>> x = tf.constant([3.0, 4.0])
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     sparse = tf.SparseTensor(indices=[[0, 1], [2, 0]], values=x, dense_shape=[3, 2])
    ...     y = tf.reduce_sum(tf.sparse.to_dense(sparse) ** 2)
    >>> tape.gradient(y, x).numpy()
    array([6., 8.], dtype=float32)
    >>> sparse.shape, sparse.lengths, sparse.dtype
    (TensorShape([3, 2]), (3, 2), tf.float32)
    >>> sparse.get_shape() == sparse.shape, sparse.consumers()
    (True, [])
    """

    __slots__ = ("dense_shape", "indices", "values")

    def __init__(self, indices: TensorLike, values: TensorLike, dense_shape: TensorLike) -> None:
        self.indices = _whole(indices)
        self.values = as_tensor(values)
        self.dense_shape = _whole(dense_shape)
        _check_shapes(*[x._array.shape for x in (self.indices, self.values, self.dense_shape)])

    @classmethod
    def from_value(cls, sparse_tensor_value: SparseTensor) -> SparseTensor:
        """A sparse tensor of what has indices, values and a dense shape, as ``SparseTensorValue``
        has.

        Args:
            sparse_tensor_value: The object with these three.

        Raises:
            TypeError: If it lacks one of them.

        >>> import cinta as tf
        >>> value = tf.compat.v1.SparseTensorValue([[0, 1]], [7.0], [1, 2])
        >>> tf.sparse.to_dense(tf.SparseTensor.from_value(value)).numpy()
        array([[0., 7.]], dtype=float32)
        """
        given = sparse_tensor_value
        if not all(hasattr(given, part) for part in ("indices", "values", "dense_shape")):
            raise TypeError(
                "from_value takes what has indices, values and a dense shape, as a SparseTensor "
                f"has, but got {given!r}."
            )
        return cls(given.indices, given.values, given.dense_shape)

    @property
    def shape(self) -> TensorShape:
        """The length of every axis, zeros included; None for one that is negative."""
        lengths = self.lengths
        if any([length < 0 for length in lengths]):
            return TensorShape([None if length < 0 else length for length in lengths])
        return TensorShape._of(lengths)

    def get_shape(self) -> TensorShape:
        """The length of every axis: the same as ``shape``."""
        return self.shape

    def set_shape(self, shape: PartialShape) -> None:
        """Check that a shape is compatible; a tensor's shape never changes.

        Args:
            shape: The lengths of the axes, None where any will do.

        Raises:
            ValueError: If the tensor does not have this shape.

        >>> import cinta as tf
        >>> tf.sparse.eye(2).set_shape([2, None])
        """
        self.shape._check_supplied(shape)

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        return self.values.dtype

    def consumers(self) -> list[Any]:
        """Nothing: an eager tensor knows no graph."""
        return []

    @property
    def lengths(self) -> Shape:
        """The length of every axis, as plain numbers."""
        return tuple(self.dense_shape._array.tolist())

    def with_values(self, new_values: TensorLike) -> SparseTensor:
        """Other values in the same places.

        Args:
            new_values: A vector with as many values as there are places.

        Raises:
            ValueError: If there are more values or fewer.

        >>> import cinta as tf
        >>> tf.sparse.to_dense(tf.sparse.eye(2).with_values([5.0, 6.0])).numpy()
        array([[5., 0.],
               [0., 6.]], dtype=float32)
        """
        return SparseTensor(self.indices, new_values, self.dense_shape)

    def _parts(self) -> tuple[Tensor, Tensor, Tensor]:
        """The tensors that it is made of, for `tf.nest`."""
        return self.indices, self.values, self.dense_shape

    def _of_parts(self, parts: list[Tensor]) -> SparseTensor:
        return SparseTensor(*parts)

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
        raise ValueError(
            f"Attempt to convert a value ({self!r}) with an unsupported type ({type(self)}) to a "
            "Tensor. Use tf.sparse.to_dense(x)."
        )

    def places(self, op: str) -> Array:
        """Where the values stand in the flat order of all elements.

        Args:
            op: The name of the op that asks, for the error.

        Raises:
            InvalidArgumentError: If coordinates are out of bounds.

        >>> import cinta as tf
        >>> tf.sparse.eye(3).places("Sum")
        array([0, 4, 8])
        """
        coordinates, lengths = self.indices._array, self.lengths
        bad = ((coordinates < 0) | (coordinates >= np.array(lengths, np.int64))).any(1)
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise InvalidArgumentError(
                f"indices[{row}] = {coordinates[row].tolist()} is out of bounds: need 0 <= index < "
                f"{list(lengths)} [Op:{op}]"
            )
        if not lengths or not len(coordinates):
            return np.zeros(len(coordinates), np.int64)
        if prod(lengths) > _MOST_PLACES:
            raise InvalidArgumentError(
                f"a tensor of shape {list(lengths)} has too many elements: integer overflow, more "
                f"than {_MOST_PLACES} [Op:{op}]"
            )
        result: Array = np.ravel_multi_index(tuple(coordinates.T), lengths)
        return result

    def __mul__(self, other: NumericLike) -> SparseTensor:
        from ..ops.sparse.sparse_arithmetic import product

        return product(self, other)

    def __truediv__(self, other: Tensor) -> SparseTensor:
        from ..ops.sparse.sparse_arithmetic import quotient

        return quotient(self, other)

    def __repr__(self) -> str:
        return (
            f"SparseTensor(indices={self.indices!s}, values={self.values!s}, "
            f"dense_shape={self.dense_shape!s})"
        )


PLACED = IndexedSlices, SparseTensor
"""Values and their places; the values can be replaced."""

WithValues = TypeVar("WithValues", IndexedSlices, SparseTensor)


def _whole(value: TensorLike) -> Tensor:
    """Coordinates, or lengths, as int64."""
    given = isinstance(value, (Tensor, np.ndarray, np.generic))
    listed = isinstance(value, (list, tuple))
    array = seen(as_tensor(value if given or listed else np.asarray(value)))
    cut_off = array.dtype.kind in "fb" and not isinstance(value, Tensor) and given
    if array.size and array.dtype.kind not in "iu" and not cut_off:
        raise TypeError(
            f"Cannot convert {value!r} to EagerTensor of dtype int64: indices and dense_shape are "
            "whole numbers."
        )
    return wrap(np.asarray(array, np.int64))


def _check_shapes(indices: Shape, values: Shape, dense_shape: Shape) -> None:
    """Refuse parts that do not go together."""
    for name, shape, rank in (
        ("indices", indices, 2),
        ("values", values, 1),
        ("dense_shape", dense_shape, 1),
    ):
        if len(shape) != rank:
            raise ValueError(f"Shape {written(shape)} must have rank {rank}: `{name}`.")
    if indices == (*values, *dense_shape):
        return
    if indices[:1] != values:
        reason = f"Number of elements {values[0]} and of rows of indices {indices[0]} do not match"
    else:
        reason = f"Index rank {indices[1]} and shape rank {dense_shape[0]} do not match"
    raise ValueError(
        f"Dimensions of indices {written(indices)}, values {written(values)} and dense_shape "
        f"{written(dense_shape)} are not compatible: {reason}."
    )


def from_parts(value: T) -> T | SparseTensor:
    """A ``SparseTensorValue``, TensorFlow's own too, as a sparse tensor; anything else as it is."""
    is_parts = isinstance(value, tuple) and getattr(value, "_fields", ()) == _PARTS
    return SparseTensor(*value) if is_parts else value  # type: ignore[misc]
