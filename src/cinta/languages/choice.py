"""The language in which cinta speaks: that of the program, else that of the environment."""

from __future__ import annotations

import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LANGUAGES = "en", "es", "pt"

_set: str | None = None
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)


@public("config.set_language")
def set_language(language: str | None) -> None:
    """Choose the language of explanations, of notes under errors and of ``cinta`` in the shell.

    The types of errors and their messages stay as they are, so that they can be searched for; a
    note under a message says the same in Spanish or Portuguese.

    >>> import cinta as tf
    >>> w = tf.Variable(2.0, trainable=False)
    >>> with tf.GradientTape() as tape:
    ...     y = w * w
    >>> tf.config.set_language("es")
    >>> print(tape.explain(y, w).advice)
    Haz que sea entrenable, o llama a tape.watch(w) en el bloque.
    >>> tf.config.set_language(None)

    Args:
        language: "en", "es" or "pt"; None for what ``LC_ALL``, ``LC_MESSAGES`` or ``LANG`` in the
            environment say, as in the beginning, and English if it is another language.

    Raises:
        ValueError: If it is another one.
    """
    global _set
    if language is not None and not (isinstance(language, str) and language in LANGUAGES):
        raise ValueError(f"language must be 'en', 'es', 'pt' or None, got {language!r}.")
    _set = language


@public("config.get_language")
def get_language() -> str:
    """The language in which cinta speaks: "en", "es" or "pt".

    >>> import cinta as tf
    >>> tf.config.set_language("pt")
    >>> tf.config.get_language()
    'pt'
    >>> tf.config.set_language(None)
    """
    return _spoken.get() or _set or language_of(os.environ)


def language_of(environ: Mapping[str, str]) -> str:
    """The language that an environment asks for, if it is one of ours; else English."""
    asked = next((environ[x] for x in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(x)), "")
    return asked[:2].lower() if asked[:2].lower() in LANGUAGES else "en"


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say in this language what is said in the block."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)
