"""Name scopes: prefixes for the names of variables."""

from __future__ import annotations

import threading

from ..public import public
from .listeners import listeners


class _Scopes(threading.local):
    """The prefixes that hold on this thread, the innermost at the end."""

    def __init__(self) -> None:
        self.prefixes = [""]


_scopes = _Scopes()


def scoped(name: object) -> str:
    """The name with the current scopes in front."""
    return _scopes.prefixes[-1] + _checked(name)


def _checked(name: object) -> str:
    if not isinstance(name, str):
        raise ValueError(f"name for name_scope must be a string, got {name!r}.")
    return name


@public("get_current_name_scope")
def get_current_name_scope() -> str:
    """The scopes around this line, without the slash at their end.

    >>> import cinta as tf
    >>> with tf.name_scope("a"), tf.name_scope("b"):
    ...     print(tf.get_current_name_scope())
    a/b
    """
    return scoped("").rstrip("/")


@public("name_scope")
class name_scope:
    """Put ``name/`` in front of the names of variables made in the block.

    A name that ends with a slash replaces the scopes around it, and so does the empty one.

    >>> import cinta as tf
    >>> with tf.name_scope("encoder"):
    ...     print(tf.Variable(1.0, name="w").name)
    encoder/w:0
    """

    def __init__(self, name: str) -> None:
        self.name = _checked(name)

    @property
    def _parts(self) -> tuple[str]:
        return (self.name,)

    def __enter__(self) -> str:
        if listeners():
            from .with_blocks import entered  # in functions

            entered(self)
        absolute = not self.name or self.name.endswith("/")
        prefix = self.name if absolute else f"{scoped(self.name)}/"
        _scopes.prefixes.append(prefix)
        return prefix

    def __exit__(self, *error: object) -> None:
        if listeners():
            from .with_blocks import left

            left(self)
        _scopes.prefixes.pop()
