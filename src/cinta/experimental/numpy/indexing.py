"""Elements chosen by position or by condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import numpy as np

from ...engine.tensor import Tensor, seen, wrap
from ...errors import InvalidArgumentError
from ...ops.arguments import axis_from_right, common_shape, listed
from ...ops.arrays.gathering import gather
from ...ops.arrays.indexing import getitem
from ...ops.arrays.selecting import where as _where
from ...ops.arrays.shaping import reshape
from ...ops.elementwise.casting import cast
from ...public import public
from .arguments import is_one_of, places
from .manipulation import moved
from .types import asarray, promoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike


@public("tnp.take")
def take(
    a: NumericLike,
    indices: NumericLike,
    axis: int | None = None,
    out: object = None,
    mode: str = "clip",
) -> Tensor:
    """The elements at these places along an axis, or of the flattened array.

    A place outside is brought to the nearest end (mode "clip") or around it ("wrap").

    >>> import cinta as tf
    >>> tf.experimental.numpy.take([1, 2, 3], [0, 5]).numpy()
    array([1, 3])

    Args:
        a: An array, a tensor, or what becomes one.
        indices: The places.
        axis: The axis, counted from the end if negative; None for the flattened array.
        out: None.
        mode: "clip" or "wrap".

    Raises:
        ValueError: If there is no such mode.
        InvalidArgumentError: If there are no elements.
    """
    if out is not None:
        raise ValueError("out argument is not supported in take: a tensor never changes.")
    if not is_one_of(mode, ("clip", "wrap")):
        raise ValueError(f"The {mode!r} mode to take is not supported.")
    tensor, wanted = asarray(a), places(indices, "indices")
    if axis is None:
        tensor, axis = reshape(tensor, [-1]), 0
    along = axis_from_right("take", axis, tensor.ndim)
    length = tensor._array.shape[along]
    if not length and wanted.size:
        raise InvalidArgumentError(f"take: there are no elements, got indices {indices!r}.")
    inside = np.clip(wanted, 0, length - 1) if mode == "clip" else np.mod(wanted, length or 1)
    return gather(tensor, wrap(inside), axis=along)


@public("tnp.take_along_axis")
def take_along_axis(arr: NumericLike, indices: NumericLike, axis: int | None) -> Tensor:
    """The elements at these places of their own row along an axis, as argsort gives them.

    >>> import cinta as tf
    >>> tf.experimental.numpy.take_along_axis([[3, 1, 2]], [[1, 2, 0]], axis=1).numpy()
    array([[1, 2, 3]])

    Args:
        arr: An array, a tensor, or what becomes one.
        indices: The places, in an array with as many axes.
        axis: The axis, counted from the end if negative; None for the flattened array.

    Raises:
        ValueError: If there are more axes, or fewer.
        IndexError: If there is no such place.
    """
    tensor, wanted = asarray(arr), places(indices, "indices")
    if axis is None:
        tensor, axis = reshape(tensor, [-1]), 0
    along = axis_from_right("take_along_axis", axis, tensor.ndim)
    if wanted.ndim != tensor.ndim:
        raise ValueError(f"indices must have {tensor.ndim} axes as arr has, got {wanted.ndim}.")
    lengths = list(tensor._array.shape)
    length, lengths[along] = lengths[along], 1
    common_shape("take_along_axis", tuple(lengths), wanted.shape)
    if not np.all((wanted >= -length) & (wanted < length)):
        raise IndexError(f"indices must be in [{-length}, {length}), got {indices!r}.")
    return moved(np.take_along_axis, tensor, wanted, along)


@public("tnp.compress")
def compress(condition: NumericLike, a: NumericLike, axis: int | None = None) -> Tensor:
    """The slices along an axis for which the condition holds, or elements of the flattened array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.compress([False, True], [5, 6]).numpy()
    array([6])

    Args:
        condition: A vector of truths.
        a: An array, a tensor, or what becomes one.
        axis: The axis, counted from the end if negative; None for the flattened array.

    Raises:
        ValueError: If the condition is not a vector.
        InvalidArgumentError: If it holds for a place that is not there.
    """
    tensor, holds = asarray(a), np.asarray(seen(cast(asarray(condition), "bool")))
    if holds.ndim != 1:
        raise ValueError(f"condition must be a 1-d array, got {condition!r}.")
    if axis is None:
        tensor, axis = reshape(tensor, [-1]), 0
    along = axis_from_right("compress", axis, tensor.ndim)
    (kept,) = np.nonzero(holds)
    length = tensor._array.shape[along]
    if kept.size and kept[-1] >= length:
        raise InvalidArgumentError(
            f"condition holds for element {kept[-1]}, but there are {length} along axis {axis}."
        )
    return gather(tensor, wrap(kept), axis=along)


@public("tnp.nonzero")
def nonzero(a: NumericLike) -> list[Tensor]:
    """The places of the elements that are not zero: for each axis the indices.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.nonzero([0, 3, 4])]
    [[1, 2]]

    Args:
        a: An array, a tensor, or what becomes one.
    """
    return [wrap(indices) for indices in np.nonzero(np.atleast_1d(seen(asarray(a))))]


@overload
def where(condition: NumericLike) -> list[Tensor]: ...
@overload
def where(condition: NumericLike, x: NumericLike, y: NumericLike) -> Tensor: ...
@public("tnp.where")
def where(
    condition: NumericLike, x: NumericLike | None = None, y: NumericLike | None = None
) -> Tensor | list[Tensor]:
    """Elements of one array where a condition holds, of another one elsewhere.

    >>> import cinta as tf
    >>> tf.experimental.numpy.where([True, False], 1, 2.5).numpy()
    array([1. , 2.5])

    Args:
        condition: An array of truths; without the others, the places where it holds are returned.
        x: The elements where it holds.
        y: The elements elsewhere.

    Raises:
        ValueError: If only one of them is given.
    """
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("Both x and y must be ndarrays, or both must be None.")
    holds: Tensor = cast(asarray(condition), "bool")
    chosen, other = promoted(x, y)
    return _where(holds, chosen, other)


@public("tnp.select")
def select(
    condlist: Sequence[NumericLike], choicelist: Sequence[NumericLike], default: NumericLike = 0
) -> Tensor:
    """Elements of the choice of the first condition that holds, or else the default.

    >>> import cinta as tf
    >>> x = tf.experimental.numpy.arange(4)
    >>> tf.experimental.numpy.select([x < 1, x > 2], [-x, 10 * x], 7).numpy()
    array([ 0,  7,  7, 30])

    Args:
        condlist: The conditions.
        choicelist: The choices.
        default: The value where no condition holds.

    Raises:
        ValueError: If there are more conditions than choices, or fewer.
    """
    conditions, given = listed(condlist, "condlist"), listed(choicelist, "choicelist")
    if len(conditions) != len(given):
        raise ValueError(
            "condlist must have the same length as choicelist, got "
            f"{len(conditions)} and {len(given)}."
        )
    found, *choices = promoted(default, *given)
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        found = where(condition, choice, found)
    return found


def picked(tensor: Tensor, key: NumericLike | None) -> Tensor:
    """The result of ``tensor[key]`` under NumPy's rules, by which lists and arrays are indices."""
    parts = key if isinstance(key, tuple) else (key,)
    if not any(_is_list(part) for part in parts):
        return getitem(tensor, key)
    wanted = tuple([seen(asarray(part)) if _is_list(part) else part for part in parts])
    return moved(lambda numbers: numbers[wanted], tensor)


def _is_list(part: NumericLike | None) -> bool:
    return isinstance(part, (list, tuple, np.ndarray)) or (
        isinstance(part, Tensor) and part.ndim > 0
    )
