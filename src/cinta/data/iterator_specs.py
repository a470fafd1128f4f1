"""The specs of iterators, and of values that may hold an element or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..programs.specs import TypeSpec
from ..public import public
from .elements import compatible
from .iterator import Iterator, Optional

if TYPE_CHECKING:
    from typing import Self


class _OfElements(TypeSpec):
    """The spec of something that gives elements of a spec."""

    __slots__ = ("_element_spec",)

    def __init__(self, element_spec: object) -> None:
        self._element_spec = element_spec

    @classmethod
    def from_value(cls, value: object) -> Self:
        """The spec of a value.

        >>> import cinta as tf
        >>> tf.OptionalSpec.from_value(tf.experimental.Optional.from_value(1.0))
        OptionalSpec(TensorSpec(shape=(), dtype=tf.float32, name=None))

        Args:
            value: The value, which has an ``element_spec``.

        Raises:
            TypeError: If it is of another class.
        """
        kind = cls(None).value_type
        if not isinstance(value, kind):
            raise TypeError(f"`value` must be of the class {kind.__name__}, got {value!r}.")
        return cls(value.element_spec)

    def _serialize(self) -> tuple[Any, ...]:
        return (self._element_spec,)

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether a value, or a value of another spec, gives such elements.

        Args:
            spec_or_value: The value or the spec.
        """
        other = spec_or_value
        if isinstance(other, self.value_type):
            other = type(self).from_value(other)
        return isinstance(other, type(self)) and compatible(self._element_spec, other._element_spec)


@public("data.IteratorSpec")
class IteratorSpec(_OfElements):
    """The spec of an iterator over a dataset.

    >>> import cinta as tf
    >>> spec = tf.data.IteratorSpec(tf.TensorSpec([], tf.int64))
    >>> spec.is_compatible_with(iter(tf.data.Dataset.range(3)))
    True

    Args:
        element_spec: The spec of the elements, a nest of specs.
    """

    __slots__ = ()

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return Iterator


@public("OptionalSpec")
class OptionalSpec(_OfElements):
    """The spec of a ``tf.experimental.Optional``, which holds an element or nothing.

    >>> import cinta as tf
    >>> spec = tf.OptionalSpec(tf.TensorSpec([None]))
    >>> spec.is_compatible_with(tf.experimental.Optional.from_value([1.0, 2.0]))
    True

    Args:
        element_spec: The spec of the element, a nest of specs.
    """

    __slots__ = ()

    @property
    def value_type(self) -> type[Any]:
        """The class of the values."""
        return Optional
