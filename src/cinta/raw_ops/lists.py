"""Ops on lists and maps of tensors, which never change: each op gives a new one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cinta as tf

from ..engine.composites import Composite
from ..ops.arguments import integer

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import IntLike
    from ..engine.shapes import TensorShape
    from ..engine.tensor import Tensor


@dataclass(frozen=True, slots=True)
class List(Composite):
    """Elements; those that were not set are None."""

    elements: tuple[Tensor | None, ...]
    shape: tf.TensorShape
    dtype: tf.DType


def _shape(given: Tensor) -> tf.TensorShape:
    """The shape of which a tensor tells the lengths; -1 stands for unknown ones."""
    if len(given.shape) > 1:
        raise tf.errors.InvalidArgumentError(
            f"Shape must be at most rank 1 but is rank {len(given.shape)}: element_shape, a scalar "
            f"or a vector, is {given.numpy().tolist()}"
        )
    if not len(given.shape):
        return tf.TensorShape(None)
    return tf.TensorShape([None if n < 0 else n for n in given.numpy().tolist()])


def _element(items: List, place: int, shape: Tensor, dtype: tf.DType, op: str) -> Tensor:
    if dtype != items.dtype:
        raise tf.errors.InvalidArgumentError(
            f"Invalid data types; list elements {items.dtype.name} but tried to get {dtype.name} "
            f"[Op:{op}]"
        )
    if not 0 <= place < len(items.elements):
        raise tf.errors.InvalidArgumentError(
            f"Trying to access element {place} in a list with {len(items.elements)} elements. "
            f"[Op:{op}]"
        )
    found = items.elements[place]
    if found is not None:
        return found
    known = items.shape.merge_with(_shape(shape))
    if not known.is_fully_defined():
        shapes = [each.shape for each in items.elements if each is not None]
        if not shapes:
            raise tf.errors.InvalidArgumentError(
                f"Trying to read an uninitialized tensor but element_shape is not fully defined: "
                f"{known} [Op:{op}]"
            )
        known = shapes[0]
    return tf.zeros(known, dtype)


def _all(items: List, shape: Tensor, dtype: tf.DType, op: str) -> list[Tensor]:
    return [_element(items, k, shape, dtype, op) for k in range(len(items.elements))]


def _with(items: List, place: int, value: Tensor, op: str, grow: bool = False) -> List:
    elements = list(items.elements)
    if grow and place >= len(elements):
        elements += [None] * (place + 1 - len(elements))
    if not 0 <= place < len(elements):
        raise tf.errors.InvalidArgumentError(
            f"Trying to modify element {place} in a list with {len(elements)} elements. [Op:{op}]"
        )
    if value.dtype != items.dtype or not items.shape.is_compatible_with(value.shape):
        raise tf.errors.InvalidArgumentError(
            f"Tried to set a {value.dtype.name} of shape {value.shape} in a list of "
            f"{items.dtype.name} of shape {items.shape} [Op:{op}]"
        )
    elements[place] = value
    return replace(items, elements=tuple(elements))


def _empty(shape: Tensor, most: Tensor, dtype: tf.DType) -> List:
    return List((), _shape(shape), dtype)


def _reserve(shape: Tensor, count: Tensor, dtype: tf.DType) -> List:
    return List((None,) * integer(count, "num_elements"), _shape(shape), dtype)


def _from_tensor(tensor: Tensor, shape: Tensor) -> List:
    return List(tuple(tf.unstack(tensor)), _shape(shape), tensor.dtype)


def _push(items: List, tensor: Tensor) -> List:
    grown = replace(items, elements=(*items.elements, None))
    return _with(grown, len(items.elements), tensor, "TensorListPushBack")


def _pop(items: List, shape: Tensor, dtype: tf.DType) -> tuple[List, Tensor]:
    if not items.elements:
        raise tf.errors.InvalidArgumentError(
            "Trying to pop from an empty list. [Op:TensorListPopBack]"
        )
    last = _element(items, len(items.elements) - 1, shape, dtype, "TensorListPopBack")
    return replace(items, elements=items.elements[:-1]), last


def _set(items: List, index: Tensor, value: Tensor, grow: bool) -> List:
    return _with(items, integer(index, "index"), value, "TensorListSetItem", grow)


def _get(items: List, index: Tensor, shape: Tensor, dtype: tf.DType) -> Tensor:
    return _element(items, integer(index, "index"), shape, dtype, "TensorListGetItem")


def _stack(items: List, shape: Tensor, dtype: tf.DType, count: int) -> Tensor:
    if count not in (-1, len(items.elements)):
        raise tf.errors.InvalidArgumentError(
            f"Operation expected a list with {count} elements but got a list with "
            f"{len(items.elements)} elements. [Op:TensorListStack]"
        )
    if not items.elements:
        return tf.zeros([0, *items.shape.merge_with(_shape(shape))], dtype)
    return tf.stack(_all(items, shape, dtype, "TensorListStack"))


def _gather(items: List, indices: Tensor, shape: Tensor, dtype: tf.DType) -> Tensor:
    places = indices.numpy().tolist()
    return tf.stack([_element(items, k, shape, dtype, "TensorListGather") for k in places])


def _scatter_onto(items: List, tensor: Tensor, indices: Tensor) -> List:
    for place, value in zip(indices.numpy().tolist(), tf.unstack(tensor), strict=True):
        items = _with(items, place, value, "TensorListScatter", grow=True)
    return items


def _scatter(tensor: Tensor, indices: Tensor, shape: Tensor, count: IntLike = 0) -> List:
    made = List((None,) * max(integer(count, "num_elements"), 0), _shape(shape), tensor.dtype)
    return _scatter_onto(made, tensor, indices)


def _resize(items: List, size: Tensor) -> List:
    length = integer(size, "size")
    more = length - len(items.elements)
    return replace(items, elements=(*items.elements[:length], *(None,) * max(more, 0)))


def _split(tensor: Tensor, shape: Tensor, lengths: Tensor) -> List:
    return List(tuple(tf.split(tensor, lengths)), _shape(shape), tensor.dtype)


def _concat(items: List, dtype: tf.DType, shape: TensorShape) -> tuple[Tensor, Tensor]:
    parts = [each for each in items.elements if each is not None]
    return tf.concat(parts, 0), tf.constant([each.shape[0] for each in parts], "int64")


def _element_shape(items: List, dtype: tf.DType) -> Tensor:
    if items.shape.rank is None:
        return tf.constant(-1, dtype)
    return tf.constant([-1 if n is None else n for n in items.shape], dtype)


# -- maps ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TensorMap(Composite):
    """Keys as Python values, and what belongs to them."""

    values: dict[Any, tuple[Tensor, Tensor]]


def _key(key: Tensor) -> tuple[bytes | str | tuple[Any, ...], ...]:
    return (
        key.dtype.name,
        tuple(key.shape),
        key.numpy().tobytes() if len(key.shape) else key.numpy(),
    )


def _looked_up(found: TensorMap, key: Tensor, dtype: tf.DType) -> Tensor:
    try:
        return found.values[_key(key)][1]
    except KeyError:
        raise tf.errors.InvalidArgumentError(
            f"Trying to lookup non-existent key {key.numpy()} [Op:TensorMapLookup]"
        ) from None


def _inserted(held: TensorMap, key: Tensor, value: Tensor) -> TensorMap:
    return TensorMap({**held.values, _key(key): (key, value)})


def _erased(held: TensorMap, key: Tensor, dtype: tf.DType) -> TensorMap:
    _looked_up(held, key, dtype)
    return TensorMap({known: pair for known, pair in held.values.items() if known != _key(key)})


OPS: dict[str, Callable[..., Any]] = {
    "EmptyTensorList": _empty,
    "EmptyTensorMap": lambda: TensorMap({}),
    "TensorListConcat": _concat,
    "TensorListConcatLists": lambda a, b, _: replace(a, elements=a.elements + b.elements),
    "TensorListElementShape": _element_shape,
    "TensorListFromTensor": _from_tensor,
    "TensorListGather": _gather,
    "TensorListGetItem": _get,
    "TensorListLength": lambda items: tf.constant(len(items.elements)),
    "TensorListPopBack": _pop,
    "TensorListPushBack": _push,
    "TensorListReserve": _reserve,
    "TensorListResize": _resize,
    "TensorListScatter": _scatter,
    "TensorListScatterIntoExistingList": _scatter_onto,
    "TensorListScatterV2": _scatter,
    "TensorListSetItem": _set,
    "TensorListSplit": _split,
    "TensorListStack": _stack,
    "TensorMapErase": _erased,
    "TensorMapHasKey": lambda held, key: tf.constant(_key(key) in held.values),
    "TensorMapInsert": _inserted,
    "TensorMapLookup": _looked_up,
    "TensorMapSize": lambda held: tf.constant(len(held.values)),
    "TensorMapStackKeys": lambda held, _: tf.stack([key for key, _ in held.values.values()]),
}
