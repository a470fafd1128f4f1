"""How much two images differ, and how much one varies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, kept, match
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integer, listed, memory_for, number
from ..arrays.joining import stack
from ..arrays.padding import pad
from ..arrays.shaping import reshape
from ..elementwise.arithmetic import squared_difference
from ..elementwise.casting import cast
from ..elementwise.powers import pow as power
from ..elementwise.unary import abs as absolute
from ..elementwise.unary import log
from ..nn.activations import relu
from ..nn.pooling.functions import avg_pool2d
from ..reductions.reduction import reduce_mean, reduce_prod, reduce_sum
from .dtype_conversion import convert_image_dtype
from .resizing import weighted_sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import IntLike, NumericLike
    from ...engine.tensor import Array, Tensor

_IMAGE = [-3, -2, -1]
_POWER_FACTORS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
"""The weights of the scales in Wang, Simoncelli and Bovik, "Multiscale SSIM" (2003)."""


@public("image.total_variation")
def total_variation(images: NumericLike, name: str | None = None) -> Tensor:
    """The sum of all absolute differences of neighboring elements, for each image.

    >>> import cinta as tf
    >>> tf.image.total_variation([[[1.0], [2.0]], [[4.0], [0.0]]]).numpy()
    np.float32(10.0)

    Args:
        images: An image ``[height, width, channels]``, or several.

    Raises:
        ValueError: If ``images`` has neither three nor four axes.
    """
    x = as_tensor(images)
    if x.ndim not in (3, 4):
        raise ValueError(f"'images' must be either 3 or 4-dimensional, got shape {x.shape}.")
    down = x[..., 1:, :, :] - x[..., :-1, :, :]
    right = x[..., :, 1:, :] - x[..., :, :-1, :]
    return reduce_sum(absolute(down), _IMAGE) + reduce_sum(absolute(right), _IMAGE)


@public("image.psnr")
def psnr(a: NumericLike, b: NumericLike, max_val: NumericLike, name: str | None = None) -> Tensor:
    """The ratio of the peak signal to the noise in decibels, for each pair of images.

    ``max_val`` is how far the largest possible value is from the smallest.

    >>> import cinta as tf
    >>> tf.image.psnr(tf.zeros([2, 2, 1]), tf.fill([2, 2, 1], 0.1), 1.0).numpy().round(3)
    np.float32(20.0)

    Args:
        a: An image ``[height, width, channels]``, or several.
        b: As many others.
        max_val: The range of the values, such as 255 or 1.0.
    """
    x, y, top = _floats(a, b, max_val)
    _check_pair(x, y)
    error = reduce_mean(squared_difference(x, y), _IMAGE)
    return (20 * log(top) - 10 * log(error)) / float(np.log(10.0))


def _floats(a: NumericLike, b: NumericLike, max_val: NumericLike) -> tuple[Tensor, Tensor, Tensor]:
    """Two images and the largest value in one dtype: as floats."""
    first = as_tensor(a)
    second = as_tensor(b, None if hasattr(b, "dtype") else first._array.dtype)
    top = cast(as_tensor(max_val), first.dtype)
    x, y, z = [convert_image_dtype(each, dtypes.float32) for each in (first, second, top)]
    return x, y, z


# -- structural similarity ---------------------------------------------------------------------


@public("image.ssim")
def ssim(
    img1: NumericLike,
    img2: NumericLike,
    max_val: NumericLike,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Tensor:
    """The structural similarity of each pair of images, 1 for equal ones.

    Means, variances and covariances of neighborhoods are compared, weighted by a normal
    distribution. ``return_index_map`` gives the index of every neighborhood instead of the mean.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(144.0), [12, 12, 1]) / 144.0
    >>> tf.image.ssim(image, image, 1.0).numpy()
    np.float32(1.0)

    Args:
        img1: An image ``[height, width, channels]``, or several.
        img2: As many others.
        max_val: The range of the values, such as 255 or 1.0.
        filter_size: The side of a neighborhood.
        filter_sigma: The standard deviation of the weights.
        k1: A small number that keeps dark places from counting too much.
        k2: The same for flat places.
        return_index_map: Whether to give the index of every neighborhood.
    """
    x, y, top = _floats(*match("ShapeN", kept(img1), kept(img2)), max_val)
    bell = _bell(filter_size, filter_sigma)
    _check_pair(x, y, len(bell))
    luminance, structure = _similarity(x, y, top, bell, k1, k2)
    index = luminance * structure
    return reduce_mean(index, [-1] if flag(return_index_map, "return_index_map") else _IMAGE)


@public("image.ssim_multiscale")
def ssim_multiscale(
    img1: NumericLike,
    img2: NumericLike,
    max_val: NumericLike,
    power_factors: Sequence[float] = _POWER_FACTORS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """The structural similarity at several scales: the images are halved again and again.

    ``power_factors`` say how much each scale counts, the finest first.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(64.0), [8, 8, 1]) / 64.0
    >>> tf.image.ssim_multiscale(image, image, 1.0, [0.5, 0.5], filter_size=3).numpy()
    np.float32(1.0)

    Args:
        img1: An image ``[height, width, channels]``, or several.
        img2: As many others.
        max_val: The range of the values, such as 255 or 1.0.
        power_factors: A number for each scale.
        filter_size: The side of a neighborhood.
        filter_sigma: The standard deviation of the weights.
        k1: A small number that keeps dark places from counting too much.
        k2: The same for flat places.
    """
    x, y, top = _floats(*match("ShapeN", kept(img1), kept(img2)), max_val)
    bell = _bell(filter_size, filter_sigma)
    powers = listed(power_factors, "power_factors")
    factors = []
    for scale, factor in enumerate(powers):
        if scale:
            x, y = _halved(x), _halved(y)
        _check_pair(x, y, len(bell))
        luminance, structure = _similarity(x, y, top, bell, k1, k2)
        last = scale == len(powers) - 1
        index = reduce_mean(luminance * structure if last else structure, [-3, -2])
        factors.append(power(relu(index), factor))
    return reduce_mean(reduce_prod(stack(factors, -1), [-1]), [-1])


def _check_pair(x: Tensor, y: Tensor, filter_size: int = 0) -> None:
    if min(x.ndim, y.ndim) < 3 or x._array.shape[-3:] != y._array.shape[-3:]:
        raise ValueError(
            f"Shapes {x.shape} and {y.shape} are incompatible: two images need the same height, "
            "width and channels."
        )
    if min(x._array.shape[-3:-1]) < filter_size:
        raise InvalidArgumentError(
            f"images of shape {x.shape} are smaller than filter_size={filter_size}, at this scale."
        )


def _bell(filter_size: IntLike, filter_sigma: Array | float) -> Array:
    """Weights of neighbors: a normal distribution."""
    size, sigma = integer(filter_size, "filter_size"), number(filter_sigma, "filter_sigma")
    if size < 1:
        raise InvalidArgumentError(f"filter_size must be positive, got {size}.")
    with memory_for("SSIM", (size,)):
        places = np.arange(size) - (size - 1) / 2
    with np.errstate(all="ignore"):
        weights = np.exp(-((places / np.float64(sigma)) ** 2) / 2)
    result: Array = weights / weights.sum()
    return result


def _similarity(
    x: Tensor, y: Tensor, top: Tensor, bell: Array, k1: float, k2: float
) -> tuple[Tensor, Tensor]:
    """How alike the neighborhoods are in luminance, and how alike in contrast and structure.

    Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment" (2004).
    """
    bright, varied = (number(k1, "k1") * top) ** 2, (number(k2, "k2") * top) ** 2
    mean_x, mean_y = _smoothed(x, bell), _smoothed(y, bell)
    product, squares = mean_x * mean_y, mean_x**2 + mean_y**2
    luminance = (2 * product + bright) / (squares + bright)
    covariance = _smoothed(x * y, bell) - product
    variances = _smoothed(x**2 + y**2, bell) - squares
    return luminance, (2 * covariance + varied) / (variances + varied)


def _smoothed(x: Tensor, bell: Array) -> Tensor:
    """The weighted mean of every neighborhood, channel by channel."""
    rows, columns = [_sliding(bell, length) for length in x._array.shape[-3:-1]]
    return weighted_sums(x, rows, columns)


def _sliding(weights: Array, length: int) -> Tensor:
    """A matrix that takes the weighted mean of all neighbors in a row of this length."""
    count = length - len(weights) + 1
    matrix = np.zeros((count, length), np.float32)
    for place, weight in enumerate(weights):
        matrix[np.arange(count), np.arange(count) + place] = weight
    return wrap(matrix)


def _halved(x: Tensor) -> Tensor:
    """Images of half the height and width; of an odd number the last row counts twice."""
    *batch, height, width, channels = x._array.shape
    flat = reshape(x, [-1, height, width, channels])
    even = pad(flat, [[0, 0], [0, height % 2], [0, width % 2], [0, 0]], "SYMMETRIC")
    half = avg_pool2d(even, 2, 2, "VALID")
    return reshape(half, [*batch, *half._array.shape[1:]])
