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
from . import gif
from .png import SIGNATURE, plain_pixels
from .png_wide import gray_of, is_wide, wide_pixels

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
"""The formats that every op reads, as in TensorFlow. Pillow reads more, some by other programs."""
_GIF = b"GIF"
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
            known = (*_FORMATS, "WebP") if op == "DecodeImage" else _FORMATS
            raise InvalidArgumentError(
                "contents are not an image that can be decoded: they begin with "
                f"{held[:8]!r}, and {', '.join(known)} can be read. [Op:{op}]"
            ) from None
        _check_values(1, image.height, image.width, len(image.getbands()), op)
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


def _check_values(frames: int, height: int, width: int, channels: int, op: str) -> None:
    if frames * height * width * channels >= _MOST_VALUES:
        raise InvalidArgumentError(
            f"an image of {frames} x {height} x {width} pixels is too large. [Op:{op}]"
        )


def _bytes(contents: Array, op: str) -> bytes:
    """The content of one file."""
    held = np.asarray(contents, object)
    if held.ndim:
        raise InvalidArgumentError(
            f"contents must be scalar, got shape {written(held.shape)} [Op:{op}]"
        )
    return held.item()  # type: ignore[no-any-return]


def _decoded(contents: Array, channels: int, op: str) -> Array:
    """The pixels that some bytes hold, height by width by channels, as integers."""
    _check_channels(channels, op)
    held = _bytes(contents, op)
    if held.startswith(_GIF):
        return _only_frame(contents, channels, op)
    pixels = _all_digits(held, channels, op) if is_wide(held) else plain_pixels(held, channels)
    return _pixels(_opened(contents, op), channels, op) if pixels is None else pixels


def _all_digits(held: bytes, channels: int, op: str) -> Array:
    """The pixels of a PNG file with 16 bits a channel."""
    pixels = wide_pixels(held, channels)
    if pixels is None:
        raise InvalidArgumentError(
            "contents are not an image that can be decoded: a PNG file with 16 bits a channel is "
            f"damaged, or too large. [Op:{op}]"
        )
    return pixels


def _check_channels(channels: int, op: str) -> None:
    if channels and channels not in _MODES:
        raise InvalidArgumentError(f"channels must be 0, 1, 2, 3 or 4, got {channels} [Op:{op}]")


def _pixels(image: Image, channels: int, op: str) -> Array:
    """An image as an array, height by width by channels."""
    _check_channels(channels, op)
    if image.mode in _WIDE and channels in (0, 1):
        return np.asarray(image).astype(np.uint16)[..., None]
    if image.format == "PNG" and channels in (1, 2) and image.mode in ("P", "RGB", "RGBA"):
        colored = np.array(image.convert("RGBA"))
        return np.concatenate([gray_of(colored[..., :3]), colored[..., 3:]], axis=-1)[
            ..., :channels
        ]
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


def _only_frame(contents: Array, channels: int, op: str) -> Array:
    """The pixels of a GIF file that is not animated."""
    frames = _gif_frames(contents, channels, op)
    if len(frames) > 1:
        raise InvalidArgumentError(
            f"contents are an animated GIF of {len(frames)} frames: use tf.io.decode_gif, or "
            f"tf.io.decode_image. [Op:{op}]"
        )
    pixels: Array = frames[0]
    return pixels


def _gif_frames(contents: Array, channels: int, op: str, first: bool = False) -> Array:
    """All frames of an image, or the first, in color."""
    if channels not in (0, 3):
        raise InvalidArgumentError(f"channels must be 0 or 3 for GIF, got {channels} [Op:{op}]")
    held = _bytes(contents, op)
    if not held.startswith(_GIF):
        return _pixels(_opened(contents, op), 3, op)[None]
    module = pillow()
    with _decoding(op):
        found = list(gif.pictures(held))
        count = 1 if first else len(found)
        _check_values(count, *gif.frame_shape(found), 3, op)
        return gif.laid_over(found, count, module)


def _is_webp(held: bytes) -> bool:
    return held[:4] == b"RIFF" and held[8:12] == b"WEBP"


def _webp_frames(held: bytes, channels: int, op: str, first: bool = False) -> Array:
    """All frames of a WebP image, or the first, in color."""
    if channels not in (0, 3, 4):
        raise InvalidArgumentError(f"WebP only supports 3 or 4 channels, got {channels} [Op:{op}]")
    if not _is_webp(held):
        raise InvalidArgumentError(
            f"contents are not a WebP image: they begin with {held[:8]!r}. [Op:{op}]"
        )
    module = pillow()
    with _decoding(op):
        image = module.open(io.BytesIO(held), formats=("WEBP",))
        own, count = len(image.getbands()), 1 if first else image.n_frames
        if channels not in (0, own):
            raise InvalidArgumentError(
                f"Number of channels requested does not match input: {channels}, and it has {own} "
                f"[Op:{op}]"
            )
        _check_values(count, image.height, image.width, own, op)
        frames = []
        for number in range(count):
            image.seek(number)
            frames.append(np.asarray(image.convert(_MODES[own])))
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


def _example_of_window(
    lengths: MadeUpLengths, contents: Array, crop_window: Array, channels: int = 3, **others: object
) -> Array:
    return np.zeros((*crop_window.tolist()[2:], channels or lengths()), np.uint8)


