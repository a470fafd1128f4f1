"""Elements: what people give and get, tensors in structures, and what flows: arrays in structures.

Tuples, named tuples, dicts and attrs classes are structures here. Lists are not: they are tensors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

import numpy as np

from .. import nest
from ..engine import recorders
from ..engine.composites import Assembled, OpenedComposite, OpenObject, closed_specs
from ..engine.convert import as_tensor
from ..engine.shapes import TensorShape, written
from ..engine.sparse_tensor import SparseTensor, from_parts
from ..engine.tensor import seen, wrap
from ..errors import InvalidArgumentError, UnimplementedError
from ..ops.control.tensor_array import TensorArray
from ..programs.composite_specs import NoneTensorSpec, RowsSpec, SparseTensorSpec
from ..programs.specs import TensorSpec, TypeSpec
from ..public import public
from .base import Face
from .composite_elements import (
    ComposedArray,
    SparseArray,
    arrays_of,
    of_arrays,
    reshaped,
    spec_of_leaf,
)
from .listed import Listed
from .stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from ..engine.annotations import IntLike, PartialShape, TensorLike
    from ..engine.tensor import Array
    from .source_stages import Range
    from .stage import Element, Run, Specs

    T = TypeVar("T")
    SavedLeaf: TypeAlias = Array | dict[str, Any]


_AS_IT_IS = nullcontext()
OF_TENSORS = TensorSpec, SparseTensorSpec, RowsSpec


@public("data.DatasetSpec")
class DatasetSpec(TypeSpec):
    """The spec of a dataset that is itself an element, as those of `window` are.

    >>> import cinta as tf
    >>> windows = tf.data.Dataset.range(4).window(2)
    >>> windows.element_spec
    DatasetSpec(TensorSpec(shape=(), dtype=tf.int64, name=None), TensorShape([]))
    >>> spec = tf.data.DatasetSpec.from_value(tf.data.Dataset.range(2))
    >>> spec == windows.element_spec, spec.is_compatible_with(tf.data.Dataset.range(3))
    (True, True)

    Args:
        element_spec: The spec of its elements, a nest of specs.
        dataset_shape: Accepted: a dataset is one value.
    """

    __slots__ = ("element_spec",)

    def __init__(self, element_spec: object, dataset_shape: PartialShape = ()) -> None:
        self.element_spec = element_spec

    @classmethod
    def from_value(cls, value: object) -> DatasetSpec:
        """The spec of a dataset.

        Args:
            value: The dataset.

        Raises:
            TypeError: If it is something else.
        """
        if not hasattr(value, "element_spec"):
            raise TypeError(f"`value` must be a dataset, got {value!r}.")
        return cls(value.element_spec)

    def _fields(self) -> tuple[Any, ...]:
        return (repr(self.element_spec),)

    @property
    def value_type(self) -> type[object]:
        """The class of the values."""
        from .dataset import Dataset

        return Dataset

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether the elements of a dataset are of this spec.

        Args:
            spec_or_value: A dataset, or the spec of one.
        """
        theirs = getattr(spec_or_value, "element_spec", None)
        return theirs is not None and compatible(self.element_spec, theirs)

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, TensorShape([]))"


# -- in and out ----------------------------------------------------------------------------------


def element_of(value: object) -> Element:
    """An element as the user gave it, with arrays for its leaves."""
    if isinstance(value, Face):
        return value._stage
    value = from_parts(value)
    if isinstance(value, SparseTensor):
        return SparseArray.of(value)
    if isinstance(value, Assembled) and value._is_ragged:
        from .ragged_arrays import RaggedArray  # loaded when there is a ragged tensor

        return RaggedArray.of(value)  # type: ignore[arg-type]
    if isinstance(value, OpenedComposite):
        value = value._opened()
    if isinstance(value, OpenObject):
        return nest.map_children(element_of, value)
    if isinstance(value, tuple):
        return nest.tuple_like(value, [element_of(part) for part in value])
    if isinstance(value, Mapping):
        named = {key: element_of(part) for key, part in value.items()}
        return named if isinstance(value, defaultdict) else type(value)(named)  # type: ignore[call-arg]
    if hasattr(value, "__attrs_attrs__"):
        return nest.map_structure(element_of, value)
    if isinstance(value, TensorArray):
        from .tensor_arrays import KeptTensorArray  # loaded when there is one

        return KeptTensorArray.of(value)
    return None if value is None else seen(as_tensor(value))


