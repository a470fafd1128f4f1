"""Generators of random numbers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np

from .table import identity, understands

if TYPE_CHECKING:
    from ..reach import Found, Reach


GENERATORS = (
    random.Random,
    np.random.RandomState,
    np.random.Generator,
    np.random.BitGenerator,
)


@understands(subclasses=GENERATORS)
def generator(reach: Reach, found: Found) -> None:
    """A generator of random numbers; its state tells whether it was used."""
    reach.first(found.value)
    reach.generators[found.label] = found.value


def maker(reach: Reach, found: Found) -> None:
    """It makes a generator of random numbers; the recording tells whether it asks for a seed."""
    identity(reach, found)
    reach.makes_generators = True
