"""The largest few along an axis: exactly, also where TensorFlow would search approximately."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import REAL, REAL_FLOATING
from ...engine.op import op
from ...engine.primitives import PutAlong
from ...engine.shapes import written
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import (
    axis_from_right,
    flag,
    integer,
    number,
    tensor_of,
    whole_number,
)
from ..arrays.shaping import transpose
from .sorting import falling, rising

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, IntLike, TensorLike
    from ...engine.tensor import Array


@op("TopKV2", rowwise=True)
def TopK(xp: ArrayModule, x: Array, *, k: int, dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """The k largest along the last axis, and where they stand."""
    where = _first_of_many(x, k) if xp is np and 0 < k <= x.shape[-1] // _MANY_TIMES else None
    if where is None:
        where = xp.argsort(falling(x), axis=-1, stable=True)[..., :k]
    return xp.take_along_axis(x, where, axis=-1), where.astype(dtype)


_MANY_TIMES = 8


def _first_of_many(x: Array, k: int) -> Array | None:
    """Where the k largest stand, without putting the others in order.

    None where others equal the least of the k, so that the first of them must be found, or for NaN.
    """
    x = rising(x)
    least = np.partition(x, -k, axis=-1)[..., -k, None]
    among = x >= least
    if not (np.count_nonzero(among, axis=-1) == k).all():
        return None
    where = np.nonzero(among)[-1].reshape(*x.shape[:-1], k)
    order = np.argsort(falling(np.take_along_axis(x, where, -1)), axis=-1, stable=True)
    return np.take_along_axis(where, order, -1)


TopK.grads(x=lambda g, out, x_shape: PutAlong(g[0], out[1], length=x_shape[-1], axis=-1))


@op("InTopKV2")
def InTopK(xp: ArrayModule, predictions: Array, targets: Array, *, k: int) -> Array:
    """Whether fewer than k predictions are greater than that of the target."""
    count = predictions.shape[-1]
    valid = (targets >= 0) & (targets < count)
    chosen = xp.where(valid, targets, 0)[:, None].astype(np.int64)
    own = xp.take_along_axis(predictions, chosen, axis=-1)
    finite = xp.isfinite(predictions).all(axis=-1) if count else valid
    result: Array = valid & finite & ((predictions > own).sum(axis=-1) < k)
    return result


class TopKV2(NamedTuple):
    """The results of ``tf.math.top_k``."""

    values: Tensor
    indices: Tensor


@public("math.top_k", "nn.top_k")
def top_k(
    input: TensorLike,
    k: IntLike = 1,
    sorted: bool = True,
    index_type: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> TopKV2:
    """The k largest elements along the last axis, and their indices.

    They come in falling order, of equal ones the first first, whether ``sorted`` or not.

    >>> import cinta as tf
    >>> values, indices = tf.math.top_k([1.0, 5.0, 5.0, 2.0], k=2)
    >>> values.numpy(), indices.numpy()
    (array([5., 5.], dtype=float32), array([1, 2], dtype=int32))

    Args:
        input: A tensor of real numbers.
        k: How many elements to give.
        sorted: Accepted: they are always sorted.
        index_type: The dtype of the places.

    Raises:
        InvalidArgumentError: If ``input`` is a scalar, or has fewer than k elements along the axis.
    """
    flag(sorted, "sorted")
    x = tensor_of("TopKV2", input, REAL)
    count = integer(k, "k")
    shape = x._array.shape
    if not shape:
        raise InvalidArgumentError("input must be >= 1-D, got shape [] [Op:TopKV2]")
    if not 0 <= count <= shape[-1]:
        needed = (
            f"input must have at least k columns. Had {shape[-1]}, needed {count}"
            if count > 0
            else f"Need k >= 0, got {count}"
        )
        raise InvalidArgumentError(f"{needed} [Op:TopKV2]")
    return TopKV2(*TopK(x, k=count, dtype=dtypes.as_dtype(index_type).dtype))


@public("math.in_top_k", "nn.in_top_k")
def in_top_k(
    targets: TensorLike, predictions: TensorLike, k: IntLike, name: str | None = None
) -> Tensor:
    """Whether the prediction for each target is among the k largest of its row.

    >>> import cinta as tf
    >>> tf.math.in_top_k([0, 1], [[1.0, 2.0, 3.0], [1.0, 5.0, 3.0]], k=2).numpy()
    array([False,  True])

    Args:
        targets: The number of a class for each example.
        predictions: The scores of all classes ``[batch, classes]``.
        k: How many of the largest count.

    Raises:
        InvalidArgumentError: If the shapes do not fit.
    """
    scores = as_tensor(predictions, np.dtype(np.float32))
    wanted = tensor_of("InTopKV2", targets, "i")
    shape, count = scores._array.shape, wanted._array.shape
    if len(shape) != 2:
        raise InvalidArgumentError(
            f"predictions must be 2-dimensional, got shape {written(shape)} [Op:InTopKV2]"
        )
    if count != shape[:1]:
        raise InvalidArgumentError(
            f"First dimension of predictions {shape[0]} must match length of targets, got shape "
            f"{written(count)} [Op:InTopKV2]"
        )
    return InTopK(scores, wanted, k=integer(k, "k"))


@public("math.approx_max_k", "nn.approx_max_k")
def approx_max_k(
    operand: TensorLike,
    k: IntLike,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The k largest elements along an axis, and their indices.

    >>> import cinta as tf
    >>> values, indices = tf.math.approx_max_k([1.0, 3.0, 2.0], 2)
    >>> values.numpy(), indices.numpy()
    (array([3., 2.], dtype=float32), array([1, 2], dtype=int32))

    Args:
        operand: A tensor of floating-point numbers.
        k: How many elements to give.
        reduction_dimension: The axis, counted from the end if negative.
        recall_target: Accepted: all of the largest are found.
        reduction_input_size_override: Accepted; changes no result.
        aggregate_to_topk: Accepted: exactly k elements are given.
    """
    number(recall_target, "recall_target")
    whole_number(reduction_input_size_override, "reduction_input_size_override")
    flag(aggregate_to_topk, "aggregate_to_topk")
    x = tensor_of("ApproxTopK", operand, REAL_FLOATING)
    along = axis_from_right("ApproxTopK", reduction_dimension, x.ndim, "reduction_dimension")
    swap = list(range(x.ndim))
    swap[along], swap[-1] = swap[-1], swap[along]
    values, indices = top_k(transpose(x, swap), k)
    return transpose(values, swap), transpose(indices, swap)


@public("math.approx_min_k", "nn.approx_min_k")
def approx_min_k(
    operand: TensorLike,
    k: IntLike,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The k smallest elements along an axis, and their indices.

    >>> import cinta as tf
    >>> tf.math.approx_min_k([1.0, 3.0, 2.0], 2)[0].numpy()
    array([1., 2.], dtype=float32)

    Args:
        operand: A tensor of floating-point numbers.
        k: How many elements to give.
        reduction_dimension: The axis, counted from the end if negative.
        recall_target: Accepted: all of the smallest are found.
        reduction_input_size_override: Accepted; changes no result.
        aggregate_to_topk: Accepted: exactly k elements are given.
    """
    x = tensor_of("ApproxTopK", operand, REAL_FLOATING)
    values, indices = approx_max_k(
        -x, k, reduction_dimension, recall_target, reduction_input_size_override, aggregate_to_topk
    )
    return -values, indices
