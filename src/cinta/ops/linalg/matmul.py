"""Products of matrices, vectors and tensors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ...engine.busy_cores import SMALL, product
from ...engine.c_kernels import FLOAT32
from ...engine.convert import as_tensor, kept, match
from ...engine.dtype_kinds import NUMERIC
from ...engine.halves import converted
from ...engine.op import op
from ...engine.primitives import Conj, Reshape, SumTo, Transpose
from ...engine.shapes import Shape, written
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import axis_from_right, flag, flags, integers, tensor_of
from ..arrays.shaping import matrix_transpose
from ..elementwise.casting import cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.annotations import ArrayModule, AxisLike, DTypeLike, NumericLike
    from ...engine.tensor import Array, Tensor


_LARGE = 1 << 14
"""So many elements take longer to compute than einsum takes to find out what to do."""


@op("MatMul", linear=True)
def MatMul(xp: ArrayModule, a: Array, b: Array, *, transpose_a: bool, transpose_b: bool) -> Array:
    """Product of matrices, each transposed first if told; the axes before them are broadcast."""
    if transpose_a:
        a = a.swapaxes(-1, -2)
    if transpose_b:
        b = b.swapaxes(-1, -2)
    if xp is not np:
        return xp.matmul(a, b)
    if a.size >= SMALL:
        from . import compiled_products  # which programs of small matrices do not load

        if compiled_products.take(a, b, transpose_a, transpose_b):
            return compiled_products.product(a, b)
    return _product(a, b)


def _product(a: Array, b: Array) -> Array:
    """The product of NumPy's matrices, by the fastest way to its BLAS."""
    if a.dtype.itemsize == 2:  # NumPy's BLAS has no half precision, and its own loops crawl
        single = _product(converted(a, FLOAT32), converted(b, FLOAT32))
        return converted(single, a.dtype)
    if b.ndim == 2 < a.ndim:  # one large product is faster than many small ones
        rows = a.reshape(math.prod(a.shape[:-1]), a.shape[-1])
        return product(rows, b).reshape(a.shape[:-1] + b.shape[1:])
    if a.shape[-1] == 1 < a.ndim - 1:  # each outer product is a call of BLAS otherwise
        return _outer(a[..., 0], b[..., 0, :])
    if a.size >= SMALL:
        return product(a, b)
    small: Array = np.matmul(a, b)
    return small


def _outer(a: Array, b: Array) -> Array:
    """The outer products of vectors; for large ones, einsum takes 0.6 of the time of ``*``."""
    if a.size * b.shape[-1] < _LARGE or a.dtype.hasobject:
        small: Array = a[..., :, np.newaxis] * b[..., np.newaxis, :]
        return small
    large: Array = np.einsum("...i,...j->...ij", a, b, order="C")
    return large


def _from_a(
    g: Tensor, b: Tensor, a_shape: Shape, out_shape: Shape, transpose_a: bool, transpose_b: bool
) -> Tensor:
    if transpose_a:
        d = MatMul(b, g, transpose_a=transpose_b, transpose_b=True)
    else:
        d = MatMul(g, b, transpose_a=False, transpose_b=not transpose_b)
    return SumTo(d, shape=a_shape, rank=len(out_shape))


def _from_b(
    g: Tensor, a: Tensor, b_shape: Shape, out_shape: Shape, transpose_a: bool, transpose_b: bool
) -> Tensor:
    if transpose_b:
        d = MatMul(g, a, transpose_a=True, transpose_b=transpose_a)
    else:
        d = MatMul(a, g, transpose_a=not transpose_a, transpose_b=False)
    return SumTo(d, shape=b_shape, rank=len(out_shape))


MatMul.grads(a=_from_a, b=_from_b)


