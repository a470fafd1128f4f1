"""Images that files hold, through Pillow."""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor
from ..engine.shapes import written
from ..engine.tensor import Tensor, wrap
from ..errors import InvalidArgumentError, OpError
from ..ops.arguments import flag, number, text, whole_number
from ..ops.image.dtype_conversion import convert_image_dtype
from ..ops.strings.converting import text_of
from ..public import public
from .png import plain_pixels

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from PIL.Image import Image

    from ..engine.annotations import DTypeLike, TensorLike
    from ..engine.tensor import Array

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
"""Pillow's names of what TensorFlow knows by the number of channels."""
_WIDE = ("I;16", "I;16B", "I;16L", "I")
_FORMATS = ("PNG", "JPEG", "GIF", "BMP")
"""The formats that TensorFlow reads. Pillow reads more, some by running other programs."""
_MOST_VALUES = 1 << 29
"""How many numbers an image may have, in TensorFlow too: a few bytes can claim any number."""


def pillow() -> ModuleType:
    """Pillow's module of images; an error that says how to get it."""
    try:
        from PIL import Image
    except ImportError:
        raise ImportError(
            "Images are read and written through Pillow, which is not installed: "
            "pip install 'cinta[image]'"
        ) from None
    return Image


def _opened(contents: object, op: str) -> Image:
    """The image that some bytes hold."""
    held = _bytes(contents, op)
    module = pillow()
    with _decoding(op):
        try:
            image: Image = module.open(io.BytesIO(held), formats=_FORMATS)
        except module.UnidentifiedImageError:
            raise InvalidArgumentError(
                "contents are not an image that can be decoded: they begin with "
                f"{held[:8]!r}, and {', '.join(_FORMATS)} can be read. [Op:{op}]"
            ) from None
        _check_size(image, 1, op)
        image.load()
    return image


@contextmanager
def _decoding(op: str) -> Iterator[None]:
    """Say it in our words when Pillow cannot decode an image: it raises all kinds of errors."""
    try:
        yield
    except (OpError, MemoryError):
        raise
    except Exception as error:
        raise InvalidArgumentError(
            f"contents are not an image that can be decoded: {error}. [Op:{op}]"
        ) from None


def _check_size(image: Image, frames: int, op: str) -> None:
    values = image.width * image.height * len(image.getbands()) * frames
    if values >= _MOST_VALUES:
        raise InvalidArgumentError(
            f"an image of {frames} x {image.height} x {image.width} pixels is too large. [Op:{op}]"
        )


def _bytes(contents: object, op: str) -> bytes:
    """The content of one file."""
    array = text_of(contents)
    if array.ndim:
        raise InvalidArgumentError(
            f"contents must be scalar, got shape {written(array.shape)} [Op:{op}]"
        )
    return array.item()  # type: ignore[no-any-return]


def _pixels(image: Image, channels: int, op: str) -> Array:
    """An image as an array, height by width by channels."""
    if channels and channels not in _MODES:
        raise InvalidArgumentError(f"channels must be 0, 1, 2, 3 or 4, got {channels} [Op:{op}]")
    if image.mode in _WIDE and channels in (0, 1):
        return np.asarray(image).astype(np.uint16)[..., None]
    mode = _MODES[channels] if channels else _natural_mode(image)
    pixels = np.array(image if image.mode == mode else image.convert(mode))
    return pixels if pixels.ndim == 3 else pixels[..., None]


def _natural_mode(image: Image) -> str:
    if image.mode in _MODES.values():
        return image.mode
    if image.mode in ("1", *_WIDE):
        return "L"
    return "RGBA" if "transparency" in image.info else "RGB"


