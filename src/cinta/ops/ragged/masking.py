"""Elements and rows picked by a mask, a condition or the numbers of partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ...public import public
from .constructors import ragged_or_dense
from .densifying import places
from .elementwise import matched
from .row_ends import ends_of, rows_of_values
from .row_partition import RowPartition
from .slicing import taken
from .tensor import RaggedTensor, assembled, constant

if TYPE_CHECKING:
    from ...engine.annotations import TensorLike
    from .annotations import RaggedOrDense


def boolean_mask(
    tensor: RaggedOrDense,
    mask: RaggedOrDense,
    axis: RaggedOrDense = None,
    name: str | None = "boolean_mask",
) -> RaggedOrDense:
    """The elements where the mask is true, in rows if the mask has rows."""
    return masked(tensor, mask)


@public("ragged.boolean_mask")
def masked(data: TensorLike, mask: TensorLike, name: str | None = None) -> RaggedOrDense:
    """The elements where a mask is true; those of each row stay in their row.

    >>> import cinta as tf
    >>> tf.ragged.boolean_mask([[1, 2, 3], [4, 5, 6]], [[True, False, True], [False, False, True]])
    <tf.RaggedTensor [[1, 3], [6]]>

    Args:
        data: A tensor, ragged or dense.
        mask: A tensor of booleans, whose shape is the beginning of that of the data.

    Raises:
        TypeError: If the mask is not boolean.
        ValueError: If it is a scalar, or has more axes than the data.
    """
    kept = mask if isinstance(mask, RaggedTensor) else as_tensor(mask)
    if kept.dtype is not dtypes.bool:
        raise TypeError(f"mask must have dtype bool, got {kept.dtype!r}.")
    x = ragged_or_dense(data)
    if not len(kept.shape):
        raise ValueError("mask cannot be scalar.")
    if len(kept.shape) > len(x.shape):
        raise ValueError("mask.shape must be a prefix of data.shape: it has more axes.")
    return _masked(x, kept)


def _masked(x: RaggedOrDense, mask: RaggedOrDense) -> RaggedOrDense:
    if len(mask.shape) == 1:
        keep = seen(mask)
        if len(keep) != x.shape[0]:
            raise InvalidArgumentError(
                f"Shapes {x.shape} and {mask.shape} are incompatible: a mask needs an element for "
                "each row."
            )
        return taken(x, np.flatnonzero(keep))
    from .joining import with_depth

    dtype = next(
        (v.row_splits.dtype for v in (x, mask) if isinstance(v, RaggedTensor)), dtypes.int64
    )
    x, mask = with_depth(x, 1, dtype), with_depth(mask, 1, dtype)
    if not np.array_equal(x._row_partition.ends, mask._row_partition.ends):
        raise InvalidArgumentError(
            f"mask.shape must be a prefix of data.shape, got rows of "
            f"{mask._row_partition.lengths.tolist()} and {x._row_partition.lengths.tolist()}."
        )
    inner = _masked(x.values, mask.values)
    if len(mask.shape) > 2:
        return x.with_values(inner)
    keep = seen(mask.values)
    counts = np.bincount(
        rows_of_values(x._row_partition.ends)[keep], minlength=x._row_partition.static_nrows
    )
    return RaggedTensor(inner, RowPartition._of_ends(ends_of(counts), dtype), internal=True)


def where(
    condition: RaggedOrDense,
    x: RaggedOrDense = None,
    y: RaggedOrDense = None,
    name: str | None = None,
) -> RaggedOrDense:
    """Elements of one operand where the condition is true, of another where it is not."""
    if (x is None) is not (y is None):
        raise ValueError("x and y must be either both None or both non-None.")
    given = ragged_or_dense(condition)
    if given.dtype is not dtypes.bool:
        from ..elementwise.casting import cast

        given = cast(given, dtypes.bool) if isinstance(given, Tensor) else given
    if x is None:
        return _coordinates(given)
    like = next((v for v in (x, y) if isinstance(v, RaggedTensor)), None)
    operands = [given, *[_like(v, like) for v in (x, y)]]
    levels, flats = matched(operands)
    return assembled(indexing_where(*flats), levels)


def _like(value: RaggedOrDense, like: RaggedOrDense) -> RaggedOrDense:
    if isinstance(value, (RaggedTensor, Tensor)) or hasattr(value, "dtype") or like is None:
        return ragged_or_dense(value)
    return as_tensor(value, like.flat_values._array.dtype)


def indexing_where(condition: Tensor, x: Tensor, y: Tensor) -> RaggedOrDense:
    """The function of dense tensors."""
    from ..arrays.selecting import where as dense

    return dense(condition, x, y)


def _coordinates(x: RaggedTensor) -> Tensor:
    array = seen(x.flat_values)
    found = np.argwhere(array)
    outer = np.stack(places(x), axis=1)[found[:, 0]]
    return constant(np.concatenate([outer, found[:, 1:]], axis=1).astype(np.int64))


def dynamic_partition(
    data: RaggedOrDense, partitions: RaggedOrDense, num_partitions: int, name: str | None = None
) -> list[Any]:
    """The rows of each partition."""
    from .joining import stack_dynamic_partitions

    if not isinstance(num_partitions, int) or num_partitions <= 0:
        raise ValueError(f"num_partitions must be a positive integer, got {num_partitions!r}.")
    made = stack_dynamic_partitions(data, partitions, num_partitions)
    return [made[i] for i in range(num_partitions)]
