"""Products of a Jacobian with vectors, many at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..derivatives.forward import Tangents
from ..derivatives.jacobian import LIVE_AT_ONCE, bytes_at_once, with_lead
from ..derivatives.tape_arguments import is_known
from ..engine import recorders, settings
from ..engine.recorders import Recorder, following
from ..engine.sweep import sweep
from ..engine.tensor import Tensor, wrap
from ..progress import followed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.annotations import Swept
    from ..engine.tensor import Array
    from .pattern import Index


def products(f: Callable[[Tensor], Tensor], x: Tensor, columns: Index, rows: Index) -> Array:
    """The products of the Jacobian of f with the vectors of all colors, one after the other."""
    widest = max(len(rows), len(columns)) * x._array.itemsize
    seeds = blocks(columns, x._array.dtype, LIVE_AT_ONCE * widest)
    found = [forwards(f, x, each, len(rows)) for each in seeds]
    if rows.max(initial=-1) >= 0:
        found += backwards(f, x, rows)
    return np.concatenate([np.zeros(0, x._array.dtype), *[each.reshape(-1) for each in found]])


def blocks(colors: Index, dtype: np.dtype[Any], size: int) -> Iterator[Array]:
    """For each color the vector that is 1 where it is, stacked: some colors at a time.

    ``size`` is how many bytes the product of each color takes.
    """
    count = int(colors.max(initial=-1)) + 1
    step = max(1, settings.jacobian_memory // max(1, size))
    for first in followed(range(0, count, step), "Sparse derivative"):
        wanted = np.arange(first, min(first + step, count))
        yield (colors == wanted[:, None]).astype(dtype)


def forwards(f: Callable[[Tensor], Tensor], x: Tensor, seeds: Array, y_size: int) -> Array:
    """The products of the Jacobian with a stack of vectors."""
    tangents = Tangents()
    recorders.watch(x, tangents)
    tangents.known[x._number] = wrap(seeds)
    with following(tangents):
        y = f(x)
    check_size(y, y_size)
    found = tangents.of(y)
    tangents.close()
    return stacked(found, y, len(seeds))


def backwards(f: Callable[[Tensor], Tensor], x: Tensor, rows: Index) -> list[Array]:
    """The products of the transpose of the Jacobian with the vectors of all colors."""
    recorder = Recorder(watch_accessed=False)
    recorders.watch(x, recorder)
    with following(recorder):
        y = f(x)
    check_size(y, len(rows))
    found = []
    for seeds in blocks(rows, y._array.dtype, bytes_at_once(recorder, [x, y])):
        gradients = {}
        if is_known(y):
            gradients = sweep(recorder, [(y._number, seeds)], {x._number}, keep=True)
        found.append(stacked(gradients.get(x._number), x, len(seeds)))
    recorder.close()
    return found


def stacked(derivative: Swept | None, value: Tensor, count: int) -> Array:
    """A derivative as an array with its leading axis, zeros if there is none."""
    found = with_lead(derivative, value, count)
    if found is None:
        return np.zeros((count, value._array.size), value._array.dtype)
    return found._array if isinstance(found, Tensor) else found


def check_size(y: Tensor, expected: int) -> None:
    if y._array.size != expected:
        raise ValueError(
            f"the structure has {expected} rows, but the function returned {y._array.size} numbers."
        )