def _of_dtype(pixels: Array, dtype: DTypeLike, op: str) -> Tensor:
    """Pixels as integers of 8 or 16 bits."""
    wanted = dtypes.as_dtype(dtype).dtype
    if wanted not in (np.uint8, np.uint16):
        raise InvalidArgumentError(
            f"dtype must be tf.uint8 or tf.uint16, got {dtypes.of(wanted)!r} [Op:{op}]"
        )
    if pixels.dtype == wanted:
        return wrap(pixels)
    if wanted == np.uint8:
        return wrap((pixels >> 8).astype(np.uint8))
    return wrap(pixels.astype(np.uint16) * np.uint16(257))


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
    op, wanted = "DecodePng", whole_number(channels, "channels")
    pixels = plain_pixels(_bytes(contents, op), wanted)
    if pixels is None:
        pixels = _pixels(_opened(contents, op), wanted, op)
    return _of_dtype(pixels, dtype, op)


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
    pixels = _pixels(
        _opened(contents, "DecodeBmp"), whole_number(channels, "channels"), "DecodeBmp"
    )
    return _of_dtype(pixels, np.uint8, "DecodeBmp")


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
    op, factor = "DecodeJpeg", whole_number(ratio, "ratio")
    flag(fancy_upscaling, "fancy_upscaling")
    flag(try_recover_truncated, "try_recover_truncated")
    number(acceptable_fraction, "acceptable_fraction")
    text(dct_method, "dct_method")
    if factor not in (1, 2, 4, 8):
        raise InvalidArgumentError(f"ratio must be 1, 2, 4, or 8, got {factor} [Op:{op}]")
    image = _opened(contents, op)
    if factor > 1:
        image = image.reduce(factor)
    pixels = _pixels(image, whole_number(channels, "channels"), op)
    return _of_dtype(pixels, np.uint8, op)


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
    return wrap(_frames(_opened(contents, "DecodeGif"), "DecodeGif"))


def _frames(image: Image, op: str) -> Array:
    with _decoding(op):
        count = getattr(image, "n_frames", 1)
        _check_size(image, 3 * count, op)
        frames = []
        for i in range(count):
            image.seek(i)
            frames.append(np.asarray(image.convert("RGB")))
        return np.stack(frames)


@public("image.decode_image", "io.decode_image")
def decode_image(
    contents: TensorLike,
    channels: int | None = None,
    dtype: DTypeLike = dtypes.uint8,
    name: str | None = None,
    expand_animations: bool = True,
) -> Tensor:
    """The pixels of a PNG, JPEG, BMP or GIF image, in the range that images of the dtype use.

    A GIF gives all its frames, in four axes, unless ``expand_animations=False``.

    >>> import cinta as tf
    >>> content = tf.io.encode_png(tf.constant([[[0], [255]]], tf.uint8))
    >>> tf.io.decode_image(content, dtype=tf.float32).numpy().ravel()
    array([0., 1.], dtype=float32)

    Args:
        contents: The bytes of the file.
        channels: 1 for gray, 3 for colors, 4 with opacity; 0 or None for what the image has.
        dtype: The dtype of the pixels.
        expand_animations: Whether a GIF gives all its frames, or the first alone.

    Raises:
        InvalidArgumentError: If the bytes are not an image.
    """
    op, animated = "DecodeImage", flag(expand_animations, "expand_animations")
    wanted = whole_number(0 if channels is None else channels, "channels")
    plain = plain_pixels(_bytes(contents, op), wanted)
    if plain is not None:
        return convert_image_dtype(_of_dtype(plain, np.uint8, op), dtype)
    image = _opened(contents, op)
    if image.format == "GIF" and animated:
        tensor = wrap(_frames(image, op))
    else:
        wide = image.mode in _WIDE and dtypes.as_dtype(dtype) != dtypes.uint8
        pixels = _pixels(image, 3 if image.format == "GIF" else wanted, op)
        tensor = _of_dtype(pixels, np.uint16 if wide else np.uint8, op)
    return convert_image_dtype(tensor, dtype)


@public("image.is_jpeg", "io.is_jpeg")
def is_jpeg(contents: TensorLike, name: str | None = None) -> Tensor:
    """Whether this is the content of a JPEG file, by its first bytes.

    >>> import cinta as tf
    >>> tf.io.is_jpeg(tf.io.encode_jpeg(tf.zeros([8, 4, 3], tf.uint8))).numpy()
    np.True_

    Args:
        contents: The bytes of the file.
    """
    return wrap(np.bool_(_bytes(contents, "IsJpeg").startswith(b"\xff\xd8\xff")))


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
    image = _opened(contents, "ExtractJpegShape")
    shape = (image.height, image.width, len(image.getbands()))
    return as_tensor(np.array(shape), dtypes.as_dtype(output_type).dtype)
