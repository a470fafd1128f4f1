"""The op that finds the values of keys in a table that never changes."""

from __future__ import annotations

import weakref
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.op import op

if TYPE_CHECKING:
    from ..engine.annotations import ArrayModule
    from ..engine.tensor import Array

_places: dict[int, dict[Any, int]] = {}
"""Where each key of a table stands, by the identity of the array of its keys."""


@op("LookupTableFindV2")
def LookupTableFind(
    xp: ArrayModule, keys: Array, default: Array, table_keys: Array, table_values: Array
) -> Array:
    """The value of each key among those of a table, which two vectors hold, or the default."""
    for part in (table_keys, table_values):
        if not isinstance(part, np.ndarray) or part.ndim != 1 or len(part) != len(table_keys):
            raise ValueError("a table has a vector of keys and a value for each of them")
    asked = map(_places_in(table_keys).get, np.ravel(keys).tolist(), repeat(-1))
    places = np.fromiter(asked, np.intp, np.size(keys)).reshape(np.shape(keys))
    known = places >= 0
    found = np.full(places.shape, default, table_values.dtype)
    found[known] = table_values[places[known]]
    return found


LookupTableFind.no_grad()


def _places_in(keys: Array) -> dict[Any, int]:
    """Where each key stands; it is found out once for each array of keys, while that lives."""
    places = _places.get(id(keys))
    if places is None:
        places = _places[id(keys)] = {key: place for place, key in enumerate(keys.tolist())}
        weakref.finalize(keys, _places.pop, id(keys), None).atexit = False
    return places
