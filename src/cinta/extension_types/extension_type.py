"""Extension types: classes of users that are made of tensors."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from .. import nest
from ..engine.composites import OpenedComposite, OpenObject, opened
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..public import public
from ..replay.argument_structures import Same
from .fields import check_names, fields_of
from .making import FieldsObject
from .names import note
from .specs import BatchableExtensionTypeSpec, ExtensionTypeSpec, inner_of, spec_class

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from typing import Self

    from ..engine.composites import Part
    from .fields import Field


@public("experimental.ExtensionType")
class ExtensionType(FieldsObject, OpenedComposite):
    """The base of classes of users that are made of tensors.

    A class declares its fields by annotations. It gets a constructor, which converts what it is
    given, a text, a comparison, and a class ``Spec``; its objects do not change. Functions,
    datasets, loops and saved models take such objects; `tf.experimental.dispatch_for_api` says what
    functions of tensors make of them.

    >>> import cinta as tf
    >>> class Interval(tf.experimental.ExtensionType):
    ...     low: tf.Tensor
    ...     high: tf.Tensor = 1.0
    ...
    ...     def width(self):
    ...         return self.high - self.low
    >>> x = Interval(0.25)
    >>> x.width().numpy()
    np.float32(0.75)
    >>> tf.function(lambda interval: Interval(-interval.high, -interval.low))(x).low.numpy()
    np.float32(-1.0)
    """

    Spec: ClassVar[type[ExtensionTypeSpec]]
    _spec_base: ClassVar[type[ExtensionTypeSpec]] = ExtensionTypeSpec

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        check_names(cls)
        note(cls)
        cls.Spec = spec_class(cls, cls._spec_base)
        around = sys._getframe(1)  # where the class is defined, with what annotations name there
        with suppress(NameError):  # one names a class that comes later
            fields_of(cls, ExtensionType, {**around.f_globals, **around.f_locals})

    def __new__(cls, *args: Part, **kwargs: Part) -> Self:
        if cls in (ExtensionType, BatchableExtensionType):
            raise AssertionError(
                f"Cannot create an instance of {cls.__name__} because {cls.__name__} is an "
                "abstract base class. Derive a class from it and annotate fields."
            )
        return super().__new__(cls)

    @classmethod
    def _declared_fields(cls) -> tuple[Field, ...]:
        return fields_of(cls, ExtensionType)

    @property
    def _type_spec(self) -> ExtensionTypeSpec:
        return self.Spec.from_value(self)

    def __eq__(self, other: object) -> Part:
        """Whether all fields are equal; a tensor, unless classes, shapes or dtypes differ."""
        from ..ops.elementwise.comparison import equal
        from ..ops.reductions.reduction import reduce_all

        if type(other) is not type(self) or self._type_spec != other._type_spec:
            return False
        pairs = [*zip(self._parts(), other._parts(), strict=True)]
        if any(a.shape != b.shape for a, b in pairs):
            return False
        return reduce_all([reduce_all(equal(a, b)) for a, b in pairs])

    def __ne__(self, other: object) -> Part:
        same = self == other
        return ~same if isinstance(same, Tensor) else not same

    __hash__ = None  # type: ignore[assignment]  # as tensors have none

    # -- as parts --------------------------------------------------------------------------------

    def _parts(self) -> list[Tensor]:
        """The tensors that it is made of, for `tf.nest`."""
        leaves = nest.flatten(self._field_values(), expand_composites=True)
        return [leaf for leaf in leaves if isinstance(leaf, Tensor)]

    def _of_parts(self, parts: Sequence[Part]) -> Self:
        others, fields = iter(parts), self._field_values()
        leaves = [
            next(others) if isinstance(leaf, Tensor) else leaf
            for leaf in nest.flatten(fields, expand_composites=True)
        ]
        return self._with_fields(nest.pack_sequence_as(fields, leaves, expand_composites=True))

    def _opened(self) -> OpenObject:
        return OpenObject(self._type_spec, opened(inner_of(self._field_values())))

    def _kind(self) -> tuple[Hashable, ...]:
        leaves = nest.flatten(self._field_values(), expand_composites=True)
        return self._type_spec, *[Same(leaf) for leaf in leaves if isinstance(leaf, Variable)]


@public("experimental.BatchableExtensionType")
class BatchableExtensionType(ExtensionType):
    """The base of extension types whose objects can be stacked and taken apart.

    Datasets batch them and `tf.map_fn` goes through them along the first axis of every tensor.

    >>> import cinta as tf
    >>> class Point(tf.experimental.BatchableExtensionType):
    ...     x: tf.Tensor
    ...     y: tf.Tensor
    >>> points = tf.data.Dataset.from_tensor_slices(Point([1, 2, 3], [4, 5, 6]))
    >>> [int(p.x * p.y) for p in points]
    [4, 10, 18]
    >>> next(iter(points.batch(2))).x.numpy()
    array([1, 2], dtype=int32)
    """

    _spec_base = BatchableExtensionTypeSpec
