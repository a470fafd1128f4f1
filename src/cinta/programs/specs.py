"""Specs: the properties of a value that are known without the value; the spec of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..engine.convert import as_tensor, is_tensor
from ..engine.shapes import TensorShape
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..public import public
from .spec_parts import Part, Parts, agree, frozen, in_common, parts_agree

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Self

    from ..engine.annotations import DTypeLike, PartialShape
    from ..replay.recording import Spec


@public("TypeSpec")
class TypeSpec:
    """The base of specs: the properties that a value must have.

    A spec of your own says by ``_serialize`` what it is made of: specs, shapes and plain values.
    How it compares with others follows from these. Its class, called with them, makes it again.

    >>> import cinta as tf
    >>> class PairSpec(tf.TypeSpec):
    ...     def __init__(self, shape, color):
    ...         self.shape, self.color = tf.TensorShape(shape), color
    ...     def _serialize(self):
    ...         return self.shape, self.color
    >>> PairSpec([2, 3], "red").is_subtype_of(PairSpec([2, None], "red"))
    True
    >>> PairSpec([2, 3], "red").most_specific_compatible_type(PairSpec([2, 5], "red"))
    PairSpec(TensorShape([2, None]), 'red')
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __repr__(self) -> str:
        parts = self._serialize()
        return f"{type(self).__name__}({', '.join(map(repr, parts))})"

    def _fields(self) -> Hashable:
        """The properties that tell a spec from others of its class."""
        return self.__make_cmp_key(self._serialize())

    def __make_cmp_key(self, parts: Parts) -> Hashable:
        """Parts as they are compared and hashed; libraries call it by this name, TensorFlow's."""
        return frozen(parts)

    @staticmethod
    def __is_compatible(a: Part, b: Part) -> bool:
        """Whether parts of two specs go together; libraries call this too."""
        return parts_agree(a, b, "is_compatible_with")

    def _serialize(self) -> Parts:
        """The parts of the spec: specs, shapes and plain values, in tuples, lists or dicts."""
        raise NotImplementedError(f"{type(self).__name__}._serialize")

    @classmethod
    def _deserialize(cls, serialization: Parts) -> Self:
        """The spec that is made of this."""
        return cls(*serialization)

    @property
    def value_type(self) -> type[Any]:
        """The class of the values; raises NotImplementedError where a spec does not say it."""
        raise NotImplementedError(f"{type(self).__name__}.value_type")

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether a value, or a value of another spec, may be of this spec.

        >>> import cinta as tf
        >>> tf.SparseTensorSpec([None]).is_compatible_with(tf.sparse.from_dense([0.0, 1.0]))
        True

        Args:
            spec_or_value: The value or the spec.
        """
        return agree(self, spec_or_value, "is_compatible_with")

    def is_subtype_of(self, other: object) -> bool:
        """Whether every value of this spec is of the other one too.

        >>> import cinta as tf
        >>> tf.TensorSpec([2]).is_subtype_of(tf.TensorSpec([None]))
        True

        Args:
            other: Another spec.
        """
        return agree(self, other, "is_subtype_of")

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Self | None:
        """The narrowest spec of the values of all; None where there is none.

        >>> import cinta as tf
        >>> tf.TensorSpec([2, 3]).most_specific_common_supertype([tf.TensorSpec([2, 5])])
        TensorSpec(shape=(2, None), dtype=tf.float32, name=None)

        Args:
            others: A list of other specs.
        """
        found = self
        for other in listed_specs(others):
            made = in_common(found, other)
            if made is None:
                return None
            found = self._deserialize(made)
        return found

    def cast(self, value: Part, casting_context: object = None) -> Part:
        """The value, which must be of this spec; specs of tensors make tensors of numbers.

        >>> import cinta as tf
        >>> tf.TensorSpec([], tf.float32).cast(2).numpy()
        np.float32(2.0)

        Args:
            value: The value. Tensors are not converted.
            casting_context: Accepted; nothing is traced here.

        Raises:
            TypeError: If it is of another spec.
        """
        if not self.is_compatible_with(value):
            raise TypeError(f"Can not cast {value!r} to {self!r}: it is not of this spec.")
        return value

    def most_specific_compatible_type(self, other: object) -> Self:
        """The narrowest spec of the values of both.

        >>> import cinta as tf
        >>> tf.TensorSpec([2, 3]).most_specific_compatible_type(tf.TensorSpec([2, 5]))
        TensorSpec(shape=(2, None), dtype=tf.float32, name=None)

        Args:
            other: Another spec.

        Raises:
            ValueError: If there is none.
        """
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}.")
        return found


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
        """The spec of the same shape and dtype.

        >>> import cinta as tf
        >>> tf.TensorSpec.from_spec(tf.TensorSpec([2]), name="x")
        TensorSpec(shape=(2,), dtype=tf.float32, name='x')

        Args:
            spec: A spec with a shape and a dtype.
            name: Its name; None for that of the other.

        Raises:
            TypeError: If it has no shape or dtype.
        """
        if not hasattr(spec, "shape") or not hasattr(spec, "dtype"):
            raise TypeError(f"`spec` must be a spec with a shape and a dtype, got {spec!r}.")
        return cls(spec.shape, spec.dtype, name or getattr(spec, "name", None))

    @classmethod
    def _of(cls, known: Spec) -> Self:
        """The spec of a value in a recording."""
        return cls(known.shape, known.dtype)

    @classmethod
    def from_tensor(cls, tensor: object, name: str | None = None) -> Self:
        """The spec of a tensor.

        >>> import cinta as tf
        >>> tf.TensorSpec.from_tensor(tf.constant([1.0, 2.0]))
        TensorSpec(shape=(2,), dtype=tf.float32, name=None)

        Args:
            tensor: The tensor, or a variable.

        Raises:
            TypeError: If it is something else.
        """
        if not isinstance(tensor, (Tensor, Variable)):
            raise TypeError(f"`tensor` must be a tensor, got {tensor!r}.")
        return cls(tensor.shape, tensor.dtype, name)

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.name

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return Tensor

    def is_compatible_with(self, spec_or_tensor: object) -> bool:
        """Whether a tensor, or a tensor of another spec, may be of this spec.

        Args:
            spec_or_tensor: The tensor or the spec.
        """
        return (
            isinstance(spec_or_tensor, (Tensor, Variable, TensorSpec))
            and self.dtype is spec_or_tensor.dtype
            and self.shape.is_compatible_with(spec_or_tensor.shape)
        )

    def is_subtype_of(self, other: object) -> bool:
        if not isinstance(other, TensorSpec) or self.dtype is not other.dtype:
            return False
        if self.name is not None and self.name != other.name:
            return False
        return bool(other.shape.most_specific_compatible_shape(self.shape) == other.shape)

    def cast(self, value: Part, casting_context: object = None) -> Part:
        tensor = as_tensor(value, None if is_tensor(value) else self.dtype.dtype)
        return super().cast(tensor, casting_context)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> Self | None:
        shape = self.shape
        for other in listed_specs(others):
            if not isinstance(other, TensorSpec) or other.dtype is not self.dtype:
                return None
            if other.name != self.name:
                return None
            shape = shape.most_specific_compatible_shape(other.shape)
        return type(self)(shape, self.dtype, self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._serialize()

    def __repr__(self) -> str:
        shape = "<unknown>" if self.shape.rank is None else str(self.shape)
        return f"TensorSpec(shape={shape}, dtype={self.dtype!r}, name={self.name!r})"


def listed_specs(others: object) -> Sequence[Any]:
    """A list of specs, as it was given."""
    if not isinstance(others, (list, tuple)):
        raise TypeError(f"`others` must be a list of specs, got {others!r}.")
    return others
