"""Images written as files have them, through Pillow."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.shapes import written
from ..engine.tensor import seen, wrap
from ..errors import InvalidArgumentError
from ..ops.arguments import flag, tensor_of, text, whole_number
from ..public import public
from .image_ops import pillow
from .png_wide import wide_file

if TYPE_CHECKING:
    from ..engine.annotations import IntLike, NumericLike
    from ..engine.tensor import Tensor


@public("image.encode_png", "io.encode_png")
def encode_png(image: NumericLike, compression: int = -1, name: str | None = None) -> Tensor:
    """An image of 8 or 16 bits, or each of a batch, as the content of a PNG file.

    >>> import cinta as tf
    >>> image = tf.constant([[[0], [255]]], tf.uint8)
    >>> tf.io.decode_png(tf.io.encode_png(image)).numpy().ravel()
    array([  0, 255], dtype=uint8)

    Args:
        image: A tensor of uint8 or uint16, height by width by 1 to 4 channels; more axes may
            precede.
        compression: From 0, which is fast, to 9, which is small; -1 leaves it open.

    Raises:
        InvalidArgumentError: If the compression or the shape of the image is another one.
    """
    level = whole_number(compression, "compression")
    if not -1 <= level <= 9:
        raise InvalidArgumentError(
            f"compression must be from -1, which leaves it open, to 9, got {level} [Op:EncodePng]"
        )
    options = {} if level < 0 else {"compress_level": level}
    pixels = tensor_of("EncodePng", image, "u")
    if pixels.ndim < 4:
        return _encoded(pixels, "EncodePng", "PNG", (1, 2, 3, 4), **options)
    *batch, height, width, channels = pixels._array.shape
    images = pixels._array.reshape(math.prod(batch), height, width, channels)
    files = [encode_png(each, level).numpy() for each in images]
    return wrap(np.array(files, object).reshape(batch))


def _checked_quality(quality: IntLike) -> int:
    found = whole_number(quality, "quality")
    if not 0 <= found <= 100:
        raise InvalidArgumentError(f"quality must be in [0,100], got {found} [Op:EncodeJpeg]")
    return found


@public("image.encode_jpeg", "io.encode_jpeg")
def encode_jpeg(
    image: NumericLike,
    format: str = "",
    quality: IntLike = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: str | None = None,
) -> Tensor:
    """An image of 8 bits, gray or in colors, as the content of a JPEG file.

    >>> import cinta as tf
    >>> stored = tf.io.encode_jpeg(tf.zeros([8, 8, 3], tf.uint8))
    >>> tf.io.decode_jpeg(stored).shape
    TensorShape([8, 8, 3])

    Args:
        image: A tensor of uint8, height by width by 1 or 3 channels.
        format: "grayscale", "rgb", or "" for what the channels say.
        quality: From 0 to 100.
        progressive: Whether the image can be shown coarsely before all is there.
        optimize_size: Whether to spend time for a smaller file.
        chroma_downsampling: Whether to keep colors at half the resolution.
        density_unit: Accepted: it is the inch.
        x_density: The pixels in an inch from left to right.
        y_density: The pixels in an inch from top to bottom.
        xmp_metadata: Accepted, and not written.

    Raises:
        InvalidArgumentError: If the format, the quality or the shape of the image is another one.
    """
    text(density_unit, "density_unit")
    text(xmp_metadata, "xmp_metadata")
    channels = {"": (1, 3), "grayscale": (1,), "rgb": (3,)}.get(text(format, "format"))
    if channels is None:
        raise InvalidArgumentError(
            f"format must be '', 'grayscale' or 'rgb', got {format!r} [Op:EncodeJpeg]"
        )
    options = {
        "quality": _checked_quality(quality),
        "progressive": flag(progressive, "progressive"),
        "optimize": flag(optimize_size, "optimize_size"),
        "subsampling": 2 if flag(chroma_downsampling, "chroma_downsampling") else 0,
        "dpi": (whole_number(x_density, "x_density"), whole_number(y_density, "y_density")),
    }
    return _encoded(image, "EncodeJpeg", "JPEG", channels, **options)


def _encoded(
    image: NumericLike, op: str, kind: str, channels: tuple[int, ...], **options: Any
) -> Tensor:
    pixels = seen(tensor_of(op, image, "u"))
    if pixels.ndim != 3 or pixels.shape[2] not in channels or not pixels.size:
        raise InvalidArgumentError(
            f"image must be height by width by {' or '.join(map(str, channels))} channels, got "
            f"shape {written(pixels.shape)} [Op:{op}]"
        )
    if pixels.dtype == np.uint16 and kind == "PNG":
        return wrap(np.array(wide_file(pixels, options.get("compress_level", -1)), object))
    if pixels.dtype != np.uint8:
        raise InvalidArgumentError(
            f"image must be tf.uint8, or tf.uint16 for a PNG, got {dtypes.of(pixels.dtype)!r} "
            f"[Op:{op}]"
        )
    out = io.BytesIO()
    array = pixels[..., 0] if pixels.shape[2] == 1 else pixels
    pillow().fromarray(np.ascontiguousarray(array)).save(out, kind, **options)
    return wrap(np.array(out.getvalue(), object))
