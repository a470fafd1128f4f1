"""Messages out of JSON, as protocol buffers write them there."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, TypeVar

from .messages import Message
from .scalars import BOOL, BYTES, STRING, Enum, FixedWidth, Scalar, Whole

if TYPE_CHECKING:
    from .message_fields import MessageField
    from .repeated_fields import Kind

    M = TypeVar("M", bound=Message)


def from_json(kind: type[M], text: str | bytes) -> M:
    """The message of this kind that a text in JSON says; ValueError if the text is not one."""
    try:
        return _message(kind, json.loads(text))
    except RecursionError:
        raise ValueError("its objects are nested too deeply") from None
    except TypeError as error:
        raise ValueError(str(error)) from None


def _message(kind: type[M], given: object) -> M:
    if not isinstance(given, dict):
        raise ValueError(f"expected an object for {kind.full_name}, got {str(given)[:100]!r}")
    fields = {}
    for name, value in given.items():
        field = _field(kind, name)
        if value is not None:
            fields[field.name] = _held(field, value)
    return kind(**fields)


def _field(kind: type[Message], name: str) -> MessageField:
    """A field by its name, or by that name with capitals in place of underlines."""
    for field in kind._fields.values():
        if name in (field.name, field.json_name):
            return field
    raise ValueError(f"no such field: {name!r} in {kind.full_name}")


def _held(field: MessageField, value: object) -> object:
    if field.key is not None:
        if not isinstance(value, dict):
            raise ValueError(f"expected an object for {field.name}, got {str(value)[:100]!r}")
        return {key: _value(field.kind, item) for key, item in value.items()}
    if field.repeated:
        if not isinstance(value, list):
            raise ValueError(f"expected an array for {field.name}, got {str(value)[:100]!r}")
        return [_value(field.kind, item) for item in value]
    return _value(field.kind, value)


def _value(kind: Kind, given: object) -> object:
    if not isinstance(kind, Scalar):
        return _message(kind, given)
    wanted = str if kind in (BYTES, STRING) else bool if kind is BOOL else (int, float, str)
    if not isinstance(given, wanted) or (isinstance(given, bool) and kind is not BOOL):
        raise ValueError(f"expected {kind.name}, got {str(given)[:100]!r}")
    if kind is BYTES:
        return base64.b64decode(str(given), validate=True)
    if isinstance(kind, Enum) and isinstance(given, str):
        return {name: number for number, name in kind.names.items()}.get(given, given)
    if isinstance(kind, Whole) and kind is not BOOL:
        if isinstance(given, float) and not given.is_integer():
            raise ValueError(f"expected {kind.name}, but {given} has a fraction")
        return int(given)
    return float(str(given)) if isinstance(kind, FixedWidth) else given
