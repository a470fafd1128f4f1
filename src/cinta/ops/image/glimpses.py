"""Windows of images, which may reach beyond them into noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor, is_tensor
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integers, memory_for, text
from ..arrays.creation import zeros
from ..arrays.gathering_nd import gather_nd
from ..arrays.selecting import where
from ..elementwise.casting import cast, stop_gradient
from ..elementwise.clipping import clip_by_value
from ..random.stateful import normal, uniform
from ..reductions.moments import reduce_std
from ..reductions.reduction import reduce_max, reduce_mean, reduce_min

if TYPE_CHECKING:
    from ...engine.annotations import NumericLike, ShapeLike
    from ...engine.tensor import Array, Tensor


def _even(shape: list[int], x: Tensor) -> Tensor:
    """Numbers between the least and the largest of each image."""
    least, most = (reduce(x, [1, 2, 3], True) for reduce in (reduce_min, reduce_max))
    return least + uniform(shape, dtype=x.dtype) * (most - least)


def _bell(shape: list[int], x: Tensor) -> Tensor:
    """Normal numbers with mean and deviation of each channel, cut off where it ends."""
    mean, deviation, least, most = (
        reduce(x, [1, 2], True) for reduce in (reduce_mean, reduce_std, reduce_min, reduce_max)
    )
    noise: Tensor = clip_by_value(mean + normal(shape, dtype=x.dtype) * deviation, least, most)
    return noise


def _nothing(shape: list[int], x: Tensor) -> Tensor:
    return zeros(shape, x.dtype)


_NOISE = {"uniform": _even, "gaussian": _bell, "zero": _nothing}


@public("image.extract_glimpse")
def extract_glimpse(
    input: NumericLike,
    size: ShapeLike,
    offsets: NumericLike,
    centered: bool = True,
    normalized: bool = True,
    noise: str = "uniform",
    name: str | None = None,
) -> Tensor:
    """A window of this size, ``[height, width]``, from each image.

    ``offsets`` says for each image where the window's middle is: 0 is the image's middle, and -1
    and 1 are its edges. Without ``centered`` the window's upper left corner is told, and 0 is that
    of the image; without ``normalized`` that corner is told in elements. Beyond the image there is
    ``noise``: "uniform" within the range of the image, "gaussian" like each of its channels, or
    "zero". Gradients flow to the images.

    >>> import cinta as tf
    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> window = tf.image.extract_glimpse(image, [2, 2], [[1.0, 1.0]], False, False)
    >>> window.numpy().reshape(2, 2)
    array([[4., 5.],
           [7., 8.]], dtype=float32)

    Args:
        input: Images ``[batch, height, width, channels]``.
        size: The height and width of the window.
        offsets: A vertical and a horizontal number for each image.
        centered: Whether 0 is the middle of the image.
        normalized: Whether the offsets are parts of the image.
        noise: "uniform", "gaussian" or "zero".
    """
    x = as_tensor(input, None if is_tensor(input) else np.dtype(np.float32))
    if not x.dtype.is_floating:
        x = cast(x, "float32")
    sizes, places = integers(size, "size"), seen(as_tensor(offsets))
    shape = x._array.shape
    _check(shape, sizes, places, text(noise, "noise"))
    ways = flag(centered, "centered"), flag(normalized, "normalized")
    starts = _starts(places.astype(np.float32), shape[1:3], sizes, *ways)
    with memory_for("ExtractGlimpse", (shape[0], *sizes)):
        rows = starts[:, 0, None] + np.arange(sizes[0])
        columns = starts[:, 1, None] + np.arange(sizes[1])
    down, along = (rows >= 0) & (rows < shape[1]), (columns >= 0) & (columns < shape[2])
    batch = np.arange(shape[0])[:, None, None]
    indices = np.broadcast_arrays(batch, (rows * down)[:, :, None], (columns * along)[:, None, :])
    parts = gather_nd(x, wrap(np.stack(indices, axis=-1)))
    inside = (down[:, :, None] & along[:, None, :])[..., None]
    beyond = _NOISE[noise]([shape[0], *sizes, shape[3]], stop_gradient(x))
    return where(inside, parts, beyond)


def _check(shape: tuple[int, ...], size: tuple[int, ...], offsets: Array, noise: str) -> None:
    if len(shape) != 4:
        raise InvalidArgumentError(
            "input must be 4-dimensional (batch_size, height, width, depth), got "
            f"{shape} [Op:ExtractGlimpseV2]"
        )
    if len(size) != 2 or min(size) <= 0:
        raise InvalidArgumentError(
            f"size must be a height and a width above 0, got {size} [Op:ExtractGlimpseV2]"
        )
    if offsets.shape != (shape[0], 2):
        raise InvalidArgumentError(
            f"offsets must have a row and a column for each of {shape[0]} images, got shape "
            f"{offsets.shape} [Op:ExtractGlimpseV2]"
        )
    if noise not in _NOISE:
        raise InvalidArgumentError(
            f"The noise could only be uniform, gaussian, or zero, got {noise!r} "
            "[Op:ExtractGlimpseV2]"
        )


def _starts(
    offsets: Array,
    image: tuple[int, ...],
    window: tuple[int, ...],
    centered: bool,
    normalized: bool,
) -> Array:
    """The first row and column of each window."""
    lengths, sizes = np.array(image, np.float32), np.array(window, np.float32)
    if centered and normalized:
        offsets = (offsets * lengths + lengths - sizes) / 2
    elif centered:
        offsets = offsets + lengths / 2
    elif normalized:
        offsets = offsets * lengths
    return np.trunc(offsets).astype(int)
