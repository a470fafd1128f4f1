"""vectorized_map: a function of each slice, run on all slices at once where that can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import nest
from ...engine.composites import closed, opened
from ...engine.convert import as_tensor
from ...engine.warning import warn as warn_user
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import checked_callable
from ..arrays.creation import zeros
from ..arrays.joining import stack, unstack
from ..random import op_numbering
from ..random.state import seeds
from .branching import read
from .vectorizing import GivenUp, vectorized

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import IntLike, NumericLike
    from ...engine.tensor import Tensor


@public("vectorized_map")
def vectorized_map(
    fn: Callable[[Any], Any],
    elems: NumericLike,
    fallback_to_while_loop: bool = True,
    warn: bool = True,
) -> Any:
    """The function of each slice, stacked; ``fn`` may return any structure.

    A first axis of length 1 goes with every slice of the others.

    ``fn`` runs once, on the first slice, and each op that it calls runs on all slices. So the
    gradients of the losses of many examples take little more time than one gradient:

    >>> import cinta as tf
    >>> w, x = tf.Variable([1.0, 2.0]), tf.constant([[1.0, 0.0], [1.0, 1.0], [0.0, 3.0]])
    >>> def gradient_of_loss(example):
    ...     with tf.GradientTape() as tape:
    ...         loss = tf.tensordot(example, w, 1) ** 2
    ...     return tape.gradient(loss, w)
    >>> tf.vectorized_map(gradient_of_loss, x).numpy()
    array([[ 2.,  0.],
           [ 6.,  6.],
           [ 0., 36.]], dtype=float32)
    >>> tf.vectorized_map(lambda row: (row, tf.reduce_sum(row)), tf.constant([[1.0, 2.0]]))[1]
    <tf.Tensor: shape=(1,), dtype=float32, numpy=array([3.], dtype=float32)>

    Args:
        fn: A function of one slice.
        elems: A structure of tensors, or of extension types, with first axes of one length.
        fallback_to_while_loop: Whether ``fn`` is called for each slice if it looks at values that
            are not the same in all slices, or assigns variables. Otherwise that is an error.
        warn: Whether to warn then.
    """
    checked_callable(fn, "fn")
    structure = opened(nest.map_structure(read, elems))
    tensors = [as_tensor(leaf) for leaf in nest.flatten(structure)]
    count = _count(elems, tensors)
    of_slice = op_numbering.graph_of(lambda row: opened(fn(closed(row))))
    return closed(_mapped(of_slice, structure, tensors, count, fallback_to_while_loop, warn))


def _mapped(
    fn: Callable[[Any], Any],
    structure: Tensor,
    tensors: list[Tensor],
    count: int,
    fallback_to_while_loop: bool,
    warn: bool,
) -> Any:
    """The results for all slices, in structures without objects."""
    if not count:
        return _nothing(fn, structure, tensors)
    if count > 1:
        before = seeds.snapshot()
        try:
            return vectorized(fn, structure, tensors, count)
        except GivenUp as given_up:
            seeds.rewind(before)
            _tell(given_up, fallback_to_while_loop, warn)
    columns = [_column(tensor, count) for tensor in tensors]
    values = [fn(nest.pack_sequence_as(structure, list(row))) for row in zip(*columns, strict=True)]
    return nest.map_structure(_stacked, *values)


def _count(elems: object, tensors: Sequence[Tensor]) -> int:
    """How many slices there are."""
    if not tensors:
        raise ValueError(f"elems must have a tensor in it, got {elems!r}.")
    if not all(tensor.ndim for tensor in tensors):
        raise IndexError("list index out of range: elems of vectorized_map must not be scalars.")
    lengths = [len(tensor._array) for tensor in tensors]
    count = max(lengths)
    for length in lengths:
        if length not in (1, count):
            raise InvalidArgumentError(
                f"vectorized_map needs first axes of one length, got {length} and {count}."
            )
    return count


def _tell(given_up: GivenUp, falls_back: bool, warns: bool) -> None:
    """Say why the slices are taken one by one; raise if they must not be."""
    if not falls_back:
        raise ValueError(
            f"vectorized_map cannot take all slices at once: {given_up}. With "
            "fallback_to_while_loop=True it takes them one by one."
        )
    if warns:
        warn_user(f"vectorized_map takes the slices one by one: {given_up}.")


def _column(tensor: Tensor, count: int) -> list[Tensor]:
    """The slices of one tensor; its only one as often as needed."""
    rows = unstack(tensor)
    return rows if len(rows) == count else rows * count


def _stacked(*parts: IntLike) -> Any:
    return None if parts[0] is None else stack([as_tensor(part) for part in parts])


def _nothing(fn: Callable[[Any], Any], structure: Tensor, tensors: list[Tensor]) -> Any:
    """The result for no slices: ``fn`` of a slice of zeros gives its shapes and dtypes."""
    slices = [zeros(tensor.shape[1:], tensor.dtype) for tensor in tensors]
    value = nest.map_structure(as_tensor, fn(nest.pack_sequence_as(structure, slices)))
    return nest.map_structure(lambda part: zeros([0, *part.shape], part.dtype), value)
