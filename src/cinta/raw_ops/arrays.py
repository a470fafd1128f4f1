"""Ops that make, cut, join, move and pick elements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import cinta as tf

from .finding import broadcast_gradient_axes, buckets, listed_difference, unique_along
from .gradients import pulled

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeAlias

    from ..engine.annotations import TensorLike
    from ..engine.tensor import Tensor

    Masks: TypeAlias = tuple[int, int, int, int, int]


def _filled(shape: Tensor, dtype: tf.DType, init: bool) -> Tensor:
    return tf.zeros(shape, dtype)


def _constant(value: TensorLike, dtype: tf.DType) -> Tensor:
    return tf.constant(value, dtype)


def _offsets(dim: Tensor, shapes: list[Tensor]) -> list[Tensor]:
    """Where each of the parts begins in their concatenation."""
    rank = len(shapes[0])
    if not -rank <= int(dim) < rank:
        raise tf.errors.InvalidArgumentError(
            f"Concat dim is out of range: {int(dim)} vs. {rank} [Op:ConcatOffset]"
        )
    along = tf.one_hot(int(dim) % rank, rank, dtype=shapes[0].dtype)
    return tf.unstack(tf.cumsum(tf.stack([shape * along for shape in shapes]), exclusive=True))


def _reversed(tensor: Tensor, dims: Tensor) -> Tensor:
    return tf.reverse(tensor, tf.reshape(tf.where(dims), [-1]))


def _mirror_pad_gradient(input: Tensor, paddings: Tensor, mode: str) -> Tensor:
    inner = tf.shape(input) - tf.cast(tf.reduce_sum(paddings, axis=1), "int32")
    return pulled(lambda x: tf.pad(x, paddings, mode), tf.zeros(inner, input.dtype))(input)


def _prevented(input: Tensor, message: str) -> Tensor:
    @tf.custom_gradient
    def kept(x: Tensor) -> tuple[Tensor, Callable[[Tensor], NoReturn]]:
        def gradient(g: Tensor) -> NoReturn:
            raise LookupError(f"Gradient explicitly disabled. Reason: {message}")

        return tf.identity(x), gradient

    return kept(input)


def _rows(combine: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Rows changed by their numbers, which are counted around: the row -1 is the last one."""
    return lambda x, i, v: combine(x, tf.reshape(i, [-1, 1]) % x.shape[0], v)


