"""Functions on datasets: those of ``tf.data.experimental``, where methods do not do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import dtypes
from ..ops.arguments import integer
from ..public import public
from .base import stage_of
from .dataset import Dataset
from .elements import batched, element_of
from .iterator import Iterator
from .subsets import AssertCardinality

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import DTypeLike, IntLike
    from ..engine.tensor import Tensor
    from ..io.files import FilePath
    from .iterator import Optional

sample_from_datasets = public("data.experimental.sample_from_datasets")(
    Dataset.sample_from_datasets
)
Counter = public("data.experimental.Counter")(Dataset.counter)
RandomDataset = public("data.experimental.RandomDataset")(Dataset.random)
load = public("data.experimental.load")(Dataset.load)


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


@public("data.experimental.save")
def save(
    dataset: Dataset,
    path: FilePath,
    compression: str | None = None,
    shard_func: Callable[..., Any] | None = None,
    checkpoint_args: None = None,
) -> None:
    """Write the elements of a dataset to a folder, as ``Dataset.save`` does.

    >>> import tempfile
    >>> import cinta as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.data.experimental.save(tf.data.Dataset.range(3), folder)
    >>> list(map(int, tf.data.experimental.load(folder)))
    [0, 1, 2]

    Args:
        dataset: The dataset.
        path: The folder.
        compression: "GZIP" or None.
        shard_func: A function of an element, which gives the number of its file.
        checkpoint_args: Refused, as by ``Dataset.save``.
    """
    stage_of(dataset, "dataset")
    dataset.save(path, compression, shard_func, checkpoint_args)


@public("data.experimental.parallel_interleave")
def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: IntLike,
    block_length: IntLike = 1,
    sloppy: bool | None = False,
    buffer_output_elements: IntLike | None = None,
    prefetch_input_elements: IntLike | None = None,
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that interleaves datasets, which as many threads read.

    >>> import cinta as tf
    >>> twice = tf.data.experimental.parallel_interleave(
    ...     lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2
    ... )
    >>> list(map(int, tf.data.Dataset.range(2).apply(twice)))
    [0, 1, 0, 1]

    Args:
        map_func: A function of an element, which gives a dataset.
        cycle_length: How many datasets take turns.
        block_length: How many elements of one come in a row.
        sloppy: Whether the order may depend on which elements are there first.
        buffer_output_elements: Accepted.
        prefetch_input_elements: Accepted.
    """
    return lambda dataset: dataset.interleave(
        map_func, cycle_length, block_length, cycle_length, deterministic=not sloppy
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
    return lambda dataset: dataset.prefetch(buffer_size)


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
