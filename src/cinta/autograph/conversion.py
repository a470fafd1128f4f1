"""Conversion of Python to graphs, which cinta does without."""

from __future__ import annotations

from typing import TypeVar

from ..public import public

_F = TypeVar("_F")


@public("autograph.experimental.do_not_convert")
def do_not_convert(func: _F | None = None) -> _F:
    """Leave a function as it is, which cinta does with all of them.

    >>> import cinta as tf
    >>> @tf.autograph.experimental.do_not_convert
    ... def double(x):
    ...     return 2 * x
    >>> double(2)
    4
    """
    return do_not_convert if func is None else func  # type: ignore[return-value]
