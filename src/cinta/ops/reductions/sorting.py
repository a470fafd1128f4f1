"""Order: sorting, where a value belongs in a sorted row, which distinct values there are."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import dtypes
from ...engine.convert import kept, match
from ...engine.dtype_kinds import ANY, REAL
from ...engine.fast_calls import on_one
from ...engine.halves import converted
from ...engine.op import op
from ...engine.primitives import PutAlong, Reshape
from ...engine.shapes import written
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axis_from_right, index_type, tensor_of, text
from ..arrays.shaping import reshape
from ..elementwise.casting import cast
from ..elementwise.comparison import less, less_equal
from .reduction import reduce_all

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, IntLike, TensorLike
    from ...engine.made_up import MadeUpLengths
    from ...engine.tensor import Array


# -- primitives --------------------------------------------------------------------------------


def rising(x: Array) -> Array:
    """Numbers as NumPy puts them in order: of bfloat16 it does not know that NaN is last."""
    return converted(x, np.dtype(np.float32)) if x.dtype == dtypes.bfloat16.dtype else x


def falling(x: Array) -> Array:
    """Numbers in the opposite order; twice gives them back. NaN stays last."""
    return ~x if x.dtype.kind in "iu" else -rising(x)


@op("Sort", rowwise=True)
def Sort(xp: ArrayModule, x: Array, *, axis: int, descending: bool) -> Array:
    """The elements in order along an axis that is counted from the right."""
    # NumPy's quick sort of half precision leaves many equal numbers in disorder on some processors
    kind = "stable" if x.dtype == np.float16 else None
    ordered = xp.sort(falling(x) if descending else rising(x), axis, kind=kind)
    return converted(falling(ordered) if descending else ordered, x.dtype)


@op("ArgSort", rowwise=True)
def ArgSort(xp: ArrayModule, x: Array, *, axis: int, descending: bool) -> Array:
    """Where the elements in order come from; equal ones stay in their order."""
    return xp.argsort(falling(x) if descending else rising(x), axis=axis, stable=True).astype(
        np.int32
    )


Sort.grads(
    x=lambda g, x, x_shape, axis, descending: PutAlong(
        g, ArgSort(x, axis=axis, descending=descending), length=x_shape[axis], axis=axis
    )
)
ArgSort.no_grad()


@op("SearchSorted")
def SearchSorted(
    xp: ArrayModule, row: Array, values: Array, *, side: str, dtype: np.dtype[Any]
) -> Array:
    """Where values belong in sorted rows, row by row."""
    count = prod(row.shape[:-1])
    row, wanted = rising(row), rising(values).reshape(count, values.shape[-1])
    rows = row.reshape(count, row.shape[-1])
    found = [xp.searchsorted(r, v, side=side) for r, v in zip(rows, wanted, strict=True)]
    return xp.array(found, dtype).reshape(values.shape)


SearchSorted.no_grad()


def _made_up_groups(
    lengths: MadeUpLengths, x: Array, *, dtype: np.dtype[Any]
) -> tuple[Array, Array, Array]:
    count = lengths()
    return np.resize(x, count), np.zeros(x.shape, dtype), np.ones(count, dtype)


@op("UniqueWithCounts", sized_by_values=True, example=_made_up_groups)
def Distinct(xp: ArrayModule, x: Array, *, dtype: np.dtype[Any]) -> tuple[Array, Array, Array]:
    """The distinct elements as they first appear, which one each element is, and how many."""
    _, first, which, count = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first)
    rank = np.argsort(order)
    return x[first[order]], rank[which].astype(dtype), count[order].astype(dtype)


@op(
    "Unique",
    sized_by_values=True,
    example=lambda lengths, x, **attrs: _made_up_groups(lengths, x, **attrs)[:2],
)
def DistinctOnly(xp: ArrayModule, x: Array, *, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """The distinct elements as they first appear, and which one each element is."""
    values, which, _ = Distinct.kernel(xp, x, dtype=dtype)
    return values, which


# -- functions ---------------------------------------------------------------------------------


def _ordered(values: object, axis: IntLike, direction: str) -> tuple[Tensor, int, bool]:
    if text(direction, "direction") not in ("ASCENDING", "DESCENDING"):
        raise ValueError(
            "Argument `direction` should be one of ASCENDING, DESCENDING. Received: "
            f"direction={direction}"
        )
    x = tensor_of("TopKV2", values, REAL)
    return x, axis_from_right("TopKV2", axis, x._array.ndim), direction == "DESCENDING"


@public("sort")
def sort(
    values: TensorLike, axis: IntLike = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements in order along an axis; the gradient goes back to where they came from.

    >>> import cinta as tf
    >>> tf.sort([3.0, 1.0, 2.0], direction="DESCENDING").numpy()
    array([3., 2., 1.], dtype=float32)

    Args:
        values: A tensor of numbers.
        axis: The axis, counted from the end if negative.
        direction: "ASCENDING" or "DESCENDING".
    """
    x, index, descending = _ordered(values, axis, direction)
    return on_one(Sort, x, axis=index, descending=descending)