def tensors_of(element: Element) -> Any:
    """The element as people get it."""
    if isinstance(element, (np.ndarray, np.generic)):
        return wrap(element)
    if element is None:
        return None
    if isinstance(element, ComposedArray):
        return element.tensor
    if type(element) is tuple:
        return tuple([tensors_of(part) for part in element])
    if isinstance(element, Stage):
        from .dataset import Dataset

        return Dataset(element)
    if isinstance(element, OpenObject):
        return element.spec._value([tensors_of(part) for part in element.inner])
    return nest.map_children(tensors_of, element)


def call(function: Callable[..., T], *elements: Element) -> T:
    """The result of a user's function of elements, in tensors. No tape of this thread records it.

    A tuple goes in as one argument for each of its parts.
    """
    given = tuple([tensors_of(element) for element in elements])
    if len(given) == 1 and type(given[0]) is tuple:
        given = given[0]
    try:
        with unrecorded():
            return function(*given)
    except StopIteration as error:  # which must not be taken for the end of the dataset
        raise RuntimeError("The function given to a dataset raised StopIteration.") from error


def unrecorded() -> AbstractContextManager[None]:
    """A block in which no tape of this thread records."""
    return recorders.paused() if recorders.recording() else _AS_IT_IS


def returned(value: TensorLike | None) -> Element:
    """The return value of a user's function as an element; a list of results becomes a tuple."""
    if value is None:
        raise TypeError(
            "The function given to a dataset returned None; return a tensor, or a tuple or dict of "
            "tensors."
        )
    return element_of(tuple(value) if isinstance(value, list) else value)


# -- rows and batches ----------------------------------------------------------------------------


def row(array: Array | None, index: IntLike) -> Array | None:
    """A row of an array, or of several the array of them; None has None for each row."""
    if array is None:
        return None
    if not isinstance(index, np.ndarray):
        return array[index] if array.ndim > 1 or array.dtype != object else array[index, ...]
    first, count = index.flat[0] if index.size else 0, len(index)
    if index.ndim == 1 and index[-1:] == first + count - 1 and (np.diff(index) == 1).all():
        return array[first : first + count]  # rows that lie together need not be copied
    return array.take(index, axis=0)


def batched(run: Run) -> Element:
    """The elements of a run as one, whose leaves have the run as their first axis."""
    if isinstance(run, np.ndarray):
        return run
    parts = zip(*[nest.flatten(element) for element in run], strict=True)
    return nest.pack_sequence_as(run[0], [_stacked(part, i) for i, part in enumerate(parts)])


def _stacked(parts: tuple[Any, ...], component: int) -> object:
    if all(part is None for part in parts):
        return None
    if all(isinstance(part, ComposedArray) for part in parts):
        return parts[0].stacked(parts)
    if isinstance(parts[0], Stage):
        raise TypeError(
            "Datasets cannot be batched: use flat_map(lambda w: w.batch(n)) on windows."
        )
    shape, dtype = parts[0].shape, parts[0].dtype
    for i, part in enumerate(parts):
        if part.dtype != dtype:
            raise InvalidArgumentError(
                f"Cannot batch tensors with different types in component {component}. First "
                f"element had type {dtype} and element {i} had type {part.dtype}."
            )
        if part.shape != shape:
            raise InvalidArgumentError(
                f"Cannot batch tensors with different shapes in component {component}. First "
                f"element had shape {written(shape)} and element {i} had shape "
                f"{written(part.shape)}. Use padded_batch, or make the shapes equal by map."
            )
    return np.stack(parts)


# -- shapes and dtypes ---------------------------------------------------------------------------


def spec_of(element: Element) -> Specs:
    """The spec of one element."""

    def known(leaf: Array) -> TypeSpec:
        if isinstance(leaf, Stage):
            return DatasetSpec(closed_specs(leaf.spec()))
        return spec_of_leaf(leaf)

    specs: Specs = nest.map_structure(known, element)
    return specs


def with_axis(spec: Specs, length: int | None) -> Specs:
    """The spec of batches of elements."""
    return mapped(lambda x: reshaped(x, TensorShape([length]).concatenate(x.shape)), spec)


def mapped(change: Callable[[Any], TypeSpec], spec: Specs) -> Specs:
    """The nest of specs with those of tensors, sparse ones too, changed."""
    specs: Specs = nest.map_structure(lambda x: change(x) if isinstance(x, OF_TENSORS) else x, spec)
    return specs


