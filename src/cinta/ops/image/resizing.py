"""Images made larger or smaller: each row and each column a weighted sum of the old ones."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.dtype_kinds import INTEGER
from ...engine.fast_calls import on_one
from ...engine.free_memory import check_memory
from ...engine.primitives import Reshape, Transpose
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integer, integers, is_whole, text
from ..arrays.gathering import Gather
from ..elementwise.casting import cast
from ..linalg.matmul import MatMul
from .geometry import pad_to_bounding_box
from .resampling import ResizeArea, ResizeSmooth, Scaling

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, NumericLike, ShapeLike
    from ...engine.tensor import Tensor


@public("image.ResizeMethod")
class ResizeMethod:
    """The names of the ways to resize.

    >>> import cinta as tf
    >>> image = tf.reshape([1, 2, 3, 4], [2, 2, 1])
    >>> method = tf.image.ResizeMethod.NEAREST_NEIGHBOR
    >>> tf.image.resize(image, [2, 4], method)[..., 0].numpy()
    array([[1, 1, 2, 2],
           [3, 3, 4, 4]], dtype=int32)
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


@public("image.resize")
def resize(
    images: NumericLike,
    size: ShapeLike,
    method: str = ResizeMethod.BILINEAR,
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """An image, or each of several, with this height and width, as floats.

    ``method`` is one of "bilinear", "nearest" (which keeps the dtype), "bicubic", "area" (which, as
    in TensorFlow, has no gradient), "lanczos3", "lanczos5", "gaussian" and "mitchellcubic".
    ``antialias`` lets all old elements count when an image is made smaller. With
    ``preserve_aspect_ratio`` the size is the largest that is allowed.

    >>> import cinta as tf
    >>> tf.image.resize([[[0.0], [1.0]]], [1, 4]).numpy().ravel()
    array([0.  , 0.25, 0.75, 1.  ], dtype=float32)

    Args:
        images: An image ``[height, width, channels]``, or several.
        size: The height and width.
        method: The name of the method.
        preserve_aspect_ratio: Whether height and width keep their ratio.
        antialias: Whether all old elements count.

    Raises:
        ValueError: If ``images`` has neither three nor four axes, or there is no such size or
            method.
    """
    x = as_tensor(images)
    if x.ndim not in (3, 4):
        raise ValueError(f"'images' must have either 3 or 4 dimensions. Received shape {x.shape}.")
    known = [getattr(ResizeMethod, key) for key in vars(ResizeMethod) if key.isupper()]
    if text(method, "method") not in known:
        raise ValueError(
            f"Resize method is not implemented: {method}. It must be one of {', '.join(known)}."
        )
    old = x._array.shape[-3:-1]
    new = _new_size(size, old, preserve_aspect_ratio)
    if not min(x._array.shape[-3:]):
        raise InvalidArgumentError(f"input image must be of non-zero size, got shape {x.shape}.")
    if method == "nearest":
        return _nearest(x, new)
    *batch, _, _, channels = x._array.shape
    check_memory(f"Resize, {method}", (*batch, *new, channels), np.float32().itemsize)
    if x._array.dtype != np.uint8:  # bytes become floats line by line
        x = cast(x, dtypes.float32)
    if method == "area":
        return on_one(ResizeArea, x, size=new)
    smooth = flag(antialias, "antialias")
    rows, columns = [Scaling(method, n, m, smooth) for n, m in zip(old, new, strict=True)]
    return on_one(ResizeSmooth, x, rows=rows, columns=columns, back=False)


def _new_size(
    size: ShapeLike, old: tuple[int, int], preserve_aspect_ratio: bool
) -> tuple[int, int]:
    if isinstance(size, np.ndarray) and is_whole(size):
        size = size.astype(np.int64)
    given = as_tensor(size)
    if given._array.dtype.kind not in INTEGER:
        raise ValueError(f"'size' must be a 1-D int32 Tensor. Received: {size}")
    if given._array.shape != (2,):
        raise ValueError(
            f"'size' must be a 1-D Tensor of 2 elements: new_height, new_width. Received: {size}"
        )
    height, width = integers(given, "size")
    if flag(preserve_aspect_ratio, "preserve_aspect_ratio") and min(height, width, *old) > 0:
        scale = min(height / old[0], width / old[1])
        height, width = [round(scale * n) for n in old]
    if min(height, width) <= 0:
        raise InvalidArgumentError(f"output dimensions must be positive, got {height, width}.")
    return height, width


def _nearest(x: Tensor, size: tuple[int, int]) -> Tensor:
    *batch, _, _, channels = x._array.shape
    check_memory("ResizeNearestNeighbor", (*batch, *size, channels), x._array.itemsize)
    for axis, new in zip((-3, -2), size, strict=True):
        old = x._array.shape[axis]
        middles = (np.arange(new, dtype=np.float32) + np.float32(0.5)) * np.float32(old / new)
        places = np.minimum(np.floor(middles).astype(np.int32), old - 1)
        x = Gather(x, wrap(places), axis=axis)
    return x


def weighted_sums(x: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Images made of weighted sums of their rows, and then of their columns.

    The weights are matrices with a row for every new row, or column.
    """
    *batch, height, width, channels = x._array.shape
    flat = on_one(Reshape, x, shape=(*batch, height, width * channels))
    tall = MatMul(rows, flat, transpose_a=False, transpose_b=False)
    apart = on_one(Reshape, tall, shape=(*batch, rows._array.shape[0], width, channels))
    # with the columns last all sums are one product of two matrices
    last = on_one(Transpose, apart, perm=(-1, -2))
    wide = MatMul(last, columns, transpose_a=False, transpose_b=True)
    return on_one(Transpose, wide, perm=(-1, -2))


@public("image.resize_with_pad")
def resize_with_pad(
    image: NumericLike,
    target_height: IntLike,
    target_width: IntLike,
    method: str = ResizeMethod.BILINEAR,
    antialias: bool = False,
) -> Tensor:
    """An image, or each of several, as large as fits into this size, in the middle of zeros.

    >>> import cinta as tf
    >>> tf.image.resize_with_pad(tf.ones([2, 4, 1]), 4, 4).numpy()[:, 0, 0]
    array([0., 1., 1., 0.], dtype=float32)

    Args:
        image: An image ``[height, width, channels]``, or several.
        target_height: The height.
        target_width: The width.
        method: A method of `tf.image.resize`.
        antialias: Whether all old elements count when an image is made smaller.

    Raises:
        ValueError: If ``image`` has neither three nor four axes, or a length is not positive.
    """
    x = as_tensor(image)
    if x.ndim not in (3, 4):
        raise ValueError(f"'image' must have either 3 or 4 dimensions. Received shape {x.shape}.")
    targets = integer(target_height, "target_height"), integer(target_width, "target_width")
    if min(targets) <= 0:
        raise ValueError(f"target_height and target_width must be > 0. Received {targets}.")
    old = x._array.shape[-3:-1]
    ratio = max(n / target for n, target in zip(old, targets, strict=True))
    new = [n / ratio for n in old]
    top, left = [max(math.floor((t - n) / 2), 0) for t, n in zip(targets, new, strict=True)]
    resized = resize(x, [math.floor(n) for n in new], method, antialias=antialias)
    return pad_to_bounding_box(resized, top, left, *targets)
