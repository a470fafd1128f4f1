"""Random tensors that differ from call to call: what tf.random offers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..convert import as_tensor
from .arguments import shape_argument
from .random_kernels import (
    RESERVED,
    StatelessRandomNormalV2,
    StatelessRandomUniformIntV2,
    StatelessRandomUniformV2,
)
from .random_state import next_state, set_seed

if TYPE_CHECKING:
    from ..op import Op
    from ..tensor import Tensor

FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
INTEGERS = (dtypes.int32, dtypes.int64)


def checked_dtype(dtype: Any, accepted: tuple[dtypes.DType, ...]) -> np.dtype[Any]:
    """The NumPy dtype of an argument ``dtype`` that must be one of these."""
    given = dtypes.as_dtype(dtype)
    if given not in accepted:
        raise ValueError(
            f"Argument `dtype` got invalid value {given!r}. Accepted dtypes are {accepted}."
        )
    return given.dtype


def index_dtype(shape: Any) -> np.dtype[Any]:
    """The dtype of a shape as a tensor: it is part of the name of an op's stream."""
    return np.dtype(getattr(shape, "dtype", np.int32))


def draw(random_op: Op, shape: Any, dtype: np.dtype[Any], seed: Any) -> Tensor:
    """Call an op that fills a shape with random numbers of a dtype."""
    lengths = shape_argument(shape)
    blocks = math.prod(lengths) * RESERVED
    state = next_state(random_op, (dtype, index_dtype(shape)), seed, blocks)
    result: Tensor = random_op(state, shape=lengths, dtype=dtype)
    return result


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed random numbers.

    Gradients flow to ``mean`` and ``stddev``.

    >>> import cinta as tf
    >>> tf.random.normal([2, 3], mean=5.0).shape
    TensorShape([2, 3])
    """
    kind = checked_dtype(dtype, FLOATS)
    mean, stddev = as_tensor(mean, kind), as_tensor(stddev, kind)
    return draw(StatelessRandomNormalV2, shape, kind, seed) * stddev + mean


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Random numbers that are equally likely anywhere from ``minval`` to below ``maxval``.

    Floats are in [0, 1) if no bounds are given; gradients flow to the bounds. Integers need
    ``maxval``, and are slightly biased unless the count of possible values is a power of two.

    >>> import cinta as tf
    >>> dice = tf.random.uniform([100], minval=1, maxval=7, dtype=tf.int32)
    >>> int(tf.reduce_min(dice)) >= 1, int(tf.reduce_max(dice)) <= 6
    (True, True)
    """
    kind = checked_dtype(dtype, FLOATS + INTEGERS)
    if kind.kind == "i":
        return _uniform_integers(shape, minval, maxval, kind, seed)
    unit = draw(StatelessRandomUniformV2, shape, kind, seed)
    maxval = 1 if maxval is None else maxval
    if isinstance(minval, int) and minval == 0:
        return unit if isinstance(maxval, int) and maxval == 1 else unit * as_tensor(maxval, kind)
    low, high = as_tensor(minval, kind), as_tensor(maxval, kind)
    return unit * (high - low) + low


def _uniform_integers(shape: Any, minval: Any, maxval: Any, kind: Any, seed: Any) -> Tensor:
    if maxval is None:
        raise ValueError(f"Must specify maxval for integer dtype {dtypes.of(kind)!r}")
    low, high = as_tensor(minval, kind), as_tensor(maxval, kind)
    lengths = shape_argument(shape)
    names = kind, index_dtype(shape)
    state = next_state(
        StatelessRandomUniformIntV2, names, seed, math.prod(lengths) * RESERVED
    )
    result: Tensor = StatelessRandomUniformIntV2(state, low, high, shape=lengths)
    return result


__all__ = ["normal", "set_seed", "uniform"]
