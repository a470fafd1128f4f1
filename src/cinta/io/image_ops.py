"""Ops that take pixels out of the bytes of image files, by Pillow where these are not plain."""

from __future__ import annotations

import io
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.op import op
from ..engine.shapes import written
from ..errors import InvalidArgumentError, OpError
from ..ops.image.dtype_conversion import convert_image_dtype
from .png import plain_pixels

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from PIL.Image import Image

    from ..engine.annotations import ArrayModule
    from ..engine.made_up import MadeUpLengths
    from ..engine.tensor import Array

_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}
"""Pillow's names of what TensorFlow knows by the number of channels."""
_BYTES = np.dtype(np.uint8)
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


def _opened(contents: Array, op: str) -> Image:
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


def _bytes(contents: Array, op: str) -> bytes:
    """The content of one file."""
    held = np.asarray(contents, object)
    if held.ndim:
        raise InvalidArgumentError(
            f"contents must be scalar, got shape {written(held.shape)} [Op:{op}]"
        )
    return held.item()  # type: ignore[no-any-return]


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


def _of_dtype(pixels: Array, dtype: np.dtype[Any], op: str) -> Array:
    """Pixels as integers of 8 or 16 bits."""
    if dtype not in (np.uint8, np.uint16):
        raise InvalidArgumentError(
            f"dtype must be tf.uint8 or tf.uint16, got {dtypes.of(dtype)!r} [Op:{op}]"
        )
    if pixels.dtype == dtype:
        return pixels
    if dtype == np.uint8:
        return (pixels >> 8).astype(np.uint8)
    return pixels.astype(np.uint16) * np.uint16(257)


def _frames(image: Image, op: str) -> Array:
    """All frames of an image, in color."""
    with _decoding(op):
        count = getattr(image, "n_frames", 1)
        _check_size(image, 3 * count, op)
        frames = []
        for i in range(count):
            image.seek(i)
            frames.append(np.asarray(image.convert("RGB")))
        return np.stack(frames)


# -- ops -------------------------------------------------------------------------------------------


def _example(
    lengths: MadeUpLengths,
    contents: Array,
    channels: int = 3,
    dtype: np.dtype[Any] = _BYTES,
    **others: object,
) -> Array:
    """An image of a size that is made up."""
    return np.zeros((lengths(), lengths(), channels or lengths()), dtype)


def _example_of_frames(lengths: MadeUpLengths, contents: Array) -> Array:
    return np.zeros((lengths(), lengths(), lengths(), 3), np.uint8)


def _example_of_shape(lengths: MadeUpLengths, contents: Array, dtype: np.dtype[Any]) -> Array:
    return np.ones(3, dtype)


@op("DecodePng", sized_by_values=True, example=_example)
def DecodePng(xp: ArrayModule, contents: Array, *, channels: int, dtype: np.dtype[Any]) -> Array:
    """The pixels of an image, height by width by channels."""
    name = "DecodePng"
    pixels = plain_pixels(_bytes(contents, name), channels)
    if pixels is None:
        pixels = _pixels(_opened(contents, name), channels, name)
    return _of_dtype(pixels, dtype, name)


@op("DecodeBmp", sized_by_values=True, example=_example)
def DecodeBmp(xp: ArrayModule, contents: Array, *, channels: int) -> Array:
    """The pixels of an image, height by width by channels."""
    name = "DecodeBmp"
    return _of_dtype(_pixels(_opened(contents, name), channels, name), _BYTES, name)


@op("DecodeJpeg", sized_by_values=True, example=_example)
def DecodeJpeg(xp: ArrayModule, contents: Array, *, channels: int, ratio: int) -> Array:
    """The pixels of an image that is made smaller, height by width by channels."""
    name = "DecodeJpeg"
    if ratio not in (1, 2, 4, 8):
        raise InvalidArgumentError(f"ratio must be 1, 2, 4, or 8, got {ratio} [Op:{name}]")
    image = _opened(contents, name)
    if ratio > 1:
        image = image.reduce(ratio)
    return _of_dtype(_pixels(image, channels, name), _BYTES, name)


@op("DecodeGif", sized_by_values=True, example=_example_of_frames)
def DecodeGif(xp: ArrayModule, contents: Array) -> Array:
    """The pixels of all frames, frames by height by width by 3."""
    return _frames(_opened(contents, "DecodeGif"), "DecodeGif")


@op("DecodeImage", sized_by_values=True, example=_example)
def DecodeImage(
    xp: ArrayModule, contents: Array, *, channels: int, dtype: np.dtype[Any], animated: bool
) -> Array:
    """The pixels of an image of any format, in the range that images of the dtype use."""
    pixels = plain_pixels(_bytes(contents, "DecodeImage"), channels)
    if pixels is None:
        pixels = _of_any(_opened(contents, "DecodeImage"), channels, dtype, animated)
    return convert_image_dtype(pixels, dtype)._array


def _of_any(image: Image, channels: int, dtype: np.dtype[Any], animated: bool) -> Array:
    name = "DecodeImage"
    if image.format == "GIF" and animated:
        return _frames(image, name)
    wide = image.mode in _WIDE and dtype != _BYTES
    pixels = _pixels(image, 3 if image.format == "GIF" else channels, name)
    return _of_dtype(pixels, np.dtype(np.uint16) if wide else _BYTES, name)


@op("ExtractJpegShape", example=_example_of_shape)
def ExtractJpegShape(xp: ArrayModule, contents: Array, *, dtype: np.dtype[Any]) -> Array:
    """Height, width and channels of an image."""
    image = _opened(contents, "ExtractJpegShape")
    return np.array((image.height, image.width, len(image.getbands())), dtype)


DecodePng.no_grad()
DecodeBmp.no_grad()
DecodeJpeg.no_grad()
DecodeGif.no_grad()
DecodeImage.no_grad()
ExtractJpegShape.no_grad()
