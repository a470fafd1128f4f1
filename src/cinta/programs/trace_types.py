"""Trace types: how an argument says itself which recordings serve it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self


@public("types.experimental.TraceType")
class TraceType(ABC):
    """Of which type an argument is for ``tf.function``: equal types share a recording.

    An object gives its type by ``__tf_tracing_type__``. All that the recorded function finds in the
    object, beside tensors and variables, must follow from the type.

    >>> import cinta as tf
    >>> class Scale(tf.types.experimental.TraceType):
    ...     def __init__(self, factor):
    ...         self.factor = factor
    ...     def is_subtype_of(self, other):
    ...         return self == other
    ...     def most_specific_common_supertype(self, others):
    ...         return self if all(self == other for other in others) else None
    ...     def placeholder_value(self, placeholder_context):
    ...         return Scaled(self.factor)
    ...     def __eq__(self, other):
    ...         return isinstance(other, Scale) and self.factor == other.factor
    ...     def __hash__(self):
    ...         return hash(self.factor)
    >>> class Scaled:
    ...     def __init__(self, factor):
    ...         self.factor = factor
    ...     def __tf_tracing_type__(self, context):
    ...         return Scale(self.factor)
    >>> f = tf.function(lambda scaled, x: scaled.factor * x)
    >>> [float(f(Scaled(factor), tf.constant(1.0))) for factor in (2.0, 3.0, 2.0)]
    [2.0, 3.0, 2.0]
    >>> f.experimental_get_tracing_count()
    2
    """

    @abstractmethod
    def is_subtype_of(self, other: TraceType) -> bool:
        """Whether arguments of this type may stand for those of the other."""

    @abstractmethod
    def most_specific_common_supertype(self, others: Sequence[TraceType]) -> Self | None:
        """The type of all arguments of this type and of the others, if there is one."""

    @abstractmethod
    def placeholder_value(self, placeholder_context: object) -> object:
        """A stand-in for arguments of this type during TensorFlow's tracing; not used here.

        Args:
            placeholder_context: What TensorFlow gives.
        """

    @abstractmethod
    def __hash__(self) -> int: ...

    @abstractmethod
    def __eq__(self, other: object) -> bool: ...


@public("types.experimental.SupportsTracingProtocol")
@runtime_checkable
class SupportsTracingProtocol(Protocol):
    """An object that says of which `TraceType` it is.

    >>> import cinta as tf
    >>> isinstance(3, tf.types.experimental.SupportsTracingProtocol)
    False
    """

    def __tf_tracing_type__(self, context: object) -> TraceType:
        """The type; nothing is to be taken from the context."""
        ...
