"""Ops on strings."""

import gzip
import zlib

import numpy as np

from .making import f, i, one, s

WORDS = s("hello", "wörld", "", "Abc")
NGRAMS = {
    "data": s("a", "b", "c", "d"),
    "data_splits": i(0, 3, 3, 4),
    "separator": "|",
    "left_pad": "L",
    "right_pad": "R",
    "preserve_short_sequences": True,
}
BROKEN = np.array([b"a\xc3\xa9\x01", b"\xff\xfeb", b""], object)


def text(value):
    return np.array(value, object)


CASES = [
    ("AsString", {"input": f(3)}),
    ("AsString", {"input": f(3), "precision": 2, "width": 8, "fill": "0"}),
    ("AsString", {"input": i(1, -2)}),
    ("DecodeBase64", {"input": s("aGVsbG8", "YQ")}),
    (
        "DecodeCSV",
        {"records": s("1,2.5,a", "3,,b"), "record_defaults": [i(0), f(1), s("x")]},
    ),
    ("DecodeCompressed", {"bytes": text(zlib.compress(b"hello")), "compression_type": "ZLIB"}),
    (
        "DecodeCompressed",
        {"bytes": text(gzip.compress(b"hi", mtime=0)), "compression_type": "GZIP"},
    ),
    ("DecodeCompressed", {"bytes": text(b"plain")}),
    (
        "DecodePaddedRaw",
        {"input_bytes": s("abcd", "ab"), "fixed_length": one(4, "int32"), "out_type": "int16"},
    ),
    ("DecodeRaw", {"bytes": s("abcd", "efgh"), "out_type": "int16"}),
    ("DecodeRaw", {"bytes": s("abcd", "efgh"), "out_type": "int16", "little_endian": False}),
    ("EncodeBase64", {"input": WORDS}),
    ("EncodeBase64", {"input": WORDS, "pad": True}),
    ("ReduceJoin", {"inputs": s("a", "b", "c", "d").reshape(2, 2), "reduction_indices": i(0)}),
    (
        "ReduceJoin",
        {
            "inputs": s("a", "b", "c", "d").reshape(2, 2),
            "reduction_indices": i(0, 1),
            "separator": ".",
        },
    ),
    (
        "ReduceJoin",
        {
            "inputs": s("a", "b", "c", "d").reshape(2, 2),
            "reduction_indices": i(1, 0),
            "keep_dims": True,
        },
    ),
    ("ReduceJoin", {"inputs": s("a", "b"), "reduction_indices": i()}),
    ("RegexFullMatch", {"input": WORDS, "pattern": text(b"h.*o")}),
    ("RegexReplace", {"input": WORDS, "pattern": text(b"l"), "rewrite": text(b"_")}),
    (
        "RegexReplace",
        {"input": WORDS, "pattern": text(b"l"), "rewrite": text(b"_"), "replace_global": False},
    ),
    ("SerializeTensor", {"tensor": f(2, 2)}),
    (
        "ShardedFilename",
        {"basename": text(b"/a/b"), "shard": one(2, "int32"), "num_shards": one(9, "int32")},
    ),
    ("ShardedFilespec", {"basename": text(b"/a/b"), "num_shards": one(9, "int32")}),
    ("StaticRegexFullMatch", {"input": WORDS, "pattern": "A.*"}),
    ("StaticRegexReplace", {"input": WORDS, "pattern": "[aeo]", "rewrite": "<\\0>"}),
    ("StringFormat", {"inputs": [i(1, 2), f(1)], "template": "x %s y %s"}),
    ("StringJoin", {"inputs": [s("a", "b"), s("c", "d")], "separator": "-"}),
    ("StringLength", {"input": WORDS}),
    ("StringLength", {"input": WORDS, "unit": "UTF8_CHAR"}),
    ("StringLower", {"input": s("ABC", "d")}),
    ("StringLower", {"input": s("ÄB"), "encoding": "utf-8"}),
    ("StringNGrams", {**NGRAMS, "ngram_widths": [2], "pad_width": 0}),
    ("StringNGrams", {**NGRAMS, "ngram_widths": [2, 3], "pad_width": -1}),
    ("StringNGrams", {**NGRAMS, "ngram_widths": [5], "pad_width": 1}),
    ("StringSplit", {"input": s("a b", "c d  e"), "delimiter": text(b" ")}),
    ("StringSplit", {"input": s("a,b;c", ""), "delimiter": text(b",;"), "skip_empty": False}),
    ("StringSplit", {"input": s("ab", "c"), "delimiter": text(b"")}),
    ("StringSplitV2", {"input": s(" a  b ", "c"), "sep": text(b"")}),
    ("StringSplitV2", {"input": s("a<>b<>c", "<>"), "sep": text(b"<>"), "maxsplit": 1}),
    ("StringSplitV2", {"input": s("", "a<>"), "sep": text(b"<>")}),
    ("StringStrip", {"input": s(" a ", "b\n")}),
    ("StringToNumber", {"string_tensor": s("1.5", "-2")}),
    ("StringToNumber", {"string_tensor": s("15", "-2"), "out_type": "int64"}),
    ("StringUpper", {"input": s("abc", "D")}),
    ("Substr", {"input": s("hello", "abc"), "pos": one(1, "int32"), "len": one(2, "int32")}),
    ("Substr", {"input": s("héllo", "äbc"), "pos": i(1, -2), "len": i(2, 1), "unit": "UTF8_CHAR"}),
    (
        "UnsortedSegmentJoin",
        {
            "inputs": s("a", "b", "c"),
            "segment_ids": i(0, 1, 0),
            "num_segments": one(2, "int32"),
            "separator": ":",
        },
    ),
    ("UnicodeDecode", {"input": WORDS, "input_encoding": "UTF-8"}),
    ("UnicodeDecode", {"input": BROKEN, "input_encoding": "UTF-8"}),
    ("UnicodeDecode", {"input": BROKEN, "input_encoding": "UTF-8", "errors": "ignore"}),
    (
        "UnicodeDecodeWithOffsets",
        {
            "input": BROKEN,
            "input_encoding": "UTF-8",
            "replacement_char": 63,
            "replace_control_characters": True,
        },
    ),
    ("UnicodeDecodeWithOffsets", {"input": WORDS, "input_encoding": "UTF-8"}),
    (
        "UnicodeEncode",
        {
            "input_values": i(104, 233, 0x1F600, 98),
            "input_splits": i(0, 3, 4),
            "output_encoding": "UTF-8",
        },
    ),
    (
        "UnicodeEncode",
        {
            "input_values": i(104, 0x110000, 98),
            "input_splits": i(0, 3, dtype="int64"),
            "output_encoding": "UTF-16-BE",
        },
    ),
    ("UnicodeScript", {"input": i(0x41, 0x416, 0x4E2D, -1, 0x110000)}),
    (
        "UnicodeTranscode",
        {"input": BROKEN, "input_encoding": "UTF-8", "output_encoding": "UTF-16-BE"},
    ),
    (
        "UnicodeTranscode",
        {
            "input": BROKEN,
            "input_encoding": "UTF-8",
            "output_encoding": "UTF-8",
            "errors": "ignore",
            "replace_control_characters": True,
        },
    ),
]
