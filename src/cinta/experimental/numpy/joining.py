"""Arrays joined into one, and one cut into several."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine import settings
from ...engine.tensor import Tensor
from ...ops.arguments import axis_from_right
from ...ops.arrays import joining
from ...public import public
from .arguments import places, several
from .manipulation import atleast_1d, atleast_2d, atleast_3d, ravel
from .types import asarray, promoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike


@public("tnp.concatenate")
def concatenate(arys: Sequence[NumericLike] | Tensor, axis: int | None = 0) -> Tensor:
    """The arrays one behind the other along an axis; flattened if it is None.

    >>> import cinta as tf
    >>> tf.experimental.numpy.concatenate([[1, 2], [3.5]]).numpy()
    array([1. , 2. , 3.5])

    Args:
        arys: A list of arrays.
        axis: The axis; None to flatten them first.
    """
    tensors = promoted(*several(arys, "arys"))
    if axis is None:
        return joining.concat([ravel(t) for t in tensors], 0)
    return joining.concat(tensors, axis)


@public("tnp.append")
def append(arr: NumericLike, values: NumericLike, axis: int | None = None) -> Tensor:
    """Values behind the array along an axis; both flattened if it is None.

    >>> import cinta as tf
    >>> tf.experimental.numpy.append([1, 2], [[3, 4]]).numpy()
    array([1, 2, 3, 4])

    Args:
        arr: An array, a tensor, or what becomes one.
        values: Another.
        axis: The axis; None to flatten both first.
    """
    return concatenate([arr, values] if axis is not None else _arrays([arr, values]), axis)


@public("tnp.stack")
def stack(arrays: NumericLike, axis: int = 0) -> Tensor:
    """The arrays side by side along a new axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.stack([[1, 2], [3, 4]], axis=1).numpy()
    array([[1, 3],
           [2, 4]])
    """
    return joining.stack(promoted(*several(arrays, "arrays")), axis)


def _arrays(values: list[NumericLike]) -> list[NumericLike]:
    """The values as arrays, which the numbers in lists are not; by the lattice they stay weak."""
    return values if settings.lattice else list(map(asarray, values))


def _several(arrays: list[Tensor]) -> list[Any]:
    """The result of a function of several arrays for an argument that is one array or several."""
    return arrays if isinstance(arrays, list) else [arrays]


@public("tnp.vstack")
def vstack(tup: NumericLike) -> Tensor:
    """The arrays one below the other; vectors are rows.

    >>> import cinta as tf
    >>> tf.experimental.numpy.vstack([[1, 2], [3, 4]]).numpy()
    array([[1, 2],
           [3, 4]])

    Args:
        tup: A list of arrays.
    """
    return concatenate(_several(atleast_2d(*promoted(*_arrays(several(tup, "tup"))))), 0)


@public("tnp.hstack")
def hstack(tup: NumericLike) -> Tensor:
    """The arrays side by side: along the second axis, vectors along their only one.

    >>> import cinta as tf
    >>> tf.experimental.numpy.hstack([[1, 2], [3, 4]]).numpy()
    array([1, 2, 3, 4])

    Args:
        tup: A list of arrays.
    """
    arrays = _several(atleast_1d(*promoted(*_arrays(several(tup, "tup")))))
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


@public("tnp.dstack")
def dstack(tup: NumericLike) -> Tensor:
    """The arrays one behind the other: along the third axis.

    >>> import cinta as tf
    >>> tf.experimental.numpy.dstack([[1, 2], [3, 4]]).numpy()
    array([[[1, 3],
            [2, 4]]])

    Args:
        tup: A list of arrays.
    """
    return concatenate(_several(atleast_3d(*promoted(*_arrays(several(tup, "tup"))))), 2)


@public("tnp.split")
def split(ary: NumericLike, indices_or_sections: NumericLike, axis: int = 0) -> list[Tensor]:
    """The array in so many equal parts, or cut at these places.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.split([1, 2, 3, 4], [1, 3])]
    [[1], [2, 3], [4]]

    Args:
        ary: An array, a tensor, or what becomes one.
        indices_or_sections: The number of parts, or the places where they begin after the first.
        axis: The axis, counted from the end if negative.

    Raises:
        ValueError: If it is neither.
        InvalidArgumentError: If the parts would not be equal.
    """
    tensor = asarray(ary)
    along = axis_from_right("split", axis, tensor.ndim)
    cuts = places(indices_or_sections, "indices_or_sections")
    if not cuts.ndim:
        return joining.split(tensor, cuts.item(), along)
    if cuts.ndim > 1:
        raise ValueError(
            f"indices_or_sections must be a number or a vector, got {indices_or_sections!r}."
        )
    length = tensor._array.shape[along]
    ends = np.clip([0, *cuts.tolist(), length], 0, length).tolist()
    return joining.split(tensor, [high - low for low, high in pairwise(ends)], along)


@public("tnp.vsplit")
def vsplit(ary: NumericLike, indices_or_sections: NumericLike) -> list[Tensor]:
    """``split`` along the first axis.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.vsplit([[1, 2], [3, 4]], 2)]
    [[[1, 2]], [[3, 4]]]

    Args:
        ary: An array, a tensor, or what becomes one.
        indices_or_sections: How many equal parts, or where the others but the first begin.
    """
    return split(ary, indices_or_sections, 0)


@public("tnp.hsplit")
def hsplit(ary: NumericLike, indices_or_sections: NumericLike) -> list[Tensor]:
    """``split`` along the second axis, of vectors along their only one.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.hsplit([[1, 2], [3, 4]], 2)]
    [[[1], [3]], [[2], [4]]]

    Args:
        ary: An array, a tensor, or what becomes one.
        indices_or_sections: How many equal parts, or where the others but the first begin.
    """
    tensor = asarray(ary)
    return split(tensor, indices_or_sections, 1 if tensor.ndim > 1 else 0)


@public("tnp.dsplit")
def dsplit(ary: NumericLike, indices_or_sections: NumericLike) -> list[Tensor]:
    """``split`` along the third axis.

    >>> import cinta as tf
    >>> [t.numpy().tolist() for t in tf.experimental.numpy.dsplit([[[1, 2]]], 2)]
    [[[[1]]], [[[2]]]]

    Args:
        ary: An array, a tensor, or what becomes one.
        indices_or_sections: How many equal parts, or where the others but the first begin.
    """
    return split(ary, indices_or_sections, 2)
