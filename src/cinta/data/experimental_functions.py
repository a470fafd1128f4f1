"""Functions on datasets: those of ``tf.data.experimental``, where methods do not do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..ops.arguments import integer
from ..public import public
from .base import AUTOTUNE, stage_of
from .dataset import Dataset
from .elements import batched, element_of
from .iterator import Iterator
from .subsets import AssertCardinality

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import DTypeLike, IntLike, NumericLike
    from ..engine.tensor import Tensor
    from .iterator import Optional

sample_from_datasets = public("data.experimental.sample_from_datasets")(
    Dataset.sample_from_datasets
)
Counter = public("data.experimental.Counter")(Dataset.counter)


@public("data.experimental.cardinality")
def cardinality(dataset: Dataset) -> Tensor:
    """The number of elements; -1 if there is no end, -2 if it is not known.

    >>> import cinta as tf
    >>> tf.data.experimental.cardinality(tf.data.Dataset.range(3)).numpy()
    np.int64(3)

    Args:
        dataset: The dataset.
    """
    stage_of(dataset, "dataset")
    return dataset.cardinality()


@public("data.experimental.choose_from_datasets")
def choose_from_datasets(
    datasets: Sequence[Dataset], choice_dataset: Dataset, stop_on_empty_dataset: bool = False
) -> Dataset:
    """The next element of the dataset whose number another dataset gives, and so on.

    Unlike the method of this name it goes on by default when one of the datasets has ended.

    >>> import cinta as tf
    >>> numbers = tf.data.Dataset.range(2)
    >>> choices = tf.data.Dataset.range(2).repeat(3)
    >>> chosen = tf.data.experimental.choose_from_datasets([numbers, numbers.repeat()], choices)
    >>> list(chosen.as_numpy_iterator())
    [np.int64(0), np.int64(0), np.int64(1), np.int64(1), np.int64(0)]

    Args:
        datasets: The datasets, whose elements have one spec.
        choice_dataset: The dataset of numbers in int64.
        stop_on_empty_dataset: Whether to end when a dataset that is chosen has ended.
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


@public("data.experimental.get_single_element")
def get_single_element(dataset: Dataset) -> Any:
    """The element of a dataset that has only one.

    >>> import cinta as tf
    >>> tf.data.experimental.get_single_element(tf.data.Dataset.range(4).batch(4)).numpy()
    array([0, 1, 2, 3])
    """
    stage_of(dataset, "dataset")
    return dataset.get_single_element()


@public("data.experimental.get_structure")
def get_structure(dataset_or_iterator: Dataset | Iterator) -> Any:
    """The spec of every element: a nest of specs.

    >>> import cinta as tf
    >>> tf.data.experimental.get_structure(tf.data.Dataset.range(3))
    TensorSpec(shape=(), dtype=tf.int64, name=None)

    Args:
        dataset_or_iterator: A dataset, or an iterator over one.

    Raises:
        TypeError: If it is neither.
    """
    if not hasattr(dataset_or_iterator, "element_spec"):
        raise TypeError(
            "`dataset_or_iterator` must be a `tf.data.Dataset` or an iterator over one, got "
            f"{dataset_or_iterator!r}."
        )
    return dataset_or_iterator.element_spec


@public("data.experimental.get_next_as_optional")
def get_next_as_optional(iterator: Iterator) -> Optional:
    """The next element of an iterator, or nothing at the end.

    >>> import cinta as tf
    >>> iterator = iter(tf.data.Dataset.range(3))
    >>> tf.data.experimental.get_next_as_optional(iterator).get_value().numpy()
    np.int64(0)

    Args:
        iterator: An iterator over a dataset.

    Raises:
        TypeError: If it is something else.
    """
    if not isinstance(iterator, Iterator):
        raise TypeError(f"`iterator` must be one over a `tf.data.Dataset`, got {iterator!r}.")
    return iterator.get_next_as_optional()


@public("data.experimental.from_list")
def from_list(elements: Sequence[object], name: str | None = None) -> Dataset:
    """A dataset of these elements, whose tensors must be of equal shapes.

    >>> import cinta as tf
    >>> list(tf.data.experimental.from_list([(1, "a"), (2, "b")]).as_numpy_iterator())
    [(np.int32(1), b'a'), (np.int32(2), b'b')]

    Args:
        elements: A list of nests of one structure.

    Raises:
        ValueError: If it is not a list, or is empty.
    """
    if not isinstance(elements, list) or not elements:
        raise ValueError(f"`elements` must be a list that is not empty, got {elements!r}.")
    return Dataset.from_tensor_slices(batched([element_of(each) for each in elements]))


