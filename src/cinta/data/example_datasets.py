"""Datasets of serialized examples, parsed into their features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..io.parsing_examples import parse_example
from ..ops.arguments import checked_callable, flag, integer, listed, text
from ..public import public
from .dataset import Dataset
from .file_datasets import TFRecordDataset, files_matching

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import IntLike, TensorLike
    from ..io.features import Feature


@public("data.experimental.parse_example_dataset")
def parse_example_dataset(
    features: Mapping[str, Feature],
    num_parallel_calls: IntLike = 1,
    deterministic: bool | None = None,
) -> Callable[[Dataset], Dataset]:
    """A function for `apply` that parses batches of serialized ``Example`` messages.

    >>> import cinta as tf
    >>> ages = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"age": ages}))
    >>> batches = tf.data.Dataset.from_tensors([example.SerializeToString()])
    >>> known = {"age": tf.io.FixedLenFeature([], tf.int64)}
    >>> parsed = batches.apply(tf.data.experimental.parse_example_dataset(known))
    >>> [row["age"].numpy().tolist() for row in parsed]
    [[7]]

    Args:
        features: What to find in the messages, by names, as ``tf.io.parse_example`` takes it.
        num_parallel_calls: How many batches are parsed at a time.
        deterministic: Whether the batches keep their order; None leaves it to the options.

    Raises:
        ValueError: If there are no features.
    """
    known = _checked(features)
    calls = integer(num_parallel_calls, "num_parallel_calls")

    def parsed(serialized: TensorLike) -> dict[str, Any]:
        return parse_example(serialized, known)

    return lambda dataset: dataset.map(parsed, calls, deterministic)


def _checked(features: Mapping[str, Feature]) -> Mapping[str, Feature]:
    if not isinstance(features, Mapping):
        raise TypeError(f"`features` must be a dictionary by names of features, got {features!r}.")
    if not features:
        raise ValueError("Argument `features` cannot be empty: it says what to parse.")
    return features


@public("data.experimental.make_batched_features_dataset")
def make_batched_features_dataset(
    file_pattern: TensorLike,
    batch_size: IntLike,
    features: Mapping[str, Feature],
    reader: Callable[..., Dataset] | None = None,
    label_key: str | None = None,
    reader_args: Sequence[Any] | None = None,
    num_epochs: IntLike | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: IntLike = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: IntLike | None = None,
    reader_num_threads: IntLike | None = None,
    parser_num_threads: IntLike | None = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Dataset:
    """Batches of the features of serialized ``Example`` messages in files.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/ages"
    >>> with tf.io.TFRecordWriter(path) as writer:
    ...     for age in (7, 9):
    ...         held = tf.train.Feature(int64_list=tf.train.Int64List(value=[age]))
    ...         example = tf.train.Example(features=tf.train.Features(feature={"age": held}))
    ...         writer.write(example.SerializeToString())
    >>> known = {"age": tf.io.FixedLenFeature([], tf.int64)}
    >>> dataset = tf.data.experimental.make_batched_features_dataset(
    ...     path, 2, known, num_epochs=1, shuffle=False
    ... )
    >>> [row["age"].numpy().tolist() for row in dataset]
    [[7, 9]]

    Args:
        file_pattern: The name of a file, a pattern with ``*``, or a list of them.
        batch_size: The number of messages in a batch.
        features: What to find in the messages, by names, as ``tf.io.parse_example`` takes it.
        reader: A function of a file's name, which gives a dataset of messages; None for
            ``tf.data.TFRecordDataset``. From pairs it gives, as from a table, the second is taken.
        label_key: The name of the feature that is given apart; None for none.
        reader_args: More arguments for ``reader``.
        num_epochs: How often the messages come; None for without end.
        shuffle: Whether files and messages come in random order.
        shuffle_buffer_size: The size of the buffer that messages are drawn from.
        shuffle_seed: A number that decides the order, together with ``tf.random.set_seed``.
        prefetch_buffer_size: How many batches are made ahead; None for one.
        reader_num_threads: How many files are read in turns; None for one.
        parser_num_threads: How many batches are parsed at a time; None for two.
        sloppy_ordering: Whether the order may depend on which messages are there first.
        drop_final_batch: Whether to leave out a last batch that is smaller.

    Raises:
        ValueError: If no file matches, or if no feature is named ``label_key``.
    """
    names = files_matching(file_pattern)
    known = _checked(features)
    if label_key is not None and text(label_key, "label_key") not in known:
        raise ValueError(
            f"The `label_key` provided ({label_key!r}) must be one of the `features` keys: "
            f"{sorted(known)}."
        )
    read = TFRecordDataset if reader is None else checked_callable(reader, "reader")
    more = () if reader_args is None else tuple(listed(reader_args, "reader_args"))
    mixed, order = flag(shuffle, "shuffle"), None if not sloppy_ordering else False
    files = Dataset.from_tensor_slices(np.array(names, object))
    if mixed:
        files = files.shuffle(len(names), shuffle_seed)
    turns = integer(1 if reader_num_threads is None else reader_num_threads, "reader_num_threads")
    messages = files.interleave(
        lambda name: read(name, *more), turns, num_parallel_calls=turns, deterministic=order
    )
    if isinstance(messages.element_spec, tuple):
        messages = messages.map(lambda _, message: message)
    if mixed:
        messages = messages.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        messages = messages.repeat(num_epochs)
    batches = messages.batch(batch_size, flag(drop_final_batch, "drop_final_batch"))
    calls = 2 if parser_num_threads is None else parser_num_threads
    parsed: Dataset = batches.apply(parse_example_dataset(known, calls))
    if label_key is not None:
        parsed = parsed.map(lambda row: (row, row.pop(label_key)))
    return parsed.prefetch(1 if prefetch_buffer_size is None else prefetch_buffer_size)
