"""Specs of values that are not one tensor: rows, sparse tensors, variables, and None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..engine.composites import Assembled, OpenObject, opened_specs
from ..engine.convert import as_tensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.shapes import TensorShape
from ..engine.sparse_tensor import SparseTensor, from_parts
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..public import public
from .specs import TensorSpec, TypeSpec, listed_specs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from ..engine.annotations import DTypeLike, PartialShape
    from ..engine.composites import Part


@public("IndexedSlicesSpec")
class IndexedSlicesSpec(TypeSpec):
    """The spec of rows of a larger tensor.

    >>> import cinta as tf
    >>> rows = tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([2]), dense_shape=[5, 1])
    >>> spec = tf.IndexedSlicesSpec([None, 1], tf.float32, tf.int32, tf.int32)
    >>> spec.is_compatible_with(rows)
    True

    Args:
        shape: The shape of the larger tensor.
        dtype: The dtype of the rows.
        indices_dtype: The dtype of their numbers.
        dense_shape_dtype: The dtype of the shape; None where there is none.
        indices_shape: The shape of their numbers; None for a vector of any length.
    """

    __slots__ = ("dense_shape_dtype", "dtype", "indices_dtype", "indices_shape", "shape")

    def __init__(
        self,
        shape: PartialShape = None,
        dtype: DTypeLike = dtypes.float32,
        indices_dtype: DTypeLike = dtypes.int64,
        dense_shape_dtype: DTypeLike | None = None,
        indices_shape: PartialShape = None,
    ) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.indices_dtype = dtypes.as_dtype(indices_dtype)
        self.dense_shape_dtype = (
            None if dense_shape_dtype is None else dtypes.as_dtype(dense_shape_dtype)
        )
        self.indices_shape = TensorShape((None,) if indices_shape is None else indices_shape)

    def _serialize(self) -> tuple[Any, ...]:
        return (
            self.shape,
            self.dtype,
            self.indices_dtype,
            self.dense_shape_dtype,
            self.indices_shape,
        )

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return IndexedSlices

    def is_compatible_with(self, spec_or_value: object) -> bool:
        if isinstance(spec_or_value, IndexedSlices):
            spec_or_value = type_spec_from_value(spec_or_value)
        return (
            isinstance(spec_or_value, IndexedSlicesSpec)
            and spec_or_value.dtype is self.dtype
            and spec_or_value.indices_dtype is self.indices_dtype
            and spec_or_value.dense_shape_dtype is self.dense_shape_dtype
            and self.shape.is_compatible_with(spec_or_value.shape)
            and self.indices_shape.is_compatible_with(spec_or_value.indices_shape)
        )

    def _parts(self) -> tuple[TensorSpec, ...]:
        """The specs of the tensors that the values are made of, for `tf.nest`."""
        rows = TensorShape(self.indices_shape)
        values = TensorSpec(rows.concatenate(self.shape[1:]), self.dtype)
        indices = TensorSpec(rows, self.indices_dtype)
        if self.dense_shape_dtype is None:
            return values, indices
        return values, indices, TensorSpec([self.shape.rank], self.dense_shape_dtype)

    def _of_parts(self, parts: Any) -> IndexedSlices:
        return IndexedSlices(*parts)

    def __repr__(self) -> str:
        return f"IndexedSlicesSpec({', '.join(map(repr, self._serialize()))})"


@public("SparseTensorSpec")
class SparseTensorSpec(TypeSpec):
    """The spec of a ``SparseTensor``: its shape, of which parts may be unknown, and dtype.

    >>> import cinta as tf
    >>> spec = tf.SparseTensorSpec([None, 4], tf.float32)
    >>> spec
    SparseTensorSpec(TensorShape([None, 4]), tf.float32)
    >>> spec.is_compatible_with(tf.sparse.eye(4))
    True
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: PartialShape = None, dtype: DTypeLike = dtypes.float32) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)

    @classmethod
    def from_value(cls, value: object) -> Self:
        """The spec of a sparse tensor.

        >>> import cinta as tf
        >>> tf.SparseTensorSpec.from_value(tf.sparse.from_dense([0, 1]))
        SparseTensorSpec(TensorShape([2]), tf.int32)

        Args:
            value: The sparse tensor.

        Raises:
            TypeError: If it is something else.
        """
        if not isinstance(value, SparseTensor):
            raise TypeError(
                f"Expected SparseTensor or SparseTensorValue. Received: {value!r} of type "
                f"{type(value).__name__}."
            )
        return cls(value.shape, value.dtype)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return SparseTensor

    @property
    def rank(self) -> int | None:
        """How many axes there are, if that is known."""
        return self.shape.rank

    def is_compatible_with(self, spec_or_value: object) -> bool:
        return (
            isinstance(spec_or_value, (SparseTensor, SparseTensorSpec))
            and self.dtype is spec_or_value.dtype
            and self.shape.is_compatible_with(spec_or_value.shape)
        )

    def is_subtype_of(self, other: object) -> bool:
        if not isinstance(other, SparseTensorSpec) or self.dtype is not other.dtype:
            return False
        return bool(other.shape.most_specific_compatible_shape(self.shape) == other.shape)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> SparseTensorSpec | None:
        shape = self.shape
        for other in listed_specs(others):
            if not isinstance(other, SparseTensorSpec) or other.dtype is not self.dtype:
                return None
            shape = shape.most_specific_compatible_shape(other.shape)
        return SparseTensorSpec(shape, self.dtype)

    def _parts(self) -> tuple[TensorSpec, TensorSpec, TensorSpec]:
        """The specs of the tensors that the values are made of, for `tf.nest`."""
        return (
            TensorSpec([None, self.rank], dtypes.int64),
            TensorSpec([None], self.dtype),
            TensorSpec([self.rank], dtypes.int64),
        )

    def _of_parts(self, parts: list[Tensor]) -> SparseTensor:
        return SparseTensor(*parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return f"SparseTensorSpec({self.shape!r}, {self.dtype!r})"


class RowsSpec(TypeSpec):
    """The spec of tensors whose rows differ in length, for code that does not load them."""

    __slots__ = ()

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the elements."""
        raise NotImplementedError

    @property
    def shape(self) -> TensorShape:
        """The length of every axis, None where it is ragged or not known."""
        raise NotImplementedError

    def _of_shape(self, shape: TensorShape) -> TypeSpec:
        """The spec with more axes in front, or with fewer."""
        raise NotImplementedError

    def _parts(self) -> tuple[TensorSpec, ...]:
        raise NotImplementedError


class StructuredSpec(TypeSpec):
    """The spec of objects of fields, for code that does not load their classes."""

    def _inner(self) -> Sequence[TypeSpec]:
        """The specs of what is in the fields."""
        raise NotImplementedError

    def _value(self, inner: Sequence[Part]) -> Part:
        """An object with this in its fields."""
        raise NotImplementedError

    def _spec(self, inner: Sequence[TypeSpec]) -> StructuredSpec:
        """The same with other specs."""
        raise NotImplementedError

    def _opened(self) -> OpenObject:
        return OpenObject(self, opened_specs([*self._inner()]))


@public("NoneTensorSpec")
class NoneTensorSpec(TypeSpec):
    """The spec of None, where elements of datasets have no tensor.

    >>> import cinta as tf
    >>> tf.data.Dataset.from_tensors((1, None)).element_spec[1]
    NoneTensorSpec()
    """

    __slots__ = ()

    def _serialize(self) -> tuple[Any, ...]:
        return ()

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return type(None)

    def is_compatible_with(self, spec_or_value: object) -> bool:
        return spec_or_value is None or isinstance(spec_or_value, NoneTensorSpec)

    def most_specific_compatible_type(self, other: object) -> NoneTensorSpec:
        if not isinstance(other, NoneTensorSpec):
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}.")
        return self

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


class VariableSpec(TypeSpec):
    """The spec of a variable: its shape and dtype, and whether it is trained.

    Two arguments with the same ``alias_id`` are one variable.
    """

    __slots__ = ("alias_id", "dtype", "shape", "trainable")

    def __init__(
        self,
        shape: PartialShape,
        dtype: DTypeLike = dtypes.float32,
        trainable: bool = True,
        alias_id: int | None = None,
    ) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.trainable, self.alias_id = trainable, alias_id

    @classmethod
    def from_value(cls, value: Variable) -> Self:
        """The spec of a variable."""
        return cls(value.shape, value.dtype, value.trainable)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.trainable, self.alias_id

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return Variable

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether a variable, or a variable of another spec, may be of this spec."""
        return (
            isinstance(spec_or_value, (Variable, VariableSpec))
            and self.dtype is spec_or_value.dtype
            and self.trainable == spec_or_value.trainable
            and self.shape.is_compatible_with(spec_or_value.shape)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, "
            f"trainable={self.trainable}, alias_id={self.alias_id})"
        )


def spec_of(value: object) -> TypeSpec | None:
    """The spec of a value that is not one tensor but has a spec; datasets say theirs themselves."""
    if isinstance(value, IndexedSlices):
        indices, dense_shape = as_tensor(value.indices), value.dense_shape
        return IndexedSlicesSpec(
            value.shape,
            value.dtype,
            indices.dtype,
            None if dense_shape is None else dense_shape.dtype,
            indices.shape,
        )
    value = from_parts(value)
    if isinstance(value, SparseTensor):
        return SparseTensorSpec.from_value(value)
    if isinstance(value, Variable):
        return VariableSpec.from_value(value)
    if isinstance(value, Assembled) and value._is_ragged:
        from .ragged_specs import RaggedTensorSpec  # loaded when there is a ragged tensor

        return RaggedTensorSpec.from_value(value)
    found = getattr(value, "_type_spec", None)
    return found if isinstance(found, TypeSpec) else None


@public("type_spec_from_value")
def type_spec_from_value(value: object) -> TypeSpec:
    """The spec of a value: a variable, rows, a dataset, whatever can become a tensor.

    >>> import cinta as tf
    >>> tf.type_spec_from_value([1.0, 2.0])
    TensorSpec(shape=(2,), dtype=tf.float32, name=None)

    Args:
        value: A value.

    Raises:
        TypeError: If nothing is known of such values.
    """
    found = spec_of(value)
    if found is not None:
        return found
    try:
        return TensorSpec.from_tensor(as_tensor(value))
    except (TypeError, ValueError) as error:
        raise TypeError(f"Could not build a TypeSpec for {value!r}: {error}") from None
