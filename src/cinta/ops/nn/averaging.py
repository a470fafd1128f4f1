"""Losses of examples made into one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.primitives import Reshape
from ...engine.replicas import context
from ...engine.shapes import written
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import common_shape, whole_number
from ..arrays.shaping import squeeze
from ..elementwise.casting import cast
from ..elementwise.division import divide_no_nan
from ..reductions.reduction import reduce_sum

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, NumericLike
    from ...engine.tensor import Tensor


@public("nn.compute_average_loss")
def compute_average_loss(
    per_example_loss: NumericLike,
    sample_weight: NumericLike | None = None,
    global_batch_size: IntLike | None = None,
) -> Tensor:
    """Sum of the examples' losses, each by its weight, over the number of all examples.

    >>> import cinta as tf
    >>> tf.nn.compute_average_loss([1.0, 3.0], global_batch_size=8).numpy()
    np.float32(0.5)

    ``global_batch_size`` counts the examples of all machines; none given, these are all. The
    average of no examples is 0.

    Args:
        per_example_loss: The loss of each example; further axes are averaged too.
        sample_weight: A weight for each example; None for 1.
        global_batch_size: The number of examples to divide by.

    Raises:
        ValueError: If ``per_example_loss`` is a scalar, or the batch size is not one.
    """
    losses = as_tensor(per_example_loss)
    if not losses._array.ndim:
        raise ValueError(
            "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1. "
            f"Received per_example_loss={losses} with rank 0"
        )
    if global_batch_size is None:
        count = len(losses._array) * _replicas("compute_average_loss")
    else:
        count = _count_of_examples(global_batch_size)
    if sample_weight is not None:
        losses = losses * _weights(losses, sample_weight)
    return divide_no_nan(reduce_sum(losses), cast(count, losses.dtype))


def _replicas(what: str) -> int:
    """How many replicas each add their part of a loss."""
    where = context()
    if where is None:
        return 1
    if where.replica is None:
        raise RuntimeError(
            f"You are calling `{what}` in cross replica context, while it was expected to be "
            "called in replica context: call it in a function that `strategy.run` is given."
        )
    count: int = where.strategy.num_replicas_in_sync
    return count


def _weights(losses: Tensor, sample_weight: NumericLike) -> Tensor:
    """The weights of examples, with axes of length 1 so that they are broadcast to their losses."""
    weights: Tensor = cast(as_tensor(sample_weight), losses.dtype)
    missing = losses.ndim - weights.ndim
    if missing == -1:
        weights = squeeze(weights, -1)
    elif missing > 0:
        weights = Reshape(weights, shape=weights._array.shape + (1,) * missing)
    shapes = losses._array.shape, weights._array.shape
    if common_shape("Mul", *shapes) != shapes[0]:
        raise InvalidArgumentError(
            f"Incompatible shapes: losses {written(shapes[0])} vs. weights {written(shapes[1])}"
        )
    return weights


def _count_of_examples(given: object) -> int:
    if np.ndim(as_tensor(given)._array):
        raise ValueError(f"global_batch_size must be scalar. Received: {given!r}.")
    try:
        count = whole_number(given, "global_batch_size")
    except TypeError:
        raise TypeError(f"global_batch_size must be an int, got {given!r}.") from None
    if count < 0:
        raise InvalidArgumentError(f"global_batch_size must be non-negative, got {count}.")
    return count


@public("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: NumericLike) -> Tensor:
    """The sum of a regularization loss, for one of the machines that compute it.

    >>> import cinta as tf
    >>> tf.nn.scale_regularization_loss([1.0, 2.0]).numpy()
    np.float32(3.0)

    Args:
        regularization_loss: A scalar, or several to add up.
    """
    losses = as_tensor(regularization_loss)
    return reduce_sum(losses) / cast(_replicas("scale_regularization_loss"), losses.dtype)
