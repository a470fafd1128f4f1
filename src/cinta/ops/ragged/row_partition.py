"""RowPartition: how a sequence of values is divided into rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.tensor import Tensor, seen, wrap
from ...public import public
from ..elementwise.casting import cast
from .encoded_rows import INTEGERS, EncodedRows
from .row_ends import rows_of_values

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike
    from ...engine.tensor import Array
    from .annotations import RaggedOrDense


@public("experimental.RowPartition")
class RowPartition(EncodedRows):
    """How values that stand side by side are divided into rows.

    It is kept as the places where rows end, ``row_splits``, beside the encoding that it was made
    of. Rows are looked at as Python's control flow looks at values: a recorded function that does
    so serves the calls with the same rows.

    >>> import cinta as tf
    >>> rows = tf.experimental.RowPartition.from_row_lengths([2, 0, 3])
    >>> rows.row_splits().numpy(), rows.value_rowids().numpy()
    (array([0, 2, 2, 5]), array([0, 0, 2, 2, 2]))
    >>> int(rows.nrows()), int(rows.nvals()), rows.is_uniform(), rows.uniform_row_length()
    (3, 5, False, None)
    >>> rows.row_starts().numpy(), rows.row_limits().numpy(), rows.row_lengths().numpy()
    (array([0, 2, 2]), array([2, 2, 5]), array([2, 0, 3]))
    >>> rows.offsets_in_rows().numpy()
    array([0, 1, 0, 1, 2])
    >>> rows.with_dtype(tf.int32).row_splits().dtype
    tf.int32

    The same rows, by other encodings:

    >>> tf.experimental.RowPartition.from_value_rowids([0, 0, 2, 2, 2])
    tf.RowPartition(row_splits=[0 2 2 5])
    >>> tf.experimental.RowPartition.from_row_splits([0, 2, 2, 5])
    tf.RowPartition(row_splits=[0 2 2 5])
    >>> tf.experimental.RowPartition.from_row_starts([0, 2, 2], nvals=5)
    tf.RowPartition(row_splits=[0 2 2 5])
    >>> tf.experimental.RowPartition.from_row_limits([2, 2, 5])
    tf.RowPartition(row_splits=[0 2 2 5])
    >>> tf.experimental.RowPartition.from_uniform_row_length(2, nrows=3)
    tf.RowPartition(nrows=3, uniform_row_length=2)

    Args:
        row_splits: The places where rows end, after 0.
        internal: What the methods that make one give.

    Raises:
        ValueError: If it is not made by one of these methods.
    """

    __slots__ = ()

    # -- its numbers -----------------------------------------------------------------------------

    @property
    def dtype(self) -> dtypes.DType:
        """The type of the numbers: int32 or int64."""
        return self._known["row_splits"].dtype

    @property
    def ends(self) -> Array:
        """Where rows begin and end, for Python to look at."""
        return seen(self._known["row_splits"])

    @property
    def lengths(self) -> Array:
        """How long each row is, for Python to look at."""
        return np.diff(self.ends)

    def _find(self, name: str, computed: RaggedOrDense) -> Tensor:
        known = self._known.get(name)
        return wrap(np.asarray(computed(), self.dtype.dtype)[()]) if known is None else known

    def row_splits(self) -> Tensor:
        """Where rows begin and end: 0, the end of the first row, that of the second, and so on."""
        return self._known["row_splits"]

    def value_rowids(self) -> Tensor:
        """The number of the row of each value."""
        return self._find("value_rowids", lambda: rows_of_values(self.ends))

    def nvals(self) -> Tensor:
        """How many values there are."""
        return self._find("nvals", lambda: self.ends[-1])

    def nrows(self) -> Tensor:
        """How many rows there are."""
        return self._find("nrows", lambda: self.static_nrows)

    def uniform_row_length(self) -> Tensor | None:
        """The length of every row, None if they may differ."""
        return self._known.get("uniform_row_length")

    def row_starts(self) -> Tensor:
        """Where rows begin."""
        return self.row_splits()[:-1]

    def row_limits(self) -> Tensor:
        """Where rows end."""
        return self.row_splits()[1:]

    def row_lengths(self) -> Tensor:
        """How long each row is."""
        known = self._known.get("row_lengths")
        return self.row_limits() - self.row_starts() if known is None else known

    def offsets_in_rows(self) -> Tensor:
        """The number of each value in its row."""
        ends = self.ends
        return wrap(np.arange(ends[-1], dtype=ends.dtype) - ends[rows_of_values(ends)])

    def is_uniform(self) -> bool:
        """Whether all rows are known to be of one length."""
        return "uniform_row_length" in self._known

    @property
    def static_nrows(self) -> int:
        """How many rows there are, as a plain number."""
        return int(self._known["row_splits"]._array.shape[0]) - 1

    @property
    def static_nvals(self) -> int:
        """How many values there are, as a plain number."""
        return int(self.ends[-1])

    @property
    def static_uniform_row_length(self) -> int | None:
        """The length of every row as a plain number, None if they may differ."""
        known = self._known.get("uniform_row_length")
        return None if known is None else int(seen(known))

    def with_dtype(self, dtype: DTypeLike) -> RowPartition:
        """The same rows, in numbers of another type.

        Args:
            dtype: int32 or int64.

        Raises:
            ValueError: If it is another one.
        """
        wanted = dtypes.as_dtype(dtype)
        if wanted not in INTEGERS:
            raise ValueError(f"Argument `dtype` must be int32 or int64. Received {wanted!r}.")
        if wanted is self.dtype:
            return self
        return RowPartition(internal=True, **{k: cast(v, wanted) for k, v in self._known.items()})

    # -- as parts --------------------------------------------------------------------------------

    def _parts(self) -> tuple[Tensor, ...]:
        """The tensor that it is made of, for `tf.nest`."""
        return (self.row_splits(),)

    def _of_parts(self, parts: RaggedOrDense) -> RowPartition:
        known = self._known.get("uniform_row_length")
        if not isinstance(parts[0], Tensor):
            return parts[0]  # type: ignore[no-any-return]  # a leaf of another kind
        return RowPartition(parts[0], internal=True, uniform_row_length=known)

    def _kind(self) -> int | None:
        return self.static_uniform_row_length

    def __repr__(self) -> str:
        if self.is_uniform():
            rows = f"nrows={self.static_nrows}, uniform_row_length={self.static_uniform_row_length}"
            return f"tf.RowPartition({rows})"
        return f"tf.RowPartition(row_splits={self.ends})"
