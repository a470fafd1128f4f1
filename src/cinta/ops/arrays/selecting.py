"""Choosing between two values by a condition, and finding where a condition holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.arrays import HOW_TO_EXPLAIN_NONE
from ...engine.convert import as_tensor, is_tensor, match
from ...engine.op import op
from ...errors import InvalidArgumentError
from ...public import public
from ..choosing import chosen, kept

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, TensorLike
    from ...engine.made_up import MadeUpLengths
    from ...engine.tensor import Array, Tensor


@op("SelectV2", broadcasts=True)
def SelectV2(xp: ArrayModule, condition: Array, x: Array, y: Array) -> Array:
    """x where the condition holds, and y elsewhere."""
    return chosen(xp, condition, x, y)


# 0 and not g * 0: nothing comes back from the branch that was not taken, not even nan
SelectV2.grads(
    x=lambda g, condition: SelectV2(condition, g, 0),
    y=lambda g, condition: SelectV2(condition, 0, g),
)


@op("Masked", broadcasts=True)
def Masked(xp: ArrayModule, x: Array, keep: Array) -> Array:
    """x where it is to be kept, 0 elsewhere, whatever x is there."""
    return kept(xp, x, keep)


def has_no_nan(array: Array) -> bool:
    """Whether there is surely no NaN: infinities of both signs are taken for one as well."""
    total = np.add.reduce(array, axis=None) if array.ndim else array
    return bool(total == total)


Masked.grads(x=lambda g, keep: Masked(g, keep))


def _made_up_places(lengths: MadeUpLengths, condition: Array) -> Array:
    return np.zeros((lengths(), condition.ndim), np.int64)


@op("Where", sized_by_values=True, example=_made_up_places)
def Where(xp: ArrayModule, condition: Array) -> Array:
    """The index vectors of all elements that are not zero."""
    return xp.argwhere(condition).astype(np.int64)


Where.no_grad()


@public("where")
def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """``x`` where the condition holds and ``y`` elsewhere; all three are broadcast.

    With the condition alone, the index vectors of the elements that are true.

    >>> import cinta as tf
    >>> tf.where([True, False], [1, 2], 0).numpy()
    array([1, 0], dtype=int32)
    >>> tf.where([True, False, True]).numpy()
    array([[0],
           [2]])

    No gradient goes to the branch that was not taken. It is computed nevertheless, and an
    infinite derivative in it makes the gradient nan: ``tf.where(x > 0, tf.math.log(x), 0.0)`` at
    x = 0. Give the branch an input that it can take:
    ``tf.where(x > 0, tf.math.log(tf.where(x > 0, x, 1.0)), 0.0)``.

    Args:
        condition: Booleans.
        x: What to take where they are true.
        y: What to take elsewhere, of the same dtype.

    Raises:
        ValueError: If only one of ``x`` and ``y`` is given.
        InvalidArgumentError: If the shapes are not broadcast to one.
    """
    if x is None and y is None:
        return _places(as_tensor(condition))
    if x is None or y is None:
        raise ValueError(
            "x and y must both be non-None or both be None. If one is a gradient: "
            f"{HOW_TO_EXPLAIN_NONE}"
        )
    choice = as_tensor(condition, None if is_tensor(condition) else np.dtype(bool))
    if choice._array.dtype != bool:
        raise InvalidArgumentError(
            "cannot compute SelectV2 as input #0(zero-based) was expected to be a bool tensor but "
            f"is a {choice.dtype.kernel_name} tensor [Op:SelectV2]. Use a comparison, or "
            "tf.cast(condition, tf.bool)."
        )
    left, right = match("SelectV2", x, y)
    return SelectV2(choice, left, right)


def _places(condition: Tensor) -> Tensor:
    if not condition._array.ndim:
        raise InvalidArgumentError("WhereOp : Unhandled input dimensions: 0 [Op:Where]")
    return Where(condition)