@public("data.experimental.dense_to_ragged_batch")
def dense_to_ragged_batch(
    batch_size: IntLike,
    drop_remainder: bool = False,
    row_splits_dtype: DTypeLike = dtypes.int64,
) -> Callable[[Dataset], Dataset]:
    """Batches of elements of different shapes, as ``Dataset.ragged_batch`` makes them.

    >>> import cinta as tf
    >>> rows = tf.data.Dataset.range(1, 3).map(tf.range)
    >>> next(iter(rows.apply(tf.data.experimental.dense_to_ragged_batch(2))))
    <tf.RaggedTensor [[0], [0, 1]]>

    Args:
        batch_size: The number of elements in a batch.
        drop_remainder: Whether to leave out a last batch that is smaller.
        row_splits_dtype: The dtype of the numbers that divide rows.
    """
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


@public("data.experimental.assert_cardinality")
def assert_cardinality(expected_cardinality: IntLike) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that declares the number of elements; another number is an error.

    >>> import cinta as tf
    >>> dataset = tf.data.Dataset.range(4).filter(lambda x: x < 2)
    >>> len(dataset.apply(tf.data.experimental.assert_cardinality(2)))
    2

    Args:
        expected_cardinality: The number; a pass over another one raises
            ``FailedPreconditionError``.
    """
    count = integer(expected_cardinality, "expected_cardinality")
    return lambda dataset: Dataset(AssertCardinality(stage_of(dataset, "dataset"), count))


@public("data.experimental.shuffle_and_repeat")
def shuffle_and_repeat(
    buffer_size: IntLike, count: IntLike | None = None, seed: int | None = None
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that shuffles and then repeats.

    >>> import cinta as tf
    >>> dataset = tf.data.Dataset.range(3).apply(tf.data.experimental.shuffle_and_repeat(3, 2))
    >>> sorted(map(int, dataset))
    [0, 0, 1, 1, 2, 2]

    Args:
        buffer_size: The size of the buffer that elements are drawn from.
        count: How often they come; None for without end.
        seed: A number that decides the orders, together with ``tf.random.set_seed``.
    """
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


@public("data.experimental.map_and_batch")
def map_and_batch(
    map_func: Callable[..., object],
    batch_size: IntLike,
    num_parallel_batches: IntLike | None = None,
    drop_remainder: bool = False,
    num_parallel_calls: IntLike | None = None,
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that maps and then batches.

    >>> import cinta as tf
    >>> batched = tf.data.experimental.map_and_batch(lambda x: 2 * x, 2)
    >>> [t.numpy().tolist() for t in tf.data.Dataset.range(4).apply(batched)]
    [[0, 2], [4, 6]]

    Args:
        map_func: A function of the components of an element.
        batch_size: The number of elements in a batch.
        num_parallel_batches: Accepted.
        drop_remainder: Whether to leave out a last batch that is smaller.
        num_parallel_calls: The number of threads that call the function; None for none beside this
            one.
    """
    return lambda dataset: dataset.map(map_func, num_parallel_calls).batch(
        batch_size, drop_remainder
    )


@public("data.experimental.prefetch_to_device")
def prefetch_to_device(
    device: str, buffer_size: IntLike | None = None
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that prefetches; there is one device.

    >>> import cinta as tf
    >>> ahead = tf.data.experimental.prefetch_to_device("CPU:0")
    >>> list(map(int, tf.data.Dataset.range(3).apply(ahead)))
    [0, 1, 2]

    Args:
        device: Accepted.
        buffer_size: How many elements are made ahead; None leaves it open.
    """
    return lambda dataset: dataset.prefetch(AUTOTUNE if buffer_size is None else buffer_size)


@public("data.experimental.copy_to_device")
def copy_to_device(
    target_device: str, source_device: str = "/cpu:0"
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that changes nothing: there is one device.

    >>> import cinta as tf
    >>> there = tf.data.experimental.copy_to_device("CPU:0")
    >>> list(map(int, tf.data.Dataset.range(3).apply(there)))
    [0, 1, 2]

    Args:
        target_device: Accepted.
        source_device: Accepted.
    """
    return lambda dataset: dataset


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
