"""Random numbers, by NumPy's names and with its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.tensor import Tensor
from ...ops.arguments import common_shape, whole_number
from ...ops.elementwise.casting import cast
from ...ops.random import stateful
from ...ops.random.state import set_seed
from ...public import public
from .arguments import lengths
from .types import asarray, default_float, dtype_of

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, NumericLike, ShapeLike


@public("tnp.random.seed")
def seed(s: int) -> None:
    """Set the program's seed, as ``tf.random.set_seed`` does.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.seed(3)
    """
    set_seed(whole_number(s, "s"))


@public("tnp.random.randn")
def randn(*args: int) -> Tensor:
    """Normally distributed numbers, in an array of this shape.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.randn(2, 3).shape
    TensorShape([2, 3])
    """
    return standard_normal(lengths(args, "args"))


@public("tnp.random.standard_normal")
def standard_normal(size: ShapeLike | None = None) -> Tensor:
    """Normally distributed numbers.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.standard_normal((2, 3)).shape
    TensorShape([2, 3])

    Args:
        size: The shape; None for one number.
    """
    return stateful.normal(_shape(size), dtype=default_float())


@public("tnp.random.rand")
def rand(*size: int) -> Tensor:
    """Numbers from 0 to below 1, in an array of this shape.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.rand(2, 3).shape
    TensorShape([2, 3])
    """
    return uniform(0.0, 1.0, size)


@public("tnp.random.random")
def random(size: ShapeLike | None = None) -> Tensor:
    """Numbers from 0 to below 1.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.random((2, 3)).shape
    TensorShape([2, 3])

    Args:
        size: The shape; None for one number.
    """
    return uniform(0.0, 1.0, size)


@public("tnp.random.uniform")
def uniform(
    low: NumericLike = 0.0, high: NumericLike = 1.0, size: ShapeLike | None = None
) -> Tensor:
    """Numbers from ``low`` to below ``high``, equally likely anywhere between.

    >>> import cinta as tf
    >>> bool(2.0 <= tf.experimental.numpy.random.uniform(2.0, 3.0) < 3.0)
    True

    Args:
        low: The lower bound.
        high: The upper bound, which is left out.
        size: The shape; None for that of the bounds.
    """
    wanted = default_float()
    lower, upper = asarray(low, wanted), asarray(high, wanted)
    if size is None:
        size = common_shape("uniform", lower._array.shape, upper._array.shape)
    return stateful.uniform(_shape(size), lower, upper, wanted)


@public("tnp.random.poisson")
def poisson(lam: NumericLike = 1.0, size: ShapeLike | None = None) -> Tensor:
    """Numbers of events of which ``lam`` are expected.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.poisson(4.0, (2, 3)).shape
    TensorShape([2, 3])

    Args:
        lam: The number that is expected.
        size: The shape; None for one number.
    """
    expected = asarray(lam, default_float())
    return stateful.poisson(_shape(size), expected, dtype=np.int64)


@public("tnp.random.randint")
def randint(
    low: NumericLike,
    high: NumericLike | None = None,
    size: ShapeLike | None = None,
    dtype: DTypeLike = np.int64,
) -> Tensor:
    """Integers from ``low`` to below ``high``, or from 0 to below ``low``.

    >>> import cinta as tf
    >>> 0 <= int(tf.experimental.numpy.random.randint(6)) < 6
    True

    Args:
        low: The first integer; the end, if it is the only one.
        high: The end, which is left out.
        size: The shape; None for one integer.
        dtype: The dtype.

    Raises:
        ValueError: If the dtype is not one of integers.
        InvalidArgumentError: If there is no integer between the two.
    """
    first, last = (0, low) if high is None else (low, high)
    wanted = dtype_of(dtype)
    if wanted.kind not in "iu":
        raise ValueError(f"randint gives integers, not {wanted}.")
    drawn = stateful.uniform(_shape(size), first, last, wanted if wanted.itemsize > 2 else "int32")
    return cast(drawn, wanted)


def _shape(size: object) -> list[int]:
    return [] if size is None else list(lengths(size, "size"))
