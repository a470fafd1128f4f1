"""Sound as bytes of the WAV format, with 16 bits for a number."""

from __future__ import annotations

import io
import wave
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.convert import as_tensor
from ..engine.tensor import Tensor, wrap
from ..errors import InvalidArgumentError
from ..ops.arguments import integer, memory_for, whole_number
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import IntLike, TensorLike
    from ..engine.tensor import Array

_ONE = 2**15
"""The number that stands for 1; the largest number of 16 bits is one below it."""


class DecodeWav(NamedTuple):
    """Sound, with a row for each moment and a column for each channel, and moments in a second."""

    audio: Tensor
    sample_rate: Tensor


@public("audio.decode_wav")
def decode_wav(
    contents: TensorLike,
    desired_channels: IntLike = -1,
    desired_samples: IntLike = -1,
    name: str | None = None,
) -> DecodeWav:
    """The sound in a WAV file's bytes, as numbers from -1 to 1.

    Sound that is longer than ``desired_samples`` is cut, shorter sound is followed by silence. One
    channel is repeated if several are desired, and the first ones are taken of more.

    >>> import cinta as tf
    >>> contents = tf.audio.encode_wav([[0.5], [-0.5]], sample_rate=8000)
    >>> sound = tf.audio.decode_wav(contents)
    >>> sound.audio.shape, sound.sample_rate.numpy()
    (TensorShape([2, 1]), np.int32(8000))

    Args:
        contents: The bytes of the file, with 16 bits for each number.
        desired_channels: How many columns; -1 for as many as the file has.
        desired_samples: How many rows; -1 for all.

    Raises:
        InvalidArgumentError: If the bytes are not such a file, or the file has several channels,
            but fewer than desired.
    """
    channels = _desired(desired_channels, "desired_channels")
    samples = _desired(desired_samples, "desired_samples")
    numbers, rate = _read(as_tensor(contents).numpy())
    audio = (numbers / np.float32(_ONE)).astype(np.float32)
    if channels is not None:
        audio = _with_channels(audio, channels)
    if samples is not None:
        with memory_for("DecodeWav", (samples, audio.shape[1]), audio.itemsize):
            audio = np.pad(audio[:samples], ((0, max(0, samples - len(audio))), (0, 0)))
    return DecodeWav(wrap(audio), wrap(np.int32(rate)))


def _desired(count: IntLike, argument: str) -> int | None:
    """How many are desired; None if -1 leaves it to the file."""
    given = whole_number(count, argument)
    if given < -1:
        raise InvalidArgumentError(f"{argument} must be >= -1, got {given} [Op:DecodeWav]")
    return None if given == -1 else given


def _with_channels(audio: Array, channels: int) -> Array:
    """The first channels, or the only one as often as it takes."""
    found = audio.shape[1]
    if channels <= found:
        return audio[:, :channels]
    if found > 1:
        raise InvalidArgumentError(
            f"desired_channels is {channels}, and the sound has {found} channels [Op:DecodeWav]"
        )
    with memory_for("DecodeWav", (len(audio), channels), audio.itemsize):
        return np.repeat(audio, channels, axis=1)


def _read(contents: Any) -> tuple[Array, int]:
    """The numbers in the bytes, and how many there are in a second."""
    try:
        with wave.open(io.BytesIO(contents)) as file:
            if file.getsampwidth() != 2:
                bits = 8 * file.getsampwidth()
                raise InvalidArgumentError(
                    f"Bad audio format for WAV: Expected 16 bits for a number, but got {bits} "
                    "[Op:DecodeWav]"
                )
            frames = file.readframes(file.getnframes())
            rate, channels = file.getframerate(), file.getnchannels()
    except (EOFError, wave.Error) as error:
        said = str(error) or "the data end too early"
        raise _no_sound(said) from None
    if len(frames) % (2 * channels) or not frames:
        raise _no_sound("the data end too early")
    return np.frombuffer(frames, "<i2").reshape(-1, channels), rate


def _no_sound(why: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"`contents` is not a WAV file: {why} [Op:DecodeWav]")


@public("audio.encode_wav")
def encode_wav(audio: TensorLike, sample_rate: IntLike, name: str | None = None) -> Tensor:
    """The bytes of a WAV file with this sound: a row for each moment, a column for each channel.

    >>> import cinta as tf
    >>> tf.audio.encode_wav([[0.0], [1.0]], sample_rate=8000).numpy()[:4]
    b'RIFF'

    Args:
        audio: A matrix of numbers from -1 to 1; others are clipped.
        sample_rate: How many rows there are in a second.

    Raises:
        InvalidArgumentError: If the sound is not a matrix, is empty, or the header has no room for
            its rate or channels.
    """
    sound = as_tensor(audio, np.dtype(np.float32)).numpy()
    if sound.ndim != 2:
        raise InvalidArgumentError(
            f"audio must be 2-dimensional, got the shape {sound.shape} [Op:EncodeWav]"
        )
    rate = integer(sample_rate, "sample_rate")
    moment = 2 * sound.shape[1]  # its bytes, for which a header has 16 bits; for a second's, 32
    if not sound.size or moment >= 2**16 or not 0 < rate * moment < 2**32:
        raise InvalidArgumentError(
            "audio must not be empty, and a header must hold its channels and `sample_rate`, got "
            f"the shape {sound.shape} and {rate} [Op:EncodeWav]"
        )
    whole = np.clip(np.round(sound * np.float32(_ONE)), -_ONE, _ONE - 1).astype("<i2")
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(sound.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(whole.tobytes())
    return wrap(np.array(written.getvalue(), object))
