"""Summaries of the kinds that TensorBoard shows: numbers, histograms, images, sound, text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import dtypes
from ..audio.wav import encode_wav
from ..engine.convert import as_tensor, constant
from ..engine.tensor import seen, wrap
from ..errors import InvalidArgumentError
from ..io.image_writing import encode_png
from ..ops.arguments import memory_for, tensor_of, whole_number
from ..ops.arguments import text as checked_text
from ..ops.image.dtype_conversion import convert_image_dtype
from ..ops.strings.string_arrays import text_of
from ..protobuf.event_messages import BLOB_SEQUENCE, SCALAR, TENSOR, PluginData, SummaryMetadata
from ..public import public
from .writing import summary_scope, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import IntLike, NumericLike, TensorLike
    from ..engine.tensor import Array, Tensor
    from .writing import Step

_BUCKETS = 30
_WAV = b"\x10\x0b"  # the field 2 of a message, with the number for WAV


@public("summary.scalar")
def scalar(
    name: str, data: NumericLike, step: Step = None, description: str | None = None
) -> Tensor:
    """Write a number at a step; True if it was written.

    >>> import cinta as tf
    >>> bool(tf.summary.scalar("loss", 0.5, step=1))  # there is no writer
    False

    Args:
        name: The tag.
        data: The number.
        step: The step; None for ``tf.summary.experimental.get_step()``.
        description: A text that is shown beside it.

    Raises:
        ValueError: With a writer, if there is no step, or ``data`` is not one number.
    """

    def number() -> Tensor:
        given = as_tensor(data)
        if given._array.ndim:
            raise ValueError(f"A scalar summary needs one number for `data`, got {given!r}.")
        return as_tensor(_cast(given, np.float32))

    return _written(name, number, step, _shown("scalars", SCALAR, description))


@public("summary.histogram")
def histogram(
    name: str,
    data: NumericLike,
    step: Step = None,
    buckets: IntLike | None = None,
    description: str | None = None,
) -> Tensor:
    """Write how numbers are spread; True if it was written.

    >>> import cinta as tf
    >>> bool(tf.summary.histogram("weights", [0.5, 1.5], step=1))  # there is no writer
    False

    Args:
        name: The tag.
        data: The numbers.
        step: The step; None for ``tf.summary.experimental.get_step()``.
        buckets: Over how many buckets of one width; None for 30.
        description: A text that is shown beside it.
    """
    count = _BUCKETS if buckets is None else max(0, whole_number(buckets, "buckets"))

    def counted() -> Tensor:
        numbers = as_tensor(_cast(as_tensor(data), np.float64))
        with memory_for("histogram", (count, 3)):
            return wrap(bucketed(seen(numbers), count))

    return _written(name, counted, step, _shown("histograms", TENSOR, description))


def bucketed(data: Array, count: int) -> Array:
    """For each bucket its left and its right end, and how many numbers are in it."""
    numbers = np.ravel(data)
    if not numbers.size or not count:
        return np.zeros([count, 3])
    low, high = numbers.min(), numbers.max()
    if low == high:
        found = np.full([count, 3], high)
        found[:, 2] = 0
        found[-1, 2] = numbers.size
        return found
    if not np.isfinite([low, high]).all():
        raise InvalidArgumentError(
            "A histogram needs finite numbers, and `data` has some that are not."
        )
    edges = np.linspace(low, high, count + 1)
    places = np.minimum(np.floor((numbers - low) / ((high - low) / count)), count - 1)
    counts = np.bincount(places.astype(np.int64), minlength=count)
    return np.stack([edges[:-1], edges[1:], counts], axis=1)


@public("summary.image")
def image(
    name: str,
    data: NumericLike,
    step: Step = None,
    max_outputs: IntLike = 3,
    description: str | None = None,
) -> Tensor:
    """Write the first images of a batch; True if they were written.

    >>> import cinta as tf
    >>> bool(tf.summary.image("faces", tf.zeros([2, 4, 4, 3]), step=1))  # there is no writer
    False

    Args:
        name: The tag.
        data: The images, of shape [k, h, w, c]. Floats go from 0 to 1.
        step: The step; None for ``tf.summary.experimental.get_step()``.
        max_outputs: How many images are written at most.
        description: A text that is shown beside them.
    """
    most = _not_negative(max_outputs)

    def encoded() -> Tensor:
        images = as_tensor(data)
        _check_rank(images, 4, "data")
        _, height, width, _ = images.shape.as_list()
        pixels = convert_image_dtype(images, dtypes.uint8, saturate=True)
        files = list(text_of(encode_png(pixels[:most])))
        return as_tensor(np.array([b"%d" % width, b"%d" % height, *files], object))

    return _written(name, encoded, step, _shown("images", BLOB_SEQUENCE, description))


@public("summary.audio")
def audio(
    name: str,
    data: NumericLike,
    sample_rate: IntLike,
    step: Step = None,
    max_outputs: IntLike = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write the first sounds of a batch; True if they were written.

    >>> import cinta as tf
    >>> bool(tf.summary.audio("hum", tf.zeros([1, 80, 1]), 8000, step=1))  # there is no writer
    False

    Args:
        name: The tag.
        data: The sounds, of shape [k, t, c]: numbers from -1 to 1 for each moment and channel.
        sample_rate: How many moments there are in a second.
        step: The step; None for ``tf.summary.experimental.get_step()``.
        max_outputs: How many sounds are written at most.
        encoding: None or "wav".
        description: A text that is shown beside them.

    Raises:
        ValueError: If the encoding is another one; with a writer also if there is no step, or the
            sounds have another shape.
    """
    if encoding is not None and checked_text(encoding, "encoding") != "wav":
        raise ValueError(f"Unknown encoding: {encoding!r}; it can be 'wav'.")
    most = _not_negative(max_outputs)

    def encoded() -> Tensor:
        sounds = as_tensor(data)
        _check_rank(sounds, 3, "data")
        files = [(encode_wav(each, sample_rate).numpy(), b"") for each in sounds[:most]]
        return as_tensor(np.array(files, object).reshape(len(files), 2))

    return _written(name, encoded, step, _shown("audio", BLOB_SEQUENCE, description, _WAV))


