"""Datasets of strings written as records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..engine.tensor import seen
from ..io import records
from ..ops.arguments import instance
from ..programs.specs import TensorSpec
from ..public import public
from .dataset import Dataset

if TYPE_CHECKING:
    from ..io.files import FilePath


@public("data.experimental.TFRecordWriter")
class TFRecordWriter:
    """Writes the strings of a dataset to a file, in TensorFlow's format of records.

    >>> import cinta as tf, tempfile
    >>> path = tempfile.mkdtemp() + "/words.tfrecord"
    >>> writer = tf.data.experimental.TFRecordWriter(path)
    >>> writer.write(tf.data.Dataset.from_tensor_slices(["one", "two"]))
    >>> list(tf.data.TFRecordDataset(path).as_numpy_iterator())
    [b'one', b'two']

    Args:
        filename: The name of the file, which each dataset that is written makes anew.
        compression_type: "", "GZIP" or "ZLIB"; None for "".
    """

    def __init__(self, filename: FilePath, compression_type: str | None = None) -> None:
        self._filename, self._kind = filename, compression_type

    def write(self, dataset: Dataset) -> None:
        """Write the elements of a dataset of strings.

        Args:
            dataset: The dataset.

        Raises:
            TypeError: If it is not a dataset, or if its elements are anything else.
        """
        spec = instance(dataset, Dataset, "dataset").element_spec
        scalar = isinstance(spec, TensorSpec) and spec.shape.rank == 0
        if not scalar or spec.dtype.dtype != np.dtype(object):
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors, whereas it produces elements "
                f"of {spec}."
            )
        with records.TFRecordWriter(self._filename, self._kind) as writer:
            for each in dataset:
                writer.write(seen(each).item())
