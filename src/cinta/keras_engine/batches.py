"""The batches of ``fit``, ``evaluate`` and ``predict``, in TensorFlow's order for the same seeds.

There, a dataset cuts arrays into batches, and its function shuffles the numbers of the rows. An op
without a seed of its own takes its place in the function for one, and starts anew with every pass:
if the program has a seed, all epochs see the same order.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

import cinta

from ..engine.composites import Assembled
from ..ops.random.distributions import shuffle
from ..ops.random.state import stream_of_a_pass
from .distribution import on_mesh

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..engine.annotations import TensorLike


def epoch_iterator(trainer: Any) -> type:
    """The source of batches for Keras's trainer."""
    from keras.src.trainers.data_adapters import array_data_adapter, tf_dataset_adapter

    class Batches(trainer.EpochIterator):  # type: ignore[misc]
        def __init__(
            self, distribute_strategy: object = None, **options: TensorLike | None
        ) -> None:
            super().__init__(**options)

        def _get_iterator(self) -> Iterable[Any]:
            adapter = self.data_adapter
            if isinstance(adapter, tf_dataset_adapter.TFDatasetAdapter):
                return on_mesh(adapter.get_tf_dataset())
            if isinstance(adapter, array_data_adapter.ArrayDataAdapter):
                return on_mesh(map(_tensors, _slices(adapter)))
            return on_mesh(map(_tensors, super()._get_iterator()))

        def __next__(self) -> tuple[Any, ...]:
            """The batches of one execution, of which the last one of a pass may have fewer."""
            begin, end, source = next(self._epoch_iterator)
            batches = [*islice(source, self.steps_per_execution)]
            if batches:
                return begin, end, iter(batches)
            with self.catch_stop_iteration():  # which warns that there are too few
                raise StopIteration
            raise StopIteration

    return Batches


def _tensors(batch: object) -> Any:
    from keras.src import tree
    from keras.src.trainers.data_adapters import data_adapter_utils as utils

    def tensor(x: Any) -> Any:
        if utils.is_jax_sparse(x):
            return utils.jax_sparse_to_tf_sparse(x)
        if utils.is_scipy_sparse(x):
            return utils.scipy_sparse_to_tf_sparse(x)
        return x if isinstance(x, (Assembled, cinta.SparseTensor)) else cinta.convert_to_tensor(x)

    return tree.map_structure(tensor, batch, none_is_leaf=False)


def _slices(adapter: Any) -> Iterator[Any]:
    """The batches of arrays."""
    from keras.src import tree
    from keras.src.trainers.data_adapters import array_slicing

    inputs = array_slicing.convert_to_sliceable(adapter._inputs, target_backend="tensorflow")
    for rows in _rows(adapter._num_samples, adapter._batch_size, adapter._shuffle):

        def taken(array: Any, rows: Any = rows) -> Any:
            if isinstance(array, array_slicing.TensorflowSparseWrapper):
                return array_slicing.slice_tensorflow_sparse_wrapper(array, rows)
            if array is None or isinstance(array, (list, tuple, dict)):
                return None  # an input left out stays None; of a structure the members are taken
            if isinstance(array, np.ndarray) or isinstance(rows, slice):
                return array[rows]
            return cinta.gather(array, rows)

        yield tree.traverse(taken, inputs)


def _rows(count: int, batch_size: int, shuffled: bool | str) -> Iterator[Any]:
    """The rows of each batch; ``shuffled`` may be "batch", for an order within the batches only."""
    stream = stream_of_a_pass()
    order = None
    if shuffled and shuffled != "batch":
        order = shuffle(stream, np.arange(count)).numpy()
    for start in range(0, count, batch_size):
        stop = min(start + batch_size, count)
        if order is not None:
            yield order[start:stop]
        elif shuffled:
            yield shuffle(stream, np.arange(start, stop)).numpy()
        else:
            yield slice(start, stop)
