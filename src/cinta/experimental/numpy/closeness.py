"""Whether arrays are equal, or close to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.dtype_kinds import BOOL, NUMERIC, REAL
from ...engine.tensor import Tensor, seen, wrap
from ...ops.arguments import common_shape, flag, number, tensor_of
from ...public import public
from .types import asarray, promoted, promoted_pair

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike
    from ...engine.tensor import Array


@public("tnp.isclose")
def isclose(
    a: NumericLike,
    b: NumericLike,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Whether ``|a - b| <= atol + rtol * |b|``, element by element.

    >>> import cinta as tf
    >>> tf.experimental.numpy.isclose([1.0, 2.0], [1.0, 2.1]).numpy()
    array([ True, False])

    Args:
        a: An array, a tensor, or what becomes one.
        b: Another; the shapes are broadcast.
        rtol: The tolerance relative to ``b``.
        atol: The absolute tolerance.
        equal_nan: Whether NaN is near to NaN.
    """
    x, y = [seen(tensor_of("isclose", each, NUMERIC + BOOL)) for each in promoted_pair(a, b)]
    relative, absolute = _tolerance(rtol, "rtol"), _tolerance(atol, "atol")
    common_shape("isclose", x.shape, y.shape, np.shape(relative), np.shape(absolute))
    equal = flag(equal_nan, "equal_nan")
    return wrap(np.asarray(np.isclose(x, y, relative, absolute, equal))[()])


def _tolerance(given: Array | float, argument: str) -> Any:
    """An array, or a Python number, which takes the dtype of the other operand."""
    if type(given) in (int, float):
        return number(given, argument)
    return seen(tensor_of("isclose", asarray(given), REAL + BOOL))


@public("tnp.allclose")
def allclose(
    a: NumericLike,
    b: NumericLike,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> Tensor:
    """Whether all elements are close, as ``isclose`` says.

    >>> import cinta as tf
    >>> bool(tf.experimental.numpy.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9]))
    True

    Args:
        a: An array, a tensor, or what becomes one.
        b: Another; the shapes are broadcast.
        rtol: The tolerance relative to ``b``.
        atol: The absolute tolerance.
        equal_nan: Whether NaN is near to NaN.
    """
    return wrap(np.bool_(isclose(a, b, rtol, atol, equal_nan)._array.all()))


@public("tnp.array_equal")
def array_equal(a1: NumericLike, a2: NumericLike) -> Tensor:
    """Whether two arrays have the same shape and the same elements.

    >>> import cinta as tf
    >>> bool(tf.experimental.numpy.array_equal([1, 2], [1, 2]))
    True

    Args:
        a1: An array, a tensor, or what becomes one.
        a2: Another.
    """
    x, y = promoted(a1, a2)
    return wrap(np.bool_(np.array_equal(seen(x), seen(y))))