@public("summary.text")
def text(name: str, data: TensorLike, step: Step = None, description: str | None = None) -> Tensor:
    """Write text, which may be Markdown; True if it was written.

    >>> import cinta as tf
    >>> bool(tf.summary.text("note", "all is *well*", step=1))  # there is no writer
    False

    Args:
        name: The tag.
        data: A string, or a tensor of them, which is shown as a table.
        step: The step; None for ``tf.summary.experimental.get_step()``.
        description: A text that is shown beside it.
    """
    given = tensor_of("TextSummary", constant(data), "O")
    return _written(name, lambda: given, step, _shown("text", TENSOR, description))


def _shown(
    plugin: str, data_class: int, description: str | None, content: bytes = b""
) -> SummaryMetadata:
    return SummaryMetadata(
        plugin_data=PluginData(plugin_name=plugin, content=content),
        summary_description=None
        if description is None
        else checked_text(description, "description"),
        data_class=data_class,
    )


def _written(
    name: str, made: Callable[[], Tensor], step: Step, metadata: SummaryMetadata
) -> Tensor:
    with summary_scope(name, f"{metadata.plugin_data.plugin_name}_summary") as (tag, _):
        return write(tag, made, step, metadata)


def _cast(given: Tensor, dtype: type[np.generic]) -> Tensor:
    return dtypes.cast(given, dtype)


def _check_rank(given: Tensor, rank: int, argument: str) -> None:
    if given._array.ndim != rank:
        raise ValueError(f"`{argument}` must be of rank {rank}, got the shape {given.shape}.")


def _not_negative(count: IntLike) -> int:
    found = whole_number(count, "max_outputs")
    if found < 0:
        raise InvalidArgumentError(f"max_outputs must not be negative, got {found}.")
    return found
