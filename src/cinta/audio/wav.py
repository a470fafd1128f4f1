"""Sound as bytes of the WAV format, with 16 bits for a number."""

from __future__ import annotations

import io
import wave
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..engine.convert import as_tensor
from ..engine.tensor import Tensor, wrap
from ..errors import InvalidArgumentError
from ..ops.arguments import whole_number
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import IntLike, TensorLike

_ONE = 2**15
"""What stands for 1, which itself is one above the largest number of 16 bits."""


class DecodeWav(NamedTuple):
    """Sound, with a row for each moment and a column for each channel, and moments in a second."""

    audio: Tensor
    sample_rate: Tensor


@public("audio.decode_wav")
def decode_wav(
    contents: TensorLike,
    desired_channels: int = -1,
    desired_samples: int = -1,
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
    """
    numbers, rate = _read(as_tensor(contents).numpy())
    audio = (numbers / np.float32(_ONE)).astype(np.float32)
    channels = audio.shape[1]
    if desired_channels != -1 and desired_channels != channels:
        if channels == 1:
            audio = np.repeat(audio, desired_channels, axis=1)
        elif desired_channels < channels:
            audio = audio[:, :desired_channels]
        else:
            raise InvalidArgumentError(
                f"desired_channels is {desired_channels}, and the sound has {channels} channels "
                "[Op:DecodeWav]"
            )
    if desired_samples != -1:
        missing = max(0, desired_samples - len(audio))
        audio = np.pad(audio[:desired_samples], ((0, missing), (0, 0)))
    return DecodeWav(wrap(audio), wrap(np.int32(rate)))


def _read(contents: Any) -> tuple[np.ndarray[Any, Any], int]:
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
        raise InvalidArgumentError(f"`contents` is no WAV file: {said} [Op:DecodeWav]") from None
    if len(frames) % (2 * channels) or not frames:
        raise InvalidArgumentError(
            "`contents` is no WAV file: the data end too early [Op:DecodeWav]"
        )
    return np.frombuffer(frames, "<i2").reshape(-1, channels), rate


def _no_sound(why: str) -> InvalidArgumentError:
    return InvalidArgumentError(f"`contents` is no WAV file: {why} [Op:DecodeWav]")


@public("audio.encode_wav")
def encode_wav(audio: TensorLike, sample_rate: IntLike, name: str | None = None) -> Tensor:
    """The bytes of a WAV file with this sound: a row for each moment, a column for each channel.

    >>> import cinta as tf
    >>> tf.audio.encode_wav([[0.0], [1.0]], sample_rate=8000).numpy()[:4]
    b'RIFF'
    """
    sound = as_tensor(audio, np.dtype(np.float32)).numpy()
    if sound.ndim != 2:
        raise InvalidArgumentError(
            f"audio must be 2-dimensional, got the shape {sound.shape} [Op:EncodeWav]"
        )
    rate = whole_number(as_tensor(sample_rate).numpy().item(), "sample_rate")
    if rate <= 0 or not sound.size:
        raise InvalidArgumentError(
            f"`sample_rate` must be above 0 and the sound not empty, got {rate} and the shape "
            f"{sound.shape} [Op:EncodeWav]"
        )
    whole = np.clip(np.round(sound * np.float32(_ONE)), -_ONE, _ONE - 1).astype("<i2")
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(sound.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(whole.tobytes())
    return wrap(np.array(written.getvalue(), object))
