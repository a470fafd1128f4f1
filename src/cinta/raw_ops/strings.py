"""Ops on strings: cut, joined, matched, decoded, and read from and written to files."""

from __future__ import annotations

import zlib
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

import cinta as tf

from ..engine.tensor import wrap
from ..ops.ragged.strings import StringNGrams
from ..ops.strings.string_arrays import array_of_strings, elementwise, text_of
from .unicode import UNICODE

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor

_s, _io = tf.strings, tf.io


def only(input: Tensor) -> bytes:
    """The one string that a tensor holds."""
    given = text_of(input)
    if not isinstance(given, bytes) and given.ndim:
        raise tf.errors.InvalidArgumentError(
            f"a delimiter must be a scalar, got shape: {list(given.shape)}"
        )
    return bytes(given if isinstance(given, bytes) else given[()])


def _split(input: Tensor, cut: Callable[[bytes], list[bytes]]) -> list[Tensor]:
    """The parts of each string as those of a sparse tensor with a row for each string."""
    if len(input.shape) != 1:
        raise tf.errors.InvalidArgumentError(
            f"input must be a vector of strings, got shape {input.shape} [Op:StringSplit]"
        )
    rows = [cut(value) for value in text_of(input).tolist()]
    places = [[i, k] for i, row in enumerate(rows) for k in range(len(row))]
    widest = max(map(len, rows), default=0)
    values = array_of_strings([part for row in rows for part in row])
    return [
        tf.constant(np.array(places, np.int64).reshape(-1, 2)),
        tf.constant(values, "string"),
        tf.constant([len(rows), widest], "int64"),
    ]


def _split_by_any(input: Tensor, delimiter: Tensor, skip_empty: bool) -> list[Tensor]:
    """Cut at each of the delimiter's characters; without one, into single bytes."""
    ends = only(delimiter)

    def cut(value: bytes) -> list[bytes]:
        if not ends or not value:
            return [bytes([byte]) for byte in value]
        for end in ends:
            value = value.replace(bytes([end]), ends[:1])
        parts = value.split(ends[:1])
        return [part for part in parts if part] if skip_empty else parts

    return _split(input, cut)


def _split_by(input: Tensor, sep: Tensor, most: int) -> list[Tensor]:
    """Cut at a separator; without one, at white space."""
    between = only(sep)
    return _split(input, lambda value: value.split(between or None, most))


def _format(inputs: list[Tensor], template: str, placeholder: str, summarize: int) -> Tensor:
    return _s.format(template, inputs, placeholder, summarize)


def _reduce_join(inputs: Tensor, axes: Tensor, keep: bool, separator: str) -> Tensor:
    """Strings joined along axes, of which the first that is named goes fastest."""
    named = [axis % max(len(inputs.shape), 1) for axis in axes.numpy().reshape(-1).tolist()]
    for axis in named:
        inputs = _s.reduce_join(inputs, axis, True, separator)
    return inputs if keep or not named else tf.squeeze(inputs, named)


def _check_splits(op: str, splits: list[int], count: int) -> None:
    """Refuse splits that do not cut so many elements into rows."""
    for before, after in pairwise([0, *splits]):
        if not before <= after <= count:
            raise tf.errors.InvalidArgumentError(
                f"Invalid split value {after}, must be in [{before}, {count}] [Op:{op}]"
            )
    for which, found, expected in (("First", splits[:1], 0), ("Last", splits[-1:], count)):
        if found not in ([], [expected]):
            raise tf.errors.InvalidArgumentError(
                f"{which} split value must be {expected}, got {found[0]} [Op:{op}]"
            )


