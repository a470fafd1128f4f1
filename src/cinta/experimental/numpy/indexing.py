"""Elements chosen by position or by condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...engine.tensor import Tensor, seen, wrap
from ...ops.arrays.gathering import gather
from ...ops.arrays.indexing import getitem
from ...ops.arrays.selecting import where as _where
from ...ops.arrays.shaping import reshape
from ...ops.elementwise.casting import cast
from .manipulation import moved
from .types import asarray, promoted


def take(
    a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "clip"
) -> Tensor:
    """The elements at these places along an axis, or of the flattened array.

    A place outside is brought to the nearest end (mode "clip") or around it ("wrap").

    >>> import cinta as tf
    >>> tf.experimental.numpy.take([1, 2, 3], [0, 5]).numpy()
    array([1, 3])
    """
    if out is not None:
        raise ValueError("out argument is not supported in take: a tensor never changes.")
    if mode not in ("clip", "wrap"):
        raise ValueError(f"The {mode!r} mode to take is not supported.")
    tensor, places = asarray(a), seen(asarray(indices))
    if axis is None:
        tensor, axis = reshape(tensor, [-1]), 0
    length = tensor._array.shape[axis]
    inside = np.clip(places, 0, length - 1) if mode == "clip" else np.mod(places, length)
    return gather(tensor, wrap(inside), axis=axis)


def take_along_axis(arr: Any, indices: Any, axis: int | None) -> Tensor:
    """The elements at these places of their own row along an axis, as argsort gives them.

    >>> import cinta as tf
    >>> tf.experimental.numpy.take_along_axis([[3, 1, 2]], [[1, 2, 0]], axis=1).numpy()
    array([[1, 2, 3]])
    """
    return moved(np.take_along_axis, asarray(arr), seen(asarray(indices)), axis)


def compress(condition: Any, a: Any, axis: int | None = None) -> Tensor:
    """The slices along an axis for which the condition holds, or elements of the flattened array.

    >>> import cinta as tf
    >>> tf.experimental.numpy.compress([False, True], [5, 6]).numpy()
    array([6])
    """
    keep = seen(asarray(condition)).astype(bool)
    return moved(lambda numbers: np.compress(keep, numbers, axis), asarray(a))


def nonzero(a: Any) -> list[Tensor]:
    """The places of the elements that are not zero: for each axis the indices.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.nonzero([0, 3, 4])]
    [[1, 2]]
    """
    return [wrap(indices) for indices in np.nonzero(np.atleast_1d(seen(asarray(a))))]


def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Elements of ``x`` where the condition holds, of ``y`` elsewhere; the places where it holds if
    neither is given.

    >>> import cinta as tf
    >>> tf.experimental.numpy.where([True, False], 1, 2.5).numpy()
    array([1. , 2.5])
    """
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("Both x and y must be ndarrays, or both must be None.")
    holds: Tensor = cast(asarray(condition), "bool")
    chosen, other = promoted(x, y)
    return _where(holds, chosen, other)


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """Elements of the choice of the first condition that holds, or else the default.

    >>> import cinta as tf
    >>> x = tf.experimental.numpy.arange(4)
    >>> tf.experimental.numpy.select([x < 1, x > 2], [-x, 10 * x], 7).numpy()
    array([ 0,  7,  7, 30])
    """
    if len(condlist) != len(choicelist):
        raise ValueError(
            "condlist must have the same length as choicelist, got "
            f"{len(condlist)} and {len(choicelist)}."
        )
    found, *choices = promoted(default, *choicelist)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        found = where(condition, choice, found)
    return found


def picked(tensor: Tensor, key: Any) -> Tensor:
    """What ``tensor[key]`` is once tensors behave as NumPy's arrays do: lists and arrays index."""
    parts = key if isinstance(key, tuple) else (key,)
    if not any(_is_list(part) for part in parts):
        return getitem(tensor, key)
    places = tuple([seen(asarray(part)) if _is_list(part) else part for part in parts])
    return moved(lambda numbers: numbers[places], tensor)


def _is_list(part: Any) -> bool:
    return isinstance(part, (list, np.ndarray)) or (isinstance(part, Tensor) and part.ndim > 0)
