"""Strings that hold something else: compressed bytes, examples in JSON."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated

from ..engine.op import op
from ..errors import InvalidArgumentError
from ..ops.arguments import text
from ..ops.strings.string_arrays import elementwise, strings_of
from ..protobuf.example_messages import Example
from ..protobuf.json import from_json
from ..public import public
from .compressed import KINDS, reader

if TYPE_CHECKING:
    from ..engine.annotations import ArrayModule, TensorLike
    from ..engine.tensor import Array, Tensor


@public("io.decode_compressed")
def decode_compressed(
    bytes: TensorLike, compression_type: str = "", name: str | None = None
) -> Tensor:
    """Each string of bytes expanded; ``compression_type`` is "", "ZLIB" or "GZIP".

    >>> import cinta as tf, zlib
    >>> tf.io.decode_compressed(zlib.compress(b"hello"), "ZLIB").numpy()
    b'hello'

    Args:
        bytes: A string, or a tensor of them.
        compression_type: How it was compressed.

    Raises:
        InvalidArgumentError: If the compression is another one.
        DataLossError: If the bytes are damaged.
    """
    kind = text(compression_type, "compression_type")
    if kind not in KINDS:
        raise InvalidArgumentError(
            f"Only ZLIB, GZIP or NONE are supported compressions, got {kind!r} "
            "[Op:DecodeCompressed]"
        )
    return DecodeCompressed(strings_of(bytes), compression_type=kind)


@op("DecodeCompressed", example=lambda lengths, given, compression_type: given)
def DecodeCompressed(
    xp: ArrayModule, bytes: Array, *, compression_type: Annotated[str, KINDS.__contains__]
) -> Array:
    """Each string of bytes expanded."""
    return elementwise(lambda each: reader(io.BytesIO(each), compression_type).read(), bytes)


DecodeCompressed.no_grad()


@public("io.decode_json_example")
def decode_json_example(json_examples: TensorLike, name: str | None = None) -> Tensor:
    """Each ``Example`` that is written in JSON, serialized.

    >>> import cinta as tf
    >>> age = '{"features": {"feature": {"age": {"int64_list": {"value": [7]}}}}}'
    >>> serialized = tf.io.decode_json_example(age)
    >>> tf.io.parse_single_example(serialized, {"age": tf.io.VarLenFeature(tf.int64)})["age"].values
    <tf.Tensor: shape=(1,), dtype=int64, numpy=array([7])>

    Args:
        json_examples: A string, or a tensor of them.

    Raises:
        InvalidArgumentError: If the text is not JSON, or not that of an ``Example``.
    """
    return DecodeJSONExample(strings_of(json_examples))


@op("DecodeJSONExample", example=lambda lengths, given: given)
def DecodeJSONExample(xp: ArrayModule, json_examples: Array) -> Array:
    """Each ``Example`` that is written in JSON, serialized."""
    return elementwise(_serialized, json_examples)


DecodeJSONExample.no_grad()


def _serialized(json_example: bytes) -> bytes:
    try:
        return from_json(Example, json_example).SerializeToString()
    except ValueError as error:
        raise InvalidArgumentError(
            f"Error while parsing JSON: {error} [Op:DecodeJSONExample]"
        ) from None
