"""What ops with a state are given: variables, generators' states, tables."""

from __future__ import annotations

from typing import Any

from ..engine.tensor import Tensor
from ..engine.variable import behind


def resource(op: str, argument: str, value: Any) -> Any:
    """What a handle stands for; a variable is its own."""
    if isinstance(value, (Tensor, int, float, str, bytes, list, tuple, dict, type(None))):
        raise TypeError(
            f"tf.raw_ops.{op} takes a handle as `{argument}`, such as `variable.handle`, not "
            f"{value!r}."
        )
    return behind(value)
