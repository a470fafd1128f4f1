"""Patches of images, and what is made of neighboring elements: edges, gradients, dilations."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor, match
from ...engine.dtype_kinds import NUMERIC, REAL
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.shapes import Shape, written
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import tensor_of, text, whole_numbers
from ..arrays.gathering import gather
from ..arrays.padding import pad
from ..arrays.reordering import reverse
from ..arrays.selecting import where
from ..arrays.shaping import expand_dims, squeeze, transpose
from ..nn.depthwise.functions import depthwise_conv2d
from ..nn.sliding_windows import Window, folded, four, padded, unfolded, window_over
from ..reductions.extremes import lowest
from ..reductions.locating import argmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, BasicIndex, IntsLike, NumericLike, Padding
    from ...engine.tensor import Array, Tensor


@op("ExtractImagePatches", moves=True, linear=False, rowwise=True)
def ExtractImagePatches(xp: ArrayModule, images: Array, *, window: Window, outside: Any) -> Array:
    """The elements in each window, one place after the other along the last axis."""
    seen = unfolded(xp, padded(xp, images, window.padding, outside), window)
    own = len(window.size) + 1
    return xp.reshape(seen, (*seen.shape[:-own], prod(seen.shape[-own:])))


@op("ExtractImagePatchesGrad", linear=True, rowwise=True)
def ExtractImagePatchesGrad(
    xp: ArrayModule, patches: Array, *, lengths: Shape, window: Window
) -> Array:
    """The sum of what is given for each place in each window, where the window saw it."""
    depth = patches.shape[-1] // prod(window.size)
    apart = xp.reshape(patches, (*patches.shape[:-1], *window.size, depth))

    def piece(place: BasicIndex) -> Array:
        index: BasicIndex = (..., *place, slice(None))
        return apart[index]

    return folded(xp, piece, lengths, window)


ExtractImagePatches.grads(
    images=lambda g, images_shape, window: ExtractImagePatchesGrad(
        g, lengths=window.lengths(images_shape), window=window
    )
)
ExtractImagePatchesGrad.grads(
    patches=lambda g, window: ExtractImagePatches(g, window=window, outside=0)
)


@public("image.extract_patches")
def extract_patches(
    images: NumericLike,
    sizes: IntsLike,
    strides: IntsLike,
    rates: IntsLike,
    padding: Padding,
    name: str | None = None,
) -> Tensor:
    """Windows of images ``[batch, height, width, channels]``, each flattened to one vector.

    ``sizes``, ``strides`` and ``rates`` (how far apart the elements are) have four numbers, as the
    images have axes.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(9), [1, 3, 3, 1])
    >>> ones = [1, 1, 1, 1]
    >>> tf.image.extract_patches(image, [1, 2, 2, 1], ones, ones, "VALID").numpy()[0, 0]
    array([[0, 1, 3, 4],
           [1, 2, 4, 5]], dtype=int32)

    Args:
        images: The images.
        sizes: The lengths of a window along the four axes; the first and the last are 1.
        strides: How far apart windows are, likewise.
        rates: How far apart the elements of a window are, likewise.
        padding: "VALID" for whole windows alone, "SAME" to put zeros around the image.
    """
    x = _images("ExtractImagePatches", images, NUMERIC)
    lengths = x._array.shape[1:-1]
    size, steps = four("sizes", sizes), four("strides", strides)
    window = window_over("ExtractImagePatches", lengths, size, steps, padding, four("rates", rates))
    return on_one(ExtractImagePatches, x, window=window, outside=0)


@public("extract_volume_patches")
def extract_volume_patches(
    input: NumericLike,
    ksizes: IntsLike,
    strides: IntsLike,
    padding: Padding,
    name: str | None = None,
) -> Tensor:
    """Windows of volumes ``[batch, planes, height, width, channels]``, each flattened to a vector.

    ``ksizes`` and ``strides`` have five numbers, as the volumes have axes.

    >>> import cinta as tf
    >>> volume = tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1])
    >>> tf.extract_volume_patches(volume, [1, 2, 1, 2, 1], [1] * 5, "VALID").numpy()[0, 0, :, 0]
    array([[0., 1., 4., 5.],
           [2., 3., 6., 7.]], dtype=float32)

    Args:
        input: A tensor of five axes.
        ksizes: The lengths of a window along the five axes; the first and the last are 1.
        strides: How far apart windows are, along the five axes; the first and the last are 1.
        padding: "VALID" for whole windows alone, "SAME" to put zeros around the volume.

    Raises:
        InvalidArgumentError: If the input has not five axes, or the padding is another.
    """
    x = tensor_of("ExtractVolumePatches", input, REAL)
    if x.ndim != 5:
        raise InvalidArgumentError(
            f"input must be 5-dimensional: {written(x._array.shape)} [Op:ExtractVolumePatches]"
        )
    lengths = x._array.shape[1:-1]
    size, steps = _five("ksizes", ksizes), _five("strides", strides)
    window = window_over("ExtractVolumePatches", lengths, size, steps, padding, 1)
    return on_one(ExtractImagePatches, x, window=window, outside=0)


def _five(argument: str, value: object) -> Shape:
    """Five whole numbers from 1 on, one for each axis of a batch of volumes."""
    numbers = whole_numbers(value, argument)
    if len(numbers) != 5 or min(numbers) < 1:
        raise InvalidArgumentError(
            f"`{argument}` must have 5 numbers from 1 on, got {list(numbers)} "
            "[Op:ExtractVolumePatches]"
        )
    return numbers


def _images(op: str, images: NumericLike, kinds: str) -> Tensor:
    x = tensor_of(op, images, kinds)
    if x.ndim != 4:
        raise InvalidArgumentError(
            f"input must be 4-dimensional: {written(x._array.shape)} [Op:{op}]"
        )
    return x


# -- dilation and erosion ----------------------------------------------------------------------


@public("nn.dilation2d")
def dilation2d(
    input: NumericLike,
    filters: NumericLike,
    strides: IntsLike,
    padding: Padding,
    data_format: str,
    dilations: IntsLike,
    name: str | None = None,
) -> Tensor:
    """The largest sum of image and filter ``[height, width, channels]`` in each window.

    The gradients go to where the largest sum is, and to the first of equal ones.

    >>> import cinta as tf
    >>> image, ones = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1]), [1, 1, 1, 1]
    >>> tf.nn.dilation2d(image, tf.zeros([1, 2, 1]), ones, "VALID", "NHWC", ones).numpy().ravel()
    array([5., 5.], dtype=float32)

    Args:
        input: A batch of images ``[batch, height, width, channels]``.
        filters: A filter with as many channels.
        strides: How far apart windows are, along the four axes.
        padding: "SAME" or "VALID".
        data_format: "NHWC".
        dilations: How far apart the places are that a filter sees, along the four axes.

    Raises:
        ValueError: If the data format is another.
        InvalidArgumentError: If image and filter have other numbers of channels.
    """
    if text(data_format, "data_format") != "NHWC":
        raise ValueError(
            "`data_format` values other  than 'NHWC' are not supported. Received: "
            f"data_format={data_format}"
        )
    x, weights = match("Dilation2D", input, filters)
    x = _images("Dilation2D", x, REAL)
    batch, *lengths, channels = x._array.shape
    if weights.ndim != 3 or weights._array.shape[-1] != channels:
        raise InvalidArgumentError(
            f"filter must be 3-dimensional, of the input's depth {channels}: "
            f"{written(weights._array.shape)} [Op:Dilation2D]"
        )
    size = weights._array.shape[:2]
    window = window_over("Dilation2D", lengths, size, strides, padding, dilations)
    patches = on_one(ExtractImagePatches, x, window=window, outside=0)
    shape = (*window.counts(lengths), size[0] * size[1])
    seen = on_one(Reshape, patches, shape=(batch, *shape, channels))
    sums = seen + on_one(Reshape, weights, shape=(shape[-1], channels))
    sums = transpose(_inside(sums, window, lengths, shape), [0, 1, 2, 4, 3])
    first = expand_dims(argmax(sums, axis=-1), -1)
    return squeeze(gather(sums, first, batch_dims=4), -1)


def _inside(sums: Tensor, window: Window, lengths: Sequence[int], shape: Shape) -> Tensor:
    """The sums of places in the image, and the lowest number for those in the padding."""
    if not any(map(any, window.padding)):
        return sums
    image = wrap(np.ones((1, *lengths, 1), bool))
    places = ExtractImagePatches(image, window=window, outside=False)
    return where(on_one(Reshape, places, shape=(*shape, 1)), sums, lowest(sums._array.dtype))


@public("nn.erosion2d")
def erosion2d(
    value: NumericLike,
    filters: NumericLike,
    strides: IntsLike,
    padding: Padding,
    data_format: str,
    dilations: IntsLike,
    name: str | None = None,
) -> Tensor:
    """The smallest difference of image and filter ``[height, width, channels]`` in each window.

    The filter is turned round, so that this is `dilation2d` of what is not there.

    >>> import cinta as tf
    >>> image, ones = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1]), [1, 1, 1, 1]
    >>> tf.nn.erosion2d(image, tf.zeros([1, 2, 1]), ones, "VALID", "NHWC", ones).numpy().ravel()
    array([1., 2.], dtype=float32)

    Args:
        value: A batch of images ``[batch, height, width, channels]``.
        filters: A filter with as many channels.
        strides: How far apart windows are, along the four axes.
        padding: "SAME" or "VALID".
        data_format: "NHWC".
        dilations: How far apart the places are that a filter sees, along the four axes.

    Raises:
        ValueError: If the data format is another.
    """
    turned = reverse(as_tensor(filters), [0, 1])
    return -dilation2d(-as_tensor(value), turned, strides, padding, data_format, dilations)


# -- differences -------------------------------------------------------------------------------


@public("image.sobel_edges")
def sobel_edges(image: NumericLike) -> Tensor:
    """How steeply images ``[batch, height, width, channels]`` rise: downwards and to the right.

    The two numbers are along a new last axis. Sobel's filters smooth across the direction in which
    they differentiate.

    >>> import cinta as tf
    >>> ramp = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> tf.image.sobel_edges(ramp).numpy()[0, 1, 1, 0]
    array([24.,  8.], dtype=float32)
    """
    x = _images("DepthwiseConv2dNative", tensor_of("DepthwiseConv2dNative", image), REAL)
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], x._array.dtype)
    both = np.stack([down, down.T], axis=-1)[:, :, None, :]
    around = pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    filters = wrap(np.tile(both, (1, 1, x._array.shape[-1], 1)))
    edges = depthwise_conv2d(around, filters, [1, 1, 1, 1], "VALID")
    return on_one(Reshape, edges, shape=(*x._array.shape, 2))


@public("image.image_gradients")
def image_gradients(image: NumericLike) -> tuple[Tensor, Tensor]:
    """The differences to the next row and to the next column; 0 in the last row and column.

    >>> import cinta as tf
    >>> dy, dx = tf.image.image_gradients(tf.reshape(tf.range(4.0), [1, 2, 2, 1]))
    >>> dy.numpy().ravel(), dx.numpy().ravel()
    (array([2., 2., 0., 0.], dtype=float32), array([1., 0., 1., 0.], dtype=float32))

    Args:
        image: Images ``[batch, height, width, channels]``.

    Raises:
        ValueError: If ``image`` has not four axes.
    """
    x = as_tensor(image)
    if x.ndim != 4:
        raise ValueError(
            f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {x.shape}."
        )
    dy, dx = x[:, 1:] - x[:, :-1], x[:, :, 1:] - x[:, :, :-1]
    return pad(dy, [[0, 0], [0, 1], [0, 0], [0, 0]]), pad(dx, [[0, 0], [0, 0], [0, 1], [0, 0]])
