"""Products of vectors and matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine.tensor import Tensor
from ...ops.arguments import axis_from_right, text
from ...ops.arrays.shaping import reshape, squeeze
from ...ops.elementwise.complex_numbers import conj
from ...ops.linalg import matmul as products
from ...ops.linalg.einsum import einsum as _einsum
from ...public import public
from . import elementwise, joining, manipulation
from .arguments import count, is_one_of
from .types import asarray, promoted, promoted_pair

if TYPE_CHECKING:
    from ...engine.annotations import AxisLike, NumericLike


@public("tnp.matmul")
def matmul(x1: NumericLike, x2: NumericLike) -> Tensor:
    """The product of matrices; a vector is a row on the left and a column on the right.

    >>> import cinta as tf
    >>> tf.experimental.numpy.matmul([[1, 2], [3, 4]], [1.0, 1.0]).numpy()
    array([3., 7.])

    Args:
        x1: An array, a tensor, or what becomes one.
        x2: Another one.

    Raises:
        ValueError: If one of them is a scalar.
    """
    a, b = promoted_pair(x1, x2)
    if not a.ndim or not b.ndim:
        raise ValueError("matmul takes no scalars: use multiply.")
    left = a[None] if a.ndim == 1 else a
    right = b[:, None] if b.ndim == 1 else b
    product = products.matmul(left, right)
    ones = [-2] * (a.ndim == 1) + [-1] * (b.ndim == 1)
    return squeeze(product, ones) if ones else product


@public("tnp.dot")
def dot(a: NumericLike, b: NumericLike) -> Tensor:
    """The sum of products over the last axis of ``a`` and the last but one of ``b``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.dot([[1, 2], [3, 4]], [1, 1]).numpy()
    array([3, 7])
    """
    x, y = promoted_pair(a, b)
    if not x.ndim or not y.ndim:
        return elementwise.multiply(x, y)
    return products.tensordot(x, y, [[-1], [-1 if y.ndim == 1 else -2]])


@public("tnp.inner")
def inner(a: NumericLike, b: NumericLike) -> Tensor:
    """The sum of products over the last axes.

    >>> import cinta as tf
    >>> tf.experimental.numpy.inner([1, 2, 3], [0, 1, 0]).numpy()
    np.int64(2)

    Args:
        a: An array, a tensor, or what becomes one.
        b: Another, whose last axis has the same length.
    """
    x, y = promoted_pair(a, b)
    if not x.ndim or not y.ndim:
        return elementwise.multiply(x, y)
    return products.tensordot(x, y, [[-1], [-1]])


@public("tnp.outer")
def outer(a: NumericLike, b: NumericLike) -> Tensor:
    """The product of every element of ``a`` with every one of ``b``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.outer([1, 2], [3, 4]).numpy()
    array([[3, 4],
           [6, 8]])
    """
    x, y = promoted_pair(a, b)
    return elementwise.multiply(reshape(x, [-1, 1]), reshape(y, [1, -1]))


@public("tnp.vdot")
def vdot(a: NumericLike, b: NumericLike) -> Tensor:
    """The sum of products of all elements, those of ``a`` conjugated.

    >>> import cinta as tf
    >>> tf.experimental.numpy.vdot([1j, 2], [1j, 2]).numpy()
    np.complex128(5+0j)

    Args:
        a: An array, a tensor, or what becomes one.
        b: Another of the same size.
    """
    x, y = promoted(a, b)
    return dot(conj(reshape(x, [-1])), reshape(y, [-1]))


@public("tnp.tensordot")
def tensordot(a: NumericLike, b: NumericLike, axes: AxisLike = 2) -> Tensor:
    """The sum of products over these axes of both.

    >>> import cinta as tf
    >>> tf.experimental.numpy.tensordot([[1, 2], [3, 4]], [1, 1], axes=1).numpy()
    array([3, 7])

    Args:
        a: An array, a tensor, or what becomes one.
        b: Another.
        axes: How many axes to sum over, or a pair of lists of them.
    """
    x, y = promoted_pair(a, b)
    return products.tensordot(x, y, axes)


@public("tnp.einsum")
def einsum(subscripts: str, *operands: NumericLike, **kwargs: Any) -> Tensor:
    """The sum of products that the subscripts describe.

    >>> import cinta as tf
    >>> tf.experimental.numpy.einsum("ij,j->i", [[1, 2], [3, 4]], [1.0, 2.0]).numpy()
    array([ 5., 11.])

    Args:
        subscripts: Letters for the axes of each operand, then after ``->`` for those of the result.
        operands: Arrays, tensors, or what becomes them.
        kwargs: ``optimize`` and ``casting="safe"``.

    Raises:
        ValueError: If something else is asked for.
    """
    casting, optimize = kwargs.pop("casting", "safe"), kwargs.pop("optimize", False)
    safe = is_one_of(casting, ("safe",))
    if kwargs or not safe:
        refused = sorted(kwargs) if safe else f"casting={casting!r}"
        raise ValueError(f"einsum does not support {refused}.")
    return _einsum(
        text(subscripts, "subscripts"), *promoted(*operands), optimize=optimize or "greedy"
    )


@public("tnp.kron")
def kron(a: NumericLike, b: NumericLike) -> Tensor:
    """The array ``b`` multiplied by every element of ``a``, in its place.

    >>> import cinta as tf
    >>> tf.experimental.numpy.kron([1, 10], [1, 2]).numpy()
    array([ 1,  2, 10, 20])
    """
    x, y = promoted(a, b)
    rank = x.ndim if x.ndim > y.ndim else y.ndim
    x_lengths = [1] * (rank - x.ndim) + list(x.shape)
    y_lengths = [1] * (rank - y.ndim) + list(y.shape)
    spread = [length for n in x_lengths for length in (n, 1)]
    dense = [length for n in y_lengths for length in (1, n)]
    product = elementwise.multiply(reshape(x, spread), reshape(y, dense))
    return reshape(product, [m * n for m, n in zip(x_lengths, y_lengths, strict=True)])


@public("tnp.cross")
def cross(
    a: NumericLike,
    b: NumericLike,
    axisa: int = -1,
    axisb: int = -1,
    axisc: int = -1,
    axis: int | None = None,
) -> Tensor:
    """The cross product of vectors of three elements, or of two, whose third is zero.

    >>> import cinta as tf
    >>> tf.experimental.numpy.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1])

    Args:
        a: An array, a tensor, or what becomes one.
        b: Another one.
        axisa: The axis of the vectors in ``a``.
        axisb: The axis of the vectors in ``b``.
        axisc: The axis of the vectors in the result.
        axis: One axis in place of these three.

    Raises:
        ValueError: If the vectors have neither two nor three elements.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = promoted_pair(a, b)
    x = manipulation.moveaxis(x, axis_from_right("cross", axisa, x.ndim, "axisa"), -1)
    y = manipulation.moveaxis(y, axis_from_right("cross", axisb, y.ndim, "axisb"), -1)
    if not {x.shape[-1], y.shape[-1]} <= {2, 3}:
        raise ValueError(
            "The vectors of cross must have two or three elements, got "
            f"{x.shape[-1]} and {y.shape[-1]}."
        )
    third = x[..., 0] * y[..., 1] - x[..., 1] * y[..., 0]
    if x.shape[-1] == y.shape[-1] == 2:
        return third
    x2 = x[..., 2] if x.shape[-1] == 3 else 0 * x[..., 0]
    y2 = y[..., 2] if y.shape[-1] == 3 else 0 * y[..., 0]
    product = [x[..., 1] * y2 - x2 * y[..., 1], x2 * y[..., 0] - x[..., 0] * y2, third]
    return joining.stack(product, axisc)


