"""Numbers out of strings of bytes, and bytes as text."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.op import op
from ..errors import InvalidArgumentError
from ..ops.arguments import flag, integer, memory_for
from ..ops.strings.string_arrays import elementwise, strings_of
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import ArrayModule, DTypeLike, IntLike, TensorLike
    from ..engine.made_up import MadeUpLengths
    from ..engine.shapes import Positive
    from ..engine.tensor import Array, Tensor


@public("io.decode_raw")
def decode_raw(
    input_bytes: TensorLike,
    out_type: DTypeLike,
    little_endian: bool = True,
    fixed_length: IntLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The numbers whose bytes strings of one length hold, along a new last axis.

    >>> import cinta as tf
    >>> tf.io.decode_raw(b"\\x01\\x00\\x02\\x00", tf.int16).numpy()
    array([1, 2], dtype=int16)

    Args:
        input_bytes: A string, or a tensor of strings.
        out_type: The dtype of the numbers.
        little_endian: Whether the first byte of a number is its lowest one.
        fixed_length: A number of bytes to which strings are cut, or filled up with zeros.

    Raises:
        InvalidArgumentError: If the strings have several lengths, or do not hold whole numbers.
    """
    how = {
        "dtype": dtypes.as_dtype(out_type).dtype,
        "little_endian": flag(little_endian, "little_endian"),
    }
    if fixed_length is None:
        return DecodeRaw(strings_of(input_bytes), **how)
    length = integer(fixed_length, "fixed_length")
    if length < 1:
        raise InvalidArgumentError(
            f"fixed_length must be greater than 0, got {length} [Op:DecodePaddedRaw]"
        )
    return DecodePaddedRaw(strings_of(input_bytes), **how, length=length)


def _raw_example(
    lengths: MadeUpLengths, strings: Array, dtype: np.dtype[Any], little_endian: bool
) -> Array:
    return np.zeros((*strings.shape, lengths()), dtype)


@op("DecodeRaw", sized_by_values=True, example=_raw_example)
def DecodeRaw(
    xp: ArrayModule, strings: Array, *, dtype: np.dtype[Any], little_endian: bool
) -> Array:
    """The numbers whose bytes strings of one length hold, along a new last axis."""
    given = np.asarray(strings, object)
    values = given.reshape(-1).tolist()
    sizes = [len(value) for value in values] or [0]
    for i, size in enumerate(sizes):
        if size != sizes[0]:
            raise InvalidArgumentError(
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{i} has size {size} != {sizes[0]} [Op:DecodeRaw]"
            )
    if dtype.hasobject or sizes[0] % dtype.itemsize:
        raise InvalidArgumentError(
            f"Input to DecodeRaw has length {sizes[0]} that is not a multiple of "
            f"{dtype.itemsize}, the size of {dtypes.of(dtype).name}, and must be a multiple of it "
            "[Op:DecodeRaw]"
        )
    stored = dtype.newbyteorder("<" if little_endian else ">")
    if dtype.kind == "b":  # of which NumPy has but two values
        stored = np.dtype(np.uint8)
    numbers = np.frombuffer(b"".join(values), stored).astype(dtype)
    return numbers.reshape(*given.shape, sizes[0] // dtype.itemsize)


@op("DecodePaddedRaw")
def DecodePaddedRaw(
    xp: ArrayModule,
    strings: Array,
    *,
    dtype: np.dtype[Any],
    little_endian: bool,
    length: Positive,
) -> Array:
    """The same for strings that are cut or filled up with zeros to one length."""
    given = np.asarray(strings, object)
    with memory_for("DecodePaddedRaw", (given.size, length), 1):
        filled = np.empty(given.shape, object)
        filled.reshape(-1)[:] = [each[:length].ljust(length, b"\0") for each in given.reshape(-1)]
    numbers: Array = DecodeRaw.run(filled, dtype=dtype, little_endian=little_endian)
    return numbers


DecodeRaw.no_grad()
DecodePaddedRaw.no_grad()


@public("io.encode_base64")
def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Bytes as text of letters, digits, ``-`` and ``_``, filled up with ``=`` if ``pad``.

    >>> import cinta as tf
    >>> tf.io.encode_base64("tape").numpy()
    b'dGFwZQ'

    Args:
        input: A string, or a tensor of them.
        pad: Whether to fill up with ``=`` to a multiple of 4 characters.
    """
    return EncodeBase64(strings_of(input), pad=flag(pad, "pad"))


@op("EncodeBase64")
def EncodeBase64(xp: ArrayModule, input: Array, *, pad: bool) -> Array:
    """Bytes as text."""

    def encoded(value: bytes) -> bytes:
        whole = base64.urlsafe_b64encode(value)
        return whole if pad else whole.rstrip(b"=")

    return elementwise(encoded, input)


@public("io.decode_base64")
def decode_base64(input: TensorLike, name: str | None = None) -> Tensor:
    """Decode the text that ``encode_base64`` makes, with or without ``=``.

    >>> import cinta as tf
    >>> tf.io.decode_base64(tf.io.encode_base64("hello")).numpy()
    b'hello'

    Args:
        input: A string, or a tensor of them.

    Raises:
        InvalidArgumentError: If it is not such text.
    """
    return DecodeBase64(strings_of(input))


@op("DecodeBase64")
def DecodeBase64(xp: ArrayModule, input: Array) -> Array:
    """The bytes that such text stands for."""
    return elementwise(_from_base64, input)


EncodeBase64.no_grad()
DecodeBase64.no_grad()


def _from_base64(value: bytes) -> bytes:
    bare = value.rstrip(b"=")
    if not _BASE64.fullmatch(bare) or (len(bare) < len(value) and len(value) % 4):
        raise InvalidArgumentError("Invalid character found in base64. [Op:DecodeBase64]")
    if len(bare) % 4 == 1:
        raise InvalidArgumentError("Base64 string length cannot be 1 modulo 4. [Op:DecodeBase64]")
    return base64.urlsafe_b64decode(bare + b"=" * (-len(bare) % 4))


_BASE64 = re.compile(rb"[A-Za-z0-9_-]*")
