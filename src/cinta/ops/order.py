"""Whether a tensor is in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .comparison import less, less_equal
from .reduction import reduce_all
from .shaping import reshape

if TYPE_CHECKING:
    from ..tensor import Tensor


def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element is less than the one before it, row after row.

    >>> import cinta as tf
    >>> tf.math.is_non_decreasing([1, 1, 2]).numpy()
    np.True_
    """
    flat = reshape(x, [-1])
    return reduce_all(less_equal(flat[:-1], flat[1:]))


def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether every element is greater than the one before it, row after row.

    >>> import cinta as tf
    >>> tf.math.is_strictly_increasing([1, 1, 2]).numpy()
    np.False_
    """
    flat = reshape(x, [-1])
    return reduce_all(less(flat[:-1], flat[1:]))
