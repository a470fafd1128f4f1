"""The largest, or the smallest, few along an axis: TensorFlow's names for an approximate search.

Here it is exact, which is an approximation, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...engine.dtype_kinds import REAL_FLOATING
from ...public import public
from ..arguments import axis_from_right, flag, number, tensor_of, whole_number
from ..arrays.shaping import transpose
from .sorting import top_k

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, TensorLike
    from ...engine.tensor import Tensor


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
    """The k largest elements along an axis, and where they stand.

    >>> import cinta as tf
    >>> values, indices = tf.math.approx_max_k([1.0, 3.0, 2.0], 2)
    >>> values.numpy(), indices.numpy()
    (array([3., 2.], dtype=float32), array([1, 2], dtype=int32))
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
    """The k smallest elements along an axis, and where they stand.

    >>> import cinta as tf
    >>> tf.math.approx_min_k([1.0, 3.0, 2.0], 2)[0].numpy()
    array([1., 2.], dtype=float32)
    """
    x = tensor_of("ApproxTopK", operand, REAL_FLOATING)
    values, indices = approx_max_k(
        -x, k, reduction_dimension, recall_target, reduction_input_size_override, aggregate_to_topk
    )
    return -values, indices
