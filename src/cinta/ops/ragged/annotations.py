"""Types for annotations of the functions that take ragged tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

RaggedOrDense: TypeAlias = Any
"""A ragged tensor or a dense one, and what can become one of them.

The difference is found out when functions run, so type checkers are not told.
"""

Argument: TypeAlias = RaggedOrDense
"""An argument of a dense function, which checks it."""

Several: TypeAlias = Sequence[RaggedOrDense]
"""Several of them."""

Function: TypeAlias = Callable[..., RaggedOrDense]
"""A function of tensors."""
