"""Functions over the slices of tensors: map_fn, vectorized_map, scan, foldl, foldr.

The slices are those along the first axis of every tensor of a structure. The tape sees what the
function does with each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nest
from ..convert import as_tensor
from ..errors import InvalidArgumentError, OutOfRangeError
from .control_flow import read
from .creation import zeros
from .joining import stack, unstack
from .tensor_array import TensorArray

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..tensor import Tensor


def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """The function of each slice, stacked.

    If what ``fn`` returns has not the dtypes and structure of ``elems``, say what it has by
    ``fn_output_signature``.

    >>> import cinta as tf
    >>> tf.map_fn(lambda row: tf.reduce_sum(row), tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([3., 7.], dtype=float32)
    """
    _check_function(fn)
    structure = nest.map_structure(read, elems)
    tensors = _tensors(structure, elems)
    like = dtype if fn_output_signature is None else fn_output_signature
    count = int(tensors[0].shape[0])
    signature = [t.dtype for t in tensors] if like is None else nest.flatten(like)
    like = structure if like is None else like
    results = [
        TensorArray(
            getattr(spec, "dtype", spec),
            size=count,
            infer_shape=infer_shape,
            element_shape=getattr(spec, "shape", None),
        )
        for spec in signature
    ]
    for i, row in enumerate(_rows(structure, tensors)):
        value = fn(row)
        nest.assert_same_structure(like, value)
        for result, part in zip(results, nest.flatten(value), strict=True):
            result.write(i, part)
    return nest.pack_sequence_as(like, [result.stack() for result in results])


def _check_function(fn: Any) -> None:
    if not callable(fn):
        raise TypeError(f"The provided function {fn!r} is not callable. fn must be callable.")


def _tensors(structure: Any, elems: Any) -> list[Tensor]:
    """The tensors of a structure, which must have first axes of one length."""
    tensors = [as_tensor(leaf) for leaf in nest.flatten(structure)]
    if not tensors:
        raise ValueError(
            "elems must be a Tensor or (possibly nested) sequence of Tensors. "
            f"Got {elems}, which does not contain any Tensors."
        )
    for tensor in tensors:
        if not tensor.ndim:
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


def _rows(structure: Any, tensors: list[Tensor]) -> list[Any]:
    """For every index along the first axis, the structure of the slices there."""
    columns = [unstack(tensor) for tensor in tensors]
    return [nest.pack_sequence_as(structure, list(row)) for row in zip(*columns, strict=True)]


def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All intermediate results of folding: ``fn(fn(initializer, elems[0]), elems[1])`` and so on.

    Without ``initializer`` the first slice is the first result.

    >>> import cinta as tf
    >>> tf.scan(lambda total, x: total + x, tf.constant([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)
    """
    _check_function(fn)
    rows, total = _start(elems, initializer, reverse)
    like = elems if initializer is None else initializer
    done = [] if initializer is not None else [total]
    total = nest.map_structure(as_tensor, total)
    results = [
        TensorArray(
            first.dtype,
            size=len(rows) + len(done),
            infer_shape=infer_shape,
            element_shape=first.shape if infer_shape else None,
        )
        for first in nest.flatten(total)
    ]
    for i, value in enumerate(_totals(fn, rows, total, like, done)):
        place = len(rows) + len(done) - 1 - i if reverse else i
        for result, part in zip(results, nest.flatten(value), strict=True):
            result.write(place, part)
    return nest.pack_sequence_as(like, [result.stack() for result in results])