@public("tnp.polyval")
def polyval(p: NumericLike, x: NumericLike) -> Tensor:
    """The polynomial with these coefficients, that of the highest power first, at ``x``.

    >>> import cinta as tf
    >>> tf.experimental.numpy.polyval([1, 0, 2], 3).numpy()
    np.int64(11)

    Args:
        p: An array, a tensor, or what becomes one.
        x: An array, a tensor, or what becomes one.
    """
    coefficients, points = promoted_pair(p, x)
    coefficients = manipulation.atleast_1d(coefficients)
    value = 0 * points
    for coefficient in coefficients:
        value = value * points + coefficient
    return value


@public("tnp.diff")
def diff(a: NumericLike, n: int = 1, axis: int = -1) -> Tensor:
    """The differences between neighbors along an axis, taken n times.

    >>> import cinta as tf
    >>> tf.experimental.numpy.diff([1, 4, 9]).numpy()
    array([3, 5])

    Args:
        a: An array, a tensor, or what becomes one.
        n: How often to take differences.
        axis: The axis, counted from the end if negative.
    """
    tensor = asarray(a)
    along = axis_from_right("diff", axis, tensor.ndim)
    behind = (slice(None),) * (-along - 1)
    for _ in range(min(count(n, "n"), tensor._array.shape[along])):  # then nothing is left
        later, earlier = tensor[(..., slice(1, None), *behind)], tensor[(..., slice(-1), *behind)]
        tensor = elementwise.not_equal(later, earlier) if later.dtype.is_bool else later - earlier
    return tensor
