"""The specs of extension types: the same fields, with specs in place of tensors."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, ClassVar

from .. import nest
from ..engine.composites import Composite
from ..engine.indexed_slices import IndexedSlices
from ..engine.shapes import TensorShape
from ..engine.sparse_tensor import SparseTensor
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..programs.composite_specs import StructuredSpec, type_spec_from_value
from ..programs.specs import TensorSpec, TypeSpec, listed_specs
from ..public import public
from .making import FieldsObject

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import Self

    from ..engine.composites import Part
    from .extension_type import ExtensionType
    from .fields import Field

_OF_TENSORS = Tensor, Composite, SparseTensor, IndexedSlices, Variable


@public("experimental.ExtensionTypeSpec")
class ExtensionTypeSpec(FieldsObject, StructuredSpec):
    """The base of the specs of extension types; each has its own, ``MyType.Spec``.

    >>> import cinta as tf
    >>> class Pair(tf.experimental.ExtensionType):
    ...     first: tf.Tensor
    ...     second: tf.Tensor
    >>> Pair.Spec(tf.TensorSpec([2]), tf.TensorSpec([]))
    Pair.Spec(first=TensorSpec(shape=(2,), dtype=tf.float32, name=None), \
second=TensorSpec(shape=(), dtype=tf.float32, name=None))
    """

    _of: ClassVar[type[ExtensionType]]
    _holds_specs = True

    @classmethod
    def _declared_fields(cls) -> tuple[Field, ...]:
        if not hasattr(cls, "_of"):
            raise TypeError(f"{cls.__name__} is a base: the spec of MyType is a MyType.Spec.")
        fields: tuple[Field, ...] = cls._of._declared_fields()
        return tuple([field._replace(default=inspect.Parameter.empty) for field in fields])

    @property
    def value_type(self) -> type:
        """The class of the values."""
        return self._of

    @classmethod
    def from_value(cls, value: Part) -> ExtensionTypeSpec:
        """The spec of a value.

        >>> import cinta as tf
        >>> class Single(tf.experimental.ExtensionType):
        ...     values: tf.Tensor
        >>> Single.Spec.from_value(Single([1.0, 2.0])).values
        TensorSpec(shape=(2,), dtype=tf.float32, name=None)

        Args:
            value: The value.
        """
        known = [nest.map_structure(_spec_of_leaf, each) for each in value._field_values()]
        return cls._with_fields(known)

    def _fields(self) -> tuple[Hashable, ...]:
        return self._field_values()

    def _serialize(self) -> tuple[tuple[str, Part], ...]:
        """The fields by their names."""
        names = [field.name for field in self._declared_fields()]
        return tuple(zip(names, self._field_values(), strict=True))

    @classmethod
    def _deserialize(cls, serialization: tuple[Part, ...]) -> Self:
        return cls(**dict(serialization))

    def is_compatible_with(self, spec_or_value: object) -> bool:
        if isinstance(spec_or_value, self._of):
            spec_or_value = type_spec_from_value(spec_or_value)
        return self._agrees(spec_or_value, lambda a, b: a.is_compatible_with(b))

    def is_subtype_of(self, other: object) -> bool:
        return self._agrees(other, lambda a, b: a.is_subtype_of(b))

    def _agrees(self, other: object, specs_agree: Callable[[Part, Part], bool]) -> bool:
        """Whether the specs in both agree, and all else is equal."""
        if type(other) is not type(self):
            return False
        try:
            nest.assert_same_structure(self._fields(), other._fields())
        except (TypeError, ValueError):
            return False
        pairs = zip(nest.flatten(self._fields()), nest.flatten(other._fields()), strict=True)
        return all(specs_agree(a, b) if isinstance(a, TypeSpec) else a == b for a, b in pairs)

    def most_specific_compatible_type(self, other: object) -> ExtensionTypeSpec:
        found = self.most_specific_common_supertype([other])
        if found is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}.")
        return found

    def most_specific_common_supertype(self, others: Sequence[Part]) -> ExtensionTypeSpec | None:
        found = self
        for other in listed_specs(others):
            if not found._agrees(other, lambda a, b: _common(a, b) is not None):
                return None
            fields = nest.map_structure(
                lambda a, b: _common(a, b) if isinstance(a, TypeSpec) else a,
                found._fields(),
                other._fields(),
            )
            found = self._with_fields(fields)
        return found

    def _inner(self) -> list[Part]:
        return inner_of(self._fields())

    def _value(self, inner: Sequence[Part]) -> Part:
        return self._of._with_fields(self._filled(inner))

    def _spec(self, inner: Sequence[TypeSpec]) -> ExtensionTypeSpec:
        return self._with_fields(self._filled(inner))

    def _filled(self, inner: Sequence[Part]) -> tuple[Part, ...]:
        """The fields with this in the places of specs."""
        others = iter(inner)
        filled: tuple[Part, ...] = nest.map_structure(
            lambda leaf: next(others) if isinstance(leaf, TypeSpec) else leaf, self._fields()
        )
        return filled

    def _parts(self) -> list[TensorSpec]:
        """The specs of the tensors that the values are made of, for `tf.nest`."""
        leaves = nest.flatten(self._fields(), expand_composites=True)
        return [leaf for leaf in leaves if isinstance(leaf, TensorSpec)]

    def _of_parts(self, parts: Sequence[Part]) -> Part:
        others, fields = iter(parts), self._fields()
        leaves = [
            next(others) if isinstance(leaf, TensorSpec) else leaf
            for leaf in nest.flatten(fields, expand_composites=True)
        ]
        return self._of._with_fields(nest.pack_sequence_as(fields, leaves, expand_composites=True))


class BatchableExtensionTypeSpec(ExtensionTypeSpec):
    """The spec of values that can be stacked and taken apart."""

    def _filled(self, inner: Sequence[Part]) -> tuple[Part, ...]:
        """The same, where shapes among the fields get the axes that tensors have got in front."""
        old, new = _shape(self._inner()), _shape(inner)
        if old.rank is None or new.rank is None or old.rank == new.rank:
            return super()._filled(inner)
        added = new.rank - old.rank

        def moved(leaf: Part) -> Part:
            if not isinstance(leaf, TensorShape) or leaf.rank is None:
                return leaf
            return new[:added].concatenate(leaf) if added > 0 else leaf[-added:]

        moved_shapes: tuple[Part, ...] = nest.map_structure(moved, super()._filled(inner))
        return moved_shapes


def inner_of(fields: Part) -> list[Part]:
    """The contents of fields beside plain values: tensors and objects made of them, or specs."""
    kinds = *_OF_TENSORS, TypeSpec
    return [leaf for leaf in nest.flatten(fields) if isinstance(leaf, kinds)]


def _shape(inner: Sequence[Part]) -> TensorShape:
    """The shape of the first tensor, or what stands for it."""
    for each in inner:
        if isinstance(each, FieldsObject):
            return _shape(inner_of(each._field_values()))
        return TensorShape(each.shape)
    return TensorShape(None)


def _spec_of_leaf(leaf: Part) -> Part:
    return type_spec_from_value(leaf) if isinstance(leaf, _OF_TENSORS) else leaf


def _common(first: Part, second: Part) -> TypeSpec | None:
    try:
        found: TypeSpec = first.most_specific_compatible_type(second)
    except (TypeError, ValueError):
        return None
    return found


def spec_class(kind: type, base: type[ExtensionTypeSpec]) -> type[ExtensionTypeSpec]:
    """The class of the specs of an extension type, with what the user defines in a class `Spec`."""
    own = vars(kind).get("Spec")
    defined = {} if own is None else dict(vars(own))
    for name in ("__dict__", "__weakref__"):
        defined.pop(name, None)
    name = f"{kind.__name__}.Spec"
    space = {**defined, "_of": kind, "__module__": kind.__module__, "__qualname__": name}
    made: type[ExtensionTypeSpec] = type(name, (base,), space)
    return made
