"""Products of matrices one of which is sparse."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, kept, match
from ...engine.dtype_kinds import NUMERIC
from ...engine.op import op
from ...engine.primitives import Conj, ScatterRows, SumTo, TakeRows
from ...engine.shapes import Shape, written
from ...engine.sparse_tensor import SparseTensor, from_parts
from ...engine.tensor import seen, wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import flag, integers, tensor_of
from ..arrays.gathering import gather
from ..arrays.shaping import matrix_transpose, transpose
from ..elementwise.casting import cast
from ..reductions.reduction import Sum, reduce_sum
from .picking import flat_places, picked

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, DTypeLike, NumericLike, ShapeLike, TensorLike
    from ...engine.tensor import Array, Tensor


_FEW = 4096  # products that are added one by one sooner than SciPy is asked


@op("SparseTensorDenseMatMul")
def SparseTensorDenseMatMul(
    xp: ArrayModule, values: Array, rows: Array, columns: Array, b: Array, *, count: int
) -> Array:
    """The product of a matrix of ``count`` rows, given by its values and their places, with b."""
    narrow = b.dtype.itemsize == 2
    if xp is np and not narrow and len(values) * prod(b.shape[:-2]) * b.shape[-1] > _FEW:
        return _compressed_product(values, rows, columns, b, count)
    products = values[:, None] * xp.take(b, columns, axis=-2)
    return ScatterRows.kernel(xp, products, rows, rows=count, rank=2)


def _compressed_product(values: Array, rows: Array, columns: Array, b: Array, count: int) -> Array:
    """The product by SciPy, which has no axes in front: they become columns."""
    from scipy.sparse import csr_array

    *front, length, width = b.shape
    sparse = csr_array((values, (rows, columns)), shape=(count, length))
    side_by_side = np.moveaxis(b, -2, 0).reshape(length, prod(front) * width)
    product = (sparse @ side_by_side).reshape(count, *front, width)
    return np.ascontiguousarray(np.moveaxis(product, 0, -2))


def _from_values(
    g: Tensor, rows: Array, columns: Array, b: Tensor, b_shape: Shape, values_shape: Shape
) -> Tensor:
    products = TakeRows(g, rows, rank=2) * TakeRows(b, columns, rank=2)
    summed = Sum(products, axis=(-1,), keepdims=False)
    return SumTo(summed, shape=values_shape, rank=len(b_shape) - 1)


SparseTensorDenseMatMul.grads(
    values=_from_values,
    b=lambda g, values, rows, columns, b_shape: SparseTensorDenseMatMul(
        values, columns, rows, g, count=b_shape[-2]
    ),
)


@public("sparse.sparse_dense_matmul")
def sparse_dense_matmul(
    sp_a: SparseTensor | NumericLike,
    b: SparseTensor | NumericLike,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of two matrices, one of which is sparse, each transposed and conjugated if told.

    >>> import cinta as tf
    >>> sparse = tf.SparseTensor([[0, 1], [1, 0]], [2.0, 3.0], [2, 2])
    >>> tf.sparse.sparse_dense_matmul(sparse, [[1.0], [10.0]]).numpy()
    array([[20.],
           [ 3.]], dtype=float32)

    Args:
        sp_a: A matrix, dense or sparse.
        b: Another; one of both is sparse.
        adjoint_a: Whether to transpose and conjugate the first.
        adjoint_b: Whether to transpose and conjugate the second.

    Raises:
        InvalidArgumentError: If the shapes do not fit.
        TypeError: If neither is sparse.
    """
    adjoint_a, adjoint_b = flag(adjoint_a, "adjoint_a"), flag(adjoint_b, "adjoint_b")
    sp_a, b = from_parts(sp_a), from_parts(b)
    if isinstance(sp_a, SparseTensor) and isinstance(b, SparseTensor):
        raise TypeError(
            "one of sp_a and b must be dense: use tf.sparse.to_dense(b), or tf.sparse.sparse_dense_"
            "matmul on its columns."
        )
    if isinstance(b, SparseTensor):
        swapped = sparse_dense_matmul(b, sp_a, not adjoint_b, not adjoint_a)
        return matrix_transpose(swapped, conjugate=True)
    if not isinstance(sp_a, SparseTensor):
        raise TypeError(
            f"one of the matrices must be a SparseTensor, got {type(sp_a).__name__} and "
            f"{type(b).__name__}: use tf.matmul for dense ones."
        )
    values, dense = match("SparseTensorDenseMatMul", sp_a.values, kept(b))
    tensor_of("SparseTensorDenseMatMul", values, NUMERIC)
    if dense._array.ndim != 2 or len(sp_a.lengths) != 2:
        raise InvalidArgumentError(
            f"a and b must be matrices, got shapes {written(sp_a.lengths)} and "
            f"{written(dense._array.shape)}: Tensor 'b' is not a matrix, or 'a' "
            "[Op:SparseTensorDenseMatMul]"
        )
    sp_a.places("SparseTensorDenseMatMul")
    (rows, columns), (count, length) = seen(sp_a.indices).T, sp_a.lengths
    if adjoint_a:
        values, rows, columns, count, length = Conj(values), columns, rows, length, count
    if adjoint_b:
        dense = matrix_transpose(dense, conjugate=True)
    if dense._array.shape[0] != length:
        raise InvalidArgumentError(
            f"Cannot multiply A and B because inner dimension does not match: {length} vs. "
            f"{dense._array.shape[0]} [Op:SparseTensorDenseMatMul]"
        )
    return SparseTensorDenseMatMul(values, wrap(rows), wrap(columns), dense, count=count)


