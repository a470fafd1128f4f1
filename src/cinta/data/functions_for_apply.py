"""Functions for ``Dataset.apply`` that call one method: those of ``tf.data.experimental``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import NumericLike
    from ..engine.tensor import Tensor
    from .dataset import Dataset


def _by_method(name: str, shown: str) -> Callable[..., Callable[[Dataset], Dataset]]:
    """A function for `apply` that calls a method; its docstring has the example ``shown``."""

    def function(*args: NumericLike, **kwargs: Tensor) -> Callable[[Dataset], Dataset]:
        return lambda dataset: getattr(dataset, name)(*args, **kwargs)

    function.__name__ = name
    function.__doc__ = f"""What `apply` needs to call `Dataset.{name}` with these arguments.

    >>> import cinta as tf{shown}"""
    return function


unbatch = public("data.experimental.unbatch")(
    _by_method(
        "unbatch",
        """
    >>> pairs = tf.data.Dataset.range(4).batch(2)
    >>> list(map(int, pairs.apply(tf.data.experimental.unbatch())))
    [0, 1, 2, 3]
    """,
    )
)
unique = public("data.experimental.unique")(
    _by_method(
        "unique",
        """
    >>> twice = tf.data.Dataset.range(2).repeat(2)
    >>> list(map(int, twice.apply(tf.data.experimental.unique())))
    [0, 1]
    """,
    )
)
dense_to_sparse_batch = public("data.experimental.dense_to_sparse_batch")(
    _by_method(
        "sparse_batch",
        """
    >>> rows = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
    >>> batches = rows.apply(tf.data.experimental.dense_to_sparse_batch(2, [3]))
    >>> [tf.sparse.to_dense(batch).numpy().tolist() for batch in batches]
    [[[1, 0, 0], [2, 2, 0]]]
    """,
    )
)
rejection_resample = public("data.experimental.rejection_resample")(
    _by_method(
        "rejection_resample",
        """
    >>> wanted, there = [0.0, 1.0], [0.5, 0.5]
    >>> odd = tf.data.experimental.rejection_resample(lambda x: x % 2, wanted, there)
    >>> [x.numpy().item() for _, x in tf.data.Dataset.range(6).apply(odd)]
    [1, 3, 5]
    """,
    )
)
scan = public("data.experimental.scan")(
    _by_method(
        "scan",
        """
    >>> zero = tf.constant(0, tf.int64)
    >>> sums = tf.data.experimental.scan(zero, lambda total, x: (total + x, total + x))
    >>> list(map(int, tf.data.Dataset.range(4).apply(sums)))
    [0, 1, 3, 6]
    """,
    )
)
take_while = public("data.experimental.take_while")(
    _by_method(
        "take_while",
        """
    >>> small = tf.data.experimental.take_while(lambda x: x < 2)
    >>> list(map(int, tf.data.Dataset.range(4).apply(small)))
    [0, 1]
    """,
    )
)
ignore_errors = public("data.experimental.ignore_errors")(
    _by_method(
        "ignore_errors",
        """
    >>> parts = tf.data.Dataset.range(3).map(lambda x: 6 // x)
    >>> list(map(int, parts.apply(tf.data.experimental.ignore_errors())))
    [6, 3]
    """,
    )
)
enumerate_dataset = public("data.experimental.enumerate_dataset")(
    _by_method(
        "enumerate",
        """
    >>> letters = tf.data.Dataset.from_tensor_slices(["a", "b"])
    >>> counted = letters.apply(tf.data.experimental.enumerate_dataset(5))
    >>> [(int(i), letter) for i, letter in counted.as_numpy_iterator()]
    [(5, b'a'), (6, b'b')]
    """,
    )
)
snapshot = public("data.experimental.snapshot")(
    _by_method(
        "snapshot",
        """
    >>> import tempfile
    >>> kept = tf.data.experimental.snapshot(tempfile.mkdtemp())
    >>> list(map(int, tf.data.Dataset.range(3).apply(kept)))
    [0, 1, 2]
    """,
    )
)
group_by_window = public("data.experimental.group_by_window")(
    _by_method(
        "group_by_window",
        """
    >>> pairs = tf.data.experimental.group_by_window(
    ...     lambda x: x % 2, lambda key, window: window.batch(2), window_size=2
    ... )
    >>> [t.numpy().tolist() for t in tf.data.Dataset.range(4).apply(pairs)]
    [[0, 2], [1, 3]]
    """,
    )
)
bucket_by_sequence_length = public("data.experimental.bucket_by_sequence_length")(
    _by_method(
        "bucket_by_sequence_length",
        """
    >>> lists = tf.data.Dataset.range(1, 5).map(tf.range)
    >>> batches = tf.data.experimental.bucket_by_sequence_length(len, [3], [2, 2])
    >>> [t.shape.as_list() for t in lists.apply(batches)]
    [[2, 2], [2, 4]]
    """,
    )
)
