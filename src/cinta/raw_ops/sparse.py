"""Ops on sparse tensors, which they take and give in parts: indices, values and shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cinta as tf

from .finding import places_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor

_s = tf.sparse


def _made(indices: Tensor, values: Tensor, shape: Tensor) -> tf.SparseTensor:
    return tf.SparseTensor(indices, values, tf.cast(shape, "int64"))


def _parts(x: tf.SparseTensor) -> tuple[Tensor, Tensor, Tensor]:
    return x.indices, x.values, x.dense_shape


def _sum(*arguments: Tensor) -> tuple[Tensor, ...]:
    *parts, threshold = arguments
    return _parts(_s.add(_made(*parts[:3]), _made(*parts[3:]), threshold))


def _sum_gradient(g: Tensor, a: Tensor, b: Tensor, total: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of two added values from that of their sum; 0 where a value was dropped."""
    return _at(g, total, a), _at(g, total, b)


def _at(values: Tensor, indices: Tensor, wanted: Tensor) -> Tensor:
    """The values at some indices, 0 at those that there are not."""
    places = places_of(indices, wanted)
    padded = tf.concat([tf.zeros_like(values[:1]), values], axis=0)
    return tf.gather(padded, places + 1)


def _dense_sum(indices: Tensor, values: Tensor, shape: Tensor, b: Tensor) -> Tensor:
    return _s.add(_made(tf.cast(indices, "int64"), values, shape), b)


