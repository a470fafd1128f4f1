"""Functions over the slices of tensors: map_fn, scan, foldl, foldr.

The slices are those along the first axis of every tensor of a structure. The tape sees what the
function does with each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from ... import nest
from ...dtypes import as_dtype
from ...engine.composites import Assembled, Part, closed, opened, opened_specs
from ...engine.convert import as_tensor
from ...engine.shapes import TensorShape
from ...engine.sparse_tensor import SparseTensor
from ...errors import OutOfRangeError
from ...public import public
from ..arguments import checked_callable, flag
from ..arrays.joining import unstack
from ..random import op_numbering
from ..sparse.rows import SparseRows, rows_of
from .branching import read
from .tensor_array import TensorArray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ...engine.annotations import DTypeLike, Nest, TensorLike

    T = TypeVar("T")


class Collector(Protocol):
    """Takes the results of all slices, and stacks them."""

    def write(self, index: int, value: Part, /) -> object: ...
    def stack(self) -> object: ...


@public("map_fn")
def map_fn(
    fn: Callable[[Any], Any],
    elems: TensorLike,
    dtype: DTypeLike | None = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: object = None,
) -> Any:
    """The function of each slice, stacked.

    If the results of ``fn`` differ from ``elems`` in dtypes or structure, describe them by
    ``fn_output_signature``.

    >>> import cinta as tf
    >>> tf.map_fn(lambda row: tf.reduce_sum(row), tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([3., 7.], dtype=float32)

    Args:
        fn: A function of a slice, or of a nest of slices.
        elems: A tensor, or a nest of tensors that are sliced together.
        dtype: The older name of ``fn_output_signature``.
        parallel_iterations: Accepted; changes no result.
        back_prop: Accepted; changes no result.
        swap_memory: Accepted; changes no result.
        infer_shape: Accepted: the shapes of results are always known.
        fn_output_signature: The dtypes or specs of the results, if they differ from ``elems``.
    """
    checked_callable(fn, "fn")
    structure = opened(nest.map_structure(read, elems))
    tensors = _tensors(structure, elems)
    like = dtype if fn_output_signature is None else fn_output_signature
    count = int(tensors[0].shape[0])
    like = opened_specs(like) if like is not None else nest.map_structure(_like, structure)
    results = [_collector(spec, count, infer_shape) for spec in nest.flatten(like)]
    fn = op_numbering.graph_of(fn)
    for i, row in enumerate(_rows(structure, tensors)):
        value = opened(fn(closed(row)))
        nest.assert_same_structure(like, value)
        for result, part in zip(results, nest.flatten(value), strict=True):
            result.write(i, part)
    return closed(nest.pack_sequence_as(like, [result.stack() for result in results]))


def _like(tensor: Part) -> object:
    """The spec of the results of ``fn`` if they are like its arguments."""
    is_composite = isinstance(tensor, (SparseTensor, Assembled))
    return tensor if is_composite else as_tensor(tensor).dtype


def _collector(spec: Part, count: int, infer_shape: bool) -> Collector:
    """The array that takes the results of all slices and stacks them."""
    collector = getattr(spec, "_collector", None)
    if collector is not None:
        found: Collector = collector()
        return found
    if isinstance(spec, SparseTensor):
        return SparseRows(spec.dtype, TensorShape(None))
    if getattr(spec, "value_type", None) is SparseTensor:
        return SparseRows(spec.dtype, spec.shape)
    if isinstance(spec, (type, np.dtype)):
        spec = as_dtype(spec)  # NumPy's types have attributes `dtype` and `shape` of their own
    dtype: Part = getattr(spec, "dtype", spec)
    return TensorArray(
        dtype,
        size=count,
        infer_shape=infer_shape,
        element_shape=getattr(spec, "shape", None),
    )


def _tensors(structure: TensorLike, elems: object) -> list[Any]:
    """The tensors of a structure, which must have first axes of one length."""
    leaves = nest.flatten(structure)
    composite = SparseTensor, Assembled
    tensors: list[Part] = [
        leaf if isinstance(leaf, composite) else as_tensor(leaf) for leaf in leaves
    ]
    if not tensors:
        raise ValueError(
            "elems must be a Tensor or (possibly nested) sequence of Tensors. "
            f"Got {elems}, which does not contain any Tensors."
        )
    for tensor in tensors:
        if not tensor.shape.rank:
            raise ValueError(
                "Elements in elems must be 1+ dimensional Tensors, not scalars. A list of numbers "
                "is a structure of scalars: make it a tensor by tf.constant."
            )
        if tensor.shape[0] != tensors[0].shape[0]:
            raise ValueError(
                f"Dimensions {tensors[0].shape[0]} and {tensor.shape[0]} are not compatible: all "
                "tensors in elems need first axes of one length."
            )
    return tensors


def _rows(structure: TensorLike, tensors: list[Any]) -> list[Any]:
    """For every index along the first axis, the structure of the slices there."""
    columns = [_slices(x) for x in tensors]
    return [nest.pack_sequence_as(structure, list(row)) for row in zip(*columns, strict=True)]


def _slices(tensor: Part) -> Iterable[Any]:
    if isinstance(tensor, SparseTensor):
        return rows_of(tensor)
    is_plain = not isinstance(tensor, Assembled)
    return unstack(tensor) if is_plain else tensor


@public("scan")
def scan(
    fn: Callable[[Any, Any], T],
    elems: TensorLike | Nest,
    initializer: TensorLike | Nest | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> T:
    """All intermediate results of folding: ``fn(fn(initializer, elems[0]), elems[1])`` and so on.

    Without ``initializer`` the first slice is the first result.

    >>> import cinta as tf
    >>> tf.scan(lambda total, x: total + x, tf.constant([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)

    Args:
        fn: A function of the last result, and of a slice.
        elems: A tensor, or a nest of tensors that are sliced together.
        initializer: What the first call takes for the last result.
        parallel_iterations: Accepted; changes no result.
        back_prop: Accepted; changes no result.
        swap_memory: Accepted; changes no result.
        infer_shape: Accepted: the shapes of results are always known.
        reverse: Whether to begin with the last slice.
    """
    checked_callable(fn, "fn")
    infer_shape = flag(infer_shape, "infer_shape")
    rows, order = _ordered(elems, reverse)
    like = elems if initializer is None else initializer
    total, fn = _first(rows, order, initializer), op_numbering.graph_of(fn)
    results = [
        TensorArray(
            leaf.dtype,
            size=len(rows),
            infer_shape=infer_shape,
            element_shape=leaf.shape if infer_shape else None,
        )
        for leaf in nest.flatten(total)
    ]
    for step, i in enumerate(order):
        if step or initializer is not None:
            total = fn(total, rows[i])
            nest.assert_same_structure(like, total)
        for result, part in zip(results, nest.flatten(total), strict=True):
            result.write(i, part)
    stacked: T = nest.pack_sequence_as(like, [result.stack() for result in results])
    return stacked


def _ordered(elems: TensorLike | Nest, reverse: bool) -> tuple[list[Any], list[int]]:
    """The slices, and the order in which to take them."""
    structure = nest.map_structure(read, elems)
    rows = _rows(structure, _tensors(structure, elems))
    order = list(range(len(rows)))
    return rows, order[::-1] if flag(reverse, "reverse") else order


def _first(rows: list[Any], order: list[int], initializer: TensorLike | Nest | None) -> Any:
    """The start of folding: the initializer, or the first slice."""
    if initializer is not None:
        return nest.map_structure(as_tensor, initializer)
    if not rows:
        raise OutOfRangeError(
            "Tried to read from index 0 but array size is: 0. Pass initializer= for elems that "
            "may be empty."
        )
    return rows[order[0]]


@public("foldl")
def foldl(
    fn: Callable[[Any, Any], T],
    elems: TensorLike | Nest,
    initializer: TensorLike | Nest | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> T:
    """Fold the slices from the first on: ``fn(fn(fn(initializer, a), b), c)``.

    Without ``initializer`` folding starts with the first slice.

    >>> import cinta as tf
    >>> tf.foldl(lambda total, x: total * 10 + x, tf.constant([1, 2, 3])).numpy()
    np.int32(123)

    Args:
        fn: A function of what is folded so far, and of a slice.
        elems: A tensor, or a nest of tensors that are sliced together.
        initializer: What folding starts with.
        parallel_iterations: Accepted; changes no result.
        back_prop: Accepted; changes no result.
        swap_memory: Accepted; changes no result.
    """
    return _fold(fn, elems, initializer, reverse=False)


@public("foldr")
def foldr(
    fn: Callable[[Any, Any], T],
    elems: TensorLike | Nest,
    initializer: TensorLike | Nest | None = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> T:
    """Fold the slices from the last on: ``fn(fn(fn(initializer, c), b), a)``.

    Without ``initializer`` folding starts with the last slice.

    >>> import cinta as tf
    >>> tf.foldr(lambda total, x: total * 10 + x, tf.constant([1, 2, 3])).numpy()
    np.int32(321)

    Args:
        fn: A function of what is folded so far, and of a slice.
        elems: A tensor, or a nest of tensors that are sliced together.
        initializer: What folding starts with.
        parallel_iterations: Accepted; changes no result.
        back_prop: Accepted; changes no result.
        swap_memory: Accepted; changes no result.
    """
    return _fold(fn, elems, initializer, reverse=True)


def _fold(
    fn: Callable[[Any, Any], T],
    elems: TensorLike | Nest,
    initializer: TensorLike | Nest | None,
    *,
    reverse: bool,
) -> T:
    checked_callable(fn, "fn")
    rows, order = _ordered(elems, reverse)
    total, fn = _first(rows, order, initializer), op_numbering.graph_of(fn)
    for i in order if initializer is not None else order[1:]:
        value = fn(total, rows[i])
        nest.assert_same_structure(total, value)
        total = value
    folded: T = nest.map_structure(as_tensor, total)
    return folded
