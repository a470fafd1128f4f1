"""Where datasets come from: the static methods of `Dataset`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ... import dtypes, nest
from ...engine.convert import as_tensor
from ...engine.shapes import TensorShape
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...io.files import matching_files
from ...ops.arguments import flag, integer, listed
from ...programs.composite_specs import NoneTensorSpec, StructuredSpec
from ...programs.specs import TensorSpec
from ..base import Face, stage_of
from ..combining import Choose, sampled
from ..elements import OF_TENSORS, element_of
from ..shuffling import Shuffle
from ..source_stages import Generated, Random, Range, Single, slices_of
from ..stage import is_known
from ..subsets import zipped

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike, IntLike, NumericLike, TensorLike
    from ..dataset import Dataset
    from ..stage import Specs, Stage


class Making(Face):
    """The ways to make a dataset."""

    @classmethod
    def from_tensors(cls, tensors: object, name: str | None = None) -> Dataset:
        """A dataset of one element.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.from_tensors([1, 2]).as_numpy_iterator())
        [array([1, 2], dtype=int32)]

        Args:
            tensors: The element: a tensor, or a nest of them.
        """
        return cls._of(Single(element_of(tensors)))

    @classmethod
    def from_tensor_slices(cls, tensors: object, name: str | None = None) -> Dataset:
        """The rows of a tensor, or of all tensors of a tuple or dict side by side.

        Lists are tensors, but a list of datasets is taken apart into them. Stages that do not look
        at rows - ``shuffle``, ``repeat``, ``take``, ``batch`` and so on - work on row numbers, so
        they cost little.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.from_tensor_slices({"x": [1, 2], "y": ["a", "b"]})
        >>> next(dataset.as_numpy_iterator())
        {'x': np.int32(1), 'y': b'a'}
        """
        return cls._of(slices_of(tensors))

    @classmethod
    def from_generator(
        cls,
        generator: Callable[..., object],
        output_types: object = None,
        output_shapes: object = None,
        args: Sequence[object] | None = None,
        output_signature: Specs | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The values that a function yields, called for each pass with ``args`` as NumPy values.

        ``output_signature`` is a nest of ``TensorSpec``; or give ``output_types`` and, if you
        know them, ``output_shapes``.

        >>> import cinta as tf
        >>> def squares():
        ...     for i in range(3):
        ...         yield i * i
        >>> spec = tf.TensorSpec([], tf.int32)
        >>> dataset = tf.data.Dataset.from_generator(squares, output_signature=spec)
        >>> [x.numpy().item() for x in dataset]
        [0, 1, 4]

        Args:
            generator: A function without arguments, or of ``args``, that gives an iterable.
            output_types: The dtypes of an element.
            output_shapes: Its shapes; None for any.
            args: What to call the generator with.
            output_signature: The specs of an element.

        Raises:
            TypeError: If ``generator`` cannot be called, or neither types nor a signature are
                given.
        """
        if not callable(generator):
            raise TypeError("`generator` must be a Python callable.")
        given = [] if args is None else listed(args, "args")
        values = tuple([seen(as_tensor(arg)) for arg in given])
        if output_signature is None:
            output_signature = _signature(output_types, output_shapes)
        elif output_types is not None or output_shapes is not None:
            raise TypeError(
                "The `output_types` and `output_shapes` arguments can not be used together with "
                "the `output_signature` argument."
            )
        for spec in nest.flatten(output_signature):
            if not isinstance(spec, (*OF_TENSORS, StructuredSpec, NoneTensorSpec)):
                raise TypeError(
                    "`output_signature` must contain objects that are subclass of `tf.TypeSpec` "
                    f"but found {type(spec)} which is not: {spec!r}."
                )
        return cls._of(Generated(generator, values, output_signature))

    @classmethod
    def range(
        cls, *args: IntLike, output_type: DTypeLike = dtypes.int64, name: str | None = None
    ) -> Dataset:
        """Numbers from 0, or from a start, up to a stop, by a step.

        >>> import cinta as tf
        >>> list(tf.data.Dataset.range(1, 6, 2).as_numpy_iterator())
        [np.int64(1), np.int64(3), np.int64(5)]

        Args:
            args: The stop; or start and stop; or start, stop and step.
            output_type: The dtype of the numbers.

        Raises:
            ValueError: If there are no arguments, or more than three.
        """
        if not 1 <= len(args) <= 3:
            raise ValueError(
                "Invalid `args`. The length of `args` should be between 1 and 3 but was "
                f"{len(args)}."
            )
        bounds = [integer(arg, "args") for arg in args]
        if len(bounds) == 3 and not bounds[2]:
            raise InvalidArgumentError("step must be a non-zero integer. [Op:RangeDataset]")
        numbers = range(*bounds)
        wanted = dtypes.as_dtype(output_type).dtype
        return cls._of(Range(numbers.start, numbers.step, len(numbers), wanted))

    @classmethod
    def counter(
        cls,
        start: IntLike = 0,
        step: IntLike = 1,
        dtype: DTypeLike = dtypes.int64,
        name: str | None = None,
    ) -> Dataset:
        """Numbers from a start, by a step, without end.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.counter(start=5, step=10)
        >>> list(dataset.take(3).as_numpy_iterator())
        [np.int64(5), np.int64(15), np.int64(25)]

        Args:
            start: The first number.
            step: The distance from one number to the next.
            dtype: The type of the numbers.
        """
        first, distance = integer(start, "start"), integer(step, "step")
        return cls._of(Range(first, distance, None, dtypes.as_dtype(dtype).dtype))

    @classmethod
    def random(
        cls,
        seed: int | None = None,
        rerandomize_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Random numbers from 0 up to 2³² - 1, without end, in int64.

        Each pass has the same numbers, unless ``rerandomize_each_iteration`` is true.

        >>> import cinta as tf
        >>> dataset = tf.data.Dataset.random(seed=4).take(3)
        >>> list(dataset.as_numpy_iterator()) == list(dataset.as_numpy_iterator())
        True
        """
        anew = flag(rerandomize_each_iteration, "rerandomize_each_iteration")
        return cls._of(Random(seed, anew))

    @classmethod
    def zip(cls, *args: object, datasets: object = None, name: str | None = None) -> Dataset:
        """Datasets side by side, in a tuple or in the nest of tuples and dicts that is given.

        >>> import cinta as tf
        >>> a, b = tf.data.Dataset.range(2), tf.data.Dataset.range(5, 9)
        >>> list(tf.data.Dataset.zip(a, b).as_numpy_iterator())
        [(np.int64(0), np.int64(5)), (np.int64(1), np.int64(6))]

        Args:
            args: Datasets, or a nest of them.
            datasets: The same by its name.

        Raises:
            TypeError: If there are no datasets, or something else is among them.
        """
        if not args and datasets is None:
            raise TypeError("Must pass at least one dataset to `zip`.")
        if args and datasets is not None:
            raise TypeError("Both `*args` and `datasets` cannot be set: `zip` takes one of them.")
        if datasets is None:
            datasets = args[0] if len(args) == 1 else args
        return cls._of(zipped(_stages(datasets)))

    @classmethod
    def list_files(
        cls,
        file_pattern: TensorLike,
        shuffle: bool | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The paths that match one of the patterns, in random order unless ``shuffle=False``.

        Args:
            file_pattern: A pattern, such as ``"logs/*.txt"``, or several.
            shuffle: Whether the order is random, and another one in each pass.
            seed: The seed of that order.

        Raises InvalidArgumentError if no file matches.

        >>> import pathlib, tempfile
        >>> import cinta as tf
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> for name in ("b.txt", "a.txt", "c.csv"):
        ...     _ = (folder / name).write_text("")
        >>> dataset = tf.data.Dataset.list_files(str(folder / "*.txt"), shuffle=False)
        >>> [pathlib.Path(path.decode()).name for path in dataset.as_numpy_iterator()]
        ['a.txt', 'b.txt']
        """
        paths = matching_files(file_pattern)._array
        if not len(paths):
            raise InvalidArgumentError(f"No files matched pattern: {file_pattern!r}")
        dataset = cls._of(slices_of(paths))
        if shuffle is None or flag(shuffle, "shuffle"):
            return dataset._moved(lambda order: Shuffle(order, len(paths), seed, True))
        return dataset

    @classmethod
    def choose_from_datasets(
        cls,
        datasets: Sequence[Dataset],
        choice_dataset: Dataset,
        stop_on_empty_dataset: bool = True,
    ) -> Dataset:
        """Elements of several datasets, in the order of the indices that ``choice_dataset`` gives.

        It ends when the choices end, or when the chosen dataset has no elements left; with
        ``stop_on_empty_dataset=False`` such choices are skipped.

        >>> import cinta as tf
        >>> tens, ones = tf.data.Dataset.range(10, 13), tf.data.Dataset.range(3)
        >>> choices = tf.data.Dataset.from_tensor_slices(tf.constant([0, 1, 1, 0], tf.int64))
        >>> dataset = tf.data.Dataset.choose_from_datasets([tens, ones], choices)
        >>> [x.numpy().item() for x in dataset]
        [10, 0, 1, 11]

        Args:
            datasets: The datasets.
            choice_dataset: A dataset of indices.
            stop_on_empty_dataset: Whether to end where a dataset has no more elements.

        Raises:
            TypeError: If it is known that the choices are not whole numbers.
        """
        sources = _listed(datasets)
        choices = stage_of(choice_dataset, "choice_dataset")
        if is_known(choices):
            _check_choices(choices.spec())
        stop = flag(stop_on_empty_dataset, "stop_on_empty_dataset")
        return cls._of(Choose(choices, sources, stop))

    @classmethod
    def sample_from_datasets(
        cls,
        datasets: Sequence[Dataset],
        weights: NumericLike | Dataset | None = None,
        seed: int | None = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Dataset:
        """Elements of several datasets, each from one that is drawn, by weights if they are given.

        Args:
            datasets: The datasets, whose elements are of the same structure.
            weights: How likely each of them is, or a dataset of such weights, one for each draw;
                another number of weights raises a ValueError.
            seed: The seed of the draws.
            stop_on_empty_dataset: Whether to end where a dataset has no more elements to give.
            rerandomize_each_iteration: Whether to draw anew in each pass.

        >>> import cinta as tf
        >>> zeros, ones = (tf.data.Dataset.from_tensors(i).repeat(50) for i in (0, 1))
        >>> dataset = tf.data.Dataset.sample_from_datasets([zeros, ones], [0.9, 0.1], seed=1)
        >>> drawn = list(dataset.as_numpy_iterator())
        >>> len(drawn), sum(drawn[:50]).item() < 25
        (100, True)
        """
        sources = _listed(datasets)
        anew = flag(rerandomize_each_iteration, "rerandomize_each_iteration")
        stop = flag(stop_on_empty_dataset, "stop_on_empty_dataset")
        given = weights._stage if isinstance(weights, Face) else weights
        return cls._of(sampled(sources, given, seed, anew, stop))


def _signature(output_types: object, output_shapes: object) -> Specs:
    """The specs of what a generator yields, from dtypes and shapes."""
    if output_types is None:
        raise TypeError(
            "To specify the output signature you need to provide either the `output_signature` "
            "argument or the `output_types` argument."
        )
    if output_shapes is None:
        specs: Specs = nest.map_structure(lambda dtype: TensorSpec(None, dtype), output_types)
        return specs
    return _specs(output_types, output_shapes)


def _specs(types: Any, shapes: Any) -> Specs:
    if isinstance(types, tuple):
        return tuple([_specs(t, s) for t, s in zip(types, shapes, strict=True)])
    if isinstance(types, Mapping):
        return {key: _specs(each, shapes[key]) for key, each in types.items()}
    return TensorSpec(TensorShape(shapes), types)


def _stages(datasets: object) -> object:
    """The nest of stages of a nest of datasets."""
    if isinstance(datasets, list):
        raise TypeError(
            "Invalid input to `zip`. Inputs are expected to be (nested) structures of "
            "`tf.data.Dataset` objects. Python `list` is not supported and you should use `tuple` "
            "instead."
        )
    if isinstance(datasets, Face):
        return datasets._stage
    if not nest.is_nested(datasets):
        raise TypeError(
            "Invalid input to `zip`. Inputs are expected to be (nested) structures of "
            f"`tf.data.Dataset` objects but encountered object of type {type(datasets)}."
        )
    return nest.map_structure(_stages, datasets)


def _listed(datasets: object) -> list[Stage]:
    stages = [stage_of(dataset, "datasets") for dataset in listed(datasets, "datasets")]
    if not stages:
        raise ValueError("Invalid `datasets`. `datasets` should not be empty.")
    return stages


def _check_choices(spec: Specs) -> None:
    """Refuse choices that cannot be the index of a dataset."""
    if isinstance(spec, TensorSpec) and spec.dtype.is_integer and spec.shape.is_compatible_with([]):
        return
    raise TypeError(
        "`choice_dataset` must have scalar elements of tf.int64, the index of a dataset each, got "
        f"{spec}."
    )
