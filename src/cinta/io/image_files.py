"""Images that files hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..errors import InvalidArgumentError
from ..ops.arguments import flag, number, text, whole_number
from ..ops.elementwise.comparison import equal
from ..ops.strings.cutting import substr
from ..ops.strings.string_arrays import strings_of
from ..public import public
from .image_ops import (
    DecodeAndCropJpeg,
    DecodeBmp,
    DecodeGif,
    DecodeImage,
    DecodeJpeg,
    DecodePng,
    DecodeWebP,
    ExtractJpegShape,
)

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, NumericLike, TensorLike
    from ..engine.tensor import Tensor


@public("image.decode_png", "io.decode_png")
def decode_png(
    contents: TensorLike,
    channels: int = 0,
    dtype: DTypeLike = dtypes.uint8,
    name: str | None = None,
) -> Tensor:
    """The pixels of an image, height by width by channels: 0 channels are as many as it has.

    >>> import cinta as tf
    >>> image = tf.constant([[[255, 0, 0], [0, 255, 0]]], tf.uint8)
    >>> decoded = tf.io.decode_png(tf.io.encode_png(image))
    >>> bool(tf.reduce_all(decoded == image))
    True

    Args:
        contents: The bytes of the file.
        channels: 1 for gray, 2 with opacity, 3 for colors, 4 with opacity.
        dtype: ``tf.uint8`` or ``tf.uint16``.

    Raises:
        InvalidArgumentError: If the bytes are not an image, or there is no such dtype or number of
            channels.
    """
    wanted = whole_number(channels, "channels")
    return DecodePng(strings_of(contents), channels=wanted, dtype=dtypes.as_dtype(dtype).dtype)


@public("image.decode_bmp", "io.decode_bmp")
def decode_bmp(contents: TensorLike, channels: int = 0, name: str | None = None) -> Tensor:
    """The pixels of an image, height by width by channels, as ``decode_png`` gives them.

    >>> import cinta as tf
    >>> pixel = b"BM" + bytes([58, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1])
    >>> pixel += bytes([0, 0, 0, 1, 0, 24] + 25 * [0] + [3, 2, 1, 0])
    >>> tf.io.decode_bmp(pixel).numpy()
    array([[[1, 2, 3]]], dtype=uint8)

    Args:
        contents: The bytes of the file.
        channels: 1 for gray, 3 for colors, 4 with opacity; 0 for what the image has.

    Raises:
        InvalidArgumentError: If the bytes are not an image.
    """
    return DecodeBmp(strings_of(contents), channels=whole_number(channels, "channels"))


@public("image.decode_jpeg", "io.decode_jpeg")
def decode_jpeg(
    contents: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """The pixels of an image, height by width by channels; ``ratio`` makes it smaller: 2, 4 or 8.

    How colors are scaled up and the transform is computed is Pillow's choice.

    >>> import cinta as tf
    >>> content = tf.io.encode_jpeg(tf.fill([8, 8, 3], tf.constant(100, tf.uint8)))
    >>> tf.io.decode_jpeg(content, ratio=2).shape
    TensorShape([4, 4, 3])

    Args:
        contents: The bytes of the file.
        channels: 1 for gray, 3 for colors; 0 for what the image has.
        ratio: How many times smaller the image is to be.
        fancy_upscaling: Accepted.
        try_recover_truncated: Accepted.
        acceptable_fraction: Accepted.
        dct_method: Accepted.

    Raises:
        InvalidArgumentError: If the bytes are not an image, or the ratio is not 1, 2, 4 or 8.
    """
    _check_accepted(fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method)
    wanted, factor = whole_number(channels, "channels"), whole_number(ratio, "ratio")
    return DecodeJpeg(strings_of(contents), channels=wanted, ratio=factor)


def _check_accepted(
    fancy_upscaling: object,
    try_recover_truncated: object,
    acceptable_fraction: float,
    dct_method: str,
) -> None:
    """Refuse wrong values of these arguments, none of which changes anything."""
    flag(fancy_upscaling, "fancy_upscaling")
    flag(try_recover_truncated, "try_recover_truncated")
    number(acceptable_fraction, "acceptable_fraction")
    text(dct_method, "dct_method")


@public("image.decode_and_crop_jpeg", "io.decode_and_crop_jpeg")
def decode_and_crop_jpeg(
    contents: TensorLike,
    crop_window: NumericLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """The pixels of a window of an image: those of ``decode_jpeg``, cropped.

    >>> import cinta as tf
    >>> content = tf.io.encode_jpeg(tf.fill([8, 8, 3], tf.constant(100, tf.uint8)))
    >>> tf.io.decode_and_crop_jpeg(content, [1, 2, 4, 5]).shape
    TensorShape([4, 5, 3])

    Args:
        contents: The bytes of the file.
        crop_window: Top, left, height and width of the window, of dtype int32.
        channels: 1 for gray, 3 for colors; 0 for what the image has.
        ratio: How many times smaller the image is to be, before it is cropped.
        fancy_upscaling: Accepted.
        try_recover_truncated: Accepted.
        acceptable_fraction: Accepted.
        dct_method: Accepted.

    Raises:
        InvalidArgumentError: If the bytes are not an image, the ratio is not 1, 2, 4 or 8, or a
            part of the window is outside of the image.
    """
    _check_accepted(fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method)
    wanted, factor = whole_number(channels, "channels"), whole_number(ratio, "ratio")
    window = as_tensor(crop_window, np.dtype(np.int32))
    return DecodeAndCropJpeg(strings_of(contents), window, channels=wanted, ratio=factor)


@public("image.decode_gif", "io.decode_gif")
def decode_gif(contents: TensorLike, name: str | None = None) -> Tensor:
    """The pixels of all frames, frames by height by width by 3.

    >>> import cinta as tf
    >>> pixel = bytes.fromhex("4749463839610100010080010000000000000021f90401000001002c"
    ...     "00000000010001000002024c01003b")
    >>> tf.io.decode_gif(pixel).shape
    TensorShape([1, 1, 1, 3])

    Args:
        contents: The bytes of the file.

    Raises:
        InvalidArgumentError: If the bytes are not an image.
    """
    return DecodeGif(strings_of(contents))


@public("image.decode_webp", "io.decode_webp")
def decode_webp(
    contents: TensorLike,
    channels: int = 0,
    dtype: DTypeLike = dtypes.uint8,
    name: str | None = None,
) -> Tensor:
    """The pixels of all frames, frames by height by width by channels.

    >>> import cinta as tf
    >>> pixel = bytes.fromhex("524946461e000000574542505650384c11000000"
    ...     "2f0000000007d0831ef4a0ff8188e87f0000")
    >>> tf.io.decode_webp(pixel).numpy()
    array([[[[7, 7, 7]]]], dtype=uint8)

    Args:
        contents: The bytes of the file.
        channels: 3, or 4 with opacity, as the image has; 0 for what it has.
        dtype: ``tf.uint8``.

    Raises:
        InvalidArgumentError: If the bytes are not such an image, it has another number of channels,
            or there is no such dtype.
    """
    if (kind := dtypes.as_dtype(dtype)) != dtypes.uint8:
        raise InvalidArgumentError(f"dtype must be tf.uint8, got {kind!r} [Op:DecodeWebP]")
    return DecodeWebP(strings_of(contents), channels=whole_number(channels, "channels"))


@public("image.decode_image", "io.decode_image")
def decode_image(
    contents: TensorLike,
    channels: int | None = None,
    dtype: DTypeLike = dtypes.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """The pixels of a PNG, JPEG, BMP, GIF or WebP image, in the range of images of the dtype.

    A GIF or a WebP gives all its frames, in four axes, unless ``expand_animations=False``.

    >>> import cinta as tf
    >>> content = tf.io.encode_png(tf.constant([[[0], [255]]], tf.uint8))
    >>> tf.io.decode_image(content, dtype=tf.float32).numpy().ravel()
    array([0., 1.], dtype=float32)

    Args:
        contents: The bytes of the file.
        channels: 1 for gray, 3 for colors, 4 with opacity; 0 or None for what the image has.
        dtype: The dtype of the pixels.
        expand_animations: Whether a GIF or a WebP gives all its frames, or the first alone.

    Raises:
        InvalidArgumentError: If the bytes are not an image.
    """
    wanted = whole_number(0 if channels is None else channels, "channels")
    animated = flag(expand_animations, "expand_animations")
    kind = dtypes.as_dtype(dtype).dtype
    return DecodeImage(strings_of(contents), channels=wanted, dtype=kind, animated=animated)


@public("image.is_jpeg", "io.is_jpeg")
def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor:
    """Whether this is the content of a JPEG file, by its first bytes.

    >>> import cinta as tf
    >>> tf.io.is_jpeg(tf.io.encode_jpeg(tf.zeros([8, 4, 3], tf.uint8))).numpy()
    np.True_

    Args:
        contents: The bytes of the file.
    """
    return equal(substr(strings_of(contents), 0, 3), b"\xff\xd8\xff")


@public("image.extract_jpeg_shape", "io.extract_jpeg_shape")
def extract_jpeg_shape(
    contents: TensorLike, output_type: DTypeLike = dtypes.int32, name: str | None = None
) -> Tensor:
    """Height, width and channels of an image.

    >>> import cinta as tf
    >>> tf.io.extract_jpeg_shape(tf.io.encode_jpeg(tf.zeros([8, 4, 3], tf.uint8))).numpy()
    array([8, 4, 3], dtype=int32)

    Args:
        contents: The bytes of the file.
        output_type: The dtype of the numbers.

    Raises:
        InvalidArgumentError: If the bytes are not an image.
    """
    return ExtractJpegShape(strings_of(contents), dtype=dtypes.as_dtype(output_type).dtype)
