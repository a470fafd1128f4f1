"""Reordering: reversed, reversed in part, rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.shapes import Shape, written
from ...engine.tensor import look
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axis_from_right, different_axes, integers, whole

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, AxisLike, IntLike, TensorLike
    from ...engine.tensor import Array, Tensor


@op("ReverseV2", moves=True, rowwise=True)
def Reverse(xp: ArrayModule, x: Array, *, axis: Shape) -> Array:
    """Axes that are counted from the right, backwards."""
    return xp.flip(x, axis)


@op("ReverseSequence", moves=True)
def ReverseSequence(
    xp: ArrayModule, x: Array, lengths: Array, *, seq_axis: int, batch_axis: int
) -> Array:
    """The beginnings of sequences backwards, each up to its own length."""
    steps = xp.reshape(xp.arange(x.shape[seq_axis]), (-1,) + (1,) * (-seq_axis - 1))
    ends = xp.reshape(lengths, (-1,) + (1,) * (-batch_axis - 1))
    places = xp.where(steps < ends, ends - 1 - steps, steps)
    places = xp.reshape(places, (1,) * (x.ndim - places.ndim) + places.shape)
    return xp.take_along_axis(x, places, axis=seq_axis)


@op("Roll", moves=True, rowwise=True)
def Roll(xp: ArrayModule, x: Array, *, shift: Shape, axis: Shape) -> Array:
    """The elements shifted along axes; those that fall off the end come back at the beginning."""
    return xp.roll(x, shift, axis)


Reverse.grads(x=lambda g, axis: Reverse(g, axis=axis))
ReverseSequence.grads(
    x=lambda g, lengths, seq_axis, batch_axis: ReverseSequence(
        g, lengths, seq_axis=seq_axis, batch_axis=batch_axis
    )
)
Roll.grads(x=lambda g, shift, axis: Roll(g, shift=tuple(-n for n in shift), axis=axis))


@public("reverse")
def reverse(tensor: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """The tensor reversed along these axes.

    >>> import cinta as tf
    >>> tf.reverse([1, 2, 3], [0]).numpy()
    array([3, 2, 1], dtype=int32)

    Args:
        tensor: A tensor.
        axis: The axes to turn round, counted from the end if negative.

    Raises:
        InvalidArgumentError: If there is no such axis, or one is listed twice.
    """
    x = as_tensor(tensor)
    return on_one(Reverse, x, axis=different_axes("ReverseV2", axis, x._array.ndim))


@public("reverse_sequence")
def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: IntLike | None = None,
    batch_axis: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Each sequence in a batch with its first elements reversed, as many as its length says.

    >>> import cinta as tf
    >>> tf.reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1).numpy()
    array([[2, 1, 3],
           [6, 5, 4]], dtype=int32)

    Args:
        input: A batch of sequences.
        seq_lengths: The length of each sequence.
        seq_axis: The axis along which the elements of a sequence lie.
        batch_axis: The axis of the batch; None for the first.

    Raises:
        InvalidArgumentError: If a length is out of range.
        TypeError: If ``seq_axis`` is missing.
    """
    x, lengths = as_tensor(input), whole(seq_lengths)
    rank = x._array.ndim
    if seq_axis is None:
        raise TypeError("tf.reverse_sequence needs seq_axis: the axis along which time runs.")
    along = axis_from_right("ReverseSequence", seq_axis, rank, "seq_axis")
    across = axis_from_right(
        "ReverseSequence", 0 if batch_axis is None else batch_axis, rank, "batch_axis"
    )
    most, count = x._array.shape[along], x._array.shape[across]
    if along == across or lengths._array.shape != (count,):
        raise InvalidArgumentError(
            f"Length of seq_lengths != input.dims({across + rank}): tf.reverse_sequence needs one "
            f"length for each of {count} sequences along batch_axis, which is not seq_axis; got "
            "seq_lengths of shape "
            f"{written(lengths._array.shape)} [Op:ReverseSequence]"
        )
    if count and not look(lengths, lambda found: 0 <= found.min() <= found.max() <= most):
        raise InvalidArgumentError(
            f"seq_lengths must be in [0, {most}], got {lengths._array.tolist()} "
            "[Op:ReverseSequence]"
        )
    return ReverseSequence(x, lengths, seq_axis=along, batch_axis=across)


@public("roll")
def roll(input: TensorLike, shift: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """The elements shifted along axes; those that fall off the end come back at the beginning.

    >>> import cinta as tf
    >>> tf.roll([1, 2, 3], shift=1, axis=0).numpy()
    array([3, 1, 2], dtype=int32)

    Args:
        input: A tensor.
        shift: How far to move, towards the end if positive; a number for each axis.
        axis: The axis, or a list of axes.

    Raises:
        InvalidArgumentError: If there is not a shift for each axis.
    """
    x = as_tensor(input)
    shifts, given = integers(shift, "shift"), integers(axis, "axis")
    if len(shifts) != len(given):
        raise InvalidArgumentError(
            f"shift and axis must have the same size, got {list(shifts)} and {list(given)} "
            "[Op:Roll]"
        )
    axes = tuple([axis_from_right("Roll", i, x._array.ndim) for i in given])
    return on_one(Roll, x, shift=shifts, axis=axes)
