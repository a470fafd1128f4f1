"""Text and bytes, types of numbers, and lengths of axes, for programs of several ages."""

from __future__ import annotations

import numbers
import os
from typing import TYPE_CHECKING, TypeVar, overload

import numpy as np

from ..engine.dimension import Dimension
from ..engine.shapes import TensorShape
from ..ops.arguments import text, whole_number
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import ShapeLike

    T = TypeVar("T")


bytes_or_text_types = public("compat.bytes_or_text_types")((bytes, str))
integral_types = public("compat.integral_types")((numbers.Integral, np.integer))
real_types = public("compat.real_types")((numbers.Real, np.integer, np.floating))
complex_types = public("compat.complex_types")((numbers.Complex, np.number))


@public("compat.as_bytes")
def as_bytes(bytes_or_text: object, encoding: str = "utf-8") -> bytes:
    """Text as bytes; bytes as they are.

    >>> import cinta as tf
    >>> tf.compat.as_bytes("é")
    b'\\xc3\\xa9'

    Args:
        bytes_or_text: A string, ``bytes`` or a ``bytearray``.
        encoding: The encoding of text.

    Raises:
        TypeError: If it is none of these.
        LookupError: If there is no such encoding.
    """
    codec = _codec(encoding)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(codec)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@public("compat.as_str", "compat.as_text")
def as_text(bytes_or_text: object, encoding: str = "utf-8") -> str:
    """Bytes as text; text as it is.

    >>> import cinta as tf
    >>> tf.compat.as_text(b"abc"), tf.compat.as_text("abc")
    ('abc', 'abc')

    Args:
        bytes_or_text: A string, ``bytes`` or a ``bytearray``.
        encoding: The encoding of the bytes.

    Raises:
        TypeError: If it is none of these.
        LookupError: If there is no such encoding.
        UnicodeDecodeError: If the bytes are not text in this encoding.
    """
    return as_bytes(bytes_or_text, encoding).decode(_codec(encoding))


as_str = as_text


def _codec(encoding: str) -> str:
    """The name of a way to write text as bytes, which Python knows."""
    name = text(encoding, "encoding")
    try:
        "a".encode(name)
    except (LookupError, ValueError):
        raise LookupError(
            f"unknown encoding: {encoding!r}; `encoding` must be one of Python's for text, such as "
            "'utf-8'."
        ) from None
    return name


@public("compat.as_str_any")
def as_str_any(value: object, encoding: str = "utf-8") -> str:
    """Bytes as text, and of anything else what ``str`` makes of it.

    >>> import cinta as tf
    >>> tf.compat.as_str_any(b"abc"), tf.compat.as_str_any(12)
    ('abc', '12')

    Args:
        value: Anything.
        encoding: The encoding of bytes.
    """
    return as_text(value, encoding) if isinstance(value, bytes) else str(value)


@overload
def path_to_str(path: os.PathLike[str] | os.PathLike[bytes]) -> str: ...
@overload
def path_to_str(path: T) -> T: ...
@public("compat.path_to_str")
def path_to_str(path: object) -> object:
    """A path-like object as text; others as they are.

    >>> import cinta as tf
    >>> from pathlib import PurePosixPath
    >>> tf.compat.path_to_str(PurePosixPath("a/b"))
    'a/b'
    """
    return as_str_any(os.fspath(path)) if hasattr(path, "__fspath__") else path


@public("compat.dimension_value")
def dimension_value(dimension: Dimension | int | None) -> int | None:
    """The length of an axis as a number, or None where it is unknown; shapes hold just that.

    >>> import cinta as tf
    >>> tf.compat.dimension_value(tf.TensorShape([2, None])[0])
    2

    Args:
        dimension: An element of a shape, or of its ``dims``.
    """
    return dimension.value if isinstance(dimension, Dimension) else dimension


@public("compat.dimension_at_index")
def dimension_at_index(shape: ShapeLike, index: int) -> Dimension:
    """The length of an axis, which is not known if the shape is not.

    >>> import cinta as tf
    >>> tf.compat.dimension_at_index(tf.TensorShape([2, None]), 0)
    Dimension(2)

    Args:
        shape: A shape, or what can be made one.
        index: The number of the axis; negative ones count from the last.

    Raises:
        IndexError: If the shape has no such axis.
    """
    known = TensorShape(shape)
    place = whole_number(index, "index")
    if known.rank is None:
        return Dimension(None)
    if not -known.rank <= place < known.rank:
        raise IndexError(f"index {place} is out of range for the shape {known}.")
    return Dimension(known[place])
