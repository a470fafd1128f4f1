"""The fields of extension types."""

from __future__ import annotations

from typing import Any

from ..public import public
from .making import FieldsObject


@public("experimental.extension_type.as_dict")
def as_dict(value: Any) -> dict[str, Any]:
    """The fields of an object of an extension type, by their names.

    >>> import cinta as tf
    >>> class Pair(tf.experimental.ExtensionType):
    ...     first: tf.Tensor
    ...     color: str = "red"
    >>> tf.experimental.extension_type.as_dict(Pair(1.0))["color"]
    'red'

    Args:
        value: The object.

    Raises:
        TypeError: If it is of another class.
    """
    if not isinstance(value, FieldsObject):
        raise TypeError(f"`value` must be of an extension type, got {value!r}.")
    names = [field.name for field in value._declared_fields()]
    return dict(zip(names, value._field_values(), strict=True))
