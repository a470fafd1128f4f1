"""Updates of a part of an array: as ops, for recorders of functions, and in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..errors import InvalidArgumentError
from .arrays import at
from .op import op
from .shapes import written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .annotations import ArrayModule, BasicIndex
    from .shapes import Shape
    from .tensor import Array


@op("UpdateRows")
def UpdateRows(
    xp: ArrayModule, x: Array, vectors: Array, updates: Array, *, how: np.ufunc | None
) -> Array:
    """The slices at these index vectors, updated by a ufunc each as often as they are listed."""
    place = tuple(xp.moveaxis(vectors, -1, 0))
    if xp is not np and _divides_integers(how, x):
        return _divided_in_turn(x, vectors, updates)
    if xp is not np:
        updated: Array = getattr(at(x, place), _IN_JAX[how])(updates)
        return updated
    check_vectors(vectors, x.shape)
    array = np.array(x)
    update(how, array, place, updates)
    return array


@UpdateRows.fails_if
def _(
    xp: ArrayModule,
    out: Array,
    x: Array,
    vectors: Array,
    updates: Array,
    *,
    how: np.ufunc | None,
) -> Array:
    lengths = xp.asarray(x.shape[: vectors.shape[-1]])
    outside = xp.any((vectors < 0) | (vectors >= lengths))
    return outside | xp.any(updates == 0) if _divides_integers(how, x) else outside


@op("UpdateSlice")
def UpdateSlice(xp: ArrayModule, x: Array, updates: Array, *, index: BasicIndex) -> Array:
    """The part at this index replaced."""
    if xp is not np:
        return at(x, index).set(updates)
    array = np.array(x)
    array[index] = updates
    return array if array.ndim else array[()]


UpdateRows.no_grad()
UpdateSlice.no_grad()

_IN_JAX: dict[np.ufunc | None, str] = {
    None: "set",
    np.add: "add",
    np.subtract: "subtract",
    np.multiply: "multiply",
    np.divide: "divide",
    np.maximum: "max",
    np.minimum: "min",
}


def check_update(ufunc: np.ufunc | None, vectors: Array, updates: Array, array: Array) -> None:
    """Refuse to update slices by what has not their shape, or a dtype that does not compute."""
    if vectors.dtype.kind not in "iu":
        raise InvalidArgumentError(
            f"Value for attr 'Tindices' of {dtypes.of(vectors.dtype).kernel_name} is not in the "
            "list of allowed values: int32, int64. Indices must be whole numbers."
        )
    check_slices(vectors.shape, updates.shape, array.shape)
    kind = array.dtype.kind
    if ufunc is not None and (kind == "O" or (kind == "b" and ufunc is not np.add)):
        raise InvalidArgumentError(
            f"A variable of dtype {dtypes.of(array.dtype).name} can only be updated by replacing "
            f"its values, not by {ufunc.__name__}."
        )


def check_slices(vectors: Shape, updates: Shape, shape: Shape) -> None:
    """Refuse updates that are not one slice of an array of this shape for each index vector."""
    depth, front = (vectors or (0,))[-1], vectors[:-1]
    if not vectors or depth > len(shape):
        least = "" if shape else "Output must be at least 1-D: "
        raise InvalidArgumentError(
            f"{least}indices[shape={written(vectors)}] do not hold vectors that index into shape "
            f"{written(shape)}."
        )
    if updates[: len(front)] != front:
        raise InvalidArgumentError(
            f"Dimensions [0,{len(front)}) of indices[shape={written(vectors)}] must match "
            f"dimensions [0,{len(front)}) of updates[shape={written(updates)}]: there is one "
            "update for each index vector."
        )
    if updates[len(front) :] != shape[depth:]:
        raise InvalidArgumentError(
            f"Dimensions [{depth},{len(shape)}) of input[shape={written(shape)}] must match "
            f"dimensions [{len(front)},{len(updates)}) of updates[shape={written(updates)}]: "
            "updates are slices of the input."
        )
    if 0 in shape[:depth] and 0 not in front:
        raise InvalidArgumentError(
            f"Indices and updates specified for empty output, of shape {written(shape)}."
        )


def check_vectors(vectors: Array, shape: tuple[int, ...]) -> None:
    """Refuse index vectors that point beside an array of this shape."""
    for axis, length in enumerate(shape[: vectors.shape[-1]]):
        bad = np.argwhere((vectors[..., axis] < 0) | (vectors[..., axis] >= length))
        if len(bad):
            first = bad[0].tolist()
            raise InvalidArgumentError(
                f"indices{first} = {vectors[tuple(first)].tolist()} does not index into shape "
                f"{written(shape)}: it is not in [0, {length}) along axis {axis}."
            )


def _divides_integers(ufunc: np.ufunc | None, array: Array) -> bool:
    return ufunc is np.divide and array.dtype.kind in "iu"


def update(ufunc: np.ufunc | None, array: Array, where: tuple[Array, ...], values: Array) -> None:
    """Update slices in place, each as often as it is listed; no ufunc means replace them."""
    if _divides_integers(ufunc, array) and not np.all(values):
        raise InvalidArgumentError("updates must not contain 0: they divide integers.")
    with np.errstate(all="ignore"):
        if ufunc is None:
            array[where] = values
        elif _divides_integers(ufunc, array):
            _divide(array, where, values)
        elif len(where) == 1 and np.unique(where[0]).size == where[0].size:
            array[where] = ufunc(array[where], values)  # ten times faster than `at`
        else:
            ufunc.at(array, where, values)


def _divide(array: Array, where: tuple[Array, ...], values: Array) -> None:
    """Divide integers in place, and round towards zero each time.

    The remainder is taken off before a division that rounds down. No number passes through a
    float: floats do not hold all integers of 64 bits.
    """
    for place, value in _in_turn(where, values):
        held = array[place]
        array[place] = (held - np.fmod(held, value)) // value


def _in_turn(where: tuple[Array, ...], values: Array) -> Iterator[tuple[tuple[Array, ...], Array]]:
    """The places and their values; one by one if some may be there twice."""
    if len(where) == 1 and np.unique(where[0]).size == where[0].size:
        yield where, values
        return
    for each in np.ndindex(where[0].shape):
        yield tuple(index[each] for index in where), values[each]


def _divided_in_turn(x: Array, vectors: Array, updates: Array) -> Array:
    """The same in XLA, which has no such update: one vector after the other."""
    import jax

    depth = vectors.shape[-1]
    places = vectors.reshape(-1, depth)
    values = updates.reshape(-1, *x.shape[depth:])

    def divided(i: Array, held: Array) -> Array:
        place = tuple(places[i])
        quotients: Any = jax.lax.div(held[place], values[i])
        return at(held, place).set(quotients)

    done: Array = jax.lax.fori_loop(0, len(places), divided, x)
    return done
