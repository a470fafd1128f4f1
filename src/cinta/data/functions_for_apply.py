"""Functions for ``Dataset.apply`` that call one method: those of ``tf.data.experimental``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import IntLike, NumericLike, ShapeLike
    from ..io.files import FilePath
    from .dataset import Dataset


@public("data.experimental.unbatch")
def unbatch() -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.unbatch``.

    >>> import cinta as tf
    >>> pairs = tf.data.Dataset.range(4).batch(2)
    >>> list(map(int, pairs.apply(tf.data.experimental.unbatch())))
    [0, 1, 2, 3]
    """
    return lambda dataset: dataset.unbatch()


@public("data.experimental.unique")
def unique() -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.unique``.

    >>> import cinta as tf
    >>> twice = tf.data.Dataset.range(2).repeat(2)
    >>> list(map(int, twice.apply(tf.data.experimental.unique())))
    [0, 1]
    """
    return lambda dataset: dataset.unique()


@public("data.experimental.dense_to_sparse_batch")
def dense_to_sparse_batch(
    batch_size: IntLike, row_shape: ShapeLike
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.sparse_batch``.

    >>> import cinta as tf
    >>> rows = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
    >>> batches = rows.apply(tf.data.experimental.dense_to_sparse_batch(2, [3]))
    >>> [tf.sparse.to_dense(batch).numpy().tolist() for batch in batches]
    [[[1, 0, 0], [2, 2, 0]]]

    Args:
        batch_size: The number of elements in a batch.
        row_shape: The shape of the rows that hold the elements.
    """
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


@public("data.experimental.rejection_resample")
def rejection_resample(
    class_func: Callable[..., object],
    target_dist: NumericLike,
    initial_dist: NumericLike | None = None,
    seed: int | None = None,
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.rejection_resample``.

    >>> import cinta as tf
    >>> wanted, there = [0.0, 1.0], [0.5, 0.5]
    >>> odd = tf.data.experimental.rejection_resample(lambda x: x % 2, wanted, there)
    >>> [x.numpy().item() for _, x in tf.data.Dataset.range(6).apply(odd)]
    [1, 3, 5]

    Args:
        class_func: A function of an element, which gives its class.
        target_dist: How frequent each class is to be.
        initial_dist: How frequent each class is; None for an estimate.
        seed: A number that decides which elements are left out.
    """
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


@public("data.experimental.scan")
def scan(initial_state: object, scan_func: Callable[..., object]) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.scan``.

    >>> import cinta as tf
    >>> zero = tf.constant(0, tf.int64)
    >>> sums = tf.data.experimental.scan(zero, lambda total, x: (total + x, total + x))
    >>> list(map(int, tf.data.Dataset.range(4).apply(sums)))
    [0, 1, 3, 6]

    Args:
        initial_state: The first state.
        scan_func: A function of a state and an element, which gives the next state and an element.
    """
    return lambda dataset: dataset.scan(initial_state, scan_func)


@public("data.experimental.take_while")
def take_while(predicate: Callable[..., object]) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.take_while``.

    >>> import cinta as tf
    >>> small = tf.data.experimental.take_while(lambda x: x < 2)
    >>> list(map(int, tf.data.Dataset.range(4).apply(small)))
    [0, 1]

    Args:
        predicate: A function of an element; the first for which it is false ends the dataset.
    """
    return lambda dataset: dataset.take_while(predicate)


@public("data.experimental.ignore_errors")
def ignore_errors(log_warning: bool = False) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.ignore_errors``.

    >>> import cinta as tf
    >>> parts = tf.data.Dataset.range(3).map(lambda x: 6 // x)
    >>> list(map(int, parts.apply(tf.data.experimental.ignore_errors())))
    [6, 3]

    Args:
        log_warning: Whether to print the errors.
    """
    return lambda dataset: dataset.ignore_errors(log_warning)


@public("data.experimental.enumerate_dataset")
def enumerate_dataset(start: IntLike = 0) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.enumerate``.

    >>> import cinta as tf
    >>> letters = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> counted = letters.apply(tf.data.experimental.enumerate_dataset(5))
    >>> [(int(i), letter) for i, letter in counted.as_numpy_iterator()]
    [(5, b'a'), (6, b'b')]

    Args:
        start: The first number.
    """
    return lambda dataset: dataset.enumerate(start)


@public("data.experimental.snapshot")
def snapshot(
    path: FilePath,
    compression: str = "AUTO",
    reader_func: Callable[..., object] | None = None,
    shard_func: Callable[..., object] | None = None,
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.snapshot``.

    >>> import cinta as tf
    >>> import tempfile
    >>> kept = tf.data.experimental.snapshot(tempfile.mkdtemp())
    >>> list(map(int, tf.data.Dataset.range(3).apply(kept)))
    [0, 1, 2]

    Args:
        path: The folder.
        compression: Accepted.
        reader_func: A function that puts the parts in order.
        shard_func: A function of an element, which gives the number of its part.
    """
    return lambda dataset: dataset.snapshot(path, compression, reader_func, shard_func)


@public("data.experimental.group_by_window")
def group_by_window(
    key_func: Callable[..., object],
    reduce_func: Callable[..., object],
    window_size: IntLike | None = None,
    window_size_func: Callable[..., object] | None = None,
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.group_by_window``.

    >>> import cinta as tf
    >>> pairs = tf.data.experimental.group_by_window(
    ...     lambda x: x % 2, lambda key, window: window.batch(2), window_size=2
    ... )
    >>> [t.numpy().tolist() for t in tf.data.Dataset.range(4).apply(pairs)]
    [[0, 2], [1, 3]]

    Args:
        key_func: A function of an element, which gives its key.
        reduce_func: A function of a key and a dataset, which gives a dataset.
        window_size: How many elements of one key to collect at most.
        window_size_func: A function of a key that says so.
    """
    return lambda dataset: dataset.group_by_window(
        key_func, reduce_func, window_size, window_size_func
    )


@public("data.experimental.bucket_by_sequence_length")
def bucket_by_sequence_length(
    element_length_func: Callable[..., IntLike],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: object = None,
    padding_values: object = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that calls ``Dataset.bucket_by_sequence_length``.

    >>> import cinta as tf
    >>> lists = tf.data.Dataset.range(1, 5).map(tf.range)
    >>> batches = tf.data.experimental.bucket_by_sequence_length(len, [3], [2, 2])
    >>> [t.shape.as_list() for t in lists.apply(batches)]
    [[2, 2], [2, 4]]

    Args:
        element_length_func: A function of an element, which gives its length.
        bucket_boundaries: The lengths from which on each next bucket begins.
        bucket_batch_sizes: The number of elements in a batch of each bucket.
        padded_shapes: The shapes to pad to; None to pad each axis to the longest.
        padding_values: The values to pad with; None for zeros.
        pad_to_bucket_boundary: Whether to pad to the end of the bucket.
        no_padding: Whether to leave elements as they are.
        drop_remainder: Whether to leave out last batches that are smaller.
    """
    return lambda dataset: dataset.bucket_by_sequence_length(
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
        drop_remainder,
    )
