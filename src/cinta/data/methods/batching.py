"""Methods of `Dataset` that put elements together, and take them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import dtypes
from ...errors import InvalidArgumentError
from ...ops.arguments import flag, integer, whole_numbers
from ..base import Face
from ..batching import Batch, RaggedBatch, unbatched
from ..padded_batches import PaddedBatch
from ..sparse_batches import SparseBatch
from ..windowing import Window

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, ShapeLike
    from ..dataset import Dataset


class Batching(Face):
    """Batches of elements, their rows, and windows."""

    def batch(
        self,
        batch_size: IntLike,
        drop_remainder: bool = False,
        num_parallel_calls: IntLike | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Batches of elements, stacked along a new first axis; the last batch may be smaller.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.range(5).batch(3).as_numpy_iterator())
        [array([0, 1, 2]), array([3, 4])]

        ``num_parallel_calls`` and ``deterministic`` are accepted: putting elements together is a
        single copy of memory here.

        Args:
            batch_size: How many elements a batch has.
            drop_remainder: Whether to leave out a last batch that has fewer.
            num_parallel_calls: Accepted; changes no result.
            deterministic: Accepted; changes no result.
        """
        size, drop = _batch_size(batch_size), flag(drop_remainder, "drop_remainder")
        return self._moved(lambda stage: Batch(stage, [size], drop))

    def padded_batch(
        self,
        batch_size: IntLike,
        padded_shapes: object = None,
        padding_values: object = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Batches of elements of different shapes, padded to the largest or to given shapes.

        >>> import cinta as tf
        >>> rows = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
        >>> next(rows.padded_batch(3).as_numpy_iterator())
        array([[1, 0, 0],
               [2, 2, 0],
               [3, 3, 3]])

        ``None`` or -1 in ``padded_shapes`` stands for the length of the largest. The padding is 0,
        or "" for strings, unless ``padding_values`` says otherwise.

        Args:
            batch_size: How many elements a batch has.
            padded_shapes: The shapes; None for the largest of each batch.
            padding_values: What to pad with.
            drop_remainder: Whether to leave out a last batch that has fewer.
        """
        size, drop = _batch_size(batch_size), flag(drop_remainder, "drop_remainder")
        return self._of(PaddedBatch(self._stage, size, drop, padded_shapes, padding_values))

    def ragged_batch(
        self,
        batch_size: IntLike,
        drop_remainder: bool = False,
        row_splits_dtype: DTypeLike = dtypes.int64,
        name: str | None = None,
    ) -> Dataset:
        """Batches of elements of different shapes, each as a ragged tensor.

        >>> import cinta as tf
        >>> rows = tf.data.Dataset.range(1, 4).map(tf.range)
        >>> next(iter(rows.ragged_batch(3)))
        <tf.RaggedTensor [[0], [0, 1], [0, 1, 2]]>

        Args:
            batch_size: How many elements a batch has.
            drop_remainder: Whether to leave out a last batch that has fewer.
            row_splits_dtype: ``tf.int64`` or ``tf.int32``.
        """
        size, drop = _batch_size(batch_size), flag(drop_remainder, "drop_remainder")
        splits = dtypes.as_dtype(row_splits_dtype)
        return self._of(RaggedBatch(self._stage, size, drop, splits))

    def sparse_batch(
        self, batch_size: IntLike, row_shape: ShapeLike, name: str | None = None
    ) -> Dataset:
        """Batches of elements of different shapes, each as a sparse tensor with rows of one shape.

        >>> import cinta as tf
        >>> rows = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
        >>> [tf.sparse.to_dense(batch).numpy().tolist() for batch in rows.sparse_batch(2, [3])]
        [[[1, 0, 0], [2, 2, 0]]]

        Args:
            batch_size: How many elements a batch has.
            row_shape: The shape of a row; None stands for the length of the longest in the batch.
        """
        return self._of(SparseBatch(self._stage, _batch_size(batch_size), row_shape))

    def unbatch(self, name: str | None = None) -> Dataset:
        """The rows of the elements: the reverse of ``batch``.

        >>> import cinta as tf
        >>> [int(x) for x in tf.data.Dataset.from_tensors([1, 2, 3]).unbatch()]
        [1, 2, 3]
        """
        return self._of(unbatched(self._stage))

    def rebatch(
        self, batch_size: IntLike, drop_remainder: bool = False, name: str | None = None
    ) -> Dataset:
        """The same rows in batches of another size, or of several sizes that take turns.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.range(5).batch(4).rebatch([1, 2]).as_numpy_iterator())
        [array([0]), array([1, 2]), array([3]), array([4])]

        A size of 0 gives an empty batch in its turn.

        Args:
            batch_size: The size, or a list of sizes.
            drop_remainder: Whether to leave out a last batch that has fewer.

        Raises:
            InvalidArgumentError: If a size is negative, or all are 0.
        """
        sizes = list(whole_numbers(batch_size, "batch_size"))
        if min(sizes, default=0) < 0 or not any(sizes):
            raise InvalidArgumentError(
                "The sizes in `batch_size` must not be negative, and one of them must be more than "
                f"zero, got {sizes}."
            )
        drop = flag(drop_remainder, "drop_remainder")
        rows = self._of(unbatched(self._stage))
        return rows._moved(lambda stage: Batch(stage, sizes, drop))

    def window(
        self,
        size: IntLike,
        shift: IntLike | None = None,
        stride: IntLike = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Windows as datasets, each ``shift`` after the last, with every ``stride``-th element.

        Elements with several components become as many datasets.

        >>> import cinta as tf
        >>> windows = tf.data.Dataset.range(5).window(3, shift=1, drop_remainder=True)
        >>> list(windows.flat_map(lambda window: window.batch(3)).as_numpy_iterator())
        [array([0, 1, 2]), array([1, 2, 3]), array([2, 3, 4])]

        Args:
            size: How many elements a window has.
            shift: How far windows are apart; None for their size.
            stride: How far the elements of a window are apart.
            drop_remainder: Whether to leave out windows that have fewer.
        """
        length = _positive(size, "size")
        distance = length if shift is None else _positive(shift, "shift")
        step, drop = _positive(stride, "stride"), flag(drop_remainder, "drop_remainder")
        return self._of(Window(self._stage, length, distance, step, drop))


def _batch_size(value: IntLike) -> int:
    size = integer(value, "batch_size")
    if size < 1:
        raise InvalidArgumentError(f"Batch size must be greater than zero, got batch_size={size}.")
    return size


def _positive(value: IntLike, argument: str) -> int:
    number = integer(value, argument)
    if number < 1:
        raise InvalidArgumentError(f"Window {argument} must be greater than zero, got {number}.")
    return number
