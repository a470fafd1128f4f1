"""Rules for how many shards a variable is cut into."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from .. import dtypes
from ..engine.shapes import TensorShape
from ..ops.arguments import integer
from ..public import public

if TYPE_CHECKING:
    from ..engine.annotations import DTypeLike, ShapeLike


@public("distribute.experimental.partitioners.Partitioner")
class Partitioner:
    """A rule that says for a shape and a dtype how many shards there are along each axis.

    >>> import cinta as tf
    >>> class Halves(tf.distribute.experimental.partitioners.Partitioner):
    ...     def __call__(self, shape, dtype, axis=0):
    ...         return [2 if each == axis else 1 for each in range(len(shape))]
    >>> Halves()(tf.TensorShape([4, 3]), tf.float32)
    [2, 1]
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: int = 0) -> list[int]:
        """The numbers of shards.

        Args:
            shape: The shape of the variable.
            dtype: Its dtype.
            axis: The axis along which it is cut.
        """
        raise NotImplementedError


@public("distribute.experimental.partitioners.FixedShardsPartitioner")
class FixedShardsPartitioner(Partitioner):
    """A fixed number of shards, or as many as the axis has elements if those are fewer.

    >>> import cinta as tf
    >>> rule = tf.distribute.experimental.partitioners.FixedShardsPartitioner(num_shards=2)
    >>> rule(tf.TensorShape([10, 3]), tf.float32)
    [2, 1]

    Args:
        num_shards: The number of shards.
    """

    def __init__(self, num_shards: int) -> None:
        self._num_shards = num_shards

    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: int = 0) -> list[int]:
        lengths = _lengths(shape, axis)
        return _along(axis, min(self._num_shards, lengths[axis]), lengths)


@public("distribute.experimental.partitioners.MinSizePartitioner")
class MinSizePartitioner(Partitioner):
    """As many shards as have this size at least.

    >>> import cinta as tf
    >>> rule = tf.distribute.experimental.partitioners.MinSizePartitioner(64, max_shards=4)
    >>> rule(tf.TensorShape([10, 4]), tf.float32)
    [3, 1]

    Args:
        min_shard_bytes: The least number of bytes of a shard.
        max_shards: The greatest number of shards.
        bytes_per_string: The number of bytes that a text counts.

    Raises:
        ValueError: If one of them is not positive.
    """

    def __init__(
        self, min_shard_bytes: int = 256 << 10, max_shards: int = 1, bytes_per_string: int = 16
    ) -> None:
        self._min_shard_bytes = _positive(min_shard_bytes, "min_shard_bytes")
        self._max_shards = _positive(max_shards, "max_shards")
        self._bytes_per_string = _positive(bytes_per_string, "bytes_per_string")

    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: int = 0) -> list[int]:
        lengths = _lengths(shape, axis)
        size = math.prod(lengths) * _size(dtype, self._bytes_per_string)
        wanted = math.ceil(size / self._min_shard_bytes)
        return _along(axis, max(1, min(lengths[axis], self._max_shards, wanted)), lengths)


@public("distribute.experimental.partitioners.MaxSizePartitioner")
class MaxSizePartitioner(Partitioner):
    """So many shards that each has this size at most, if one slice along the axis has.

    >>> import cinta as tf
    >>> rule = tf.distribute.experimental.partitioners.MaxSizePartitioner(max_shard_bytes=64)
    >>> rule(tf.TensorShape([6, 8]), tf.float32, axis=1)
    [1, 4]

    Args:
        max_shard_bytes: The greatest number of bytes of a shard.
        max_shards: The greatest number of shards; None for any.
        bytes_per_string: The number of bytes that a text counts.

    Raises:
        ValueError: If one of them is not positive.
    """

    def __init__(
        self, max_shard_bytes: int, max_shards: int | None = None, bytes_per_string: int = 16
    ) -> None:
        self._max_shard_bytes = _positive(max_shard_bytes, "max_shard_bytes")
        self._max_shards = None if max_shards is None else _positive(max_shards, "max_shards")
        self._bytes_per_string = _positive(bytes_per_string, "bytes_per_string")

    def __call__(self, shape: ShapeLike, dtype: DTypeLike, axis: int = 0) -> list[int]:
        lengths = _lengths(shape, axis)
        slice_size = math.prod(lengths) * _size(dtype, self._bytes_per_string) / lengths[axis]
        shards = math.ceil(lengths[axis] / max(1, self._max_shard_bytes // slice_size))
        most = shards if self._max_shards is None else self._max_shards
        return _along(axis, min(shards, most), lengths)


def _positive(given: int, name: str) -> int:
    if integer(given, name) < 1:
        raise ValueError(f"Argument `{name}` must be positive. Received: {given}")
    return given


def _lengths(shape: ShapeLike, axis: int) -> list[int]:
    lengths = TensorShape(shape).as_list()
    if axis >= len(lengths):
        raise ValueError(f"Cannot partition variable along axis {axis} when shape is only {shape}")
    return [integer(length, "shape") for length in lengths]


def _size(dtype: DTypeLike, bytes_per_string: int) -> int:
    """The number of bytes of an element."""
    found = dtypes.as_dtype(dtype)
    return bytes_per_string if found == dtypes.string else found.size


def _along(axis: int, shards: int, lengths: list[int]) -> list[int]:
    return [shards if each == axis else 1 for each in range(len(lengths))]
