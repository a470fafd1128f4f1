"""Methods of `Dataset` that move elements and do not look at them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ...errors import InvalidArgumentError
from ...files.system_errors import translated
from ...io.files import path_from
from ...knowing_content import Unknown, known_digest_of
from ...ops.arguments import checked_callable, flag, integer
from ..base import AUTOTUNE, Face, stage_of
from ..caching import Cache, FileCache
from ..shuffling import Shuffle
from ..source_stages import Range
from ..stage import UNKNOWN
from ..subsets import Concatenate, Repeat, Shard, Skip, Take, zipped
from ..threads import Prefetch

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import IntLike
    from ...io.files import FilePath
    from ..dataset import Dataset

_AHEAD = 4  # elements that are prefetched by default


class Moving(Face):
    """Fewer elements, more of them, in another order, kept, sooner."""

    def take(self, count: IntLike, name: str | None = None) -> Dataset:
        """The first elements; all of them for -1.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.range(5).take(2).as_numpy_iterator())
        [np.int64(0), np.int64(1)]

        Args:
            count: How many; -1 for all.
        """
        first = integer(count, "count")
        return self._moved(lambda stage: Take(stage, first))

    def skip(self, count: IntLike, name: str | None = None) -> Dataset:
        """All but the first elements; none of them for -1.

        >>> import cinta as tf
        >>> [int(x) for x in tf.data.Dataset.range(5).skip(3)]
        [3, 4]

        Args:
            count: How many to leave out; -1 for all.
        """
        first = integer(count, "count")
        return self._moved(lambda stage: Skip(stage, first))

    def shard(self, num_shards: IntLike, index: IntLike, name: str | None = None) -> Dataset:
        """Every ``num_shards``-th element, from the one at ``index`` on.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.range(5).shard(2, 1).as_numpy_iterator())
        [np.int64(1), np.int64(3)]

        Args:
            num_shards: The number of parts.
            index: Which part, from 0 on.

        Raises:
            InvalidArgumentError: If there is no such part.
        """
        shards, place = integer(num_shards, "num_shards"), integer(index, "index")
        if shards < 1:
            raise InvalidArgumentError(
                f"Number of shards must be greater than zero (currently num_shards = {shards})."
            )
        if not 0 <= place < shards:
            raise InvalidArgumentError(
                f"Index must be between 0 and {shards - 1} (currently index = {place})."
            )
        return self._moved(lambda stage: Shard(stage, shards, place))

    def repeat(self, count: IntLike | None = None, name: str | None = None) -> Dataset:
        """The elements repeated ``count`` times, or without end.

        A shuffle before it draws another order each time.

        >>> import cinta as tf
        >>> [int(x) for x in tf.data.Dataset.range(2).repeat(3)]
        [0, 1, 0, 1, 0, 1]

        Args:
            count: How often; None or -1 for without end.
        """
        times = -1 if count is None else integer(count, "count")
        return self._moved(lambda stage: Repeat(stage, times))

    def shuffle(
        self,
        buffer_size: IntLike,
        seed: int | None = None,
        reshuffle_each_iteration: bool | None = True,
        name: str | None = None,
    ) -> Dataset:
        """The elements in random order.

        Each is drawn from a buffer of ``buffer_size`` elements, in which the next one takes its
        place; only a buffer for all of them makes every order equally likely. Each pass has
        another order, unless ``reshuffle_each_iteration=False``. For the same seeds the order is
        TensorFlow's.

        >>> import cinta as tf
        >>> tf.random.set_seed(42)
        >>> dataset = tf.data.Dataset.range(6).shuffle(6, seed=1)
        >>> sorted(x.numpy().item() for x in dataset)
        [0, 1, 2, 3, 4, 5]

        Args:
            buffer_size: The size of the buffer.
            seed: A number that decides the orders, together with ``tf.random.set_seed``.
            reshuffle_each_iteration: Whether each pass has another order.

        Raises:
            InvalidArgumentError: If the buffer has no room.
        """
        size = integer(buffer_size, "buffer_size")
        if size < 1 and size != UNKNOWN:
            raise InvalidArgumentError(
                f"buffer_size must be greater than zero or UNKNOWN_CARDINALITY, got {size}."
            )
        anew = reshuffle_each_iteration is None or flag(
            reshuffle_each_iteration, "reshuffle_each_iteration"
        )
        limit = None if size == UNKNOWN else size
        return self._moved(lambda stage: Shuffle(stage, limit, seed, anew))

    def cache(self, filename: FilePath = "", name: str | None = None) -> Dataset:
        """The elements as the first whole pass gave them, kept in memory or in a file.

        The file is ``filename`` with ``.data`` behind it; it serves later programs too, until you
        remove it.

        >>> import cinta as tf
        >>> def numbers():
        ...     print("reading")
        ...     yield from [1, 2]
        >>> dataset = tf.data.Dataset.from_generator(numbers, tf.int32).cache()
        >>> [[x.numpy().item() for x in dataset] for _ in range(2)]
        reading
        [[1, 2], [1, 2]]
        """
        path = path_from(filename)
        if path:
            return self._of(FileCache(self._stage, path))
        return self._moved(Cache)

    def snapshot(
        self,
        path: FilePath,
        compression: str = "AUTO",
        reader_func: Callable[..., object] | None = None,
        shard_func: Callable[..., object] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements as the first whole pass gave them, kept in a file in this folder.

        Each dataset has a file of its own in the folder: one with other stages, values or code in
        its functions, or other values of what they name, makes its elements anew. Files that a
        dataset reads are known by their names. The file has the format of `cache`. Functions may
        say to which part an element belongs, and in which order later passes read the parts.

        >>> import tempfile
        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.range(3).map(lambda x: x + 10).snapshot(tempfile.mkdtemp())
        >>> [[x.numpy().item() for x in dataset] for _ in range(2)]
        [[10, 11, 12], [10, 11, 12]]

        Args:
            path: The folder.
            compression: Accepted: the file is that of `cache`.
            reader_func: A function of a dataset with a dataset for each part, which makes one
                dataset of them; None to take one element of each in turn.
            shard_func: A function of an element, which gives the number of its part; None for as
                many parts as there are processors.

        Raises:
            InvalidArgumentError: If the dataset holds an object that does not tell its content,
                such as an open file: nothing would show that it has changed.
        """
        for given, argument in (reader_func, "reader_func"), (shard_func, "shard_func"):
            if given is not None:
                checked_callable(given, argument)
        try:
            key = known_digest_of(self._stage).hex()
        except Unknown as error:
            raise InvalidArgumentError(
                f"A snapshot of this dataset could not tell when the dataset changes: {error}. Use "
                "Dataset.save, or Dataset.cache(filename)."
            ) from None
        folder = path_from(path, "path")
        with translated(folder, "SnapshotDataset"):
            os.makedirs(folder, exist_ok=True)
        cache = FileCache(self._stage, os.path.join(folder, key))
        if reader_func is None and shard_func is None:
            return self._of(cache)
        from ..snapshots import Snapshot  # which needs Dataset

        return self._of(Snapshot(cache, shard_func, reader_func))

    def prefetch(self, buffer_size: IntLike | None, name: str | None = None) -> Dataset:
        """The same elements; a thread computes up to ``buffer_size`` of them in advance.

        Put it last: then the next batch is made while the model works on this one.

        >>> import cinta as tf
        >>> [int(x) for x in tf.data.Dataset.range(3).prefetch(2)]
        [0, 1, 2]

        Args:
            buffer_size: How many; ``tf.data.AUTOTUNE`` or None for a few.

        Raises:
            InvalidArgumentError: If it is negative.
        """
        size = AUTOTUNE if buffer_size is None else integer(buffer_size, "buffer_size")
        if size < AUTOTUNE:
            raise InvalidArgumentError(
                f"buffer_size must be >= 0 or set buffer_size to be {AUTOTUNE} for auto-tuning, "
                f"got {size}."
            )
        return self._of(Prefetch(self._stage, _AHEAD if size == AUTOTUNE else size))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """The elements of this dataset, then those of another with elements of the same kind.

        >>> import cinta as tf
        >>> both = tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(7, 9))
        >>> [x.numpy().item() for x in both]
        [0, 1, 7, 8]
        """
        return self._of(Concatenate(self._stage, stage_of(dataset, "dataset")))

    def enumerate(self, start: IntLike = 0, name: str | None = None) -> Dataset:
        """Each element with its number.

        >>> import cinta as tf
        >>> letters = tf.data.Dataset.from_tensor_slices(["a", "b"])
        >>> list(letters.enumerate().as_numpy_iterator())
        [(np.int64(0), b'a'), (np.int64(1), b'b')]

        Args:
            start: The number of the first element.
        """
        return self._of(zipped((Range(integer(start, "start"), 1, None), self._stage)))
