"""Dropout: elements set to 0 by chance."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ...engine.convert import as_tensor, is_tensor
from ...public import public
from ..arrays.selecting import where
from ..elementwise.comparison import greater_equal
from ..random.stateful import uniform
from ..random.stateless import stateless_uniform

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import NumericLike, ShapeLike
    from ...engine.tensor import Tensor
    from ..random.seeds import Algorithm


@public("nn.dropout")
def dropout(
    x: NumericLike,
    rate: NumericLike,
    noise_shape: ShapeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Each element 0 with the probability ``rate``, else scaled such that the mean remains.

    ``noise_shape``, which is broadcast to the shape of x, says what is dropped together.

    >>> import cinta as tf
    >>> tf.nn.dropout([1.0, 2.0], rate=0.0).numpy()
    array([1., 2.], dtype=float32)

    Args:
        x: A tensor of floating-point numbers.
        rate: The probability, from 0 to less than 1.
        noise_shape: A shape that is broadcast to that of ``x``; None for its own.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.

    Raises:
        ValueError: If the rate is out of range, or ``x`` holds no floats.
    """
    return general_dropout(x, rate, partial(uniform, seed=seed), noise_shape)


@public("nn.experimental.stateless_dropout")
def stateless_dropout(
    x: NumericLike,
    rate: NumericLike,
    seed: NumericLike,
    rng_alg: str | int | Algorithm | None = None,
    noise_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The same as `dropout`, where the seed, of two whole numbers, determines what is dropped.

    >>> import cinta as tf
    >>> tf.nn.experimental.stateless_dropout(tf.ones([5]), rate=0.5, seed=[1, 0]).numpy()
    array([2., 0., 2., 0., 0.], dtype=float32)

    Args:
        x: A tensor of floating-point numbers.
        rate: The probability, from 0 to less than 1.
        seed: Two whole numbers.
        rng_alg: The algorithm: "philox", "threefry" or "auto_select", which None stands for.
        noise_shape: A shape that is broadcast to that of ``x``; None for its own.

    Raises:
        ValueError: If the rate is out of range, or ``x`` holds no floats.
    """
    sampler = partial(
        stateless_uniform, seed=seed, alg="auto_select" if rng_alg is None else rng_alg
    )
    return general_dropout(x, rate, sampler, noise_shape)


@public("nn.experimental.general_dropout")
def general_dropout(
    x: NumericLike,
    rate: NumericLike,
    uniform_sampler: Callable[..., Tensor],
    noise_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The same as `dropout`, with the random numbers from a function of a shape and a dtype.

    >>> import cinta as tf
    >>> def sampler(shape, dtype):
    ...     return tf.constant([0.2, 0.7], dtype)
    >>> tf.nn.experimental.general_dropout([1.0, 1.0], 0.5, sampler).numpy()
    array([0., 2.], dtype=float32)

    Args:
        x: A tensor of floating-point numbers.
        rate: The probability, from 0 to less than 1.
        uniform_sampler: A function that gives random numbers from 0 to 1, of a shape and a dtype.
        noise_shape: A shape that is broadcast to that of ``x``; None for its own.

    Raises:
        ValueError: If the rate is out of range, or ``x`` holds no floats.
    """
    values = as_tensor(x)
    if not values.dtype.is_floating:
        raise ValueError(
            "`x.dtype` must be a floating point tensor as `x` will be scaled. Received: "
            f"x_dtype={values.dtype!r}"
        )
    if isinstance(rate, (int, float)):
        if not 0 <= rate < 1:
            raise ValueError(
                "`rate` must be a scalar tensor or a float in the range [0, 1). Received: "
                f"rate={rate}"
            )
        if rate == 0:
            return values
        scaled = values * (1.0 / (1.0 - rate))
    else:
        scaled = values / (1.0 - _share(values, rate))
    noise = uniform_sampler(shape=_noise_shape(values, noise_shape), dtype=values.dtype)
    return where(greater_equal(noise, rate), scaled, 0)


def _share(x: Tensor, rate: NumericLike) -> Tensor:
    """The rate as a scalar tensor."""
    share = as_tensor(rate, None if is_tensor(rate) else x._array.dtype)
    if share.ndim:
        raise ValueError(f"`rate` must be a scalar or scalar tensor. Received: rate={rate}")
    if share.dtype != x.dtype:
        raise ValueError(
            f"`x.dtype` must be compatible with `rate.dtype`. Received: x.dtype={x.dtype!r} and "
            f"rate.dtype={share.dtype!r}. Use tf.cast on the rate."
        )
    return share


def _noise_shape(x: Tensor, noise_shape: object) -> Any:
    """The noise's shape, with x's lengths where none is given."""
    shape = x._array.shape
    if noise_shape is None:
        return shape
    if isinstance(noise_shape, (list, tuple)) and len(noise_shape) == len(shape):
        return [n if m is None else m for m, n in zip(noise_shape, shape, strict=True)]
    return noise_shape
