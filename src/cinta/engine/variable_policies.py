"""How copies of a variable on several devices would be kept alike; there is one device here."""

from __future__ import annotations

from enum import Enum
from typing import Any, TypeVar

from ..public import public


@public("VariableSynchronization")
class VariableSynchronization(Enum):
    """When copies would be made alike."""

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


@public("VariableAggregation")
class VariableAggregation(Enum):
    """How updates of several copies would be made one."""

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


_Kind = TypeVar("_Kind", VariableSynchronization, VariableAggregation)


def chosen(kind: type[_Kind], value: Any, default: str) -> _Kind:
    """The member that was asked for, or the one that stands for nothing."""
    if value is None:
        return kind[default]
    if not isinstance(value, kind):
        raise ValueError(f"Invalid {kind.__name__}: {value!r}. Use one of {list(kind)}.")
    return value
