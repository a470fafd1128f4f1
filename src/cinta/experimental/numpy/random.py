"""The names of tf.experimental.numpy.random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as _np

from ...engine.tensor import Tensor as _Tensor
from ...listing import only_public as _only_public
from ...ops.arguments import common_shape as _common_shape
from ...ops.arguments import whole_number as _whole_number
from ...ops.elementwise.casting import cast as _cast
from ...ops.random import stateful as _stateful
from ...ops.random.state import set_seed as _set_seed
from .checks import lengths as _lengths
from .types import asarray as _asarray
from .types import default_float as _default_float
from .types import dtype_of as _dtype_of

if TYPE_CHECKING:
    from typing import Any


def seed(s: int) -> None:
    """Set the program's seed, as ``tf.random.set_seed`` does.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.seed(3)
    """
    _set_seed(_whole_number(s, "s"))


def randn(*args: int) -> _Tensor:
    """Normally distributed numbers, in an array of this shape.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.randn(2, 3).shape
    TensorShape([2, 3])
    """
    return standard_normal(_lengths(args, "args"))


def standard_normal(size: Any = None) -> _Tensor:
    """Normally distributed numbers.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.standard_normal((2, 3)).shape
    TensorShape([2, 3])
    """
    return _stateful.normal(_shape(size), dtype=_default_float())


def rand(*size: int) -> _Tensor:
    """Numbers from 0 to below 1, in an array of this shape.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.rand(2, 3).shape
    TensorShape([2, 3])
    """
    return uniform(0.0, 1.0, size)


def random(size: Any = None) -> _Tensor:
    """Numbers from 0 to below 1.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.random((2, 3)).shape
    TensorShape([2, 3])
    """
    return uniform(0.0, 1.0, size)


def uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None) -> _Tensor:
    """Numbers from ``low`` to below ``high``, equally likely anywhere between.

    >>> import cinta as tf
    >>> bool(2.0 <= tf.experimental.numpy.random.uniform(2.0, 3.0) < 3.0)
    True
    """
    wanted = _default_float()
    lower, upper = _asarray(low, wanted), _asarray(high, wanted)
    if size is None:
        size = _common_shape("uniform", lower._array.shape, upper._array.shape)
    return _stateful.uniform(_shape(size), lower, upper, wanted)


def poisson(lam: Any = 1.0, size: Any = None) -> _Tensor:
    """Numbers of events of which ``lam`` are expected.

    >>> import cinta as tf
    >>> tf.experimental.numpy.random.poisson(4.0, (2, 3)).shape
    TensorShape([2, 3])
    """
    expected = _asarray(lam, _default_float())
    return _stateful.poisson(_shape(size), expected, dtype=_np.int64)


def randint(low: Any, high: Any = None, size: Any = None, dtype: Any = _np.int64) -> _Tensor:
    """Integers from ``low`` to below ``high``, or from 0 to below ``low``.

    >>> import cinta as tf
    >>> 0 <= int(tf.experimental.numpy.random.randint(6)) < 6
    True
    """
    first, last = (0, low) if high is None else (low, high)
    wanted = _dtype_of(dtype)
    if wanted.kind not in "iu":
        raise ValueError(f"randint gives integers, not {wanted}.")
    drawn = _stateful.uniform(_shape(size), first, last, wanted if wanted.itemsize > 2 else "int32")
    return _cast(drawn, wanted)


def _shape(size: Any) -> list[int]:
    return [] if size is None else list(_lengths(size, "size"))


__dir__ = _only_public(globals())
