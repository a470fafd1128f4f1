"""Images changed at random: every function draws from the global generator, or from a seed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import number, shape_argument
from ..arrays.indexing import slice as part_of
from ..arrays.selecting import where
from ..arrays.shaping import reshape
from ..elementwise.comparison import greater, less
from ..elementwise.division import floormod
from ..random.stateful import uniform
from ..random.stateless import stateless_uniform
from .adjusting import adjust_brightness, adjust_contrast, adjust_hue, adjust_saturation
from .geometry import flip_left_right, flip_up_down, image_tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import NumericLike, ShapeLike
    from ...engine.tensor import Tensor

    Adjust = Callable[[Any, Tensor], Tensor]
    """A change of an image by a number."""
    Draw = Callable[..., Tensor]
    """Uniform random numbers: ``draw(shape, minval=..., maxval=..., dtype=...)``."""


# -- one number decides ------------------------------------------------------------------------


def _moved(
    image: NumericLike, max_delta: NumericLike, most: float, adjust: Adjust, draw: Draw
) -> Tensor:
    max_delta = number(max_delta, "max_delta")
    if not max_delta >= 0:
        raise ValueError(f"max_delta must be non-negative. Received {max_delta}.")
    if max_delta > most:
        raise ValueError(f"max_delta must be <= {most}. Received {max_delta}.")
    return adjust(image, draw([], minval=-max_delta, maxval=max_delta))


def _scaled(
    image: NumericLike, lower: NumericLike, upper: NumericLike, adjust: Adjust, draw: Draw
) -> Tensor:
    lower, upper = number(lower, "lower"), number(upper, "upper")
    if not upper > lower:
        raise ValueError(f"upper must be > lower. Received lower={lower}, upper={upper}.")
    if lower < 0:
        raise ValueError(f"lower must be non-negative. Received {lower}.")
    return adjust(image, draw([], minval=lower, maxval=upper))


@public("image.random_brightness")
def random_brightness(
    image: NumericLike, max_delta: NumericLike, seed: int | None = None
) -> Tensor:
    """`tf.image.adjust_brightness` by a random number between ``-max_delta`` and ``max_delta``.

    >>> import cinta as tf
    >>> tf.image.random_brightness(tf.zeros([2, 2, 3]), 0.1).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        max_delta: The bound, not negative.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return _moved(image, max_delta, np.inf, adjust_brightness, partial(uniform, seed=seed))


@public("image.stateless_random_brightness")
def stateless_random_brightness(
    image: NumericLike, max_delta: NumericLike, seed: NumericLike
) -> Tensor:
    """`random_brightness` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> image = tf.zeros([1, 1, 1])
    >>> tf.image.stateless_random_brightness(image, 0.1, [1, 2]).numpy().round(4)
    array([[[0.0688]]], dtype=float32)

    Args:
        image: An image ``[height, width, channels]``, or several.
        max_delta: The bound, not negative.
        seed: Two whole numbers.
    """
    draw = partial(stateless_uniform, seed=seed)
    return _moved(image, max_delta, np.inf, adjust_brightness, draw)


@public("image.random_hue")
def random_hue(image: NumericLike, max_delta: NumericLike, seed: int | None = None) -> Tensor:
    """`tf.image.adjust_hue` by a random number between ``-max_delta`` and ``max_delta``.

    >>> import cinta as tf
    >>> tf.image.random_hue(tf.ones([2, 2, 3]), 0.2).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        max_delta: The bound, from 0 to 0.5.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return _moved(image, max_delta, 0.5, adjust_hue, partial(uniform, seed=seed))


@public("image.stateless_random_hue")
def stateless_random_hue(image: NumericLike, max_delta: NumericLike, seed: NumericLike) -> Tensor:
    """`random_hue` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> tf.image.stateless_random_hue(tf.ones([2, 2, 3]), 0.2, seed=(1, 2)).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        max_delta: The bound, from 0 to 0.5.
        seed: Two whole numbers.
    """
    return _moved(image, max_delta, 0.5, adjust_hue, partial(stateless_uniform, seed=seed))


@public("image.random_contrast")
def random_contrast(
    image: NumericLike, lower: NumericLike, upper: NumericLike, seed: int | None = None
) -> Tensor:
    """`tf.image.adjust_contrast` by a random factor.

    >>> import cinta as tf
    >>> tf.image.random_contrast(tf.ones([2, 2, 3]), 0.5, 1.5).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        lower: The least factor.
        upper: A greater number, below which the factor lies.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return _scaled(image, lower, upper, adjust_contrast, partial(uniform, seed=seed))


@public("image.stateless_random_contrast")
def stateless_random_contrast(
    image: NumericLike, lower: NumericLike, upper: NumericLike, seed: NumericLike
) -> Tensor:
    """`random_contrast` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> tf.image.stateless_random_contrast(tf.ones([2, 2, 3]), 0.5, 1.5, seed=(1, 2)).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        lower: The least factor.
        upper: A greater number, below which the factor lies.
        seed: Two whole numbers.
    """
    return _scaled(image, lower, upper, adjust_contrast, partial(stateless_uniform, seed=seed))


