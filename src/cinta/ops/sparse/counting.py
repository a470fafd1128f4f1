"""Counting numbers, dense and sparse: how often which of them occurs."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.primitives import Reshape
from ...engine.shapes import written
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import look, seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integer
from ..arrays.length_rules import end_of
from ..arrays.selecting import where
from ..elementwise.casting import cast
from ..reductions.counting import DenseBincount

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, NumericLike
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor

_COUNTED = np.int32, np.int64
_WEIGHTS = np.int32, np.int64, np.float32, np.float64


class Numbers(NamedTuple):
    """Numbers to count, the row in which each is counted, and how many rows there are."""

    flat: Tensor
    rows: Array
    height: int | None  # None: all are counted together, and the result has no rows


@public("math.bincount")
def bincount(
    arr: NumericLike | SparseTensor,
    weights: NumericLike | SparseTensor | None = None,
    minlength: IntLike | None = None,
    maxlength: IntLike | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
    axis: IntLike | None = None,
    binary_output: bool = False,
) -> Tensor:
    """How often each number from 0 on occurs, or the sum of the weights of its occurrences.

    Of a ``SparseTensor`` its values are counted; zeros that it leaves out are not.

    >>> import cinta as tf
    >>> tf.math.bincount([1, 1, 3]).numpy()
    array([0, 2, 0, 1], dtype=int32)
    >>> tf.math.bincount([1, 1, 3], weights=[0.5, 0.5, 2.0]).numpy()
    array([0., 1., 0., 2.], dtype=float32)

    Args:
        arr: Numbers that are not negative.
        weights: A weight for every number, or none at all (``[]``): their dtype is the result's.
        minlength: How long the result is at least.
        maxlength: How long it is at most; greater numbers are not counted.
        dtype: The dtype of the result without weights; None for that of ``arr``.
        name: Has no effect.
        axis: 0 or None to count all, -1 to count in each row of a matrix.
        binary_output: Whether to say only that a number occurs, with 1.
    """
    by_row = counts_by_row(weights, axis, binary_output)
    arr = _counted(arr)
    numbers = numbers_of("DenseBincount", arr, by_row)
    flat = numbers.flat
    weight = weights_of(
        "DenseBincount", weights, arr, by_row, flat.dtype if dtype is None else dtype
    )
    size = number_of_counts("DenseBincount", flat, minlength, maxlength)
    places = cast(flat, dtypes.int64)
    if numbers.height is not None:
        places = where(places < size, places + numbers.rows * size, numbers.height * size)
    total = size if numbers.height is None else numbers.height * size
    in_one_row = [on_one(Reshape, x, shape=(1, -1)) for x in (places, weight)]
    counts: Tensor = DenseBincount(*in_one_row, size=total)
    if flag(binary_output, "binary_output"):
        counts = cast(counts > 0, weight.dtype)
    shape = (size,) if numbers.height is None else (numbers.height, size)
    return on_one(Reshape, counts, shape=shape)


def counts_by_row(weights: NumericLike | None, axis: IntLike | None, binary_output: bool) -> bool:
    """Whether numbers are to be counted in each row (-1), and not all of them (0 or None)."""
    if weights is not None and flag(binary_output, "binary_output"):
        raise ValueError(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only "
            "one."
        )
    if axis is not None and integer(axis, "axis") not in (0, -1):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported."
        )
    return axis is not None and integer(axis, "axis") == -1


def _counted(arr: NumericLike) -> Tensor | SparseTensor:
    """The numbers to count, as whole numbers."""
    if isinstance(arr, SparseTensor):
        return arr if arr.dtype.is_integer else arr.with_values(cast(arr.values, dtypes.int32))
    numbers = as_tensor(arr)
    return numbers if numbers.dtype.is_integer else cast(numbers, dtypes.int32)


def numbers_of(op: str, arr: Tensor | SparseTensor, by_row: bool) -> Numbers:
    """The numbers in a row, with the rows that they come from if these matter."""
    if isinstance(arr, SparseTensor):
        shape: Shape = arr.lengths
        flat = arr.values
        rows = seen(arr.indices)[:, 0] if by_row else None
        if rows is not None and len(shape) > 1:
            arr.places(op)  # refuses what is out of bounds
    else:
        shape = arr._array.shape
        flat = on_one(Reshape, arr, shape=(-1,))
        rows = np.repeat(np.arange(shape[0]), shape[1]) if by_row and len(shape) == 2 else None
        if by_row and len(shape) > 2:
            raise InvalidArgumentError(
                f"Shape must be at most rank 2 but is rank {len(shape)} [Op:{op}]"
            )
    _check_dtype(op, "Tidx", flat, _COUNTED)
    if look(flat, any_negative):
        raise InvalidArgumentError(f"Input arr must be non-negative! [Op:{op}]")
    if rows is None or len(shape) < 2:
        return Numbers(flat, np.zeros(flat._array.shape, np.int64), None)
    return Numbers(flat, rows, shape[0])


def any_negative(numbers: Array) -> bool:
    """Whether a number is below 0."""
    return bool(numbers.min(initial=0) < 0)


def number_of_counts(
    op: str, numbers: Tensor, minlength: IntLike | None, maxlength: IntLike | None
) -> int:
    """How many different numbers are counted, from 0 on."""
    least = 0 if minlength is None else _scalar(minlength, "minlength", op)
    most = None if maxlength is None else _scalar(maxlength, "maxlength", op)
    size = end_of(numbers, "upper end", least, most)
    if size < 0:
        raise InvalidArgumentError(f"size ({size}) must be non-negative [Op:{op}]")
    return size


def weights_of(
    op: str, weights: NumericLike | None, arr: Tensor | SparseTensor, by_row: bool, dtype: DTypeLike
) -> Tensor:
    """The weight of each number: 1 of the dtype by default, or for weights without elements."""
    shape = (arr.values if isinstance(arr, SparseTensor) else arr)._array.shape
    if weights is None:
        weight = wrap(np.zeros(0, dtypes.as_dtype(dtype).dtype))
    elif isinstance(arr, SparseTensor):
        weight = _sparse_weights(weights, arr)
    elif isinstance(weights, SparseTensor):
        raise ValueError(
            "Argument `weights` must be a tf.Tensor if `values` is a tf.Tensor. Received "
            f"weights={weights} of type: {type(weights).__name__}"
        )
    else:
        weight = as_tensor(weights)
    _check_dtype(op, "T", weight, _WEIGHTS)
    given = weight._array.shape
    if given == (0,):
        return wrap(np.ones(prod(shape), weight._array.dtype))
    if given != shape and (by_row or prod(given) != prod(shape)):
        raise InvalidArgumentError(
            f"`weights` must be the same shape as `arr` or a length-0 `Tensor`, in which case it "
            f"acts as all weights equal to 1: the weights must have the same shape as the values. "
            f"Received {written(given)} for {written(shape)} [Op:{op}]"
        )
    return on_one(Reshape, weight, shape=(-1,))


def _sparse_weights(weights: NumericLike, values: SparseTensor) -> Tensor:
    """The weights of the values of a sparse tensor, which must stand where these do."""
    if not isinstance(weights, SparseTensor):
        raise ValueError(
            "Argument `weights` must be a SparseTensor if `values` is a SparseTensor. Received "
            f"weights={weights} of type: {type(weights).__name__}"
        )
    if weights.lengths != values.lengths:
        raise InvalidArgumentError(
            "'weights' and 'values' must have the same dense shape, got "
            f"{list(weights.lengths)} and {list(values.lengths)}."
        )
    theirs, ours = seen(weights.indices), seen(values.indices)
    if theirs.shape != ours.shape:
        raise InvalidArgumentError(
            f"'weights' and 'values' must have the same indices. Incompatible shapes: "
            f"{written(theirs.shape)} vs. {written(ours.shape)}"
        )
    if not np.array_equal(theirs, ours):
        raise InvalidArgumentError("'weights' and 'values' must have the same indices.")
    return weights.values


def _check_dtype(op: str, attribute: str, tensor: Tensor, allowed: tuple[Any, ...]) -> None:
    if tensor._array.dtype not in allowed:
        names = ", ".join(dtypes.as_dtype(each).kernel_name for each in allowed)
        raise InvalidArgumentError(
            f"Value for attr '{attribute}' of {tensor.dtype.kernel_name} is not in the list of "
            f"allowed values: {names}. Use tf.cast first. [Op:{op}]"
        )


def _scalar(length: IntLike, argument: str, op: str) -> int:
    if as_tensor(length).ndim:
        raise InvalidArgumentError(
            f"Shape must be rank 0 but is rank {as_tensor(length).ndim}: `{argument}` [Op:{op}]"
        )
    return integer(length, argument)
