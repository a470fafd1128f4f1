"""Generators of random numbers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from ..callables import of_numpy_random
from .table import identity

if TYPE_CHECKING:
    from ..reach import Found, Reach

_OF_NUMPY = "RandomState Generator BitGenerator"


def is_generator(value: object) -> bool:
    """Whether a value is a generator of random numbers."""
    return issubclass(type(value), (random.Random, *of_numpy_random(_OF_NUMPY)))


def generator(reach: Reach, found: Found) -> None:
    """A generator of random numbers; its state tells whether it was used."""
    reach.first(found.value)
    reach.generators[found.label] = found.value


def maker(reach: Reach, found: Found) -> None:
    """It makes a generator of random numbers; the recording tells whether it asks for a seed."""
    identity(reach, found)
    reach.makes_generators = True
