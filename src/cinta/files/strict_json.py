"""JSON from files that may have been written by anybody."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def parse(text: bytes | str) -> Any:
    """The value that the text denotes; ``ValueError`` if it is not strict JSON.

    >>> parse('{"a": [1, 2]}')
    {'a': [1, 2]}

    A key that stands twice is refused, because two readers could take different ones.
    """
    try:
        decoded = text.decode("utf-8") if isinstance(text, bytes) else text
        return json.loads(decoded, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return result


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
