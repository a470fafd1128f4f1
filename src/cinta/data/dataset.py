"""Dataset: a sequence of elements, described by where they come from and what is done to them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..content import digest_of
from ..engine.composites import closed_specs
from ..engine.tensor import wrap
from ..errors import InvalidArgumentError
from ..languages.phrases import said
from ..ops.arguments import checked_callable
from ..public import name_methods, public
from ..text_tables import Table
from .dataset_options import Options, WithOptions, options_of
from .elements import DatasetSpec, tensors_of
from .iterator import Iterator, NumpyIterator
from .methods.applying import Applying
from .methods.batching import Batching
from .methods.making import Making
from .methods.moving import Moving
from .stage import INFINITE, UNKNOWN, Stage, exactly, is_known

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor
    from ..io.files import FilePath
    from .stage import Specs


@public("data.Dataset")
class Dataset(Making, Moving, Batching, Applying):
    """A sequence of elements, which are tensors or nests of them in tuples and dicts.

    It is made by static methods such as ``from_tensor_slices``; each of the other methods gives a
    new dataset. Nothing is computed before iteration starts. No tape tracks the
    elements from an iterator: gradients stop there.

    >>> import cinta as tf
    >>> dataset = tf.data.Dataset.range(10).filter(lambda x: x % 2 == 0).batch(3)
    >>> for batch in dataset:
    ...     print(batch.numpy())
    [0 2 4]
    [6 8]

    Args:
        stage: Where the elements come from; programs use the static methods.

    Raises:
        TypeError: If ``stage`` is anything else.
    """

    def __init__(self, stage: Stage) -> None:
        if not isinstance(stage, Stage):
            raise TypeError(
                "Make a dataset by tf.data.Dataset.from_tensor_slices(...), .from_generator(...), "
                ".range(...) or another of its static methods."
            )
        self._stage = stage

    def __iter__(self) -> Iterator:
        return Iterator(self._stage)

    def __repr__(self) -> str:
        known = f", element_spec={self.element_spec}" if is_known(self._stage) else ""
        return f"<tf.data.Dataset: {type(self._stage).__name__}{known}>"

    def _repr_html_(self) -> str:
        stages = f"<p>{html.escape(self._summary())}</p>"
        if not is_known(self._stage):  # a function would be called to find the parts out
            return stages
        parts = [
            ("/".join(map(str, path)), type(spec).__name__, str(spec.shape), spec.dtype.name)
            for path, spec in nest.flatten_with_path(self.element_spec)
        ]
        table = Table(("part", "kind", "shape", "dtype"), parts)._repr_html_()
        return stages + table

    def _summary(self) -> str:
        """The stages, from the source on, and the number of elements."""
        names: list[str] = []
        stages: tuple[Stage, ...] = (self._stage,)
        while stages:
            names.append(" + ".join(type(stage).__name__ for stage in stages))
            stages = tuple(each for stage in stages for each in stage.inputs)
        count = self._stage.cardinality()
        size = {INFINITE: said("without end"), UNKNOWN: said("of unknown length")}
        way = " → ".join(reversed(names))
        return f"Dataset {size.get(count) or said('of {}').format(count)}: {way}"

    def __len__(self) -> int:
        """The number of elements; TypeError if it is infinite or not known."""
        count = self._stage.cardinality()
        if count < 0:
            raise TypeError(
                "The dataset is infinite."
                if count == INFINITE
                else "The dataset length is unknown: iterate to count, or say it by "
                ".apply(tf.data.experimental.assert_cardinality(n))."
            )
        return count

    def __bool__(self) -> bool:
        return True  # also where the length is 0 or unknown

    def cardinality(self, name: str | None = None) -> Tensor:
        """The number of elements; -1 if there is no end, -2 if it is not known.

        >>> import cinta as tf
        >>> tf.data.Dataset.range(5).batch(2).cardinality().numpy()
        np.int64(3)
        """
        return wrap(np.int64(self._stage.cardinality()))

    def fingerprint(self) -> Tensor:
        """A number that identifies the dataset by its stages, its values and its functions' code.

        >>> import cinta as tf
        >>> one, same, other = [tf.data.Dataset.range(n).batch(2) for n in (10, 10, 11)]
        >>> bool(one.fingerprint() == same.fingerprint())
        True
        >>> bool(one.fingerprint() == other.fingerprint())
        False
        """
        digest = digest_of(self._stage)
        return wrap(np.uint64(int.from_bytes(digest[:8], "little")))

    @property
    def element_spec(self) -> Any:
        """The spec of every element: a nest of ``TensorSpec``.

        After a function it is found by calling this on the first elements.

        >>> import cinta as tf
        >>> tf.data.Dataset.range(5).batch(2).element_spec
        TensorSpec(shape=(None,), dtype=tf.int64, name=None)
        """
        return closed_specs(self._stage.spec())

    @property
    def _type_spec(self) -> DatasetSpec:
        return DatasetSpec(self.element_spec)

    def as_numpy_iterator(self) -> NumpyIterator:
        """An iterator over the elements with NumPy arrays in place of tensors.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices({"x": [1, 2], "y": [0.5, 1.5]})
        >>> next(dataset.as_numpy_iterator())
        {'x': np.int32(1), 'y': np.float32(0.5)}

        Scalars come as NumPy's scalars, sparse tensors as dense arrays.

        Raises:
            TypeError: If there are datasets in the elements.
        """
        if is_known(self._stage) and any(
            [isinstance(spec, DatasetSpec) for spec in nest.flatten(self.element_spec)]
        ):
            raise TypeError(
                "`tf.data.Dataset.as_numpy_iterator()` is not supported for datasets that produce "
                f"datasets, as this one does: {self.element_spec}. Go through it with `for`."
            )
        return NumpyIterator(iter(self))

    def get_single_element(self, name: str | None = None) -> Any:
        """The element of a dataset that has only one.

        >>> import cinta as tf
        >>> tf.data.Dataset.range(5).batch(5).get_single_element().numpy()
        array([0, 1, 2, 3, 4])

        Raises:
            InvalidArgumentError: If there is no element, or more than one.
        """
        found = exactly(self._stage.flow(), 2)
        if len(found) != 1:
            raise InvalidArgumentError(
                f"Dataset {'had more than one element' if len(found) else 'was empty'}. "
                "[Op:DatasetToSingleElement]"
            )
        return tensors_of(found[0])

    def save(
        self,
        path: FilePath,
        compression: str | None = None,
        shard_func: Callable[..., Any] | None = None,
        checkpoint_args: None = None,
    ) -> None:
        """Write all elements to a folder, from which `load` reads them.

        ``compression`` is "GZIP", "ZLIB" or None; ``shard_func`` gives the number of the file of
        an element.

        >>> import cinta as tf, tempfile
        >>> path = tempfile.mkdtemp()
        >>> tf.data.Dataset.range(3).save(path)
        >>> list(map(int, tf.data.Dataset.load(path)))
        [0, 1, 2]

        Args:
            path: The folder.
            compression: "GZIP", "ZLIB" or None.
            shard_func: A function of an element, which gives the number of its file.
            checkpoint_args: Refused.

        Raises:
            InvalidArgumentError: If ``checkpoint_args`` are given.
        """
        from .saving import save

        shard = None if shard_func is None else checked_callable(shard_func, "shard_func")
        if checkpoint_args is not None:
            raise InvalidArgumentError(
                f"Dataset.save takes no `checkpoint_args`, got {checkpoint_args!r}: leave them out."
            )
        save(self._stage, path, compression, shard)

    @staticmethod
    def load(
        path: FilePath,
        element_spec: Specs | None = None,
        compression: str | None = None,
        reader_func: Callable[..., object] | None = None,
        wait: bool = False,
    ) -> Dataset:
        """The elements that `save` has written to a folder.

        ``reader_func`` makes one dataset of a dataset with a dataset for each file.

        >>> import cinta as tf, tempfile
        >>> path = tempfile.mkdtemp()
        >>> tf.data.Dataset.from_tensor_slices({"a": [1, 2]}).save(path, "GZIP")
        >>> list(tf.data.Dataset.load(path).as_numpy_iterator())
        [{'a': np.int32(1)}, {'a': np.int32(2)}]

        Args:
            path: The folder.
            element_spec: The spec that elements must have; None for any.
            compression: As `save` was given it.
            reader_func: A function of a dataset of datasets.
            wait: Accepted: a folder is read as it is.
        """
        from .saving import load

        return Dataset(load(path, element_spec, compression, reader_func))

    def options(self) -> Options:
        """The options that were set, on this dataset and on those that it is made of.

        >>> import cinta as tf
        >>> options = tf.data.Options()
        >>> options.deterministic = False
        >>> dataset = tf.data.Dataset.range(3).with_options(options).batch(2)
        >>> dataset.options().deterministic
        False
        """
        options = Options()
        for each in options_of(self._stage):
            options = options.merge(each)
        return options

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """The same dataset with options, which are kept and change nothing.

        Args:
            options: A ``tf.data.Options``; anything else raises a TypeError.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.range(3).with_options(tf.data.Options())
        >>> list(dataset.as_numpy_iterator())
        [np.int64(0), np.int64(1), np.int64(2)]
        """
        if not isinstance(options, Options):
            raise TypeError(f"`options` must be of type `tf.data.Options`, got {options!r}.")
        return self._of(WithOptions(self._stage, options))


name_methods("Dataset", Making, Moving, Batching, Applying)