def _example_of_shape(lengths: MadeUpLengths, contents: Array, dtype: np.dtype[Any]) -> Array:
    return np.ones(3, dtype)


@op("DecodePng", sized_by_values=True, example=_example)
def DecodePng(xp: ArrayModule, contents: Array, *, channels: int, dtype: np.dtype[Any]) -> Array:
    """The pixels of an image, height by width by channels."""
    return _of_dtype(_decoded(contents, channels, "DecodePng"), dtype, "DecodePng")


@op("DecodeBmp", sized_by_values=True, example=_example)
def DecodeBmp(xp: ArrayModule, contents: Array, *, channels: int) -> Array:
    """The pixels of an image, height by width by channels."""
    return _of_dtype(_decoded(contents, channels, "DecodeBmp"), _BYTES, "DecodeBmp")


@op("DecodeJpeg", sized_by_values=True, example=_example)
def DecodeJpeg(xp: ArrayModule, contents: Array, *, channels: int, ratio: int) -> Array:
    """The pixels of an image that is made smaller, height by width by channels."""
    return _reduced(contents, channels, ratio, "DecodeJpeg")


@op("DecodeAndCropJpeg", example=_example_of_window)
def DecodeAndCropJpeg(
    xp: ArrayModule, contents: Array, crop_window: Array, *, channels: int, ratio: int
) -> Array:
    """The pixels of a window of an image that is made smaller, height by width by channels."""
    name = "DecodeAndCropJpeg"
    if crop_window.shape != (4,):
        raise InvalidArgumentError(
            "crop_window must be a vector of four numbers, [top, left, height, width], got shape "
            f"{written(crop_window.shape)} [Op:{name}]"
        )
    image = _reduced(contents, channels, ratio, name)
    top, left, height, width = crop_window.tolist()
    window = image[max(top, 0) : top + height, max(left, 0) : left + width]
    if min(top, left) < 0 or min(height, width) < 1 or window.shape[:2] != (height, width):
        raise InvalidArgumentError(
            f"Invalid JPEG data or crop window: [top, left, height, width] = "
            f"{crop_window.tolist()} must lie in an image of {written(image.shape[:2])} pixels. "
            f"[Op:{name}]"
        )
    return window


def _reduced(contents: Array, channels: int, ratio: int, op: str) -> Array:
    """The pixels of an image that is made smaller."""
    if ratio not in (1, 2, 4, 8):
        raise InvalidArgumentError(f"ratio must be 1, 2, 4, or 8, got {ratio} [Op:{op}]")
    if ratio == 1:
        return _of_dtype(_decoded(contents, channels, op), _BYTES, op)
    return _of_dtype(_pixels(_opened(contents, op).reduce(ratio), channels, op), _BYTES, op)


@op("DecodeGif", sized_by_values=True, example=_example_of_frames)
def DecodeGif(xp: ArrayModule, contents: Array) -> Array:
    """The pixels of all frames, frames by height by width by 3."""
    return _gif_frames(contents, 3, "DecodeGif")


def _example_of_webp(lengths: MadeUpLengths, contents: Array, channels: int) -> Array:
    return np.zeros((lengths(), lengths(), lengths(), channels or lengths()), np.uint8)


@op("DecodeWebP", sized_by_values=True, example=_example_of_webp)
def DecodeWebP(xp: ArrayModule, contents: Array, *, channels: int) -> Array:
    """The pixels of all frames, frames by height by width by channels."""
    return _webp_frames(_bytes(contents, "DecodeWebP"), channels, "DecodeWebP")


@op("DecodeImage", sized_by_values=True, example=_example)
def DecodeImage(
    xp: ArrayModule, contents: Array, *, channels: int, dtype: np.dtype[Any], animated: bool
) -> Array:
    """The pixels of an image of any format, in the range that images of the dtype use."""
    pixels = _of_any(contents, channels, animated)
    if dtype == _BYTES:
        pixels = _of_dtype(pixels, dtype, "DecodeImage")
    elif dtype != np.float32 and _bytes(contents, "DecodeImage").startswith(SIGNATURE):
        pixels = _of_dtype(pixels, np.dtype(np.uint16), "DecodeImage")
    return convert_image_dtype(pixels, dtype)._array


def _of_any(contents: Array, channels: int, animated: bool) -> Array:
    name = "DecodeImage"
    held = _bytes(contents, name)
    if _is_webp(held):
        frames = _webp_frames(held, channels, name, first=not animated)
    elif held.startswith(_GIF):
        frames = _gif_frames(contents, channels, name, first=not animated)
    else:
        return _decoded(contents, channels, name)
    return frames if animated else frames[0]


@op("ExtractJpegShape", example=_example_of_shape)
def ExtractJpegShape(xp: ArrayModule, contents: Array, *, dtype: np.dtype[Any]) -> Array:
    """Height, width and channels of an image."""
    image = _opened(contents, "ExtractJpegShape")
    return np.array((image.height, image.width, len(image.getbands())), dtype)


DecodePng.no_grad()
DecodeBmp.no_grad()
DecodeJpeg.no_grad()
DecodeAndCropJpeg.no_grad()
DecodeGif.no_grad()
DecodeWebP.no_grad()
DecodeImage.no_grad()
ExtractJpegShape.no_grad()
