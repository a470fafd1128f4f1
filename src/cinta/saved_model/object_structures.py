"""Ragged tensors and extension types as plain data: records of what they are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

from ..engine.composites import Assembled, OpenedComposite, Part
from ..engine.shapes import Count, TensorShape
from ..extension_types.names import class_of, name_of
from ..programs.composite_specs import RowsSpec, StructuredSpec

if TYPE_CHECKING:
    from ..extension_types.extension_type import ExtensionType


class Ragged(NamedTuple):
    """A ``RaggedTensor``: its flat values, and where the rows of each level end."""

    values: object
    splits: tuple[Any, ...]

    def mapped(self, change: Callable[[Part], Part]) -> Ragged:
        """The record with its parts changed."""
        return Ragged(change(self.values), tuple(map(change, self.splits)))


class Object(NamedTuple):
    """An object of an extension type of the user's."""

    name: str
    fields: tuple[Annotated[str, str.isidentifier], ...]
    items: tuple[Any, ...]

    def mapped(self, change: Callable[[Part], Part]) -> Object:
        """The record with its parts changed."""
        return self._replace(items=tuple(map(change, self.items)))


class Shape(NamedTuple):
    """A shape as a field of an object, None where a length is not known."""

    lengths: tuple[Count | None, ...] | None

    def mapped(self, change: Callable[[Part], Part]) -> Shape:
        """The record as it is, which has no parts."""
        return self


Record: TypeAlias = Ragged | Object | Shape
RECORDS = Ragged, Object, Shape


def record_of(value: Part) -> Record | None:
    """A value, or a spec, as a record; None if it is of another kind.

    Raises LookupError for an object whose class has no name.
    """
    if isinstance(value, (OpenedComposite, StructuredSpec)):
        return _record_of_object(value)
    if isinstance(value, TensorShape):
        return Shape(None if value.rank is None else tuple(value.as_list()))
    if isinstance(value, RowsSpec) or (isinstance(value, Assembled) and value._is_ragged):
        flat, *splits = value._parts()
        return Ragged(flat, tuple(splits))
    return None


def _record_of_object(value: Part) -> Object:
    kind: type[ExtensionType] = getattr(value, "value_type", type(value))
    name = name_of(kind)
    if name is None:
        raise LookupError(
            f"{kind.__qualname__} has no name by which a file could know it; say one in the class: "
            f'__name__ = "my_program.{kind.__qualname__}"'
        )
    fields = tuple([field.name for field in kind._declared_fields()])
    return Object(name, fields, tuple([_plain(item) for item in value._field_values()]))


def _plain(value: Part) -> Part:
    """A field with plain dictionaries in it."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return tuple(map(_plain, value)) if type(value) is tuple else value


def value_of(record: Record) -> Part:
    """The value of a record whose parts are there."""
    if isinstance(record, Shape):
        return TensorShape(record.lengths)
    if isinstance(record, Ragged):
        return _ragged(record)
    kind = class_of(record.name)
    if kind is None:
        raise ValueError(
            f"The extension type {record.name!r} is not there. Import the module that defines it "
            "before the function is called."
        )
    return kind._of_items(dict(zip(record.fields, record.items, strict=True)))


def _ragged(record: Ragged) -> Part:
    from ..ops.ragged.row_partition import RowPartition
    from ..ops.ragged.tensor import assembled

    levels = [RowPartition.from_row_splits(each, validate=False) for each in record.splits]
    return assembled(record.values, levels)
