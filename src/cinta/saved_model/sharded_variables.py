"""Variables that lie on meshes, while a model is saved: a file knows no devices."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..engine.device_values import Spread
from ..engine.variable import Variable
from .objects import Objects

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def off_meshes(root: object) -> Iterator[None]:
    """Let the variables of a model be plain ones in the block, with the whole of their values."""
    variables = [each for _, each in Objects(root).found if isinstance(each, Variable)]
    there = [(each, each._array) for each in variables]
    try:
        for variable, value in there:
            if isinstance(value, Spread):
                variable._array = value.whole()
        yield
    finally:
        for variable, value in there:
            if isinstance(value, Spread):
                variable._array = value
