"""Checks that all numbers are finite, and that their gradients are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.op import op
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import tensor_of

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, TensorLike
    from ...engine.tensor import Array, Tensor


# -- infinity and NaN --------------------------------------------------------------------------


@op("CheckNumerics", elementwise=True)
def CheckNumerics(xp: ArrayModule, tensor: Array, *, message: str) -> Array:
    """The tensor itself if all its elements are finite."""
    if xp is np and not np.all(np.isfinite(tensor)):
        found = [
            word
            for word, there in (("Inf", xp.isinf(tensor)), ("NaN", xp.isnan(tensor)))
            if xp.any(there)
        ]
        raise InvalidArgumentError(
            f"{message} : Tensor had {' and '.join(found)} values [Op:CheckNumerics]"
        )
    return tensor


@CheckNumerics.fails_if
def _(xp: ArrayModule, out: Array, tensor: Array, *, message: str) -> Array:
    return ~xp.all(xp.isfinite(tensor))


CheckNumerics.grads(
    tensor=lambda g, message: CheckNumerics(
        g,
        message="Not a number (NaN) or infinity (Inf) values detected in gradient. " + message,
    )
)


@public("debugging.check_numerics")
def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """The tensor, if all its elements are finite; else InvalidArgumentError with the message.

    The gradient that flows back through it is checked in the same way.

    >>> import cinta as tf
    >>> tf.debugging.check_numerics(tf.constant([1.0, 2.0]), "loss").numpy()
    array([1., 2.], dtype=float32)
    """
    return CheckNumerics(tensor_of("CheckNumerics", tensor, REAL_FLOATING), message=message)


@public("debugging.assert_all_finite")
def assert_all_finite(x: TensorLike, message: str, name: str | None = None) -> Tensor:
    """The same as ``check_numerics``.

    >>> import cinta as tf
    >>> tf.debugging.assert_all_finite([1.0, 2.0], "the loss").numpy()
    array([1., 2.], dtype=float32)

    Args:
        x: A tensor of floating-point numbers.
        message: The beginning of the message of the error.

    Raises:
        InvalidArgumentError: If an element is infinite or NaN.
    """
    return check_numerics(x, message)
