"""Methods of `Dataset` that call functions of elements.

Functions run as they are, once for every element: prints, counters and Python's control flow do
what they say. No tape records what they do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.convert import as_tensor
from ...engine.recorders import cannot_be_replayed
from ...errors import InvalidArgumentError
from ...machine import cores
from ...ops.arguments import checked_callable, flag, integer, listed
from ..base import AUTOTUNE, Face, dataset_of
from ..class_resampling import Resample, distribution
from ..elements import call, element_of, tensors_of
from ..map_stages import Filter, IgnoreErrors, Map, Scan, TakeWhile, Unique, carried_on
from ..nesting import FlatMap, Interleave
from ..padded_batches import filled_shapes
from ..threads import ParallelMap
from ..windowing import GroupByWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import IntLike, NumericLike
    from ...engine.tensor import Tensor
    from ..dataset import Dataset


class Applying(Face):
    """Functions of elements."""

    def map(
        self,
        map_func: Callable[..., object],
        num_parallel_calls: IntLike | None = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """The result of a function for each element; a tuple is passed as several arguments.

        With ``num_parallel_calls``, this many threads call it. The order stays, unless
        ``deterministic=False``: then results come as soon as they are computed. An error is raised
        where the element would come, with a note that says which one it was.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.range(3).map(lambda x: x * x).as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(4)]

        Args:
            map_func: The function.
            num_parallel_calls: How many threads call it; None for none but this one.
            deterministic: Whether the order stays; None for yes.
            synchronous: Accepted; changes no result.
            use_unbounded_threadpool: Accepted; changes no result.
        """
        function = checked_callable(map_func, "map_func")
        calls = _calls(num_parallel_calls)
        if not calls:
            return self._of(Map(self._stage, function))
        ordered = deterministic is None or flag(deterministic, "deterministic")
        return self._of(ParallelMap(self._stage, function, calls, ordered))

    def filter(self, predicate: Callable[..., object], name: str | None = None) -> Dataset:
        """The elements for which a function returns True.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.range(5).filter(lambda x: x % 2 == 1).as_numpy_iterator())
        [np.int64(1), np.int64(3)]

        Args:
            predicate: A function that gives a boolean.
        """
        return self._of(Filter(self._stage, checked_callable(predicate, "predicate")))

    def take_while(self, predicate: Callable[..., object], name: str | None = None) -> Dataset:
        """The elements before the first one for which a function returns False.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.range(10).take_while(lambda x: x * x < 10)
        >>> [x.numpy().item() for x in dataset]
        [0, 1, 2, 3]

        Args:
            predicate: A function that gives a boolean.
        """
        return self._of(TakeWhile(self._stage, checked_callable(predicate, "predicate")))

    def flat_map(self, map_func: Callable[..., object], name: str | None = None) -> Dataset:
        """The elements of the datasets that a function makes of elements, one after the other.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]])
        >>> [x.numpy().item() for x in dataset.flat_map(tf.data.Dataset.from_tensor_slices)]
        [1, 2, 3, 4]

        Args:
            map_func: A function that gives a dataset.
        """
        return self._of(FlatMap(self._stage, checked_callable(map_func, "map_func")))

    def interleave(
        self,
        map_func: Callable[..., object],
        cycle_length: IntLike | None = None,
        block_length: IntLike | None = None,
        num_parallel_calls: IntLike | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """``block_length`` elements in turn from ``cycle_length`` datasets that a function makes.

        With ``num_parallel_calls`` a thread reads ahead in each of them; the order is the same.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.range(2)
        >>> pairs = dataset.interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(2), 2)
        >>> [x.numpy().item() for x in pairs]
        [0, 1, 0, 1]

        Args:
            map_func: A function that gives a dataset.
            cycle_length: How many datasets take turns; None for one for each thread or core.
            block_length: How many elements each gives in its turn.
            num_parallel_calls: How many threads read ahead; None for none.
            deterministic: Accepted; changes no result.

        Raises:
            InvalidArgumentError: If a length is not positive.
        """
        calls = _calls(num_parallel_calls)
        cycle = AUTOTUNE if cycle_length is None else integer(cycle_length, "cycle_length")
        if cycle == AUTOTUNE:
            cycle = min(calls or cores(), cores())
        block = 1 if block_length is None else integer(block_length, "block_length")
        for argument, number in (("cycle_length", cycle), ("block_length", block)):
            if number < 1:
                raise InvalidArgumentError(f"{argument} must be greater than zero, got {number}.")
        ahead = block + 1 if calls else 0
        function = checked_callable(map_func, "map_func")
        return self._of(Interleave(self._stage, function, cycle, block, ahead))

    def scan(
        self, initial_state: object, scan_func: Callable[..., object], name: str | None = None
    ) -> Dataset:
        """The results of a function of a state and each element, which also returns the next state.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.range(1, 5)
        >>> sums = dataset.scan(tf.constant(0, tf.int64), lambda total, x: (total + x, total + x))
        >>> [x.numpy().item() for x in sums]
        [1, 3, 6, 10]

        Args:
            initial_state: The first state.
            scan_func: A function of a state and an element, which gives the next state and a
                result.
        """
        function = checked_callable(scan_func, "scan_func")
        return self._of(Scan(self._stage, element_of(initial_state), function))

    def reduce(
        self, initial_state: object, reduce_func: Callable[..., object], name: str | None = None
    ) -> Any:
        """The last state; a function makes each state of the one before and an element.

        >>> import cinta as tf
        >>> tf.data.Dataset.range(5).reduce(tf.constant(0, tf.int64), lambda s, x: s + x).numpy()
        np.int64(10)

        Args:
            initial_state: The first state.
            reduce_func: A function of a state and an element, which gives the next state.
        """
        function = checked_callable(reduce_func, "reduce_func")
        cannot_be_replayed("it takes elements of a dataset")
        state, flow = element_of(initial_state), self._stage.flow()
        while len(run := flow.run(1)):
            state = carried_on(state, call(function, state, run[0]), "reduce_func")
        return tensors_of(state)

    def unique(self, name: str | None = None) -> Dataset:
        """The elements without those that are equal to an earlier one.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.from_tensor_slices([1, 2, 1]).unique().as_numpy_iterator())
        [np.int32(1), np.int32(2)]
        """
        return self._of(Unique(self._stage))

    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Dataset:
        """The elements that can be computed; those that raise an error are left out.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices([1.0, 0.0, 4.0])
        >>> inverses = dataset.map(lambda x: tf.debugging.check_numerics(1 / x, "1 / x"))
        >>> [x.numpy().item() for x in inverses.ignore_errors()]
        [1.0, 0.25]

        Args:
            log_warning: Whether to warn of each error.
        """
        return self._of(IgnoreErrors(self._stage, flag(log_warning, "log_warning")))

    def rejection_resample(
        self,
        class_func: Callable[..., object],
        target_dist: NumericLike,
        initial_dist: NumericLike | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Pairs of a class and an element; some are left out so that the classes have given shares.

        Args:
            class_func: Gives the class of an element, an integer from 0 on.
            target_dist: The share that each class is to have.
            initial_dist: The share that each class has; if it is not given, it is estimated.
            seed: The seed that decides which elements are left out.

        Raises:
            InvalidArgumentError: If the two do not have a share for each class.

        >>> import cinta as tf
        >>> numbers = tf.data.Dataset.range(6)
        >>> odd = numbers.rejection_resample(lambda x: x % 2, [0.0, 1.0], [0.5, 0.5])
        >>> [(label.numpy().item(), x.numpy().item()) for label, x in odd]
        [(1, 1), (1, 3), (1, 5)]
        """
        label = checked_callable(class_func, "class_func")
        target = distribution(target_dist, "target_dist")
        initial = None if initial_dist is None else distribution(initial_dist, "initial_dist")
        if initial is not None and len(initial) != len(target):
            raise InvalidArgumentError(
                f"`target_dist` has {len(target)} classes and `initial_dist` has {len(initial)}."
            )
        pairs = Map(self._stage, lambda *x: (label(*x), x[0] if len(x) == 1 else x))
        return self._of(Resample(pairs, target, initial, seed))

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """The result of a function of this dataset, which must be a dataset.

        >>> import cinta as tf
        >>> len(tf.data.Dataset.range(5).apply(lambda dataset: dataset.batch(2)))
        3

        Args:
            transformation_func: The function.

        Raises:
            TypeError: If its result is not a dataset.
        """
        return dataset_of(transformation_func(self), "transformation_func")

    def group_by_window(
        self,
        key_func: Callable[..., object],
        reduce_func: Callable[..., object],
        window_size: IntLike | None = None,
        window_size_func: Callable[..., object] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The results of ``reduce_func`` for each key and datasets of elements that have this key.

        >>> import cinta as tf
        >>> by_parity = tf.data.Dataset.range(6).group_by_window(
        ...     lambda x: x % 2, lambda key, window: window.batch(2), window_size=2
        ... )
        >>> list(by_parity.as_numpy_iterator())
        [array([0, 2]), array([1, 3]), array([4]), array([5])]

        Args:
            key_func: A function of an element, which gives its key.
            reduce_func: A function of a key and a dataset, which gives a dataset.
            window_size: How many elements of one key to collect at most.
            window_size_func: A function of a key that says so.

        Raises:
            ValueError: If neither or both sizes are given.
        """
        if (window_size is None) == (window_size_func is None):
            raise ValueError(
                "Either the `window_size` argument or the `window_size_func` argument must be "
                "specified, and not both."
            )
        given = window_size_func if window_size is None else lambda key: window_size
        size = checked_callable(given, "window_size_func")
        key = checked_callable(key_func, "key_func")
        reduce = checked_callable(reduce_func, "reduce_func")
        return self._of(GroupByWindow(self._stage, key, reduce, size))

    def bucket_by_sequence_length(
        self,
        element_length_func: Callable[..., object],
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        padded_shapes: object = None,
        padding_values: object = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Padded batches of elements of about the same length.

        The boundaries divide the lengths into buckets, each of which has its own batch size.
        ``pad_to_bucket_boundary`` pads up to the largest length of the bucket.

        >>> import cinta as tf
        >>> rows = tf.data.Dataset.from_tensor_slices([1, 5, 2]).map(tf.range)
        >>> batches = rows.bucket_by_sequence_length(tf.size, [4], [2, 1])
        >>> [batch.shape.as_list() for batch in batches]
        [[1, 5], [2, 2]]

        Args:
            element_length_func: A function of an element, which gives its length.
            bucket_boundaries: The upper ends, exclusive, of all buckets but the last.
            bucket_batch_sizes: A size for each bucket, one more than the boundaries.
            padded_shapes: As for `padded_batch`.
            padding_values: As for `padded_batch`.
            pad_to_bucket_boundary: Whether to pad up to the largest length of the bucket.
            no_padding: Whether elements of a bucket have equal shapes and are not padded.
            drop_remainder: Whether to leave out last batches that have fewer.

        Raises:
            ValueError: If there is not one size more than boundaries.
        """
        bucket_boundaries = listed(bucket_boundaries, "bucket_boundaries")
        bucket_batch_sizes = listed(bucket_batch_sizes, "bucket_batch_sizes")
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError(
                "There must be one bucket_batch_sizes more than bucket_boundaries, got "
                f"{len(bucket_batch_sizes)} and {len(bucket_boundaries)}."
            )
        ends, sizes = list(bucket_boundaries), list(bucket_batch_sizes)

        def bucket_of(*element: Tensor) -> Tensor:
            length = np.asarray(element_length_func(*element))
            return as_tensor(np.searchsorted(ends, length, side="right"), np.dtype(np.int64))

        def batch_of(bucket: Tensor, window: Dataset) -> Dataset:
            size, shapes = sizes[int(bucket)], padded_shapes
            if no_padding:
                return window.batch(size, drop_remainder)
            if pad_to_bucket_boundary:
                shapes = filled_shapes(window.element_spec, shapes, _last_length(ends, int(bucket)))
            return window.padded_batch(size, shapes, padding_values, drop_remainder)

        return self.group_by_window(
            bucket_of, batch_of, window_size_func=lambda bucket: sizes[int(bucket)]
        )


def _last_length(ends: list[int], bucket: int) -> int:
    if bucket == len(ends):
        raise InvalidArgumentError(
            "When pad_to_bucket_boundary=True, elements must have length < max(bucket_boundaries)."
        )
    return ends[bucket] - 1


def _calls(value: IntLike | None) -> int:
    """A number of threads; 0 for None."""
    if value is None:
        return 0
    calls = integer(value, "num_parallel_calls")
    if calls == AUTOTUNE:
        return cores()
    if calls < 1:
        raise InvalidArgumentError(f"num_parallel_calls must be greater than zero, got {calls}.")
    return calls
