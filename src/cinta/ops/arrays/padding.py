"""Padding, and the block shufflings that are made of it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.arrays import at
from ...engine.convert import as_tensor
from ...engine.fast_calls import on_one
from ...engine.op import op
from ...engine.primitives import Reshape
from ...engine.shapes import Shape, written
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import shape_argument, text, whole_number
from .creation import zeros_like
from .gathering import Gather
from .indexing import StridedSlice
from .joining import stack
from .shaping import transpose

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, TensorLike
    from ...engine.tensor import Array, Tensor

_INT32 = np.dtype("int32")
Paddings = tuple[tuple[int, int], ...]
"""For every axis how much is put in front, and how much behind."""


@op("PadV2", moves=True, linear=False, rowwise=True)
def Pad(xp: ArrayModule, x: Array, *, paddings: Paddings, value: Any) -> Array:
    """The last axes made longer, with a constant in the new places."""
    first = x.ndim - len(paddings)
    pairs = ((0, 0),) * first + paddings
    shape = [b + n + a for (b, a), n in zip(pairs, x.shape, strict=True)]
    inner = tuple([slice(b, b + n) for (b, _), n in zip(pairs, x.shape, strict=True)])
    padded = xp.full(shape, value, x.dtype)
    if xp is not np:
        return at(padded, inner).set(x)
    padded[inner] = x
    return padded


def unpad(x: Tensor, shape: Shape, paddings: Paddings) -> Tensor:
    """The part of a padded tensor that was there before."""
    index = tuple([(b, b + n, None) for (b, _), n in zip(paddings, shape, strict=True)])
    return StridedSlice(x, index=index, rank=len(shape))


Pad.grads(x=lambda g, x_shape, paddings: unpad(g, x_shape, paddings))


@public("pad")
def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """The tensor with padding around it: ``[before, after]`` for every axis.

    ``mode`` says what: "CONSTANT" a number, "REFLECT" the tensor mirrored at its outermost
    elements, "SYMMETRIC" the tensor mirrored with them.

    >>> import cinta as tf
    >>> tf.pad([1, 2, 3], [[1, 2]]).numpy()
    array([0, 1, 2, 3, 0, 0], dtype=int32)
    >>> tf.pad([1, 2, 3], [[2, 2]], "REFLECT").numpy()
    array([3, 2, 1, 2, 3, 2, 1], dtype=int32)

    Args:
        tensor: A tensor.
        paddings: ``[before, after]`` for every axis.
        mode: "CONSTANT", "REFLECT" or "SYMMETRIC", in any case.
        constant_values: The number that "CONSTANT" puts around the tensor.

    Raises:
        ValueError: If the mode is another.
        InvalidArgumentError: If a padding is negative, or larger than what there is to mirror.
    """
    x = as_tensor(tensor)
    how = text(mode, "mode").upper()  # TensorFlow takes it in both cases, and repeats it in this
    if how not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise ValueError(
            'Value of argument `mode` expected to be one of "CONSTANT", "REFLECT", or '
            f'"SYMMETRIC". Received `mode` = {how}'
        )
    pairs = pairs_argument("Pad", paddings, x._array.ndim)
    if how != "CONSTANT":
        return _mirrored(x, pairs, how)
    return on_one(Pad, x, paddings=pairs, value=_scalar(constant_values, x._array.dtype))


def _scalar(value: TensorLike, dtype: np.dtype[Any]) -> Any:
    """The constant to pad with, as a Python value; 0 is the default for every dtype."""
    if type(value) is int and value == 0:
        return b"" if dtype.kind == "O" else 0
    scalar = seen(as_tensor(value, dtype))
    if np.ndim(scalar):
        raise InvalidArgumentError(
            f"constant_values must be a scalar, got shape {written(scalar.shape)} [Op:PadV2]"
        )
    return scalar.item() if hasattr(scalar, "item") else scalar


def pairs_argument(op: str, paddings: TensorLike, rank: int) -> Paddings:
    """Paddings or crops of so many axes."""
    pairs = np.asarray(seen(as_tensor(paddings)))
    if pairs.shape != (rank, 2):
        raise InvalidArgumentError(
            "paddings must be a matrix with 2 columns, and the rows of paddings must be the rank "
            f"of inputs: expected shape [{rank},2], got {written(pairs.shape)} [Op:{op}]"
        )
    if pairs.size and pairs.min() < 0:
        raise InvalidArgumentError(f"Paddings must be non-negative: {pairs.tolist()} [Op:{op}]")
    return tuple([(int(before), int(after)) for before, after in pairs])


def _mirrored(x: Tensor, paddings: Paddings, mode: str) -> Tensor:
    rank = x._array.ndim
    for axis, (before, after) in enumerate(paddings):
        length = x._array.shape[axis]
        most = length - 1 if mode == "REFLECT" else length
        if max(before, after) > most:
            raise InvalidArgumentError(
                f"paddings must be {'less than' if most < length else 'no greater than'} the "
                f"dimension size: {before}, {after} for a dimension of {length} [Op:MirrorPad]"
            )
        if before or after:
            how: Any = mode.lower()
            places = wrap(np.pad(np.arange(length), (before, after), mode=how))
            x = Gather(x, places, axis=axis - rank)
    return x


# -- blocks ------------------------------------------------------------------------------------


@public("nn.space_to_batch", "space_to_batch", "space_to_batch_nd")
def space_to_batch_nd(
    input: TensorLike, block_shape: TensorLike, paddings: TensorLike, name: str | None = None
) -> Tensor:
    """Blocks of the axes after the first, taken apart: each place in a block is a batch.

    >>> import cinta as tf
    >>> tf.space_to_batch_nd(tf.zeros([1, 4, 4, 3]), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([4, 2, 2, 3])

    Args:
        input: A tensor ``[batch, ...]``.
        block_shape: The size of a block along each of the axes after the first.
        paddings: ``[before, after]`` for each of these axes: how many zeros to put around.

    Raises:
        InvalidArgumentError: If a padded axis is not a multiple of the size of a block.
    """
    x = as_tensor(input)
    blocks = _blocks("SpaceToBatchND", block_shape, x)
    count = len(blocks)
    around = pairs_argument("SpaceToBatchND", paddings, count)
    rest = x._array.shape[1 + count :]
    padded = on_one(Pad, x, paddings=((0, 0), *around, *[(0, 0)] * len(rest)), value=0)
    batch, *lengths = padded._array.shape[: 1 + count]
    if any(n % block for n, block in zip(lengths, blocks, strict=True)):
        raise InvalidArgumentError(
            f"padded dimensions {lengths} must be divisible by the block_shape {list(blocks)} "
            "[Op:SpaceToBatchND]"
        )
    short = [n // block for n, block in zip(lengths, blocks, strict=True)]
    pairs = [n for pair in zip(short, blocks, strict=True) for n in pair]
    split = on_one(Reshape, padded, shape=(batch, *pairs, *rest))
    last = 2 * count + 1
    moved = transpose(split, [*range(2, last, 2), 0, *range(1, last, 2), *range(last, split.ndim)])
    return on_one(Reshape, moved, shape=(batch * prod(blocks), *short, *rest))


space_to_batch = space_to_batch_nd


@public("batch_to_space")
def batch_to_space(
    input: TensorLike, block_shape: TensorLike, crops: TensorLike, name: str | None = None
) -> Tensor:
    """Blocks put together again, and cropped: undoes `space_to_batch_nd`.

    >>> import cinta as tf
    >>> tf.batch_to_space(tf.zeros([4, 2, 2, 3]), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([1, 4, 4, 3])

    Args:
        input: A tensor ``[batch, ...]``; the first axis holds the blocks.
        block_shape: The size of a block along each of the axes after the first.
        crops: ``[begin, end]`` for each of these axes: how many elements to cut off.

    Raises:
        InvalidArgumentError: If the first axis is not a multiple of the size of a block, or more is
            cut off than there is.
    """
    x = as_tensor(input)
    square = [block_shape] * 2 if isinstance(block_shape, int) else block_shape
    blocks = _blocks("BatchToSpaceND", square, x)
    count, places = len(blocks), prod(blocks)
    cut = pairs_argument("BatchToSpaceND", crops, count)
    batch, *lengths = x._array.shape[: 1 + count]
    rest = x._array.shape[1 + count :]
    if batch % places:
        raise InvalidArgumentError(
            f"Input batch dimension ({batch}) is not divisible by product of block sizes "
            f"({places}) [Op:BatchToSpaceND]"
        )
    apart = on_one(Reshape, x, shape=(*blocks, batch // places, *lengths, *rest))
    pairs = [axis for k in range(count) for axis in (count + 1 + k, k)]
    together = transpose(apart, [count, *pairs, *range(2 * count + 1, apart.ndim)])
    full = [n * block for n, block in zip(lengths, blocks, strict=True)]
    whole = on_one(Reshape, together, shape=(batch // places, *full, *rest))
    inner = [(b, n - a, None) for (b, a), n in zip(cut, full, strict=True)]
    if any(start > stop for start, stop, _ in inner):
        raise InvalidArgumentError(
            f"crops {list(cut)} take more than there is of {full} [Op:BatchToSpaceND]"
        )
    return on_one(StridedSlice, whole, index=((None, None, None), *inner), rank=whole.ndim)


@public("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: TensorLike,
    block_shape: TensorLike,
    base_paddings: TensorLike | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """How much to put around axes so that blocks divide them, and how much of that to crop later.

    >>> import cinta as tf
    >>> paddings, crops = tf.required_space_to_batch_paddings([5, 7], [2, 3])
    >>> paddings.numpy().tolist()
    [[0, 1], [0, 2]]
    >>> blocks = tf.space_to_batch(tf.zeros([1, 5, 7]), [2, 3], paddings)
    >>> tf.batch_to_space(blocks, [2, 3], crops).shape
    TensorShape([1, 5, 7])

    Args:
        input_shape: The lengths of the axes, in int32.
        block_shape: The size of a block along each of them.
        base_paddings: ``[before, after]`` for each of them: what is to be put around at least.

    Returns:
        ``paddings`` and ``crops``, with ``[before, after]`` for each axis. Only what ``paddings``
        has beyond ``base_paddings``, which is behind, is among ``crops``.

    Raises:
        ValueError: If the shapes of the arguments do not go together, or they are not int32.
    """
    shape, blocks = as_tensor(input_shape, _INT32), as_tensor(block_shape, _INT32)
    base = None if base_paddings is None else as_tensor(base_paddings, _INT32)
    found = [each._array.shape for each in (shape, blocks, base) if each is not None]
    if len(found[0]) != 1 or found != [found[0], found[0], (*found[0], 2)][: len(found)]:
        raise ValueError(
            "input_shape and block_shape must have one shape [n], and base_paddings the shape "
            f"[n, 2]; got {', '.join(map(written, found))}."
        )
    before, after = (0, 0) if base is None else (base[:, 0], base[:, 1])
    more = (-(shape + before + after)) % blocks
    none = zeros_like(shape)
    return stack([none + before, more + after], 1), stack([none, more], 1)


def _blocks(op: str, block_shape: TensorLike, x: Tensor) -> Shape:
    """The lengths of blocks along the axes after the first."""
    blocks = shape_argument(block_shape, "block_shape")
    if min(blocks, default=1) < 1:
        raise InvalidArgumentError(
            f"All values in block_shape must be positive, got {list(blocks)} [Op:{op}]"
        )
    if x._array.ndim <= len(blocks):
        raise InvalidArgumentError(
            f"input rank should be >= {1 + len(blocks)} for block_shape {list(blocks)} instead of "
            f"{x._array.ndim} [Op:{op}]"
        )
    return blocks


@public("nn.space_to_depth")
def space_to_depth(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Square blocks of an image as channels of one pixel.

    >>> import cinta as tf
    >>> tf.nn.space_to_depth(tf.zeros([1, 4, 4, 3]), 2).shape
    TensorShape([1, 2, 2, 12])

    Args:
        input: Images; height and width are multiples of ``block_size``.
        block_size: The side of a block.
        data_format: "NHWC" or "NCHW".

    Raises:
        InvalidArgumentError: If the sides do not divide so, or there is no such format.
    """
    block_size = whole_number(block_size, "block_size")
    x = _channels_last("SpaceToDepth", input, block_size, data_format)
    n, rows, columns, channels = x._array.shape
    if rows % block_size or columns % block_size:
        raise InvalidArgumentError(
            f"Image width {columns} and height {rows} should be divisible by block_size "
            f"{block_size} [Op:SpaceToDepth]"
        )
    short = (rows // block_size, columns // block_size)
    split = on_one(Reshape, x, shape=(n, short[0], block_size, short[1], block_size, channels))
    moved = transpose(split, [0, 1, 3, 2, 4, 5])
    deep = on_one(Reshape, moved, shape=(n, *short, block_size**2 * channels))
    return deep if data_format == "NHWC" else transpose(deep, [0, 3, 1, 2])


@public("nn.depth_to_space")
def depth_to_space(
    input: TensorLike, block_size: int, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Channels of one pixel as a square block of an image: undoes `space_to_depth`.

    >>> import cinta as tf
    >>> tf.nn.depth_to_space(tf.zeros([1, 2, 2, 12]), 2).shape
    TensorShape([1, 4, 4, 3])

    Args:
        input: Images; the number of channels is a multiple of the square of ``block_size``.
        block_size: The side of a block.
        data_format: "NHWC" or "NCHW".

    Raises:
        InvalidArgumentError: If the channels do not divide so, or there is no such format.
    """
    block_size = whole_number(block_size, "block_size")
    x = _channels_last("DepthToSpace", input, block_size, data_format)
    n, rows, columns, channels = x._array.shape
    depth = channels // block_size**2
    if channels % block_size**2:
        raise InvalidArgumentError(
            f"Input depth dimension {channels} should be divisible by: {block_size**2} "
            "[Op:DepthToSpace]"
        )
    split = on_one(Reshape, x, shape=(n, rows, columns, block_size, block_size, depth))
    moved = transpose(split, [0, 1, 3, 2, 4, 5])
    flat = on_one(Reshape, moved, shape=(n, rows * block_size, columns * block_size, depth))
    return flat if data_format == "NHWC" else transpose(flat, [0, 3, 1, 2])


def _channels_last(op: str, input: object, block_size: int, data_format: str) -> Tensor:
    x = as_tensor(input)
    if block_size < 2:
        raise InvalidArgumentError(
            f"Value for attr 'block_size' of {block_size} must be at least minimum 2 [Op:{op}]"
        )
    if text(data_format, "data_format") not in ("NHWC", "NCHW"):
        raise InvalidArgumentError(
            f'data_format must be "NHWC" or "NCHW", got {data_format!r} [Op:{op}]'
        )
    if x._array.ndim != 4:
        raise InvalidArgumentError(f"Input rank should be: 4 instead of: {x._array.ndim} [Op:{op}]")
    return x if data_format == "NHWC" else transpose(x, [0, 2, 3, 1])
