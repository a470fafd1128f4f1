"""The spec of ragged tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..engine.shapes import TensorShape
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..ops.ragged.mapping import RaggedRows
from ..ops.ragged.row_partition import RowPartition
from ..ops.ragged.tensor import RaggedTensor
from ..public import public
from .composite_specs import RowsSpec
from .specs import TensorSpec, TypeSpec, listed_specs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from ..engine.annotations import DTypeLike, PartialShape


@public("RaggedTensorSpec")
class RaggedTensorSpec(RowsSpec):
    """The spec of a ``RaggedTensor``: shape, dtype, and how many axes are divided into rows.

    >>> import cinta as tf
    >>> spec = tf.RaggedTensorSpec([None, None], tf.int32)
    >>> spec
    RaggedTensorSpec(TensorShape([None, None]), tf.int32, 1, tf.int64)
    >>> rows = tf.ragged.constant([[1, 2], [3]])
    >>> spec.is_compatible_with(rows), tf.RaggedTensorSpec.from_value(rows).is_subtype_of(spec)
    (True, True)

    Args:
        shape: The shape; rows of several lengths have None for a length.
        dtype: The dtype of the values.
        ragged_rank: How many axes are divided into rows; None for all but one.
        row_splits_dtype: The dtype of the numbers that divide rows.
        flat_values_spec: None.

    Raises:
        ValueError: If the rank is not known, or is not more than ``ragged_rank``.
        TypeError: If this is not a number, or a spec of the values is given.
    """

    __slots__ = ("_dtype", "_ragged_rank", "_row_splits_dtype", "_shape")

    def __init__(
        self,
        shape: PartialShape = None,
        dtype: DTypeLike = dtypes.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: DTypeLike = dtypes.int64,
        flat_values_spec: TypeSpec | None = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        if flat_values_spec is not None:
            raise TypeError(
                "RaggedTensorSpec takes no flat_values_spec: the values of ragged tensors are "
                "tensors here. Leave it out."
            )
        rank = self._shape.rank
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError(f"Argument `ragged_rank` must be an int. Received {ragged_rank!r}.")
        if rank is not None and ragged_rank >= rank:
            raise ValueError(
                f"Argument `ragged_rank` ({ragged_rank}) must be less than rank ({rank})."
            )
        self._ragged_rank = ragged_rank

    @property
    def shape(self) -> TensorShape:
        """The length of every axis, None where it is ragged or not known."""
        return self._shape

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        """How many axes are divided into rows."""
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> dtypes.DType:
        """The type of the numbers of rows."""
        return self._row_splits_dtype

    @property
    def flat_values_spec(self) -> None:
        """Nothing: the values are tensors."""
        return

    @classmethod
    def from_value(cls, value: object) -> Self:
        """The spec of a ragged tensor.

        Args:
            value: The ragged tensor.

        Raises:
            TypeError: If it is something else.
        """
        if not isinstance(value, RaggedTensor):
            raise TypeError(
                f"Expected a RaggedTensor. Received: {value!r} of type {type(value).__name__}."
            )
        return cls(value.shape, value.dtype, value.ragged_rank, value.row_splits.dtype)

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return RaggedTensor if self._ragged_rank else Tensor

    def is_compatible_with(self, spec_or_value: object) -> bool:
        if not self._ragged_rank and isinstance(spec_or_value, (Tensor, Variable, TensorSpec)):
            return TensorSpec(self._shape, self._dtype).is_compatible_with(spec_or_value)
        other = spec_or_value
        if isinstance(other, RaggedTensor):
            other = RaggedTensorSpec.from_value(other)
        return (
            isinstance(other, RaggedTensorSpec)
            and self._serialize()[1:] == other._serialize()[1:]
            and self._shape.is_compatible_with(other._shape)
        )

    def is_subtype_of(self, other: object) -> bool:
        if (
            not isinstance(other, RaggedTensorSpec)
            or self._serialize()[1:] != other._serialize()[1:]
        ):
            return False
        return bool(other.shape.most_specific_compatible_shape(self._shape) == other.shape)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> RaggedTensorSpec | None:
        shape = self._shape
        for other in listed_specs(others):
            if not isinstance(other, RaggedTensorSpec):
                return None
            if other._serialize()[1:] != self._serialize()[1:]:
                return None
            shape = shape.most_specific_compatible_shape(other._shape)
        return RaggedTensorSpec(shape, *self._serialize()[1:])

    def _of_shape(self, shape: TensorShape) -> TypeSpec:
        if shape.rank is None or self._shape.rank is None:
            raise ValueError(f"Nothing is known of the rows of {self}.")
        depth = self._ragged_rank + shape.rank - self._shape.rank
        if depth < 0:
            return TensorSpec(shape, self._dtype)
        return RaggedTensorSpec(shape, self._dtype, depth, self._row_splits_dtype)

    def _collector(self) -> RaggedRows:
        return RaggedRows(self.dtype, self.ragged_rank, self.row_splits_dtype, self.shape)

    def _parts(self) -> tuple[TensorSpec, ...]:
        """The specs of the tensors that the values are made of, for `tf.nest`."""
        shape, depth = self._shape, self._ragged_rank
        if not depth:
            return (TensorSpec(shape, self._dtype),)
        inner = None if shape.rank is None else [None, *shape.as_list()[depth + 1 :]]
        rows = None if shape.rank is None or shape[0] is None else shape[0] + 1
        counts = [rows, *[None] * (depth - 1)]
        splits = [TensorSpec([n], self._row_splits_dtype) for n in counts]
        return TensorSpec(inner, self._dtype), *splits

    def _of_parts(self, parts: Sequence[Tensor]) -> Tensor | RaggedTensor:
        splits = parts[1:]
        result: Tensor | RaggedTensor = parts[0]
        shape = self._shape
        for depth, ends in zip(range(len(splits), 0, -1), reversed(splits), strict=True):
            size = None if shape.rank is None else shape[depth]
            if size is None:
                rows = RowPartition.from_row_splits(ends, validate=False)
            else:
                rows = RowPartition._of_ends(ends._array, self._row_splits_dtype, size)
            result = RaggedTensor(result, rows, internal=True)
        return result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return f"RaggedTensorSpec({', '.join(map(repr, self._serialize()))})"