def _ngrams(
    data: Tensor,
    splits: Tensor,
    separator: str,
    widths: list[int],
    left: str,
    right: str,
    pad_width: int,
    keep_short: bool,
) -> tuple[Tensor, Tensor]:
    """All runs of so many neighbors in each row, padded at both ends, joined by a separator."""
    _check_splits("StringNGrams", splits.numpy().tolist(), data.shape[0])
    if pad_width < -1:
        raise tf.errors.InvalidArgumentError(
            f"Pad width should be >= 0, or -1 for the width of the n-grams less 1; got {pad_width} "
            "[Op:StringNGrams]"
        )
    runs, ends = StringNGrams(
        data,
        splits,
        separator=separator,
        widths=tuple(widths),
        pads=(left, right),
        pad_width=pad_width,
        keep_short=keep_short,
    )
    return runs, ends


def _decompressed(data: Tensor, kind: str) -> Tensor:
    bits = {"": None, "ZLIB": zlib.MAX_WBITS, "GZIP": zlib.MAX_WBITS | 16}
    if kind not in bits:
        raise tf.errors.InvalidArgumentError(
            f"Only ZLIB, GZIP or NONE are supported compressions, got {kind} [Op:DecodeCompressed]"
        )
    if bits[kind] is None:
        return tf.identity(data)

    def opened(value: bytes) -> bytes:
        try:
            return zlib.decompress(value, bits[kind] or 0)
        except zlib.error as error:
            raise tf.errors.DataLossError(
                f"the {kind} data cannot be read: {error} [Op:DecodeCompressed]"
            ) from None

    return wrap(elementwise(opened, text_of(data)))


def _padded_raw(data: Tensor, length: Tensor, dtype: tf.DType, little: bool) -> Tensor:
    return _io.decode_raw(data, dtype, little, fixed_length=int(length))


def _csv(
    records: Tensor,
    defaults: list[Tensor],
    delimiter: str,
    quotes: bool,
    missing: str,
    columns: list[int],
) -> list[Tensor]:
    return _io.decode_csv(records, defaults, delimiter, quotes, missing, columns or None)


def _sharded(basename: Tensor, shard: Tensor, count: Tensor) -> Tensor:
    return tf.constant(b"%s-%05d-of-%05d" % (only(basename), int(shard), int(count)))


def _sharded_spec(basename: Tensor, count: Tensor) -> Tensor:
    return tf.constant(b"%s-?????-of-%05d" % (only(basename), int(count)))


OPS: dict[str, Callable[..., Any]] = {
    "AsString": tf.as_string,
    "DecodeBase64": _io.decode_base64,
    "DecodeCSV": _csv,
    "DecodeCompressed": _decompressed,
    "DecodePaddedRaw": _padded_raw,
    "DecodeRaw": _io.decode_raw,
    "EncodeBase64": _io.encode_base64,
    "MatchingFiles": _io.matching_files,
    "ParseTensor": _io.parse_tensor,
    "ReadFile": _io.read_file,
    "ReduceJoin": _reduce_join,
    "RegexFullMatch": _s.regex_full_match,
    "RegexReplace": _s.regex_replace,
    "SerializeTensor": _io.serialize_tensor,
    "ShardedFilename": _sharded,
    "ShardedFilespec": _sharded_spec,
    "StaticRegexFullMatch": _s.regex_full_match,
    "StaticRegexReplace": _s.regex_replace,
    "StringFormat": _format,
    "StringJoin": _s.join,
    "StringLength": _s.length,
    "StringLower": _s.lower,
    "StringNGrams": _ngrams,
    "StringSplit": _split_by_any,
    "StringSplitV2": _split_by,
    "StringStrip": _s.strip,
    "StringToHashBucket": _s.to_hash_bucket,
    "StringToHashBucketFast": _s.to_hash_bucket_fast,
    "StringToHashBucketStrong": _s.to_hash_bucket_strong,
    "StringToNumber": _s.to_number,
    "StringUpper": _s.upper,
    "Substr": _s.substr,
    "UnsortedSegmentJoin": _s.unsorted_segment_join,
    "WriteFile": _io.write_file,
    **UNICODE,
}