def _select(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Elements, or whole rows if the condition is a vector, or all if it is a scalar."""
    more = len(x.shape) - len(condition.shape)
    fits = condition.shape == x.shape or len(condition.shape) == 0
    if x.shape != y.shape or not (fits or condition.shape == x.shape[:1]):
        raise tf.errors.InvalidArgumentError(
            f"'x' and 'y' must have the same shape, and 'condition' that shape, or be a vector of "
            f"their first dimension or a scalar: got {condition.shape}, {x.shape} and {y.shape} "
            "[Op:Select]"
        )
    ones = [1] * more if len(condition.shape) else []
    return tf.where(tf.reshape(condition, [*condition.shape, *ones]), x, y)


def _where(condition: Tensor) -> Tensor:
    return tf.where(condition)


def _one_hot(indices: Tensor, depth: Tensor, on: Tensor, off: Tensor, axis: int) -> Tensor:
    return tf.one_hot(indices, depth, on, off, axis)


def _gather_along(params: Tensor, indices: Tensor, axis: Tensor, batch_dims: int) -> Tensor:
    return tf.gather(params, indices, axis=axis, batch_dims=batch_dims)


def strided_update(
    input: Tensor, begin: Tensor, end: Tensor, strides: Tensor, value: Tensor, *masks: *Masks
) -> Tensor:
    """The tensor with a slice replaced: by the numbers of the elements that the slice takes."""
    places = tf.reshape(tf.range(tf.size(input)), tf.shape(input))
    taken = tf.strided_slice(places, begin, end, strides, *masks)
    new = tf.reshape(tf.broadcast_to(value, tf.shape(taken)), [-1])
    flat = tf.reshape(input, [-1])
    changed = tf.tensor_scatter_nd_update(flat, tf.reshape(taken, [-1, 1]), new)
    return tf.reshape(changed, tf.shape(input))


def _strided_gradient(
    shape: Tensor, begin: Tensor, end: Tensor, strides: Tensor, dy: Tensor, *masks: *Masks
) -> Tensor:
    zeros = tf.zeros(shape, dy.dtype)
    taken = tf.strided_slice(zeros, begin, end, strides, *masks).shape
    if taken != dy.shape:
        raise tf.errors.InvalidArgumentError(
            f"shape of dy was {dy.shape} instead of {taken} [Op:StridedSliceGrad]"
        )
    return strided_update(zeros, begin, end, strides, dy, *masks)


def _split_sizes(value: Tensor, sizes: Tensor, axis: Tensor, num_split: int) -> list[Tensor]:
    if sizes.shape != (num_split,):
        raise tf.errors.InvalidArgumentError(
            f"size_splits must be a vector of num_split = {num_split} numbers, not of shape "
            f"{sizes.shape} [Op:SplitV]"
        )
    return tf.split(value, sizes, axis)


def _check_formats(op: str, source: str, target: str) -> None:
    if len(source) not in (4, 5):
        raise tf.errors.InvalidArgumentError(
            f"Source format must be of length 4 or 5, received src_format = {source} [Op:{op}]"
        )
    if len({*source}) < len(source) or sorted(source) != sorted(target):
        raise tf.errors.InvalidArgumentError(
            "Destination and source format must determine a permutation, got "
            f"{source} and {target} [Op:{op}]"
        )


def _reordered(names: Tensor, source: str, target: str) -> Tensor:
    """Numbers, or pairs of them, that belong to the axes of a data format, for another one."""
    op = "DataFormatVecPermute"
    _check_formats(op, source, target)
    count, letters = len(source), "DHW"[5 - len(source) :]
    if len(names.shape) not in (1, 2) or names.shape[0] not in (count - 2, count):
        raise tf.errors.InvalidArgumentError(
            f"x must have {count - 2} or {count} numbers, or pairs, got shape {names.shape} "
            f"[Op:{op}]"
        )
    if len(names.shape) == 2 and names.shape[1] != 2:
        raise tf.errors.InvalidArgumentError(
            f"Second dimension of 2D input must be of size 2, but got shape {names.shape} [Op:{op}]"
        )
    if names.shape[0] == count:
        return tf.gather(names, [source.index(letter) for letter in target])
    if not {*letters} <= {*source}:
        raise tf.errors.InvalidArgumentError(
            f"Format specifier must contain {', '.join(letters[:-1])} and W for 2D case, got "
            f"{source} [Op:{op}]"
        )
    spatial = [source.index(letter) for letter in target if letter in letters]
    return tf.gather(names, [sorted(spatial).index(axis) for axis in spatial])


def _axis_in(x: Tensor, source: str, target: str) -> Tensor:
    _check_formats("DataFormatDimMap", source, target)
    return tf.gather(
        tf.constant([target.index(letter) for letter in source], x.dtype), x % len(source)
    )


def _range(start: Tensor, limit: Tensor, delta: Tensor) -> Tensor:
    return tf.range(start, limit, delta)


def _counted(values: Tensor, size: Tensor, weights: Tensor) -> Tensor:
    counts: Tensor = tf.raw_ops.DenseBincount(
        input=tf.reshape(values, [-1]), size=size, weights=tf.reshape(weights, [-1])
    )
    return counts


def _conjugate_transpose(x: Tensor, perm: Tensor) -> Tensor:
    return tf.transpose(x, perm, conjugate=True)


def _bound(op: str, side: str, rows: Tensor, values: Tensor, dtype: tf.DType) -> Tensor:
    for argument, given in (("sorted_inputs", rows), ("values", values)):
        if given.shape.rank != 2:
            raise tf.errors.InvalidArgumentError(
                f"Shape must be rank 2 but is rank {given.shape.rank} for `{argument}` argument "
                f"[Op:{op}]"
            )
    return tf.searchsorted(rows, values, side, dtype)


def _in_parallel(values: list[Tensor], shape: tuple[int, ...]) -> Tensor:
    if not len(shape):
        raise tf.errors.InvalidArgumentError("value should be at least rank 1. [Op:ParallelConcat]")
    return tf.concat(values, 0)


OPS: dict[str, Callable[..., Any]] = {
    "BatchToSpace": lambda x, crops, size: tf.batch_to_space(x, [size, size], crops),
    "BatchToSpaceND": tf.batch_to_space,
    "Bincount": _counted,
    "BroadcastArgs": tf.broadcast_dynamic_shape,
    "BroadcastGradientArgs": broadcast_gradient_axes,
    "BroadcastTo": tf.broadcast_to,
    "Bucketize": buckets,
    "Concat": lambda axis, values: tf.concat(values, axis),
    "ConcatOffset": _offsets,
    "ConcatV2": tf.concat,
    "ConjugateTranspose": _conjugate_transpose,
    "Const": _constant,
    "Copy": lambda x, *_: tf.identity(x),
    "CopyHost": lambda x, *_: tf.identity(x),
    "DataFormatDimMap": _axis_in,
    "DataFormatVecPermute": _reordered,
    "DeepCopy": tf.identity,
    "Diag": tf.linalg.tensor_diag,
    "DiagPart": tf.linalg.tensor_diag_part,
    "DynamicPartition": tf.dynamic_partition,
    "DynamicStitch": tf.dynamic_stitch,
    "Empty": _filled,
    "EnsureShape": tf.ensure_shape,
    "ExpandDims": tf.expand_dims,
    "Fill": tf.fill,
    "Gather": lambda params, indices, _: tf.gather(params, indices),
    "GatherNd": lambda params, indices, policy: tf.gather_nd(
        params, indices, bad_indices_policy=policy
    ),
    "GatherV2": _gather_along,
    "GuaranteeConst": tf.stop_gradient,
    "Identity": tf.identity,
    "IdentityN": tf.identity_n,
    "InplaceAdd": _rows(tf.tensor_scatter_nd_add),
    "InplaceSub": _rows(tf.tensor_scatter_nd_sub),
    "InplaceUpdate": _rows(tf.tensor_scatter_nd_update),
    "InvertPermutation": tf.math.invert_permutation,
    "LinSpace": tf.linspace,
    "ListDiff": listed_difference,
    "LowerBound": partial(_bound, "LowerBound", "left"),
    "MirrorPad": tf.pad,
    "MirrorPadGrad": _mirror_pad_gradient,
    "OneHot": _one_hot,
    "Pack": tf.stack,
    "Pad": tf.pad,
    "PadV2": lambda x, paddings, value: tf.pad(x, paddings, constant_values=value),
    "ParallelConcat": _in_parallel,
    "ParallelDynamicStitch": tf.dynamic_stitch,
    "PlaceholderWithDefault": lambda input, _: tf.identity(input),
    "PreventGradient": _prevented,
    "Range": _range,
    "Rank": tf.rank,
    "Reshape": tf.reshape,
    "Reverse": _reversed,
    "ReverseSequence": tf.reverse_sequence,
    "ReverseV2": tf.reverse,
    "Roll": tf.roll,
    "ScatterNd": tf.scatter_nd,
    "ScatterNdNonAliasingAdd": tf.tensor_scatter_nd_add,
    "Select": _select,
    "SelectV2": tf.where,
    "Shape": tf.shape,
    "ShapeN": tf.shape_n,
    "Size": tf.size,
    "Slice": tf.slice,
    "Snapshot": tf.identity,
    "SpaceToBatch": lambda x, pads, size: tf.space_to_batch(x, [size, size], pads),
    "SpaceToBatchND": tf.space_to_batch,
    "Split": lambda axis, value, count: tf.split(value, count, axis),
    "SplitV": _split_sizes,
    "Squeeze": lambda x, axis: tf.squeeze(x, axis or None),
    "StopGradient": tf.stop_gradient,
    "StridedSlice": tf.strided_slice,
    "StridedSliceGrad": _strided_gradient,
    "TensorScatterAdd": tf.tensor_scatter_nd_add,
    "TensorScatterMax": tf.tensor_scatter_nd_max,
    "TensorScatterMin": tf.tensor_scatter_nd_min,
    "TensorScatterSub": tf.tensor_scatter_nd_sub,
    "TensorScatterUpdate": tf.tensor_scatter_nd_update,
    "TensorStridedSliceUpdate": strided_update,
    "Tile": tf.tile,
    "Transpose": tf.transpose,
    "Unique": tf.unique,
    "UniqueV2": lambda *arguments: unique_along(*arguments)[:2],
    "UniqueWithCounts": tf.unique_with_counts,
    "UniqueWithCountsV2": unique_along,
    "Unpack": tf.unstack,
    "UnravelIndex": tf.unravel_index,
    "UpperBound": partial(_bound, "UpperBound", "right"),
    "Where": _where,
}
