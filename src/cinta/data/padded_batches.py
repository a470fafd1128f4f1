"""Batches of elements of different shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..engine.arrays import array_of
from ..engine.convert import as_tensor
from ..engine.free_memory import check_memory
from ..engine.shapes import TensorShape, written
from ..engine.tensor import seen
from ..errors import DataLossError, InvalidArgumentError
from ..programs.specs import TensorSpec
from .batching import Batch
from .elements import with_axis

if TYPE_CHECKING:
    from ..engine.annotations import IntLike, ShapeLike
    from ..engine.tensor import Array
    from .stage import Element, Run, Specs, Stage


class PaddedBatch(Batch):
    """Batches of elements that are padded to the largest one, or to the shapes that are given.

    Shapes and values are None, or nests like an element; one value is for all parts.
    """

    @property
    def compared(self) -> tuple[Stage, ...]:
        return self.inputs

    def __init__(
        self, source: Stage, size: int, drop_remainder: bool, shapes: object, values: object
    ) -> None:
        super().__init__(source, [size], drop_remainder)
        self.shapes, self.values = shapes, values

    def spec(self) -> Specs:
        spec = self.inputs[0].spec()
        _check_dense(nest.flatten(spec))
        if self.shapes is not None:
            pairs = [*zip(_parts(spec, self.shapes), nest.flatten(spec), strict=True)]
            spec = nest.pack_sequence_as(spec, [_padded_spec(each, s) for s, each in pairs])
        return with_axis(spec, self.length)

    def together(self, run: Run) -> Element:
        like = run[0]
        _check_dense(nest.flatten(self.inputs[0].spec()))
        components = list(zip(*map(nest.flatten, run), strict=True))
        none = [None] * len(components)
        shapes = none if self.shapes is None else _parts(like, self.shapes)
        one = not isinstance(self.values, (tuple, Mapping))
        values = [self.values] * len(components) if one else _parts(like, self.values)
        parts = zip(components, shapes, values, strict=True)
        return nest.pack_sequence_as(like, [padded(i, *each) for i, each in enumerate(parts)])


def _padded_spec(spec: TensorSpec, given: ShapeLike) -> TensorSpec:
    """The spec of a component that is padded to a shape, which must have room for it."""
    shape = TensorShape(_sizes(given))
    sizes = [] if spec.shape.rank is None else [*zip(spec.shape, shape, strict=False)]
    too_large = any(a is not None and b is not None and a > b for a, b in sizes)
    if too_large or spec.shape.rank not in (None, shape.rank):
        raise ValueError(
            f"The padded shape {shape} is not compatible with the shape {spec.shape} of the "
            "corresponding input component. It needs as many axes, none of them shorter."
        )
    return TensorSpec(shape, spec.dtype)


def _check_dense(specs: list[Any]) -> None:
    """Refuse what cannot be padded."""
    for spec in specs:
        if not isinstance(spec, TensorSpec):
            raise TypeError(
                "Make sparse and ragged tensors dense first, by map: `padded_batch` is only "
                "supported for datasets that produce tensor elements but type spec of elements in "
                f"the input dataset is not a subclass of TensorSpec: `{spec}`."
            )


def filled_shapes(spec: Specs, shapes: object, length: int) -> object:
    """The given shapes, or those of a spec, with the lengths that are open filled in."""
    leaves = nest.flatten(spec)
    given = [leaf.shape for leaf in leaves] if shapes is None else _parts(spec, shapes)
    sizes = [[length if n is None else n for n in _sizes(each)] for each in given]
    return nest.pack_sequence_as(spec, [TensorShape(each) for each in sizes])


def _parts(like: object, given: object) -> list[Any]:
    """The value given for each leaf of an element or spec; it may be a list or tuple itself."""
    if isinstance(like, tuple) and isinstance(given, tuple) and len(like) == len(given):
        return [part for a, b in zip(like, given, strict=True) for part in _parts(a, b)]
    if isinstance(like, Mapping) and isinstance(given, Mapping) and like.keys() == given.keys():
        return [part for key in sorted(like) for part in _parts(like[key], given[key])]
    if nest.is_nested(like):
        raise ValueError(
            f"padded_batch needs shapes and values in the structure of the elements, {like}; got "
            f"{given}."
        )
    return [given]


def _sizes(shape: ShapeLike) -> list[int | None]:
    """A shape as sizes, None where elements decide: written as None or -1."""
    if isinstance(shape, TensorShape):
        return shape.as_list()
    if isinstance(shape, (list, tuple)):
        shape = [-1 if n is None else n for n in shape]
    array = np.asarray(seen(as_tensor(shape)))
    array = array if array.size else array.astype(np.int64)  # that of [] is one of floats
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"Padded shape {shape} must be a `tf.int64` vector tensor, but its element type was "
            f"{array.dtype}."
        )
    if array.ndim != 1:
        raise ValueError(
            f"Padded shape {shape} must be a `tf.int64` vector tensor, but its shape was "
            f"{array.shape}."
        )
    return [None if n == -1 else n for n in array.tolist()]


def padded(
    component: int, parts: tuple[Any, ...], shape: ShapeLike | None, value: IntLike | None
) -> Array:
    """The arrays of one component, padded, in one array."""
    sizes = [None] * parts[0].ndim if shape is None else _sizes(shape)
    for part in parts:
        if part.ndim != len(sizes):
            raise InvalidArgumentError(
                f"All elements in a batch must have the same rank as the padded shape for "
                f"component{component}: expected rank {len(sizes)} but got element with rank "
                f"{part.ndim}"
            )
    largest = np.max([part.shape for part in parts], axis=0, initial=0).astype(int).tolist()
    lengths = [n if size is None else size for n, size in zip(largest, sizes, strict=True)]
    if any(n > length for n, length in zip(largest, lengths, strict=True)):
        raise DataLossError(
            "Attempted to pad to a smaller size than the input element: padded_shapes says "
            f"{written(lengths)}, but component {component} has elements of up to "
            f"{written(largest)}."
        )
    dtype = parts[0].dtype
    filling = (b"" if dtype.hasobject else 0) if value is None else array_of(value, dtype)
    check_memory("PaddedBatchDatasetV2", (len(parts), *lengths), dtype.itemsize)
    out = np.full((len(parts), *lengths), filling, dtype)
    for place, part in zip(out, parts, strict=True) if lengths else ():
        place[tuple([slice(n) for n in part.shape])] = part
    return out if lengths else np.stack(parts)
