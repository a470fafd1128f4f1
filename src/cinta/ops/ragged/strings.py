"""Rows of strings: runs of neighbors, and combinations of several features."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.made_up import MadeUpLengths, filler
from ...engine.op import op
from ...engine.sparse_tensor import SparseTensor
from ...engine.tensor import Tensor, seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, tensor_of, text, whole_number, whole_numbers
from ..elementwise.casting import cast
from ..sparse.crossing import combined_hash, joined_by
from ..strings.encoding import UnicodeEncode, UnicodeEncodeRows
from ..strings.string_arrays import array_of_strings, encoded
from ..strings.unicode import checked
from .constructors import ragged_or_dense
from .densifying import from_tensor
from .row_ends import ends_of
from .row_partition import RowPartition
from .tensor import RaggedTensor, constant

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule, IntLike, TensorLike
    from ...engine.shapes import Positive
    from ...engine.tensor import Array
    from .annotations import RaggedOrDense


def _row_of_strings(rows: list[list[bytes]], dtype: dtypes.DType) -> RaggedTensor:
    flat = array_of_strings([value for row in rows for value in row])
    ends = ends_of(np.array([len(row) for row in rows], np.int64))
    return RaggedTensor(constant(flat), RowPartition._of_ends(ends, dtype), internal=True)


@public("strings.ngrams")
def ngrams(
    data: TensorLike,
    ngram_width: int | tuple[int, ...],
    separator: str = " ",
    pad_values: str | tuple[str, str] | None = None,
    padding_width: IntLike | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> RaggedOrDense:
    """Runs of neighbors in each row, joined; a row for each row, ragged if ``data`` is.

    With ``pad_values`` rows are continued at both ends, by ``padding_width`` of them, or as far as
    every string can be first. With ``preserve_short_sequences`` a row that is too short for any run
    is joined as a whole.

    >>> import cinta as tf
    >>> tf.strings.ngrams(["a", "b", "c"], 2).numpy()
    array([b'a b', b'b c'], dtype=object)

    Args:
        data: Strings; the last axis holds the rows.
        ngram_width: How many neighbors to join, or several such numbers.
        separator: The text between two.
        pad_values: A string for both ends, or one for each.
        padding_width: How often to put it there; None for one less than the width.
        preserve_short_sequences: Whether a row that is too short is joined as a whole.

    Raises:
        ValueError: If a width is not positive, or ``padding_width`` comes without ``pad_values``.
    """
    x = ragged_or_dense(data)
    if x.dtype is not dtypes.string:
        raise InvalidArgumentError(f"`data` must be strings, got {x.dtype!r}.")
    widths = whole_numbers(ngram_width, "ngram_width")
    if min(widths, default=0) < 1:
        raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width!r}.")
    before, after = _pads(pad_values)
    fixed = None if padding_width is None else whole_number(padding_width, "padding_width")
    if fixed is not None and fixed < 1:
        raise ValueError(f"padding_width must be greater than 0. Got {fixed}.")
    if fixed is not None and pad_values is None:
        raise ValueError(
            f"pad_values must be provided if padding_width is set. Got padding_width={fixed}."
        )
    how = {
        "separator": text(separator, "separator"),
        "widths": tuple(widths),
        "pads": (before or "", after or ""),
        "pad_width": 0 if before is None else -1 if fixed is None else fixed,
        "keep_short": flag(preserve_short_sequences, "preserve_short_sequences"),
    }
    if isinstance(x, Tensor) and not len(x.shape):
        raise InvalidArgumentError("`data` must have at least one axis, got a scalar.")
    depth = len(x.shape) - 1
    if isinstance(x, Tensor) and not depth:
        return StringNGrams(x, constant(np.array([0, x.shape[0]])), **how)[0]
    rows = x if isinstance(x, RaggedTensor) else from_tensor(x, None, None, depth, dtypes.int64)
    if rows.ragged_rank < depth:
        inner = from_tensor(rows.flat_values, None, None, depth - rows.ragged_rank, dtypes.int64)
        rows = rows.with_flat_values(inner)
    made = _innermost(rows, how)
    return made if isinstance(x, RaggedTensor) else made.to_tensor()


def _innermost(x: RaggedTensor, how: dict[str, Any]) -> RaggedTensor:
    if isinstance(x.values, RaggedTensor):
        return x.with_values(_innermost(x.values, how))
    runs, ends = StringNGrams(x.values, x.row_splits, **how)
    return RaggedTensor(runs, RowPartition(ends, internal=True), internal=True)


def unicode_encode(
    input: RaggedTensor,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: IntLike = 0xFFFD,
    name: object = None,
) -> RaggedOrDense:
    """A string for each row of code points."""
    how = checked("UnicodeEncode", output_encoding, errors, replacement_char, "output_encoding")
    return _encoded(input, how)


def _encoded(x: RaggedTensor, how: tuple[str, str, str]) -> RaggedOrDense:
    if isinstance(x.values, RaggedTensor):
        return x.with_values(_encoded(x.values, how))
    numbers = tensor_of("UnicodeEncode", x.values, "i")
    if len(numbers.shape) > 1:
        return x.with_values(UnicodeEncode(numbers, how=how))
    return UnicodeEncodeRows(numbers, x.row_splits, how=how)


def _made_up_runs(
    lengths: MadeUpLengths, data: Array, ends: Array, **attrs: object
) -> tuple[Array, Array]:
    return filler((lengths(),), np.dtype(object)), np.zeros_like(ends)


@op("StringNGrams", sized_by_values=True, example=_made_up_runs)
def StringNGrams(
    xp: ArrayModule,
    data: Array,
    ends: Array,
    *,
    separator: str,
    widths: tuple[Positive, ...],
    pads: tuple[str, str],
    pad_width: int,
    keep_short: bool,
) -> tuple[Array, Array]:
    """All runs of so many neighbors in each row, and where those of each row end.

    Rows are continued by ``pad_width`` of the ``pads`` at both ends, one less than the width at
    most; -1 is for as many.
    """
    between, before, after = (encoded(each) for each in (separator, *pads))
    found: list[bytes] = []
    counts = [0]
    for start, end in pairwise(ends.tolist()):
        row = data[start:end].tolist()
        made: list[bytes] = []
        for width in widths:
            wide = width - 1 if pad_width < 0 else min(pad_width, width - 1)
            padded = [before] * wide + row + [after] * wide
            made += [between.join(padded[i : i + width]) for i in range(len(padded) - width + 1)]
        if keep_short and row and not made:
            wide = max(0, pad_width)
            made = [between.join([before] * wide + row + [after] * wide)]
        found += made
        counts.append(len(found))
    return array_of_strings(found), np.array(counts, ends.dtype)


StringNGrams.no_grad()


def _pads(pad_values: RaggedOrDense) -> tuple[str | None, str | None]:
    """The strings before and after each row."""
    if pad_values is None:
        return None, None
    given = pad_values if isinstance(pad_values, (list, tuple)) else (pad_values, pad_values)
    if len(given) != 2 or not all(isinstance(each, (str, bytes)) for each in given):
        raise TypeError(
            "pad_values must be a string, tuple of strings, or None, of two strings if it is a "
            f"tuple. Got {pad_values!r}."
        )
    before, after = [text(each, "pad_values") for each in given]
    return before, after


@public("ragged.cross")
def cross(inputs: Sequence[TensorLike], name: str | None = None) -> RaggedTensor:
    """The combinations of the values that several features have in each row, as strings.

    >>> import cinta as tf
    >>> tf.ragged.cross([tf.ragged.constant([["a"], ["b", "c"]]), tf.constant([["x"], ["y"]])])
    <tf.RaggedTensor [[b'a_X_x'], [b'b_X_y', b'c_X_y']]>

    Args:
        inputs: Features: ragged, dense or sparse matrices of strings or integers.

    Raises:
        ValueError: If one of them is not a matrix.
    """
    rows, dtype = _crossed(inputs, joined_by(b"_X_"))
    return _row_of_strings(rows, dtype)


@public("ragged.cross_hashed")
def cross_hashed(
    inputs: Sequence[TensorLike],
    num_buckets: int = 0,
    hash_key: int | None = None,
    name: str | None = None,
) -> RaggedTensor:
    """The combinations of the values that several features have in each row, as numbers of buckets.

    >>> import cinta as tf
    >>> tf.ragged.cross_hashed([tf.ragged.constant([["a", "b"]]), tf.constant([["x"]])], 100)
    <tf.RaggedTensor [[92, 4]]>

    Args:
        inputs: Features: ragged, dense or sparse matrices of strings or integers.
        num_buckets: The number of buckets; 0 for whole hashes.
        hash_key: A number that decides the hashes.

    Raises:
        ValueError: If one of them is not a matrix.
    """
    rows, dtype = _crossed(inputs, combined_hash(num_buckets, hash_key))
    flat = np.array([value for row in rows for value in row], np.int64)
    ends = ends_of(np.array([len(row) for row in rows], np.int64))
    return RaggedTensor(constant(flat), RowPartition._of_ends(ends, dtype), internal=True)


def _whole(x: RaggedOrDense) -> RaggedOrDense:
    if isinstance(x, RaggedTensor):
        return x.with_flat_values(cast(x.flat_values, dtypes.int64))
    return cast(x, dtypes.int64)


def _crossed(
    inputs: RaggedOrDense, combine: Callable[[tuple[Any, ...]], Any]
) -> tuple[list[list[Any]], dtypes.DType]:
    """For each row all combinations of the values of the features."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"Inputs must be a list of tensors, got {inputs!r}.")
    dtype = dtypes.int64
    columns: list[list[Any]] = []
    for given in inputs:
        if isinstance(given, SparseTensor):
            x = RaggedTensor.from_sparse(given)
        else:
            x = ragged_or_dense(given)
        if len(x.shape) != 2 or (isinstance(x, RaggedTensor) and x.ragged_rank != 1):
            raise ValueError(f"tf.ragged.cross only supports inputs with rank=2, got {x.shape}.")
        if isinstance(x, RaggedTensor):
            dtype = x.row_splits.dtype
        if not (x.dtype.is_integer or x.dtype is dtypes.string):
            raise ValueError(
                f"Unexpected dtype for inputs[{len(columns)}]: features are strings or integers, "
                f"got {x.dtype!r}."
            )
        if x.dtype.is_integer:
            x = _whole(x)
        columns.append(x.to_list() if isinstance(x, RaggedTensor) else seen(x).tolist())
    if len({len(column) for column in columns}) > 1:
        raise InvalidArgumentError(
            f"inputs must all have the same batch dimension size, got {[*map(len, columns)]}."
        )
    return [[combine(v) for v in product(*row)] for row in zip(*columns, strict=True)], dtype
