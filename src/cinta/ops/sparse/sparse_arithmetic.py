"""Sparse tensors added, compared, multiplied; functions of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ...engine.convert import as_tensor, check_same
from ...engine.dtype_kinds import REAL_FLOATING
from ...engine.primitives import ScatterRows, TakeRows
from ...engine.shapes import written
from ...engine.sparse_tensor import SparseTensor, from_parts
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import checked_callable, tensor_of
from ..arrays.gathering_nd import gather_nd
from ..arrays.scattering import scatter_nd
from ..arrays.tiling import broadcast_to
from ..elementwise.arithmetic import maximum as maximum_dense
from ..elementwise.arithmetic import minimum as minimum_dense
from ..elementwise.arithmetic import multiply
from ..elementwise.casting import stop_gradient
from ..elementwise.division import truediv
from ..elementwise.unary import exp
from ..reductions.segment_ops import SegmentMax
from .picking import check_same_shape, picked, row_major, sparse

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import NumericLike
    from ...engine.tensor import Array, Tensor


# -- two sparse tensors ------------------------------------------------------------------------


@overload
def add(  # type: ignore[overload-overlap]  # the first that suits counts
    a: SparseTensor, b: SparseTensor, threshold: NumericLike = 0
) -> SparseTensor: ...
@overload
def add(a: SparseTensor, b: NumericLike, threshold: NumericLike = 0) -> Tensor: ...
@overload
def add(a: NumericLike, b: SparseTensor, threshold: NumericLike = 0) -> Tensor: ...
@public("sparse.add")
def add(
    a: SparseTensor | NumericLike, b: SparseTensor | NumericLike, threshold: NumericLike = 0
) -> SparseTensor | Tensor:
    """The sum of two tensors, at least one of which is sparse: sparse if both are.

    A sum of two sparse tensors has no values of less than ``threshold``.

    >>> import cinta as tf
    >>> tf.sparse.add(tf.sparse.eye(2), [[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([[2., 2.],
           [3., 5.]], dtype=float32)

    Args:
        a: A tensor, dense or sparse.
        b: Another; one of both is sparse.
        threshold: The least size of values of a sparse sum.

    Raises:
        TypeError: If neither is sparse.
    """
    a, b = from_parts(a), from_parts(b)
    if not isinstance(a, SparseTensor):
        a, b = b, a
    if not isinstance(a, SparseTensor):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if not isinstance(b, SparseTensor):
        return _added_to(as_tensor(b, a.values._array.dtype), a)
    indices, of_a, of_b = _side_by_side("SparseAdd", a, b)
    total = of_a + of_b
    kept = np.flatnonzero(np.abs(seen(total)) >= float(as_tensor(threshold)))
    return SparseTensor(wrap(indices[kept]), picked(total, kept), a.dense_shape)


def _added_to(dense: Tensor, x: SparseTensor) -> Tensor:
    """A dense tensor with the values of a sparse one added."""
    check_same_shape("SparseTensorDenseAdd", x.lengths, dense._array.shape)
    x.places("SparseTensorDenseAdd")
    return dense + scatter_nd(x.indices, x.values, x.lengths)


def _side_by_side(op: str, a: SparseTensor, b: SparseTensor) -> tuple[Array, Tensor, Tensor]:
    """Where either tensor has a value, and both tensors' values there, zeros included."""
    check_same_shape(op, a.lengths, b.lengths)
    check_same(op, a.values, b.values)
    together = np.concatenate([seen(a.indices), seen(b.indices)])
    if len(together):
        indices, numbers = np.unique(together, axis=0, return_inverse=True)
    else:
        indices, numbers = together, np.zeros(0, np.int64)
    first, second = np.split(numbers.reshape(-1), [len(seen(a.indices))])
    return (
        indices,
        ScatterRows(a.values, wrap(first), rows=len(indices), rank=1),
        ScatterRows(b.values, wrap(second), rows=len(indices), rank=1),
    )


@public("sparse.maximum")
def maximum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The larger of the elements of two sparse tensors of one shape.

    >>> import cinta as tf
    >>> tf.sparse.maximum(tf.sparse.eye(2), tf.SparseTensor([[0, 0]], [3.0], [2, 2])).values.numpy()
    array([3., 1.], dtype=float32)

    Args:
        sp_a: A sparse tensor; an element that is not there is 0.
        sp_b: Another of the same shape.
    """
    a, b = sparse(sp_a), sparse(sp_b)
    indices, of_a, of_b = _side_by_side("SparseSparseMaximum", a, b)
    return SparseTensor(wrap(indices), maximum_dense(of_a, of_b), a.dense_shape)


@public("sparse.minimum")
def minimum(sp_a: SparseTensor, sp_b: SparseTensor, name: str | None = None) -> SparseTensor:
    """The smaller of the elements of two sparse tensors of one shape.

    >>> import cinta as tf
    >>> a, b = tf.sparse.from_dense([1.0, 0.0, 3.0]), tf.sparse.from_dense([2.0, 2.0, 0.0])
    >>> tf.sparse.to_dense(tf.sparse.minimum(a, b)).numpy()
    array([1., 0., 0.], dtype=float32)

    Args:
        sp_a: A sparse tensor; an element that is not there is 0.
        sp_b: Another of the same shape.
    """
    a, b = sparse(sp_a), sparse(sp_b)
    indices, of_a, of_b = _side_by_side("SparseSparseMinimum", a, b)
    return SparseTensor(wrap(indices), minimum_dense(of_a, of_b), a.dense_shape)


# -- a sparse tensor and a dense one -----------------------------------------------------------


def _at_values(op: str, x: SparseTensor, y: NumericLike) -> Tensor:
    """The elements of a dense tensor, broadcast, where the sparse one has values."""
    if isinstance(y, SparseTensor):
        raise ValueError(
            f"Attempt to convert a value ({y!r}) with an unsupported type to a Tensor: the right "
            "operand must be dense. Use tf.sparse.map_values for two sparse tensors."
        )
    dense = as_tensor(y, x.values._array.dtype)
    try:
        whole = broadcast_to(dense, x.lengths)
    except InvalidArgumentError:
        raise InvalidArgumentError(
            f"broadcasts dense to sparse only: got a dense tensor of shape {dense.shape} and a "
            f"sparse one of {written(x.lengths)} [Op:{op}]"
        ) from None
    return gather_nd(whole, x.indices)


def product(x: SparseTensor, y: NumericLike) -> SparseTensor:
    """The product with a dense tensor, of which only the elements at the values count."""
    return x.with_values(multiply(x.values, _at_values("SparseDenseCwiseMul", x, y)))


def quotient(x: SparseTensor, y: NumericLike) -> SparseTensor:
    """The quotient by a dense tensor, of which only the elements at the values count."""
    return x.with_values(truediv(x.values, _at_values("SparseDenseCwiseDiv", x, y)))


# -- the values --------------------------------------------------------------------------------


@public("sparse.map_values")
def map_values(op: Callable[..., Tensor], *args: object, **kwargs: object) -> SparseTensor:
    """A function of the values; all sparse tensors among its arguments have the same indices.

    >>> import cinta as tf
    >>> tf.sparse.map_values(tf.multiply, tf.sparse.eye(2), 5.0).values.numpy()
    array([5., 5.], dtype=float32)

    Args:
        op: The function.

    Raises:
        ValueError: If no argument is sparse, or the result has another number of values.
        InvalidArgumentError: If indices differ.
    """
    checked_callable(op, "op")
    given = [x for x in (*args, *kwargs.values()) if isinstance(x, SparseTensor)]
    if not given:
        raise ValueError("No SparseTensor in argument list of map_values")
    first = given[0]
    for other in given[1:]:
        same = np.array_equal(seen(first.indices), seen(other.indices))
        if not same or first.lengths != other.lengths:
            raise InvalidArgumentError(
                "Mismatched indices! The sparse tensors given to map_values must have the same "
                f"indices and dense_shape, got {first!r} and {other!r}."
            )
    values = op(*map(_values_of, args), **{key: _values_of(x) for key, x in kwargs.items()})
    return first.with_values(values)


def _values_of(x: object) -> Any:
    return x.values if isinstance(x, SparseTensor) else x


@public("sparse.softmax")
def softmax(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The softmax of each row's values: what is not there takes no part.

    >>> import cinta as tf
    >>> tf.sparse.softmax(tf.SparseTensor([[0, 0], [0, 2]], [1.0, 1.0], [1, 3])).values.numpy()
    array([0.5, 0.5], dtype=float32)

    Args:
        sp_input: A sparse tensor.

    Raises:
        InvalidArgumentError: If ``sp_input`` has less than two axes.
    """
    x = sparse(sp_input)
    if len(x.lengths) < 2:
        raise InvalidArgumentError(
            f"Input should have rank >= 2, but received shape: {x.lengths} [Op:SparseSoftmax]"
        )
    values = tensor_of("SparseSoftmax", x.values, REAL_FLOATING)
    order = row_major(seen(x.indices))
    indices = seen(x.indices)[order]
    inverse = np.cumsum((indices[1:, :-1] != indices[:-1, :-1]).any(axis=1))
    rows = wrap(np.concatenate([[0], inverse])[: len(indices)].astype(np.int64))
    count = int(seen(rows).max(initial=-1)) + 1
    sorted_values = picked(values, order)
    largest = SegmentMax(stop_gradient(sorted_values), rows, rows=count, empty=0)
    powers = exp(sorted_values - TakeRows(largest, rows, rank=1))
    sums = ScatterRows(powers, rows, rows=count, rank=1)
    shares = powers / TakeRows(sums, rows, rank=1)
    return SparseTensor(wrap(indices), shares, x.dense_shape)
