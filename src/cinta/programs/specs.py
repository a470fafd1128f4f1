"""Specs: the properties of a value that are known without the value; the spec of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..engine.shapes import TensorShape
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from ..engine.annotations import DTypeLike, PartialShape
    from ..replay.recording import Spec


@public("TypeSpec")
class TypeSpec:
    """The base of specs: the properties that a value must have."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def _fields(self) -> tuple[Any, ...]:
        raise NotImplementedError

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        raise NotImplementedError

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether a value, or a value of another spec, may be of this spec."""
        raise NotImplementedError


@public("TensorSpec")
class TensorSpec(TypeSpec):
    """A shape, of which parts may be unknown, and a dtype.

    >>> import cinta as tf
    >>> spec = tf.TensorSpec([None, 2], tf.float32)
    >>> spec
    TensorSpec(shape=(None, 2), dtype=tf.float32, name=None)
    >>> spec.is_compatible_with(tf.ones([3, 2])), spec.is_compatible_with(tf.ones([3, 3]))
    (True, False)
    """

    __slots__ = ("dtype", "name", "shape")

    def __init__(
        self, shape: PartialShape, dtype: DTypeLike = dtypes.float32, name: str | None = None
    ) -> None:
        self.shape = TensorShape(shape)
        self.dtype = dtypes.as_dtype(dtype)
        self.name = name

    @classmethod
    def from_spec(cls, spec: object, name: str | None = None) -> Self:
        """The spec of the same shape and dtype, perhaps with another name."""
        if not hasattr(spec, "shape") or not hasattr(spec, "dtype"):
            raise TypeError(f"`spec` must be a spec with a shape and a dtype, got {spec!r}.")
        return cls(spec.shape, spec.dtype, name or getattr(spec, "name", None))

    @classmethod
    def _of(cls, known: Spec) -> Self:
        """The spec of a value in a recording."""
        return cls(known.shape, known.dtype)

    @classmethod
    def from_tensor(cls, tensor: object, name: str | None = None) -> Self:
        """The spec of a tensor."""
        if not isinstance(tensor, (Tensor, Variable)):
            raise TypeError(f"`tensor` must be a tensor, got {tensor!r}.")
        return cls(tensor.shape, tensor.dtype, name)

    def _fields(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return Tensor

    def is_compatible_with(self, spec_or_tensor: object) -> bool:
        """Whether a tensor, or a tensor of another spec, may be of this spec."""
        return (
            isinstance(spec_or_tensor, (Tensor, Variable, TensorSpec))
            and self.dtype is spec_or_tensor.dtype
            and self.shape.is_compatible_with(spec_or_tensor.shape)
        )

    def is_subtype_of(self, other: object) -> bool:
        """Whether every tensor of this spec is of the other one too."""
        if not isinstance(other, TensorSpec) or self.dtype is not other.dtype:
            return False
        if self.name is not None and self.name != other.name:
            return False
        return bool(other.shape.most_specific_compatible_shape(self.shape) == other.shape)

    def most_specific_compatible_type(self, other: object) -> TensorSpec:
        """The narrowest spec of the tensors of both."""
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}.")
        return found

    def most_specific_common_supertype(self, others: Sequence[Any]) -> TensorSpec | None:
        """The narrowest spec of the tensors of all; None where dtypes or names differ."""
        shape = self.shape
        for other in listed_specs(others):
            if not isinstance(other, TensorSpec) or other.dtype is not self.dtype:
                return None
            if other.name != self.name:
                return None
            shape = shape.most_specific_compatible_shape(other.shape)
        return TensorSpec(shape, self.dtype, self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._fields()

    def __repr__(self) -> str:
        shape = "<unknown>" if self.shape.rank is None else str(self.shape)
        return f"TensorSpec(shape={shape}, dtype={self.dtype!r}, name={self.name!r})"


def listed_specs(others: object) -> Sequence[Any]:
    """A list of specs, as it was given."""
    if not isinstance(others, (list, tuple)):
        raise TypeError(f"`others` must be a list of specs, got {others!r}.")
    return others
