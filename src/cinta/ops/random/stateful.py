"""Random tensors that differ from call to call: what tf.random offers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...public import public
from ..arrays.shaping import reshape
from . import distributions
from .distributions import FLOATS, INTEGERS, checked_dtype
from .gamma_numbers import StatelessRandomGammaV3
from .poisson import StatelessRandomPoisson
from .state import stream

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, NumericLike, ShapeLike
    from ...engine.tensor import Tensor


@public("random.normal")
def normal(
    shape: ShapeLike,
    mean: NumericLike = 0.0,
    stddev: NumericLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed random numbers.

    Gradients flow to ``mean`` and ``stddev``; the numbers behind them are constant.

    >>> import cinta as tf
    >>> tf.random.set_seed(1)
    >>> tf.random.normal([2], mean=5.0).numpy().round(4)
    array([3.8988, 6.5458], dtype=float32)

    Args:
        shape: The shape of the result.
        mean: The mean; it is broadcast to the shape.
        stddev: The standard deviation, likewise.
        dtype: A floating-point dtype.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return distributions.normal(stream(seed), shape, mean, stddev, dtype)


@public("random.truncated_normal")
def truncated_normal(
    shape: ShapeLike,
    mean: NumericLike = 0.0,
    stddev: NumericLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed random numbers, all within two standard deviations of the mean.

    >>> import cinta as tf
    >>> bool(tf.reduce_all(tf.abs(tf.random.truncated_normal([1000])) < 2))
    True

    Args:
        shape: The shape of the result.
        mean: The mean.
        stddev: The standard deviation, before anything is cut off.
        dtype: A floating-point dtype.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return distributions.truncated_normal(stream(seed), shape, mean, stddev, dtype)


@public("random.uniform")
def uniform(
    shape: ShapeLike,
    minval: NumericLike | None = 0,
    maxval: NumericLike | None = None,
    dtype: DTypeLike = dtypes.float32,
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

    Args:
        shape: The shape of the result.
        minval: The least number.
        maxval: The bound, which is not reached; None for 1.
        dtype: A floating-point dtype, ``tf.int32`` or ``tf.int64``.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.

    Raises:
        ValueError: If integers are asked for without ``maxval``.
    """
    kind = checked_dtype(dtype, FLOATS + INTEGERS)
    if maxval is None and kind.kind == "i":
        raise ValueError(f"Must specify maxval for integer dtype {dtypes.of(kind)!r}")
    return distributions.uniform(stream(seed), shape, minval, maxval, kind)


@public("random.gamma")
def gamma(
    shape: ShapeLike,
    alpha: NumericLike,
    beta: NumericLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Samples from gamma distributions of shape ``alpha`` and rate ``beta`` (1 if None).

    The result has the axes of ``shape``, then those of the parameters. Gradients flow to both.

    >>> import cinta as tf
    >>> tf.random.gamma([10], alpha=[0.5, 1.5]).shape
    TensorShape([10, 2])

    Args:
        shape: The first axes of the result.
        alpha: The shape of the distributions.
        beta: Their rate.
        dtype: A floating-point dtype.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    sizes = distributions.lengths(StatelessRandomGammaV3, shape)
    drawn = distributions.gamma(stream(seed), math.prod(sizes), alpha, beta, dtype)
    return reshape(drawn, (*sizes, *drawn.shape[1:]))


@public("random.poisson")
def poisson(
    shape: ShapeLike,
    lam: NumericLike,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Samples from Poisson distributions: the axes of ``shape``, then those of ``lam``.

    >>> import cinta as tf
    >>> tf.random.poisson([10], lam=[0.5, 1.5]).shape
    TensorShape([10, 2])

    Args:
        shape: The first axes of the result.
        lam: The means.
        dtype: The dtype of the result.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    sizes = distributions.lengths(StatelessRandomPoisson, shape)
    # As in TensorFlow, a plain number, but not a list, is a rate in double precision here.
    rate = as_tensor(lam, np.dtype(np.float64) if type(lam) in (int, float) else None)
    drawn = distributions.poisson(stream(seed), math.prod(sizes), rate, dtype)
    return reshape(drawn, (*sizes, *drawn.shape[1:]))


@public("random.categorical")
def categorical(
    logits: NumericLike,
    num_samples: IntLike,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """For each row of logits, indices drawn with the probabilities ``softmax(row)``.

    >>> import cinta as tf
    >>> tf.random.categorical([[0.0, float("-inf")]], 3).numpy()
    array([[0, 0, 0]])

    Args:
        logits: A row of logarithms of probabilities for each example.
        num_samples: How many indices to draw for each row.
        dtype: ``tf.int64``, which None stands for, or ``tf.int32``.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return distributions.categorical(stream(seed), logits, num_samples, dtype)


@public("random.shuffle")
def shuffle(value: NumericLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """The same tensor with its rows, along the first axis, in random order.

    >>> import cinta as tf
    >>> sorted(tf.random.shuffle([1, 2, 3]).numpy().tolist())
    [1, 2, 3]

    Args:
        value: A tensor.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return distributions.shuffle(stream(seed), value)
