"""Rows of a table looked up by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.primitives import ConcatV2, Reshape
from ...engine.shapes import written
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import whole
from ..arrays.gathering import Gather, Lookup, gather, out_of_range
from ..elementwise.clipping import clip_by_norm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import NumericLike
    from ...engine.tensor import Tensor


@public("nn.embedding_lookup")
def embedding_lookup(
    params: NumericLike | Sequence[NumericLike],
    ids: NumericLike,
    max_norm: float | None = None,
    name: str | None = None,
) -> Tensor:
    """The rows of a table; its gradient holds only the rows that were looked up.

    A list of tensors is a table in parts, one below the other.

    >>> import cinta as tf
    >>> tf.nn.embedding_lookup(tf.constant([[1.0, 2.0], [3.0, 4.0]]), [1]).numpy()
    array([[3., 4.]], dtype=float32)

    Args:
        params: A table, or a list of the parts of one.
        ids: The numbers of rows, of any shape.
        max_norm: The length to which longer rows are shortened; None for any length.

    Raises:
        InvalidArgumentError: If there is no such row.
    """
    parts = _parts(params)
    where = whole(ids)
    rows = gather(parts[0], where) if len(parts) == 1 else _from_parts(parts, where)
    if max_norm is None:
        return rows
    clipped: Tensor = clip_by_norm(rows, max_norm, axes=list(range(where.ndim, rows.ndim)))
    return clipped


def _parts(params: object) -> list[Tensor]:
    """A list of tensors as it is, and everything else as one table."""
    if params is None:
        raise ValueError("params must be specified: the table is None. [Op:EmbeddingLookup]")
    if isinstance(params, list):
        if not params:
            raise ValueError(
                "params should not be empty: a table needs at least one part, got []. "
                "[Op:EmbeddingLookup]"
            )
        if hasattr(params[0], "dtype"):
            parts = [as_tensor(part) for part in params]
            if any([not part.ndim for part in parts]):
                raise InvalidArgumentError(
                    f"params must be at least a vector: the parts of the table have the shapes "
                    f"{', '.join([written(part._array.shape) for part in parts])} "
                    "[Op:EmbeddingLookup]"
                )
            return parts
    return [as_tensor(params)]


def _from_parts(parts: list[Tensor], ids: Tensor) -> Tensor:
    """Look every part's rows up in it, so that its gradient holds those alone."""
    flat = seen(ids).reshape(-1)
    ends = np.cumsum([len(part._array) for part in parts])
    if ((flat < 0) | (flat >= ends[-1])).any():
        raise out_of_range(seen(ids), int(ends[-1]))
    owner = np.searchsorted(ends, flat, side="right")
    places = [np.flatnonzero(owner == k) for k in range(len(parts))]
    starts = [0, *ends[:-1]]
    found = [
        Lookup(part, wrap(flat[place] - start))
        for part, place, start in zip(parts, places, starts, strict=True)
    ]
    order = wrap(np.argsort(np.concatenate(places)))
    rows = Gather(ConcatV2(*found, axis=-found[0].ndim), order, axis=-found[0].ndim)
    return Reshape(rows, shape=ids._array.shape + rows._array.shape[1:])