def _at_values(combine: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Values combined with what a dense tensor, which is broadcast, has in their places."""

    def combined(indices: Tensor, values: Tensor, shape: Tensor, dense: Tensor) -> Tensor:
        return combine(values, tf.gather_nd(tf.broadcast_to(dense, shape), indices))

    return combined


def _concat(
    indices: list[Tensor], values: list[Tensor], shapes: list[Tensor], axis: int
) -> tuple[Tensor, ...]:
    parts = zip(indices, values, shapes, strict=True)
    return _parts(_s.concat(axis, [_made(*each) for each in parts]))


def _split(
    axis: Tensor, indices: Tensor, values: Tensor, shape: Tensor, count: int
) -> list[tuple[Tensor, ...]]:
    pieces = _s.split(_made(indices, values, shape), count, int(axis))
    return list(zip(*map(_parts, pieces), strict=True))


def _filled(indices: Tensor, values: Tensor, shape: Tensor, default: Tensor) -> tuple[Tensor, ...]:
    """Rows without a value get one; which did, and where each value has gone."""
    made, empty = _s.fill_empty_rows(_made(indices, values, shape), default)
    order = tf.argsort(indices[:, 0], stable=True)
    there = tf.gather(indices, order)
    gone = places_of(made.indices, there)
    reverse = tf.scatter_nd(order[:, None], gone, tf.shape(order, order.dtype))
    return made.indices, made.values, empty, reverse


def _filled_gradient(reverse: Tensor, g: Tensor) -> tuple[Tensor, Tensor]:
    for name, part in (("reverse_index_map", reverse), ("grad_values", g)):
        if part.shape.rank != 1:
            raise tf.errors.InvalidArgumentError(
                f"{name} must be a vector, saw: {part.shape} [Op:SparseFillEmptyRowsGrad]"
            )
    if tf.reduce_any((reverse < 0) | (reverse >= len(g))):
        raise tf.errors.InvalidArgumentError(
            f"Elements in reverse index must be in [0, {len(g)}), got {reverse.numpy().tolist()} "
            "[Op:SparseFillEmptyRowsGrad]"
        )
    taken = tf.gather(g, reverse)
    return taken, tf.reduce_sum(g) - tf.reduce_sum(taken)


def _reduced(reduce: Callable[..., Any], sparse: bool) -> Callable[..., Any]:
    def reduced(
        indices: Tensor, values: Tensor, shape: Tensor, axes: Tensor, keep: bool
    ) -> Tensor | tuple[Tensor, ...]:
        found = reduce(_made(indices, values, shape), axes, keep, sparse)
        return _parts(found) if sparse else found

    return reduced


def _reorder(indices: Tensor, values: Tensor, shape: Tensor) -> tuple[Tensor, Tensor]:
    return _parts(_s.reorder(_made(indices, values, shape)))[:2]


def _reshape(indices: Tensor, shape: Tensor, new: Tensor) -> tuple[Tensor, Tensor]:
    zeros = tf.zeros(tf.shape(indices)[:1])
    made = _s.reshape(_made(indices, zeros, shape), new)
    return made.indices, made.dense_shape


def _slice(
    indices: Tensor, values: Tensor, shape: Tensor, start: Tensor, size: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    return _parts(_s.slice(_made(indices, values, shape), start, size))


def _slice_gradient(g: Tensor, indices: Tensor, start: Tensor, found: Tensor) -> Tensor:
    return _at(g, found + start, indices)


def _softmax(indices: Tensor, values: Tensor, shape: Tensor) -> Tensor:
    return _s.softmax(_made(indices, values, shape)).values


def _pairwise(combine: Callable[..., tf.SparseTensor]) -> Callable[..., Any]:
    return lambda *parts: _parts(combine(_made(*parts[:3]), _made(*parts[3:])))[:2]


def _product(
    indices: Tensor, values: Tensor, shape: Tensor, b: Tensor, adjoint_a: bool, adjoint_b: bool
) -> Tensor:
    a = _made(tf.cast(indices, "int64"), values, shape)
    return _s.sparse_dense_matmul(a, b, adjoint_a, adjoint_b)


def _written(shape: tf.TensorShape) -> str:
    return f"[{','.join(map(str, shape))}]"


def _dense(indices: Tensor, shape: Tensor, values: Tensor, default: Tensor, check: bool) -> Tensor:
    """Values put into a tensor that is full of a default; one value may go to all places."""
    rank = len(indices.shape)
    if rank > 2:
        raise tf.errors.InvalidArgumentError(
            f"sparse_indices should be a scalar, vector, or matrix, got {indices.shape} "
            "[Op:SparseToDense]"
        )
    if len(shape.shape) != 1:
        raise tf.errors.InvalidArgumentError(
            f"output_shape must be rank 1, got shape {shape.shape} [Op:SparseToDense]"
        )
    wide = tf.reshape(indices, [-1, 1] if rank < 2 else [-1, indices.shape[1]])
    if values.shape not in ([], wide.shape[:1]):
        raise tf.errors.InvalidArgumentError(
            f"sparse_values has incorrect shape {_written(values.shape)}, should be [] or "
            f"[{wide.shape[0]}] [Op:SparseToDense]"
        )
    each = tf.broadcast_to(values, tf.shape(wide)[:1])
    return _s.to_dense(_made(tf.cast(wide, "int64"), each, shape), default, check)


_SETS: dict[str, Callable[..., tf.SparseTensor]] = {
    "a-b": tf.sets.difference,
    "b-a": lambda a, b, validate_indices: tf.sets.difference(
        b, a, validate_indices=validate_indices
    ),
    "intersection": tf.sets.intersection,
    "union": tf.sets.union,
}


def _set_operation(op: str, first: int, second: int) -> Callable[..., Any]:
    """Sets along last axes, given dense (by one argument) or sparse (by three)."""

    def combined(*arguments: *tuple[*tuple[Tensor, ...], str, bool]) -> tuple[Tensor, ...]:
        *parts, kind, validate = arguments
        if kind not in _SETS:
            raise tf.errors.InvalidArgumentError(f"Invalid set_operation {kind}. [Op:{op}]")
        a, b = parts[:first], parts[first:]
        sets = [_made(*each) if len(each) == 3 else each[0] for each in (a, b)]
        return _parts(_SETS[kind](*sets, validate_indices=validate))

    return combined


def _sizes(indices: Tensor, values: Tensor, shape: Tensor, validate: bool) -> Tensor:
    return tf.sets.size(_made(indices, values, shape), validate)


def _distance(*arguments: *tuple[*tuple[Tensor, ...], bool]) -> Tensor:
    *parts, normalize = arguments
    return tf.edit_distance(_made(*parts[:3]), _made(*parts[3:]), normalize)


OPS: dict[str, Callable[..., Any]] = {
    "DenseToDenseSetOperation": _set_operation("DenseToDenseSetOperation", 1, 1),
    "DenseToSparseSetOperation": _set_operation("DenseToSparseSetOperation", 1, 3),
    "EditDistance": _distance,
    "SetSize": _sizes,
    "SparseAdd": _sum,
    "SparseAddGrad": _sum_gradient,
    "SparseConcat": _concat,
    "SparseDenseCwiseAdd": _at_values(tf.add),
    "SparseDenseCwiseDiv": _at_values(tf.divide),
    "SparseDenseCwiseMul": _at_values(tf.multiply),
    "SparseFillEmptyRows": _filled,
    "SparseFillEmptyRowsGrad": _filled_gradient,
    "SparseReduceMax": _reduced(_s.reduce_max, sparse=False),
    "SparseReduceMaxSparse": _reduced(_s.reduce_max, sparse=True),
    "SparseReduceSum": _reduced(_s.reduce_sum, sparse=False),
    "SparseReduceSumSparse": _reduced(_s.reduce_sum, sparse=True),
    "SparseReorder": _reorder,
    "SparseReshape": _reshape,
    "SparseSlice": _slice,
    "SparseSliceGrad": _slice_gradient,
    "SparseSoftmax": _softmax,
    "SparseSparseMaximum": _pairwise(_s.maximum),
    "SparseSparseMinimum": _pairwise(_s.minimum),
    "SparseSplit": _split,
    "SparseTensorDenseAdd": _dense_sum,
    "SparseTensorDenseMatMul": _product,
    "SparseToDense": _dense,
    "SparseToSparseSetOperation": _set_operation("SparseToSparseSetOperation", 3, 3),
}
