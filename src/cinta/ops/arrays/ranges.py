"""Ranges of numbers, and loops over them."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, is_tensor
from ...engine.counted_loops import CountedLoop, follower_of_loop
from ...engine.device_values import Spread
from ...engine.dtype_kinds import REAL, kind_of, refused_dtype
from ...engine.free_memory import check_memory
from ...engine.op import op
from ...engine.primitives import StopGradient
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError, out_of_memory
from ...public import public
from ..elementwise.casting import cast

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from ...engine.annotations import ArrayModule, DTypeLike, TensorLike
    from ...engine.tensor import Array, Tensor

_RANGE_DTYPES = [
    *[dtypes.int32, dtypes.int64],
    *[dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64],
]
"""The dtypes of ranges: a range has that of its ends' dtypes which comes last here."""


@public("range")
def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str = "range",
) -> Tensor:
    """Numbers from ``start`` to before ``limit``, ``delta`` apart; from 0 if only one is given.

    >>> import cinta as tf
    >>> tf.range(3).numpy()
    array([0, 1, 2], dtype=int32)
    >>> tf.range(1.0, 2.0, 0.5).numpy()
    array([1. , 1.5], dtype=float32)

    Args:
        start: The first number; the limit, if it is the only argument.
        limit: Where to stop; it is not reached.
        delta: The distance of two numbers, which may be negative.
        dtype: The dtype; None for that of the arguments.

    Raises:
        InvalidArgumentError: If ``delta`` is 0, or leads away from ``limit``.
    """
    if limit is None:
        start, limit = 0, start
    wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
    ends = [as_tensor(v, None if is_tensor(v) else wanted) for v in (start, limit, delta)]
    kinds = [end.dtype for end in ends]
    if any([end.ndim for end in ends]) or not (
        wanted or all([kind in _RANGE_DTYPES for kind in kinds])
    ):
        raise InvalidArgumentError(
            f"start, limit and delta must be scalar numbers, got {(start, limit, delta)} [Op:Range]"
        )
    if wanted and kind_of(wanted) not in REAL:
        raise refused_dtype("Range", ends[0], REAL)
    found = wanted or max(kinds, key=_RANGE_DTYPES.index).dtype
    if any([end._recorder is not None for end in ends]):
        loop: Any = _as_loop(ends, found, sys._getframe(1))
        if loop is not None:
            return loop  # type: ignore[no-any-return]  # a ``for`` takes it at once
    first, last, step = [seen(end).astype(found)[()] for end in ends]
    count = _count(first, last, step)
    check_memory("Range", (count,))
    try:
        return wrap(first + np.arange(count).astype(found) * step)
    except (MemoryError, ValueError) as error:
        raise out_of_memory("Range", (count,), error) from None


def _count(first: Any, last: Any, step: Any) -> int:
    """How many numbers there are in a range."""
    if first.dtype.kind in "iu":  # as Python's integers, whose differences and products have room
        first, last, step = int(first), int(last), int(step)
    if step == 0:
        raise InvalidArgumentError(f"Requires delta != 0: {step} [Op:Range]")
    if (last - first) * step < 0:
        sign = "<= limit when delta > 0" if step > 0 else ">= limit when delta < 0"
        raise InvalidArgumentError(f"Requires start {sign}: {first}/{last} [Op:Range]")
    length = (last - first) / step
    if not np.isfinite(length):
        raise InvalidArgumentError(f"Requires a finite range: {first}/{last}/{step} [Op:Range]")
    return int(-((first - last) // step) if isinstance(step, int) else np.ceil(length))


def _as_loop(ends: Sequence[Tensor], dtype: np.dtype[Any], frame: FrameType) -> CountedLoop | None:
    """The numbers for a loop that is recorded for any count of them; None if it cannot be."""
    if any([isinstance(end._array, Spread) for end in ends]):
        return None
    follow = follower_of_loop(frame)
    if follow is None:
        return None
    first, last, step = [StopGradient(cast(end, dtype)) for end in ends]
    count: Tensor = RangeLength(first, last, step)
    if _is(first, 0) and _is(step, 1):
        loop = CountedLoop(count, partial(cast, dtype=dtype), ())
    else:
        loop = CountedLoop(count, partial(_number, dtype), (first, step))
    follow(loop)
    return loop


def _is(end: Tensor, number: int) -> bool:
    """Whether an end is this number in all calls."""
    return end._recorder is None and int(end) == number


def _number(dtype: np.dtype[Any], position: Tensor, first: Tensor, step: Tensor) -> Tensor:
    return first + cast(position, dtype) * step


_MANY = 1 << 31
"""A loop over more numbers is left to NumPy, which asks whether there is memory for them."""


@op("RangeLength")
def RangeLength(xp: ArrayModule, first: Array, last: Array, step: Array) -> Array:
    """How many numbers there are from the first to before the last."""
    if xp is not np and first.dtype.kind not in "iu":
        raise TypeError("how floating point numbers are divided decides how many there are")
    if xp is np:
        number = _count(*[np.asarray(x)[()] for x in (first, last, step)])
        check_memory("Range", (number,))
        return np.asarray(number, np.int64)
    first, last, step = [x.astype(np.int64) for x in (first, last, step)]
    count: Array = -((first - last) // xp.where(step == 0, 1, step))
    return count


RangeLength.no_grad()


@RangeLength.fails_if
def _(xp: ArrayModule, out: Array, first: Array, last: Array, step: Array) -> Array:
    away = xp.where(step > 0, last < first, last > first)
    fails: Array = away | (step == 0) | (out > _MANY) | (out < 0)
    return fails
