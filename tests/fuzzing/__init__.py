"""Files that somebody changed to do harm: each must be refused in so many words, or read right.

A kind of file knows valid ones, how to change them, how to read them, and which answers are right.
Case i of a kind is always the same. ``python -m tests.fuzzing checkpoints 10000`` runs many, with
little memory, and shows where the process crashes.
"""

from __future__ import annotations

import importlib
import random
import signal
import tempfile
import traceback
from contextlib import contextmanager
from pathlib import Path

import cinta as tf

REFUSALS = (ValueError, TypeError, tf.errors.OpError)
SECONDS = 20
"""More than any file of some kilobytes takes to be read."""


class Kind:
    """A kind of file. ``files`` are valid ones: for each the contents by name."""

    named = True
    """Whether a refusal must name the file: nobody can name bytes that are in no file."""

    def changed(self, rng):
        """A changed file, as contents by name, and whatever `read` and `check` need beside it."""
        raise NotImplementedError

    def read(self, folder, known):
        """Read the file with the package."""
        raise NotImplementedError

    def check(self, value, known):
        """Raise ``AssertionError`` if this cannot be right."""


def kinds():
    """All kinds of files by name."""
    modules = ("archives", "bundles", "caches", "graphs", "images", "models", "strings")
    found = {}
    for name in modules:
        found.update(importlib.import_module(f"{__name__}.{name}").KINDS)
    return found


def complaint(kind, name, number):
    """The fault in how a changed file is read; None if there is none."""
    rng = random.Random(f"{name} {number}")
    contents, known = kind.changed(rng)
    with tempfile.TemporaryDirectory(prefix="fuzzed") as folder:
        for file, content in contents.items():
            Path(folder, file).write_bytes(content)
        try:
            with limited(SECONDS):
                kind.check(kind.read(Path(folder), known), known)
        except REFUSALS as error:
            text = "\n".join([str(error), *getattr(error, "__notes__", [])])
            if kind.named and folder not in text:
                return f"{name} {number} names no file: {error!r}\n{traceback.format_exc()}"
            if not str(error):
                return f"{name} {number} says nothing: {error!r}\n{traceback.format_exc()}"
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            return f"{name} {number} fails: {error!r}\n{traceback.format_exc()}"
    return None


class TookTooLong(BaseException):
    """The time is up. Nobody catches it by mistake."""


@contextmanager
def limited(seconds):
    """A block that ends after so many seconds."""

    def stop(number, frame):
        raise TookTooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