@public("image.random_saturation")
def random_saturation(
    image: NumericLike, lower: NumericLike, upper: NumericLike, seed: int | None = None
) -> Tensor:
    """`tf.image.adjust_saturation` by a random factor.

    >>> import cinta as tf
    >>> tf.image.random_saturation(tf.ones([2, 2, 3]), 0.5, 1.5).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        lower: The least factor.
        upper: A greater number, below which the factor lies.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return _scaled(image, lower, upper, adjust_saturation, partial(uniform, seed=seed))


@public("image.stateless_random_saturation")
def stateless_random_saturation(
    image: NumericLike, lower: NumericLike, upper: NumericLike, seed: Any = None
) -> Tensor:
    """`random_saturation` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> tf.image.stateless_random_saturation(tf.ones([2, 2, 3]), 0.5, 1.5, (1, 2)).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        lower: The least factor.
        upper: A greater number, below which the factor lies.
        seed: Two whole numbers.
    """
    return _scaled(image, lower, upper, adjust_saturation, partial(stateless_uniform, seed=seed))


# -- mirrored or not ---------------------------------------------------------------------------


def _maybe(image: NumericLike, mirror: Callable[[Any], Tensor], draw: Draw) -> Tensor:
    """Mirror an image, or each of several, with a chance of one half."""
    x = image_tensor(image)
    if x.ndim == 3:
        chosen = less(draw([]), 0.5)
    else:
        chosen = reshape(greater(draw([x._array.shape[0]]), 0.5), [-1, 1, 1, 1])
    return where(chosen, mirror(x), x)


@public("image.random_flip_left_right")
def random_flip_left_right(image: NumericLike, seed: int | None = None) -> Tensor:
    """`tf.image.flip_left_right` with a chance of one half, for each of several images.

    >>> import cinta as tf
    >>> tf.image.random_flip_left_right(tf.zeros([5, 2, 4, 3])).shape
    TensorShape([5, 2, 4, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return _maybe(image, flip_left_right, partial(uniform, seed=seed))


@public("image.stateless_random_flip_left_right")
def stateless_random_flip_left_right(image: NumericLike, seed: NumericLike) -> Tensor:
    """`random_flip_left_right` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> image = tf.constant([[[1.0], [2.0]]])
    >>> tf.image.stateless_random_flip_left_right(image, seed=(3, 0)).numpy().ravel()
    array([2., 1.], dtype=float32)
    """
    return _maybe(image, flip_left_right, partial(stateless_uniform, seed=seed))


@public("image.random_flip_up_down")
def random_flip_up_down(image: NumericLike, seed: int | None = None) -> Tensor:
    """`tf.image.flip_up_down` with a chance of one half, for each of several images.

    >>> import cinta as tf
    >>> tf.image.random_flip_up_down(tf.ones([2, 2, 3])).shape
    TensorShape([2, 2, 3])

    Args:
        image: An image ``[height, width, channels]``, or several.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return _maybe(image, flip_up_down, partial(uniform, seed=seed))


@public("image.stateless_random_flip_up_down")
def stateless_random_flip_up_down(image: NumericLike, seed: NumericLike) -> Tensor:
    """`random_flip_up_down` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> image = tf.constant([[[1.0]], [[2.0]]])
    >>> tf.image.stateless_random_flip_up_down(image, seed=(3, 0)).numpy().ravel()
    array([2., 1.], dtype=float32)
    """
    return _maybe(image, flip_up_down, partial(stateless_uniform, seed=seed))


# -- cut out somewhere -------------------------------------------------------------------------


def _somewhere(value: NumericLike, size: ShapeLike, draw: Draw) -> Tensor:
    x = as_tensor(value)
    shape, wanted = x._array.shape, shape_argument(size, "size")
    if len(shape) != len(wanted) or any(n < m for n, m in zip(shape, wanted, strict=True)):
        raise InvalidArgumentError(
            f"Need value.shape >= size, got {list(shape)} and {list(wanted)}."
        )
    if min(wanted, default=0) < 0:
        raise InvalidArgumentError(f"`size` must not be negative, got {list(wanted)}.")
    room = np.array(shape, np.int32) - np.array(wanted, np.int32) + 1
    numbers = draw([len(shape)], minval=0, maxval=dtypes.int32.max, dtype=dtypes.int32)
    return part_of(x, floormod(numbers, room), wanted)


@public("image.random_crop")
def random_crop(
    value: NumericLike, size: ShapeLike, seed: int | None = None, name: str | None = None
) -> Tensor:
    """A part of this size, from a random place.

    >>> import cinta as tf
    >>> tf.image.random_crop(tf.zeros([8, 8, 3]), [5, 4, 3]).shape
    TensorShape([5, 4, 3])

    Args:
        value: A tensor.
        size: The length of the part along every axis.
        seed: A number that decides what is drawn, together with ``tf.random.set_seed``.
    """
    return _somewhere(value, size, partial(uniform, seed=seed))


@public("image.stateless_random_crop")
def stateless_random_crop(
    value: NumericLike, size: ShapeLike, seed: NumericLike, name: str | None = None
) -> Tensor:
    """`random_crop` as a function of a seed of two whole numbers.

    >>> import cinta as tf
    >>> tf.image.stateless_random_crop(tf.range(10), [3], [1, 2]).numpy()
    array([4, 5, 6], dtype=int32)

    Args:
        value: A tensor.
        size: The length of the part along every axis.
        seed: Two whole numbers.
    """
    return _somewhere(value, size, partial(stateless_uniform, seed=seed))
