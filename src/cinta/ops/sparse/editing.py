"""How far sequences are from each other."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag
from .set_operations import grouped

if TYPE_CHECKING:
    from ...engine.tensor import Array, Tensor


@public("edit_distance")
def edit_distance(
    hypothesis: SparseTensor,
    truth: SparseTensor,
    normalize: bool = True,
    name: str = "edit_distance",
) -> Tensor:
    """How many elements must be inserted, deleted or replaced to make one sequence the other.

    The sequences are the rows of sparse tensors. The numbers are divided by the length of the true
    ones unless ``normalize`` is False; where that is 0, something is infinitely far from nothing.

    >>> import cinta as tf
    >>> said = tf.sparse.from_dense([[1, 2, 3], [4, 0, 0]])
    >>> meant = tf.sparse.from_dense([[1, 3, 0], [4, 0, 0]])
    >>> tf.edit_distance(said, meant).numpy()
    array([0.5, 0. ], dtype=float32)

    Args:
        hypothesis: A sparse tensor; the last axis holds the sequences.
        truth: Another, of the same dtype.
        normalize: Whether to divide by the lengths of the true sequences.

    Raises:
        TypeError: If one of them is not a sparse tensor.
    """
    given = {"Hypothesis": hypothesis, "Truth": truth}
    for role, value in given.items():
        if not isinstance(value, SparseTensor):
            raise TypeError(f"{role} must be a SparseTensor, got {type(value).__name__}.")
    if hypothesis.dtype != truth.dtype:
        raise InvalidArgumentError(
            f"hypothesis and truth must have one dtype, got {hypothesis.dtype.name} and "
            f"{truth.dtype.name} [Op:EditDistance]"
        )
    ranks = len(hypothesis.lengths), len(truth.lengths)
    if ranks[0] != ranks[1] or ranks[0] < 2:
        raise InvalidArgumentError(
            f"Input SparseTensors must have one rank of at least 2, got {ranks[0]} and {ranks[1]} "
            "[Op:EditDistance]"
        )
    pairs = zip(hypothesis.lengths[:-1], truth.lengths[:-1], strict=True)
    batch = tuple([max(pair) for pair in pairs])
    rows = [_rows(value, batch) for value in given.values()]
    relative = flag(normalize, "normalize")
    distances = [_distance(said, meant, relative) for said, meant in zip(*rows, strict=True)]
    return wrap(np.array(distances, np.float32).reshape(batch))


def _rows(x: SparseTensor, batch: tuple[int, ...]) -> list[Array]:
    """The rows, of which there are more in the end than the tensor has."""
    return grouped(SparseTensor(x.indices, x.values, [*batch, x.lengths[-1]]), prod(batch))


def _distance(said: Array, meant: Array, relative: bool) -> float:
    steps = np.arange(len(said) + 1)
    least = steps  # to make the elements so far of the one what the other has so far
    for count, element in enumerate(meant, 1):
        replaced = least[:-1] + (said != element)
        found = np.append(count, np.minimum(replaced, least[1:] + 1))
        least = np.minimum.accumulate(found - steps) + steps  # deletions follow one another
    distance = float(least[-1])
    if not relative or not distance:
        return distance
    return distance / len(meant) if len(meant) else np.inf
