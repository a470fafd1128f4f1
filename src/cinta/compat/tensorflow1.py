"""Functions of TensorFlow 1 that libraries call to this day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.convert import as_tensor
from ..engine.primitives import Reshape
from ..ops.arrays.selecting import where as broadcasting_where
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import TensorLike
    from ..engine.tensor import Tensor


@public("compat.v1.where")
def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """``x`` where the condition holds and ``y`` elsewhere; a row of conditions chooses among rows.

    >>> import cinta as tf
    >>> tf.compat.v1.where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]]).numpy()
    array([[1, 2],
           [7, 8]], dtype=int32)
    """
    if x is None or y is None:
        return broadcasting_where(condition, x, y)
    choice, rank = as_tensor(condition), as_tensor(x)._array.ndim
    if choice._array.ndim == 1 and rank > 1:
        choice = Reshape(choice, shape=choice._array.shape + (1,) * (rank - 1))
    return broadcasting_where(choice, x, y)


@public("compat.v1.enable_v2_behavior", "compat.v1.enable_eager_execution")
def enable_v2_behavior() -> None:
    """Behave as TensorFlow 2, as always.

    >>> import cinta as tf
    >>> tf.compat.v1.enable_v2_behavior()
    """


@public("compat.v1.disable_v2_behavior", "compat.v1.disable_eager_execution")
def disable_v2_behavior() -> None:
    """Refused: ops run when they are called, and no graph is built.

    >>> import cinta as tf
    >>> tf.compat.v1.disable_v2_behavior()
    Traceback (most recent call last):
    ...
    NotImplementedError: cinta runs ops when they are called. Decorate functions with @tf.function.
    """
    raise NotImplementedError(
        "cinta runs ops when they are called. Decorate functions with @tf.function."
    )
