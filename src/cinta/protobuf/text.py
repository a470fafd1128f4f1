"""Messages as text, as ``print`` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .scalars import Scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .message_fields import Held
    from .messages import Message
    from .repeated_fields import Kind


def message_text(message: Message) -> str:
    """The message as text, a line for each value."""
    return "".join([line + "\n" for line in _lines(message)])


def _lines(message: Message) -> Iterator[str]:
    for field, value in message._present():
        if field.key is not None:
            for key, item in value.items():
                yield f"{field.name} {{"
                yield f"  key: {field.key.shown(key)}"
                yield from [f"  {line}" for line in _value("value", field.kind, item)]
                yield "}"
        else:
            for item in value if field.repeated else [value]:
                yield from _value(field.name, field.kind, item)


def _value(name: str, kind: Kind, value: Held) -> Iterator[str]:
    if isinstance(kind, Scalar):
        yield f"{name}: {kind.shown(value)}"
    else:
        yield f"{name} {{"
        yield from [f"  {line}" for line in _lines(value)]
        yield "}"