def common(first: Specs, second: Specs) -> Specs:
    """The narrowest spec of the elements of both; TypeError if there is none."""
    try:
        nest.assert_same_structure(first, second)
        specs: Specs = nest.map_structure(_common_leaf, first, second)
    except (TypeError, ValueError):
        raise TypeError(f"Incompatible dataset elements:\n  {first} vs.\n  {second}") from None
    return specs


def _common_leaf(first: TypeSpec, second: TypeSpec) -> TypeSpec:
    if isinstance(first, (*OF_TENSORS, NoneTensorSpec)):
        return first.most_specific_compatible_type(second)
    if isinstance(first, DatasetSpec) and isinstance(second, DatasetSpec):
        one, other = (cast("Specs", spec.element_spec) for spec in (first, second))
        return DatasetSpec(common(one, other))
    if first != second:
        raise TypeError
    return first


def compatible(first: object, second: object) -> bool:
    """Whether one element could be of both specs."""
    try:
        nest.assert_same_structure(first, second)
    except (TypeError, ValueError):
        return False
    pairs = zip(nest.flatten(first), nest.flatten(second), strict=True)
    return all(one.is_compatible_with(other) for one, other in pairs)


def zeros(spec: Specs) -> Element:
    """An element of this spec: zeros, of length 1 where the length is not known."""

    def blank(leaf: TypeSpec) -> Array | ComposedArray | Stage | None:
        if isinstance(leaf, NoneTensorSpec):
            return None
        if isinstance(leaf, DatasetSpec):
            from .source_stages import Single

            return Single(zeros(cast("Specs", leaf.element_spec)))
        if not isinstance(leaf, OF_TENSORS) or leaf.shape.rank is None:
            raise ValueError(f"Nothing is known of the elements of an empty dataset of {spec}.")
        if isinstance(leaf, RowsSpec):
            from .ragged_arrays import blank as blank_rows

            return blank_rows(leaf)  # type: ignore[arg-type]
        shape = tuple([1 if n is None else n for n in leaf.shape])
        if isinstance(leaf, SparseTensorSpec):
            nowhere = np.zeros((0, len(shape)), np.int64)
            return SparseArray(nowhere, np.zeros(0, leaf.dtype.dtype), shape)
        if leaf.dtype.dtype == object:
            return np.full(shape, b"", object)
        return np.zeros(shape, leaf.dtype.dtype)[()]

    return nest.map_structure(blank, spec)


# -- kept in states ------------------------------------------------------------------------------


def saved(elements: Run) -> Array | list[list[SavedLeaf]]:
    """A run of elements as lists of their leaves, or as the array that it is."""
    if isinstance(elements, np.ndarray):
        return elements
    return [[_saved_leaf(leaf) for leaf in nest.flatten(element)] for element in elements]


def _saved_leaf(leaf: Array | Listed | Range | None) -> SavedLeaf:
    if isinstance(leaf, Listed):
        return {"elements": saved(leaf.elements)}
    if isinstance(leaf, Stage):
        raise UnimplementedError(
            "The state of an iterator that holds datasets cannot be kept, unless they are those of "
            "`window`."
        )
    if leaf is None or isinstance(leaf, ComposedArray):
        return {"parts": [_saved_leaf(array) for array in arrays_of(leaf)]}
    if leaf.dtype == object:
        return {"shape": list(leaf.shape), "strings": list(leaf.flat)}
    return leaf


def loaded(spec: Callable[[], Specs], leaves: object) -> Run:
    """The run of elements from lists of their leaves; the spec is asked for where it is needed."""
    if isinstance(leaves, np.ndarray):
        return leaves
    return _loaded(spec(), leaves) if leaves else []


def _loaded(like: object, leaves: Any) -> list[Element]:
    specs = nest.flatten(like)
    return [
        nest.pack_sequence_as(like, [_loaded_leaf(*pair) for pair in zip(specs, each, strict=True)])
        for each in leaves
    ]


def _loaded_leaf(spec: Any, leaf: Any) -> object:
    if isinstance(leaf, dict) and "elements" in leaf:
        return Listed(_loaded(spec.element_spec, leaf["elements"]), spec.element_spec)
    if isinstance(leaf, dict) and "parts" in leaf:
        return of_arrays(spec, [_loaded_leaf(None, part) for part in leaf["parts"]])
    if isinstance(leaf, dict):
        return np.array(leaf["strings"], object).reshape(leaf["shape"])
    return leaf
