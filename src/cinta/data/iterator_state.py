"""Where an iterator stands, as bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from ..checkpoints.collecting import packed, unpacked
from ..errors import InvalidArgumentError
from ..io.tensor_bytes import read_tensor, written_tensor

if TYPE_CHECKING:
    from ..engine.tensor import Array
    from .stage import State


def written_state(state: State) -> bytes:
    """The state as JSON, beside its arrays as messages."""
    arrays: dict[str, Array] = {}
    tree = packed(state, "state", arrays)
    return json.dumps([tree, {k: written_tensor(x).hex() for k, x in arrays.items()}]).encode()


def read_state(written: object) -> State:
    """The state that these bytes hold."""

    def array(name: str) -> Array:
        return np.asarray(read_tensor(bytes.fromhex(arrays[name])))

    try:
        tree, arrays = json.loads(written)  # type: ignore[arg-type]  # then it is none
        state: State = unpacked(tree, array)
    except (ValueError, TypeError, LookupError, RecursionError, InvalidArgumentError) as error:
        raise ValueError(
            f"`state` is not the place of an iterator, as its `save()` gives it: {error}"
        ) from None
    return state
