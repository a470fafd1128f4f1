"""Ops on rows of different lengths: all values side by side, and where the rows begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

from .finding import places_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor


def _ranges(starts: Tensor, limits: Tensor, deltas: Tensor, dtype: tf.DType) -> tuple[Tensor, ...]:
    """A range for each start, limit and step; a scalar stands for all."""
    given = [each.numpy().reshape(-1).tolist() for each in (starts, limits, deltas)]
    count = max(len(each) for each, x in zip(given, (starts, limits, deltas), strict=True))
    rows = []
    for start, limit, delta in zip(*[e * count if len(e) == 1 else e for e in given], strict=True):
        if delta == 0:
            raise tf.errors.InvalidArgumentError("Requires delta != 0 [Op:RaggedRange]")
        forward = start < limit if delta > 0 else start > limit
        rows.append(tf.range(start, limit if forward else start, delta, dtype=starts.dtype))
    ends = tf.cumsum([0, *[row.shape[0] for row in rows]])
    return tf.cast(ends, dtype), tf.concat(rows, 0)


def _row_of_each(splits: Tensor) -> Tensor:
    return tf.repeat(tf.range(splits.shape[0] - 1, dtype=splits.dtype), splits[1:] - splits[:-1])


def _to_sparse(nested: list[Tensor], values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The values by their row, and their place in it, for each level of rows."""
    indices: Tensor | None = None
    sizes = [tf.cast(nested[0].shape[0] - 1, "int64")]
    for splits in nested:
        ends = tf.cast(splits, "int64")
        rows = _row_of_each(ends)
        inside = tf.range(rows.shape[0], dtype="int64") - tf.gather(ends, rows)
        outer = rows[:, None] if indices is None else tf.gather(indices, rows)
        indices = tf.concat([outer, inside[:, None]], axis=1)
        sizes.append(tf.reduce_max(tf.concat([ends[1:] - ends[:-1], [0]], 0)))
    return indices, values, tf.stack(sizes)  # type: ignore[return-value]  # there is a level


def _gather(
    nested: list[Tensor], values: Tensor, indices: Tensor, rank: int
) -> tuple[Tensor | list[Tensor], ...]:
    """Rows picked by their numbers, with all that is in them."""
    chosen = tf.reshape(indices, [-1])
    made = []
    for splits in nested:
        lengths = tf.gather(splits[1:] - splits[:-1], tf.cast(chosen, splits.dtype))
        starts = tf.gather(splits, tf.cast(chosen, splits.dtype))
        ends = tf.concat([[tf.zeros([], splits.dtype)], tf.cumsum(lengths)], 0)
        made.append(ends)
        rows = tf.repeat(tf.range(lengths.shape[0]), lengths)
        inside = tf.range(rows.shape[0], dtype=splits.dtype) - tf.gather(ends, rows)
        chosen = tf.gather(starts, rows) + inside
    return made, tf.gather(values, chosen)


def _filled(
    rows: Tensor, values: Tensor, count: Tensor, default: Tensor
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Rows without a value get one; which did, and where each value has gone."""
    number = tf.range(count)
    empty = tf.logical_not(tf.reduce_any(number[:, None] == rows, axis=1))
    missing = tf.boolean_mask(number, empty)
    together = tf.concat([rows, missing], 0)
    order = tf.argsort(together, stable=True)
    fill = tf.broadcast_to(default, tf.concat([tf.shape(missing), tf.shape(values)[1:]], 0))
    all_values = tf.gather(tf.concat([values, fill], 0), order)
    places = tf.range(tf.size(rows))
    gone = places_of(order[:, None], tf.cast(places, order.dtype)[:, None])
    return tf.gather(together, order), all_values, empty, gone


def _filled_gradient(reverse: Tensor, g: Tensor) -> tuple[Tensor, Tensor]:
    taken = tf.gather(g, reverse)
    return taken, tf.reduce_sum(g) - tf.reduce_sum(taken)


def _dense(
    shape: Tensor, values: Tensor, default: Tensor, partitions: list[Tensor], kinds: list[str]
) -> Tensor:
    """Rows filled up to one length; partitions say where rows end, or to which a value belongs."""
    if len(partitions) != len(kinds) or not {*kinds} <= {*_PARTITIONS}:
        raise tf.errors.InvalidArgumentError(
            f"row_partition_types must be one of {[*_PARTITIONS]} for each partition, got {kinds} "
            f"for {len(partitions)} [Op:RaggedTensorToTensor]"
        )
    counts = [p for p, kind in zip(partitions, kinds, strict=True) if kind == "FIRST_DIM_SIZE"]
    count = counts[0] if counts else None
    levels = []
    for tensor, kind in zip(partitions, kinds, strict=True):
        if kind != "FIRST_DIM_SIZE":
            levels.append((kind, tensor, count))
            count = tensor[-1] if kind == "ROW_SPLITS" else tf.size(tensor, tensor.dtype)
    rows: Any = values
    for kind, tensor, count in reversed(levels):
        if kind == "ROW_SPLITS":
            rows = tf.RaggedTensor.from_row_splits(rows, tensor)
        else:
            rows = tf.RaggedTensor.from_value_rowids(rows, tensor, count)
    made: Tensor = rows.to_tensor(default, shape=shape)
    return made


_PARTITIONS = ("FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS")


OPS: dict[str, Callable[..., Any]] = {
    "RaggedFillEmptyRows": _filled,
    "RaggedFillEmptyRowsGrad": _filled_gradient,
    "RaggedGather": _gather,
    "RaggedRange": _ranges,
    "RaggedTensorToSparse": _to_sparse,
    "RaggedTensorToTensor": _dense,
}
