"""The encodings that say how a sequence of values is divided into rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.composites import Assembled
from ...engine.convert import as_tensor, convert_to_tensor
from ...engine.free_memory import check_memory
from ...engine.shapes import TensorShape
from ...engine.tensor import Tensor, seen, wrap
from ...errors import InvalidArgumentError
from ..arguments import memory_for
from ..elementwise.casting import cast
from .row_ends import ends_of

if TYPE_CHECKING:
    from typing import Self

    from ...engine.annotations import DTypeLike, IntLike, TensorLike
    from ...engine.tensor import Array
    from .annotations import Argument, RaggedOrDense

INTEGERS = dtypes.int32, dtypes.int64


class EncodedRows(Assembled):
    """The places where rows end, beside the encoding that they were made of."""

    __slots__ = ("_known",)

    def __init__(self, row_splits: Tensor, internal: object = None, **known: Tensor | None) -> None:
        if internal is None:
            raise ValueError(
                "RowPartition constructor is private; use one of its factory methods, such as "
                "RowPartition.from_row_lengths."
            )
        if not isinstance(row_splits, Tensor):
            raise TypeError(f"Row-partitioning argument must be a Tensor, got {row_splits!r}.")
        if row_splits.dtype not in INTEGERS:
            raise ValueError(
                f"`row_splits` and `row_splits_dtype` must be int32 or int64, got {row_splits}."
            )
        row_splits.shape.assert_has_rank(1)
        self._known = {"row_splits": row_splits}
        for name, value in known.items():
            if value is None:
                continue
            if not isinstance(value, Tensor):
                raise TypeError(f"Cached value must be a Tensor or None. Got {name}={value!r}.")
            if value.dtype is not row_splits.dtype:
                raise ValueError(
                    f"Inconsistent dtype for encoding tensors: {name} is {value.dtype!r}, "
                    f"row_splits are {row_splits.dtype!r}."
                )
            self._known[name] = value

    @classmethod
    def _of_ends(
        cls, ends: Array, dtype: dtypes.DType = dtypes.int64, uniform: int | None = None
    ) -> Self:
        """The partition whose rows end at these places; ``uniform`` is the length of each row."""
        known = {} if uniform is None else {"uniform_row_length": _scalar(uniform, dtype)}
        return cls(wrap(np.asarray(ends, dtype.dtype)), internal=True, **known)

    # -- making one ------------------------------------------------------------------------------

    @classmethod
    def from_value_rowids(
        cls,
        value_rowids: TensorLike,
        nrows: IntLike | None = None,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> Self:
        """The partition that puts each value into a row.

        Args:
            value_rowids: The number of the row of each value, in order.
            nrows: The number of rows; None for as many as the numbers tell.
            validate: Whether to check that the numbers do not fall.
            dtype: The dtype of the numbers that are kept.
            dtype_hint: The dtype where nothing else says it.

        Raises:
            ValueError: If there are fewer rows than the numbers tell.
            InvalidArgumentError: If the numbers fall.
        """
        _check_flag(validate)
        ids = index_tensor(value_rowids, dtype, dtype_hint)
        ids.shape.assert_has_rank(1)
        rows = seen(ids)
        last = int(rows[-1]) if len(rows) else -1
        count = None if nrows is None else _index_scalar(nrows, ids.dtype)
        number = last + 1 if count is None else int(seen(count))
        if number < 0:
            raise ValueError(
                f"Expected nrows >= 0; got {number}: `nrows` or `nested_nrows` counts rows."
            )
        if number <= last:
            raise ValueError(
                f"Expected nrows >= value_rowids[-1] + 1; got nrows={number}, "
                f"value_rowids[-1]={last}: `nrows` or `nested_nrows` counts rows."
            )
        if validate and ((np.diff(rows) < 0).any() or (rows < 0).any()):
            raise _invalid("from_value_rowids", "the numbers of the rows must not fall", rows)
        check_memory("RowPartition", [number + 1])
        ends = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=number))])
        return cls(
            wrap(ends[: number + 1].astype(ids._array.dtype)),
            internal=True,
            value_rowids=ids,
            nrows=count,
        )

    @classmethod
    def from_row_splits(
        cls,
        row_splits: TensorLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> Self:
        """The partition whose rows reach from each place to the next.

        Args:
            row_splits: The places, from 0 on.
            validate: Whether to check that they do not fall.
            dtype: The dtype of the numbers that are kept.
            dtype_hint: The dtype where nothing else says it.

        Raises:
            ValueError: If there are none.
            InvalidArgumentError: If they fall, or do not begin with 0.
        """
        _check_flag(validate)
        if isinstance(row_splits, (list, tuple)) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        splits = index_tensor(row_splits, dtype, dtype_hint)
        splits.shape.assert_has_rank(1)
        if validate:
            _check_ends("from_row_splits", seen(splits))
        return cls(splits, internal=True)

    @classmethod
    def from_row_lengths(
        cls,
        row_lengths: TensorLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> Self:
        """The partition whose rows have these lengths.

        Args:
            row_lengths: The length of each row.
            validate: Whether to check that none is negative.
            dtype: The dtype of the numbers that are kept.
            dtype_hint: The dtype where nothing else says it.

        Raises:
            InvalidArgumentError: If a length is negative.
        """
        _check_flag(validate)
        lengths = index_tensor(row_lengths, dtype, dtype_hint)
        lengths.shape.assert_has_rank(1)
        each = seen(lengths)
        if validate and (each < 0).any():
            raise _invalid("from_row_lengths", "no row can be shorter than 0", each)
        return cls(wrap(ends_of(each)), internal=True, row_lengths=lengths)

    @classmethod
    def from_row_starts(
        cls,
        row_starts: TensorLike,
        nvals: IntLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> Self:
        """The partition whose rows begin at these places.

        Args:
            row_starts: The places, from 0 on.
            nvals: The number of values, where the last row ends.
            validate: Whether to check that they do not fall.
            dtype: The dtype of the numbers that are kept.
            dtype_hint: The dtype where nothing else says it.
        """
        _check_flag(validate)
        starts = index_tensor(row_starts, dtype, dtype_hint)
        starts.shape.assert_has_rank(1)
        count = _index_scalar(nvals, starts.dtype)
        ends = np.append(seen(starts), seen(count))
        if validate:
            _check_ends("from_row_starts", ends if len(ends) > 1 else np.zeros(1, int))
        return cls(wrap(ends), internal=True, nvals=count)

    @classmethod
    def from_row_limits(
        cls,
        row_limits: TensorLike,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> Self:
        """The partition whose rows end at these places.

        Args:
            row_limits: The places.
            validate: Whether to check that they do not fall.
            dtype: The dtype of the numbers that are kept.
            dtype_hint: The dtype where nothing else says it.
        """
        _check_flag(validate)
        limits = index_tensor(row_limits, dtype, dtype_hint)
        limits.shape.assert_has_rank(1)
        each = seen(limits)
        ends = np.append(np.zeros(1, each.dtype), each)
        if validate:
            _check_ends("from_row_limits", ends)
        return cls(wrap(ends), internal=True)

    @classmethod
    def from_uniform_row_length(
        cls,
        uniform_row_length: IntLike,
        nvals: IntLike | None = None,
        nrows: IntLike | None = None,
        validate: bool = True,
        dtype: DTypeLike | None = None,
        dtype_hint: DTypeLike | None = None,
    ) -> Self:
        """The partition whose rows have one length.

        Args:
            uniform_row_length: The length.
            nvals: The number of values.
            nrows: The number of rows, which is needed if the length is 0.
            validate: Whether to check that the three fit together.
            dtype: The dtype of the numbers that are kept.
            dtype_hint: The dtype where nothing else says it.

        Raises:
            ValueError: If neither number is given, the length is negative, or they do not fit.
        """
        _check_flag(validate)
        if nvals is None and nrows is None:
            raise ValueError("Either (or both) of nvals and nrows must be specified")
        all_given: tuple[Argument, ...] = (uniform_row_length, nvals, nrows)
        given = [x.dtype for x in all_given if hasattr(x, "dtype")]
        hint = dtypes.int64 if dtype_hint is None else dtype_hint
        kind = (given[0] if given else hint) if dtype is None else dtype
        length, values, rows = [None if x is None else index_tensor(x, kind) for x in all_given]
        if length is None:
            raise TypeError("`uniform_row_length` must be a whole number, got None.")
        for each in (length, values, rows):
            if each is not None:
                each.shape.assert_has_rank(0)
        size = int(seen(length))
        if size < 0:
            raise ValueError("uniform_row_length must be >= 0.")
        if rows is None:
            assert values is not None
            rows = _scalar(int(seen(values)) // size if size else 0, length.dtype)
        count = int(seen(rows))
        if count < 0 or count * size > length.dtype.max:
            raise ValueError(
                f"uniform_row_length={size} times nrows={count} must not be negative, and must fit "
                f"into {length.dtype.name}."
            )
        if values is None:
            values = _scalar(count * size, length.dtype)
        if validate and int(seen(values)) != count * size:
            raise ValueError(
                f"uniform_row_length={size} times nrows={count} must equal "
                f"nvals={int(seen(values))}"
            )
        with memory_for("RowPartition", (count + 1,)):
            ends = np.arange(count + 1, dtype=length._array.dtype) * size
        return cls(wrap(ends), internal=True, uniform_row_length=length, nrows=rows, nvals=values)


def index_tensor(
    value: RaggedOrDense, dtype: DTypeLike | None = None, hint: DTypeLike | None = None
) -> Tensor:
    """Numbers of rows or values, as int64 unless they have a type of their own."""
    if dtype is None and isinstance(value, (np.ndarray, np.generic)) and value.dtype == np.int32:
        made = as_tensor(value)
    else:
        made = convert_to_tensor(
            value, dtype=dtype, dtype_hint=dtypes.int64 if hint is None else hint
        )
    if made.dtype not in INTEGERS:
        raise ValueError(
            f"`row_splits`, `row_lengths` and their kin are int32 or int64, got {value!r} of dtype "
            f"{made.dtype!r}."
        )
    return made


def _index_scalar(value: RaggedOrDense, dtype: dtypes.DType) -> Tensor:
    made = value if isinstance(value, Tensor) else as_tensor(value)
    TensorShape(made.shape).assert_has_rank(0)
    return cast(made, dtype)


def _scalar(value: int, dtype: dtypes.DType) -> Tensor:
    return wrap(np.array(value, dtype.dtype))


def _check_flag(validate: bool) -> None:
    if not isinstance(validate, bool):
        raise TypeError(f"validate must have type bool, got {validate!r}.")


def _check_ends(method: str, ends: Array) -> None:
    if not len(ends) or ends[0]:
        raise _invalid(method, "the first row must begin at 0", ends)
    if (np.diff(ends) < 0).any():
        raise _invalid(method, "rows must not end before they begin", ends)


def _invalid(method: str, reason: str, given: Array) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"Arguments to {method} do not form a valid RaggedTensor: {reason}, got {given.tolist()}"
    )