@public("linalg.matmul", "matmul")
def matmul(
    a: NumericLike,
    b: NumericLike,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: DTypeLike | None = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """Product of two matrices, or of all matrices in two stacks of them; the same as ``a @ b``.

    >>> import cinta as tf
    >>> tf.matmul([[1.0, 2.0]], [[3.0, 4.0]], transpose_b=True).numpy()
    array([[11.]], dtype=float32)

    The axes in front of the last two are broadcast. Both are cast to ``output_type``, if there
    is one, and may be of two dtypes then. The arguments about sparseness and gradients are hints to
    TensorFlow's kernels and change no result.

    Args:
        a: A matrix, or a stack of matrices.
        b: Another, with as many rows as ``a`` has columns.
        transpose_a: Whether to transpose ``a`` first.
        transpose_b: Whether to transpose ``b`` first.
        adjoint_a: Whether to transpose and conjugate ``a`` first.
        adjoint_b: Whether to transpose and conjugate ``b`` first.
        a_is_sparse: Accepted; changes no result.
        b_is_sparse: Accepted; changes no result.
        output_type: The dtype of the product.
        grad_a: Accepted; changes no result.
        grad_b: Accepted; changes no result.

    Raises:
        ValueError: If a matrix is to be transposed and conjugated both.
        InvalidArgumentError: If the shapes or the dtypes do not fit.
    """
    if not (a_is_sparse is b_is_sparse is grad_a is grad_b is False):
        flags(a_is_sparse=a_is_sparse, b_is_sparse=b_is_sparse, grad_a=grad_a, grad_b=grad_b)
    transpose_a, adjoint_a = one_way(transpose_a, adjoint_a, "a")
    transpose_b, adjoint_b = one_way(transpose_b, adjoint_b, "b")
    if output_type is None:
        a, b = match("MatMul", kept(a), b)
    else:
        a, b = cast(a, output_type), cast(b, output_type)
    check_summed("MatMul", a)
    if adjoint_a:
        a, transpose_a = Conj(a), True
    if adjoint_b:
        b, transpose_b = Conj(b), True
    return multiplied(a, b, transpose_a, transpose_b)


def check_summed(op: str, x: Tensor) -> None:
    """Refuse tensors whose products cannot be summed in their dtype, or soon wrap around in it."""
    dtype = tensor_of(op, x, NUMERIC)._array.dtype
    if dtype.kind in "iu" and dtype.itemsize < 4:
        raise InvalidArgumentError(
            f"Value for attr 'T' of {x.dtype.name} is not in the list of allowed values: bfloat16, "
            "half, float, double, int32, int64, uint32, uint64, complex64, complex128. Sums of "
            f"products wrap around in {x.dtype.name}: use tf.cast(x, tf.int32) first, or "
            f"tf.matmul(a, b, output_type=tf.int32). [Op:{op}]"
        )


def multiplied(
    a: Tensor, b: Tensor, transpose_a: bool = False, transpose_b: bool = False
) -> Tensor:
    """The product of two tensors of one dtype, after a check of their shapes."""
    left, right = a._array.shape, b._array.shape
    _check_shapes(left, right, transpose_a, transpose_b)
    if len(right) != 2 or len(left) == 2 or transpose_a:
        return MatMul(a, b, transpose_a=transpose_a, transpose_b=transpose_b)
    # as one product of two matrices, so that the gradient for b, too, is one large product
    rows = Reshape(a, shape=(math.prod(left[:-1]), left[-1]))
    result = MatMul(rows, b, transpose_a=False, transpose_b=transpose_b)
    return Reshape(result, shape=left[:-1] + result._array.shape[1:])


def one_way(transpose: bool, adjoint: bool, which: str) -> tuple[bool, bool]:
    """Whether a matrix is to be transposed, and whether adjoined: not both."""
    transpose, adjoint = flag(transpose, f"transpose_{which}"), flag(adjoint, f"adjoint_{which}")
    if transpose and adjoint:
        raise ValueError(
            f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received "
            f"`transpose_{which}`={transpose}, `adjoint_{which}`={adjoint}."
        )
    return transpose, adjoint


def _mismatch(a: Shape, b: Shape, transpose_a: bool, transpose_b: bool) -> str:
    """The mismatch of two shapes, and the transposition that would mend it."""
    columns, rows = a[-2 if transpose_a else -1], b[-1 if transpose_b else -2]
    others = {
        "transpose_a": a[-1 if transpose_a else -2],
        "transpose_b": b[-2 if transpose_b else -1],
    }
    given = {"transpose_a": transpose_a, "transpose_b": transpose_b}
    fits = {
        "transpose_a": others["transpose_a"] == rows,
        "transpose_b": columns == others["transpose_b"],
    }
    ways = [f"{way}={not given[way]}" for way in ("transpose_b", "transpose_a") if fits[way]]
    cure = f"; {' or '.join(ways)} would fit" if ways else ""
    return f"the first has {columns} columns, the second {rows} rows{cure}"


def _check_shapes(a: Shape, b: Shape, transpose_a: bool, transpose_b: bool) -> None:
    for position, shape in enumerate((a, b)):
        if len(shape) < 2:
            raise InvalidArgumentError(
                f"In[{position}] ndims must be >= 2: {len(shape)}. Matrices are expected, got "
                f"shapes {written(a)} and {written(b)}; for vectors there are tf.linalg.matvec and "
                "tf.tensordot [Op:MatMul]"
            )
    if a[-2 if transpose_a else -1] != b[-1 if transpose_b else -2]:
        raise InvalidArgumentError(
            f"Matrix size-incompatible: In[0]: {written(a)}, In[1]: {written(b)}"
            f"{', the first transposed' * transpose_a}{', the second transposed' * transpose_b}: "
            f"{_mismatch(a, b, transpose_a, transpose_b)} [Op:MatMul]"
        )
    if len(a) > 2 < len(b) and any(
        m != n and 1 not in (m, n) for m, n in zip(a[-3::-1], b[-3::-1], strict=False)
    ):
        raise InvalidArgumentError(
            f"In[0] and In[1] must have compatible batch dimensions: {written(a)} vs. "
            f"{written(b)} [Op:BatchMatMulV2]"
        )


@public("linalg.matvec")
def matvec(
    a: NumericLike,
    b: NumericLike,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Product of a matrix and a vector, or of all matrices and vectors in two stacks.

    >>> import cinta as tf
    >>> tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).numpy()
    array([3., 7.], dtype=float32)

    Args:
        a: Matrices, in the last two axes.
        b: Vectors, along the last axis.
        transpose_a: Whether to transpose ``a`` first.
        adjoint_a: Whether to transpose and conjugate ``a`` first.
        a_is_sparse: Accepted; changes no result.
        b_is_sparse: Accepted; changes no result.

    Raises:
        InvalidArgumentError: If the shapes do not fit, or ``b`` is a scalar.
    """
    a, b = match("MatMul", kept(a), kept(b))
    if not b._array.ndim:
        raise InvalidArgumentError("b must be a vector, got a scalar [Op:MatMul]")
    column = Reshape(b, shape=(*b._array.shape, 1))
    result = matmul(a, column, transpose_a=transpose_a, adjoint_a=adjoint_a)
    return Reshape(result, shape=result._array.shape[:-1])


@public("linalg.adjoint")
def adjoint(matrix: NumericLike, name: str | None = None) -> Tensor:
    """The last two axes swapped, and complex numbers conjugated.

    >>> import cinta as tf
    >>> tf.linalg.adjoint([[1.0 + 0j, 2j]]).numpy()
    array([[1.-0.j],
           [0.-2.j]])

    Args:
        matrix: Matrices, in the last two axes.
    """
    return matrix_transpose(matrix, conjugate=True)


@public("linalg.tensordot", "tensordot")
def tensordot(
    a: NumericLike, b: NumericLike, axes: AxisLike | Sequence[AxisLike], name: str | None = None
) -> Tensor:
    """Sum of products over pairs of axes, one of each tensor; the other axes remain in order.

    ``axes`` is how many of a's last and of b's first axes are paired, or a list of a's and a
    list of b's.

    >>> import cinta as tf
    >>> tf.tensordot([[1.0, 2.0], [3.0, 4.0]], [[1.0, 10.0]], axes=[[1], [1]]).numpy()
    array([[21.],
           [43.]], dtype=float32)
    """
    a, b = match("MatMul", kept(a), kept(b))
    check_summed("MatMul", a)
    left, right = a._array.shape, b._array.shape
    of_a, of_b = _paired_axes(axes, left, right)
    kept_a = [i for i in range(len(left)) if i not in of_a]
    kept_b = [i for i in range(len(right)) if i not in of_b]
    _check_paired(left, right, of_a, of_b)
    rows = _as_matrix(a, kept_a, of_a)
    columns = _as_matrix(b, of_b, kept_b)
    result = multiplied(rows, columns)
    return Reshape(result, shape=tuple([left[i] for i in kept_a] + [right[i] for i in kept_b]))


def _check_paired(a: Shape, b: Shape, of_a: list[int], of_b: list[int]) -> None:
    """Refuse axes over which to sum that are not equally long, taken together."""
    lengths = [[shape[i] for i in axes] for shape, axes in ((a, of_a), (b, of_b))]
    if math.prod(lengths[0]) != math.prod(lengths[1]):
        raise InvalidArgumentError(
            f"Matrix size-incompatible: axes {of_a} of shape {written(a)} are {lengths[0]} long, "
            f"axes {of_b} of shape {written(b)} are {lengths[1]} long, but tf.tensordot sums over "
            "pairs of them [Op:MatMul]"
        )


def _as_matrix(x: Tensor, rows: list[int], columns: list[int]) -> Tensor:
    """The tensor with some of its axes as the rows of a matrix, and the others as its columns."""
    order, shape = rows + columns, x._array.shape
    if order != list(range(len(shape))):
        x = Transpose(x, perm=tuple([i - len(shape) for i in order]))
    sizes = [math.prod([shape[i] for i in part]) for part in (rows, columns)]
    return Reshape(x, shape=tuple(sizes))


def _paired_axes(axes: object, a: Shape, b: Shape) -> tuple[list[int], list[int]]:
    """The axes of a and of b, counted from the left, over which to sum."""
    if not isinstance(axes, (list, tuple)):
        array = seen(as_tensor(axes))
        given = integers(axes, "axes") if np.ndim(array) < 2 else array
        axes = list(given) if np.ndim(array) else given[0]
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"`axes` must be at least 0. Received: {axes}.")
        if axes > min(len(a), len(b)):
            raise ValueError(
                f"`axes` must not be larger than the number of dimensions of the tensors: received "
                f"{axes} for shapes {written(a)} and {written(b)}."
            )
        return list(range(len(a) - axes, len(a))), list(range(axes))
    if len(axes) != 2:
        raise ValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    of_a, of_b = (list(integers(part, "axes")) for part in axes)
    if len(of_a) != len(of_b):
        raise ValueError(
            f"Different number of contraction axes `a` and `b`, {len(of_a)} != {len(of_b)}."
        )
    return _from_left(of_a, a), _from_left(of_b, b)


def _from_left(axes: list[int], shape: Shape) -> list[int]:
    rank = len(shape)
    found = [rank + axis_from_right("tensordot", i, rank, "axes", IndexError) for i in axes]
    if len(set(found)) < len(found):
        raise ValueError(f"`axes` must name each axis once. Received {axes}.")
    return found


@op("Cross", broadcasts=True, elementwise=False, linear=True)
def Cross(xp: ArrayModule, a: Array, b: Array) -> Array:
    """The vector products of vectors of length 3."""
    with np.errstate(all="ignore"):
        return xp.cross(a, b)


Cross.grads(a=lambda g, b: Cross(b, g), b=lambda g, a: Cross(g, a))


@public("linalg.cross")
def cross(a: NumericLike, b: NumericLike, name: str | None = None) -> Tensor:
    """The vector product of each pair of vectors of length 3, which lie along the last axis.

    >>> import cinta as tf
    >>> tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy()
    array([0., 0., 1.], dtype=float32)

    Args:
        a: Vectors of length 3.
        b: As many others.

    Raises:
        InvalidArgumentError: If the shapes differ, or the vectors have another length.
    """
    x, y = match("Cross", a, b)
    tensor_of("Cross", x, NUMERIC)
    left, right = x._array.shape, y._array.shape
    if left != right or left[-1:] != (3,):
        raise InvalidArgumentError(
            "Both inputs must be of same shape, and hold vectors of length 3: got "
            f"{written(left)} vs. {written(right)} [Op:Cross]"
        )
    return Cross(x, y)
