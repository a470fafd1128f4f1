"""Labels and logits that do not go together, told in words."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from ...engine.primitives import BroadcastTo, Reshape
from ...engine.shapes import written
from ...errors import InvalidArgumentError

if TYPE_CHECKING:
    from ...engine.shapes import Shape
    from ...engine.tensor import Array, Tensor


def check_classes(labels: Array, classes: int) -> None:
    """Refuse numbers that are those of no class."""
    if labels.size and not 0 <= labels.min() <= labels.max() < classes:
        wrong = labels.min() if labels.min() < 0 else labels.max()
        raise InvalidArgumentError(
            f"Received a label value of {wrong} which is outside the valid range of "
            f"[0, {classes}): logits have {classes} columns, one for each class, counted from 0. "
            "[Op:SparseSoftmaxCrossEntropyWithLogits]"
        )


def like_logits(op: str, labels: Tensor, shape: Shape, classes: int) -> Tensor:
    """Probabilities in the shape of the logits: broadcast, or row by row in their order."""
    given = labels._array.shape
    with suppress(ValueError):
        if np.broadcast_shapes(given, shape) == shape:
            return BroadcastTo(labels, shape=shape, rank=labels.ndim)
    if classes != -1 or given[-1:] != shape[-1:] or math.prod(given) != math.prod(shape):
        raise InvalidArgumentError(
            f"logits and labels must be broadcastable: logits_size={written(shape)} "
            f"labels_size={written(given)}. Labels have a probability for each class; for the "
            "numbers of classes there is tf.nn.sparse_softmax_cross_entropy_with_logits "
            f"[Op:{op}]"
        )
    return Reshape(labels, shape=shape)


def check_numbers(labels: Shape, logits: Shape) -> None:
    """Refuse numbers of classes that are not one for each row of logits."""
    if not logits:
        raise ValueError("`logits` cannot be a scalar.")
    if len(labels) != len(logits) - 1:
        raise ValueError(
            "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: "
            f"labels.shape={labels} and logits.shape={logits}. Labels are the numbers of classes; "
            "for a probability of each class there is tf.nn.softmax_cross_entropy_with_logits."
        )
    if labels != logits[:-1]:
        raise ValueError(
            "`labels.shape` must equal `logits.shape` except for the last dimension. Received: "
            f"labels.shape={labels} and logits.shape={logits}."
        )


def both_needed(function: str, labels: object, logits: object) -> ValueError:
    """The error for labels or logits that are None."""
    return ValueError(
        f"Both `labels` and `logits` must be provided for {function}. Received: labels={labels!r} "
        f"and logits={logits!r}."
    )


def check_same_shape(first: str, x: Tensor, second: str, y: Tensor) -> None:
    """Refuse two tensors, known by these names, of different shapes."""
    if x._array.shape != y._array.shape:
        raise ValueError(
            f"`{first}` and `{second}` must have the same shape, received ({x.shape} vs "
            f"{y.shape}).{_of_same_size(second, x, y)}"
        )


def _of_same_size(name: str, x: Tensor, y: Tensor) -> str:
    if x._array.size != y._array.size:
        return ""
    return f" As they have as many elements, tf.reshape({name}, {list(x._array.shape)}) would fit."
