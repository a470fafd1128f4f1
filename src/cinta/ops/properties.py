"""What can be said of a tensor as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..convert import as_tensor
from ..tensor import wrap

if TYPE_CHECKING:
    from ..tensor import Tensor


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """Which part of the elements is zero, as a float32.

    >>> import cinta as tf
    >>> tf.math.zero_fraction([0.0, 1.0, 2.0, 0.0]).numpy()
    np.float32(0.5)
    """
    array = np.asarray(as_tensor(value)._array)
    zeros = array.size - np.count_nonzero(array)
    return wrap(np.divide(zeros, array.size, dtype=np.float32))


def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element is less than the one before it, row after row.

    >>> import cinta as tf
    >>> tf.math.is_non_decreasing([1, 1, 2]).numpy()
    np.True_
    """
    flat = np.ravel(as_tensor(x)._array)
    return wrap(np.all(flat[:-1] <= flat[1:]))


def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether every element is greater than the one before it, row after row.

    >>> import cinta as tf
    >>> tf.math.is_strictly_increasing([1, 1, 2]).numpy()
    np.False_
    """
    flat = np.ravel(as_tensor(x)._array)
    return wrap(np.all(flat[:-1] < flat[1:]))
