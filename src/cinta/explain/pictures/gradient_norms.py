"""Gradients: the records of a tape swept once more, for the norm and the time of each gradient."""

from __future__ import annotations

from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.indexed_slices import GradientRows
from ...engine.recorders import paused
from ...engine.sweep import add
from ..why_zero_or_nan import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Pulled(NamedTuple):
    """The gradient of a value: its norm and kind, and when and for how long its op was pulled."""

    norm: float
    result: tuple[Any, tuple[int, ...]]
    begin: float = 0.0
    seconds: float = 0.0


def swept(records: Sequence[Any], seeds: Iterable[tuple[int, Any]]) -> dict[int, Pulled]:
    """Measures of the gradient of each value, by number, for these gradients of targets."""
    gradients: dict[int, Any] = {}
    owned: set[int] = set()
    found: dict[int, Pulled] = {}
    with paused(), np.errstate(all="ignore"):
        for number, seed in seeds:
            add(gradients, owned, number, seed)
        for plan, inputs, output, saved in reversed(records):
            g = gradients.pop(output, None)
            if g is None:
                continue
            if type(g) is GradientRows and not plan.takes_rows:
                g = g.dense()
            single = type(inputs) is int
            begin = perf_counter()
            parts = (plan.pull(g, saved),) if single else plan.pull(g, saved, None)
            found[output] = _seen(g, begin, perf_counter() - begin)
            for number, d in zip((inputs,) if single else inputs, parts, strict=True):
                add(gradients, owned, number, d)
        for number, g in gradients.items():
            found[number] = _seen(g)
    return found


def _seen(g: object, begin: float = 0.0, seconds: float = 0.0) -> Pulled:
    """The facts of a gradient; those of an op with several results are a dict of theirs."""
    arrays = [plain(part) for part in (g.values() if isinstance(g, dict) else (g,))]
    squares = [float((np.abs(a) ** 2).sum(dtype=float)) for a in arrays]
    return Pulled(sqrt(sum(squares)), (arrays[0].dtype, arrays[0].shape), begin, seconds)