@public("argsort")
def argsort(
    values: TensorLike,
    axis: IntLike = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """The indices that sort the elements along an axis; equal elements always keep their order.

    >>> import cinta as tf
    >>> tf.argsort([3.0, 1.0, 2.0]).numpy()
    array([1, 2, 0], dtype=int32)

    Args:
        values: A tensor of numbers.
        axis: The axis, counted from the end if negative.
        direction: "ASCENDING" or "DESCENDING".
        stable: Accepted: the order of equal elements is kept in any case.
    """
    x, index, descending = _ordered(values, axis, direction)
    return ArgSort(x, axis=index, descending=descending)


@public("searchsorted")
def searchsorted(
    sorted_sequence: TensorLike,
    values: TensorLike,
    side: str = "left",
    out_type: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Where values would have to be put into sorted rows, to keep them sorted.

    Both have the same axes but for the last. A value goes before equal ones, or with
    ``side="right"`` behind them.

    >>> import cinta as tf
    >>> tf.searchsorted([1.0, 3.0, 5.0], [0.0, 3.0, 9.0]).numpy()
    array([0, 1, 3], dtype=int32)

    Args:
        sorted_sequence: Rows in rising order.
        values: The values to find places for.
        side: "left" for the first place that fits, "right" for the last.
        out_type: The dtype of the places: ``tf.int32`` or ``tf.int64``.

    Raises:
        ValueError: If ``side`` is another.
    """
    if text(side, "side") not in ("left", "right"):
        raise ValueError(
            f"Argument `side` must be either 'right' or 'left'. Received: `side` = {side!r}."
        )
    name_of_op = "LowerBound" if side == "left" else "UpperBound"
    rows, wanted = match(name_of_op, kept(sorted_sequence), kept(values))
    a, b = rows._array.shape, wanted._array.shape
    if not a or not b or prod(a[:-1]) != prod(b[:-1]):
        raise InvalidArgumentError(
            "Leading dim_size of both tensors must match: all axes but the last, got shapes "
            f"{written(a)} and {written(b)} [Op:{name_of_op}]"
        )
    if a[:-1] != b[:-1]:  # the rows go together by their order alone
        rows = Reshape(rows, shape=(*b[:-1], a[-1]))
    dtype = index_type(name_of_op, out_type, "out_type")
    return SearchSorted(rows, wanted, side=side, dtype=dtype)


class Unique(NamedTuple):
    """The results of ``tf.unique``."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """The results of ``tf.unique_with_counts``."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]  # TensorFlow's name, and a method of tuples


def _vector(op: str, x: TensorLike) -> Tensor:
    tensor = tensor_of(op, x, ANY)
    if tensor._array.ndim != 1:
        raise InvalidArgumentError(
            f"unique expects a 1D vector, got shape {written(tensor._array.shape)} [Op:{op}]"
        )
    return tensor


@public("unique")
def unique(x: TensorLike, out_idx: DTypeLike = dtypes.int32, name: str | None = None) -> Unique:
    """The distinct elements of a vector as they first appear, and which one each element is.

    >>> import cinta as tf
    >>> y, idx = tf.unique([4, 1, 4, 2])
    >>> y.numpy(), idx.numpy()
    (array([4, 1, 2], dtype=int32), array([0, 1, 0, 2], dtype=int32))

    Args:
        x: A vector.
        out_idx: The dtype of the indices: ``tf.int32`` or ``tf.int64``.
    """
    dtype = index_type("Unique", out_idx, "out_idx")
    return Unique(*DistinctOnly(_vector("Unique", x), dtype=dtype))


@public("unique_with_counts")
def unique_with_counts(
    x: TensorLike, out_idx: DTypeLike = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """Like ``tf.unique``, and how often each distinct element occurs.

    >>> import cinta as tf
    >>> tf.unique_with_counts([4, 1, 4, 2]).count.numpy()
    array([2, 1, 1], dtype=int32)

    Args:
        x: A vector.
        out_idx: The dtype of indices and counts: ``tf.int32`` or ``tf.int64``.
    """
    dtype = index_type("UniqueWithCounts", out_idx, "out_idx")
    return UniqueWithCounts(*Distinct(_vector("UniqueWithCounts", x), dtype=dtype))


@public("math.invert_permutation")
def invert_permutation(x: TensorLike, name: str | None = None) -> Tensor:
    """The permutation that undoes one.

    >>> import cinta as tf
    >>> tf.math.invert_permutation([2, 0, 1]).numpy()
    array([1, 2, 0], dtype=int32)

    Args:
        x: A vector that holds every whole number from 0 to its length once.

    Raises:
        InvalidArgumentError: If ``x`` is anything else.
    """
    order = tensor_of("InvertPermutation", x, "i")
    values = seen(order)
    if values.ndim != 1 or not np.array_equal(np.sort(values), np.arange(values.size)):
        raise InvalidArgumentError(
            f"x must hold every number from 0 to its length once, got {values.tolist()} "
            "[Op:InvertPermutation]"
        )
    return cast(ArgSort(order, axis=-1, descending=False), order.dtype)


@public("math.is_non_decreasing")
def is_non_decreasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether no element is less than the one before it, row after row.

    >>> import cinta as tf
    >>> tf.math.is_non_decreasing([1, 1, 2]).numpy()
    np.True_

    Args:
        x: A tensor of numbers; a tensor of one element or none is in order.
    """
    flat = reshape(x, [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]))


@public("math.is_strictly_increasing")
def is_strictly_increasing(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether every element is greater than the one before it, row after row.

    >>> import cinta as tf
    >>> tf.math.is_strictly_increasing([1, 1, 2]).numpy()
    np.False_

    Args:
        x: A tensor of numbers; a tensor of one element or none is in order.
    """
    flat = reshape(x, [-1])
    return reduce_all(less(flat[:-1], flat[1:]))
