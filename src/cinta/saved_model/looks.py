"""The ways in which Python looks at values, by names."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.tensor import itself, truth
from ..ops.arrays.length_rules import longest, upper_end
from ..ops.reductions.norms import has_infinity, powers_fit
from ..ops.reductions.segments import beyond
from ..ops.sparse.counting import any_negative
from ..ops.sparse.row_segments import outside
from .plain_structures import CannotBeSaved

if TYPE_CHECKING:
    from collections.abc import Callable

LOOKS: dict[str, Callable[..., Any]] = {
    "all": np.all,
    "any negative": any_negative,
    "beyond": beyond,
    "has infinity": has_infinity,
    "itself": itself,
    "longest": longest,
    "outside": outside,
    "powers fit": powers_fit,
    "shape": np.shape,
    "truth": truth,
    "upper end": upper_end,
}
_NAMES = {id(look): name for name, look in LOOKS.items()}


def key_of(look: Callable[..., Any]) -> tuple[str, dict[str, Any]]:
    """The name of a look, and what it is told by keyword."""
    bare = look.func if isinstance(look, partial) else look
    if id(bare) not in _NAMES:
        raise CannotBeSaved(f"it looks at values by {look!r}, which has no name")
    return _NAMES[id(bare)], dict(look.keywords) if isinstance(look, partial) else {}


def look_of(name: str, keywords: dict[str, Any]) -> Callable[..., Any]:
    """The look of this name; ``ValueError`` if there is none."""
    if name not in LOOKS:
        raise ValueError(f"there is no look named {name!r}")
    return partial(LOOKS[name], **keywords) if keywords else LOOKS[name]