@public("sparse.sampled_addmm")
def sampled_addmm(
    indices: NumericLike,
    values: TensorLike,
    dense_shape: ShapeLike,
    mat1: NumericLike,
    mat2: NumericLike,
    beta: NumericLike = 1.0,
    alpha: NumericLike = 1.0,
    output_type: DTypeLike = dtypes.float32,
) -> tuple[Tensor, Tensor, Tensor]:
    """``alpha`` times some elements of a product of matrices, plus ``beta`` times given values.

    Gives the indices, the elements there, and the shape: the parts of a sparse tensor.

    >>> import cinta as tf
    >>> parts = tf.sparse.sampled_addmm([[1, 0]], [5.0], [2, 2], tf.ones([2, 3]), tf.ones([3, 2]))
    >>> parts[1].numpy()
    array([8.], dtype=float32)

    Args:
        indices: The places ``[n, 2]``.
        values: The values there.
        dense_shape: The shape of the result.
        mat1: The first matrix of the product.
        mat2: The second.
        beta: The factor of the values.
        alpha: The factor of the product.
        output_type: The dtype of the result.

    Raises:
        InvalidArgumentError: If the shapes of the matrices do not fit.
    """
    places, shape = as_tensor(indices), as_tensor(dense_shape)
    added, left, right = [cast(as_tensor(x), output_type) for x in (values, mat1, mat2)]
    for argument, matrix in (("mat1", left), ("mat2", right)):
        if matrix.ndim < 2:
            raise InvalidArgumentError(f"`{argument}` must be a matrix, got shape {matrix.shape}.")
    sizes, batch = integers(shape, "dense_shape"), places._array.ndim - 2
    expected = (*left._array.shape[:-1], right._array.shape[-1])
    if sizes != expected[-len(sizes) :] or left._array.shape[-1] != right._array.shape[-2]:
        raise ValueError(
            f"dense_shape {written(sizes)} does not match output shape: mat1 {left.shape} and mat2 "
            f"{right.shape} do not make such a product [Op:SampledADDMM]"
        )
    last = [*range(batch), batch + 1, batch]
    rows = gather(left, places[..., 0], axis=batch, batch_dims=batch)
    columns = gather(transpose(right, last), places[..., 1], axis=batch, batch_dims=batch)
    sums = reduce_sum(rows * columns, -1)
    return places, cast(alpha, output_type) * sums + cast(beta, output_type) * added, shape


def sparse_product(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """The product of the matrices along the last two axes of two sparse tensors."""
    *front, rows, inner = a.lengths
    if [*front, inner] != [*b.lengths[:-1]]:
        raise InvalidArgumentError(
            f"Sparse tensors of shapes {written(a.lengths)} and {written(b.lengths)} have no "
            "product: leading axes and the inner one must agree."
        )
    axes, shape = len(front), (*front, rows, b.lengths[-1])
    of_a, of_b = seen(a.indices), seen(b.indices)
    left, right = _pairs(
        flat_places(of_a[:, [*range(axes), axes + 1]], [*front, inner]),
        flat_places(of_b[:, : axes + 1], [*front, inner]),
    )
    places = flat_places(np.column_stack([of_a[left, :-1], of_b[right, -1]]), shape)
    present, groups = np.unique(places, return_inverse=True)
    products = picked(a.values, left) * picked(b.values, right)
    values = ScatterRows(products, wrap(groups), rows=len(present), rank=1)
    return SparseTensor(wrap(np.stack(np.unravel_index(present, shape), 1)), values, shape)


def _pairs(left: Array, right: Array) -> tuple[Array, Array]:
    """The positions of all pairs of equal numbers."""
    order = np.argsort(right, kind="stable")
    first = np.searchsorted(right[order], left)
    counts = np.searchsorted(right[order], left, side="right") - first
    before = np.cumsum(counts) - counts
    matches = np.arange(counts.sum()) + np.repeat(first - before, counts)
    return np.repeat(np.arange(len(left)), counts), order[matches]
