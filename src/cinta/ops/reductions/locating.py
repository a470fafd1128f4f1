"""Where the largest and the smallest element stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.dtype_kinds import BOOL, REAL
from ...engine.op import Op, op
from ...engine.shapes import written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axis_from_right, index_type, tensor_of

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, IntLike, NumericLike
    from ...engine.tensor import Array, Tensor


def _arg_extreme(xp: ArrayModule, find: Any, x: Array, axis: int, dtype: object) -> Array:
    if x.dtype.kind not in "fiub":
        x = x.astype(np.float32)
    result: Array = find(x, axis=axis).astype(dtype)
    return result


@op("ArgMax", rowwise=True)
def ArgMax(xp: ArrayModule, x: Array, *, axis: int, dtype: np.dtype[Any]) -> Array:
    """Where the largest stands along an axis; the first of equal ones."""
    return _arg_extreme(xp, xp.argmax, x, axis, dtype)


@op("ArgMin", rowwise=True)
def ArgMin(xp: ArrayModule, x: Array, *, axis: int, dtype: np.dtype[Any]) -> Array:
    """Where the smallest stands along an axis; the first of equal ones."""
    return _arg_extreme(xp, xp.argmin, x, axis, dtype)


ArgMax.no_grad()
ArgMin.no_grad()


@public("argmax", "math.argmax")
def argmax(
    input: NumericLike,
    axis: IntLike | None = None,
    output_type: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """The index of the largest element along an axis, the first if several are equal; no gradient.

    >>> import cinta as tf
    >>> tf.argmax([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]], axis=1).numpy()
    array([1, 0])

    Args:
        input: A tensor of numbers or booleans.
        axis: The axis, counted from the end if negative; None for the first.
        output_type: ``tf.int64``, ``tf.int32``, ``tf.int16`` or ``tf.uint16``.

    Raises:
        InvalidArgumentError: If there is no such axis, or if it has no elements.
    """
    return _where_extreme(ArgMax, input, axis, output_type)


@public("argmin", "math.argmin")
def argmin(
    input: NumericLike,
    axis: IntLike | None = None,
    output_type: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """The index of the smallest element along an axis, the first if several are equal; no gradient.

    >>> import cinta as tf
    >>> tf.argmin([[1.0, 5.0, 2.0], [7.0, 0.0, 7.0]], axis=1).numpy()
    array([0, 1])

    Args:
        input: A tensor of numbers or booleans.
        axis: The axis, counted from the end if negative; None for the first.
        output_type: ``tf.int64``, ``tf.int32``, ``tf.int16`` or ``tf.uint16``.

    Raises:
        InvalidArgumentError: If there is no such axis, or if it has no elements.
    """
    return _where_extreme(ArgMin, input, axis, output_type)


def _where_extreme(
    op: Op, value: NumericLike, axis: IntLike | None, output_type: DTypeLike
) -> Tensor:
    x = tensor_of(op.name, value, REAL + BOOL)
    shape = x._array.shape
    index = axis_from_right(op.name, 0 if axis is None else axis, len(shape))
    if not shape[index]:
        raise InvalidArgumentError(
            f"Reduction axis {index + len(shape)} is empty in shape {written(shape)} [Op:{op.name}]"
        )
    wanted = index_type(op.name, output_type, "output_type", dtypes.int64, _TYPES_OF_PLACES[op])
    return op(x, axis=index, dtype=wanted)


_TYPES_OF_PLACES = {
    ArgMax: (dtypes.int16, dtypes.uint16, dtypes.int32, dtypes.int64),
    ArgMin: (dtypes.int32, dtypes.int64),
}
