"""Diagonals and bands of matrices."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...engine.convert import as_tensor, is_tensor, match
from ...engine.dtype_kinds import ANY, NUMERIC
from ...engine.fast_calls import on_one
from ...engine.free_memory import check_memory
from ...engine.primitives import Reshape
from ...engine.shapes import Shape, written
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import integer, integers, tensor_of, text
from ..arrays.selecting import SelectV2
from ..reductions.reduction import Sum
from .diagonal_ops import (
    BYTES_OF_PLACES,
    MatrixBandPart,
    MatrixDiag,
    MatrixDiagPart,
    Range,
    band_places,
    matrix_places,
)

if TYPE_CHECKING:
    from ...engine.annotations import IntLike, NumericLike, TensorLike
    from ...engine.tensor import Tensor

# -- functions ---------------------------------------------------------------------------------


@public("linalg.band_part")
def band_part(
    input: NumericLike, num_lower: IntLike, num_upper: IntLike, name: str | None = None
) -> Tensor:
    """The matrices with zeros outside a band around the main diagonal.

    ``num_lower`` and ``num_upper`` are how many diagonals to keep below and above; negative
    numbers keep all.

    >>> import cinta as tf
    >>> tf.linalg.band_part(tf.ones([2, 3]), -1, 0).numpy()
    array([[1., 0., 0.],
           [1., 1., 0.]], dtype=float32)

    Args:
        input: Matrices, in the last two axes.
        num_lower: How many diagonals to keep below the main one; a negative number for all.
        num_upper: How many to keep above it.

    Raises:
        InvalidArgumentError: If there are not as many diagonals, or ``input`` has less than two
            axes.
    """
    x = matrices("MatrixBandPart", input)
    rows, columns = x._array.shape[-2:]
    lower, upper = integer(num_lower, "num_lower"), integer(num_upper, "num_upper")
    for argument, given, what, count in (
        ("num_lower", lower, "rows", rows),
        ("num_upper", upper, "columns", columns),
    ):
        if given > count:
            raise InvalidArgumentError(
                f"{argument} must be negative or less or equal to number of {what} ({count}) got: "
                f"{given} [Op:MatrixBandPart]"
            )
    return on_one(MatrixBandPart, x, num_lower=lower, num_upper=upper)


def matrices(op: str, value: object, kinds: str = ANY) -> Tensor:
    """The value as a tensor of matrices."""
    x = tensor_of(op, value, kinds)
    if x._array.ndim < 2:
        raise InvalidArgumentError(
            f"Input tensor 0 must have rank >= 2, got {x._array.ndim}: matrices are expected, "
            f"received shape: {written(x._array.shape)} [Op:{op}]"
        )
    return x


@public("linalg.diag")
def diag(
    diagonal: NumericLike,
    name: str = "diag",
    k: TensorLike = 0,
    num_rows: IntLike = -1,
    num_cols: IntLike = -1,
    padding_value: NumericLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with these diagonals: the main one, the k-th, or all from k[0] to k[1].

    >>> import cinta as tf
    >>> tf.linalg.diag([1.0, 2.0]).numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)

    Several diagonals come as the rows of a matrix, the uppermost first. ``align`` says on which
    side those above and those below the main one are padded: "RIGHT_LEFT" aligns the upper ones
    right, and the lower ones left.

    Args:
        diagonal: The diagonals, along the last axis; several as the rows of a matrix.
        k: Which diagonal; above the main one if positive. Two numbers for the lowest and the
            highest.
        num_rows: The number of rows; -1 for as many as are needed.
        num_cols: The number of columns; -1 for as many as are needed.
        padding_value: What stands elsewhere.
        align: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Raises:
        InvalidArgumentError: If the diagonals do not fit into the matrix, or one of the numbers
            makes no sense.
    """
    x = as_tensor(diagonal)
    band = _band("MatrixDiagV3", k, align)
    several = band[0] < band[1]
    given = x._array.shape
    if len(given) < 1 + several:
        raise InvalidArgumentError(
            f"diagonal must be at least {1 + several}-dim, received shape: {written(given)} "
            "[Op:MatrixDiagV3]"
        )
    if several and given[-2] != band[1] - band[0] + 1:
        raise InvalidArgumentError(
            "The number of diagonals provided in the input does not match the lower_diag_index and "
            f"upper_diag_index range: {given[-2]} for {list(band)} [Op:MatrixDiagV3]"
        )
    sizes = integer(num_rows, "num_rows"), integer(num_cols, "num_cols")
    shape = _matrix_shape(band, given[-1], sizes)
    check_memory("MatrixDiagV3", (*given[: -1 - several], *shape), BYTES_OF_PLACES)
    return on_one(
        MatrixDiag, x, k=band, shape=shape, padding_value=_number(padding_value, x), align=align
    )


def _band(op: str, k: object, align: str) -> Range:
    band = integers(k, "k")
    if len(band) not in (1, 2):
        raise InvalidArgumentError(f"k must be one number or two, got {k!r} [Op:{op}]")
    if band[0] > band[-1]:
        raise InvalidArgumentError(
            "lower_diag_index must not be larger than upper_diag_index: "
            f"{band[0]} > {band[-1]} [Op:{op}]"
        )
    sides = ("LEFT", "RIGHT")
    if text(align, "align") not in [f"{upper}_{lower}" for upper in sides for lower in sides]:
        raise InvalidArgumentError(
            f"Value for attr 'align' of \"{align}\" is not in the list of allowed values: "
            f'"LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT" [Op:{op}]'
        )
    return band[0], band[-1]


def _matrix_shape(k: Range, longest: int, sizes: Shape) -> Range:
    """The shape of the matrix: as asked for, or as small as the diagonals allow."""
    least = longest + max(-k[1], 0), longest + max(k[0], 0)
    if sizes == (-1, -1):
        return max(least), max(least)
    rows, columns = (want if want != -1 else need for want, need in zip(sizes, least, strict=True))
    for want, need, what in ((rows, least[0], "rows"), (columns, least[1], "columns")):
        if want < need:
            raise InvalidArgumentError(
                f"The number of {what} is too small: {want}, at least {need} are needed "
                "[Op:MatrixDiagV3]"
            )
    return rows, columns


def _number(value: NumericLike, like: Tensor) -> Any:
    if type(value) is int or type(value) is float:
        return value
    return seen(as_tensor(value, None if is_tensor(value) else like._array.dtype))[()]


@public("linalg.diag_part")
def diag_part(
    input: NumericLike,
    name: str = "diag_part",
    k: TensorLike = 0,
    padding_value: NumericLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """The diagonals of matrices: the main one, the k-th, or all from k[0] to k[1].

    >>> import cinta as tf
    >>> tf.linalg.diag_part([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([1., 4.], dtype=float32)

    Several diagonals come as the rows of a matrix; see ``tf.linalg.diag``.

    Args:
        input: Matrices, in the last two axes.
        k: Which diagonal; above the main one if positive. Two numbers for the lowest and the
            highest.
        padding_value: What shorter diagonals are padded with.
        align: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Raises:
        InvalidArgumentError: If there is no such diagonal.
    """
    x = matrices("MatrixDiagPartV3", input)
    band = _band("MatrixDiagPartV3", k, align)
    _check_inside("MatrixDiagPartV3", band, x._array.shape)
    return on_one(MatrixDiagPart, x, k=band, padding_value=_number(padding_value, x), align=align)


def _check_inside(op: str, k: Range, shape: Shape) -> None:
    rows, columns = shape[-2:]
    for which, index in (("lower", k[0]), ("upper", k[1])):
        if not -rows < index < columns and index != 0:
            raise InvalidArgumentError(
                f"{which}_diag_index is out of bound: {index}. It must be between {-rows} and "
                f"{columns} [Op:{op}]"
            )


@public("linalg.set_diag")
def set_diag(
    input: NumericLike,
    diagonal: NumericLike,
    name: str = "set_diag",
    k: TensorLike = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """The matrices with other values on the main diagonal, the k-th, or all from k[0] to k[1].

    >>> import cinta as tf
    >>> tf.linalg.set_diag(tf.ones([2, 2]), [5.0, 6.0]).numpy()
    array([[5., 1.],
           [1., 6.]], dtype=float32)

    Args:
        input: Matrices, in the last two axes.
        diagonal: The values; several diagonals as the rows of a matrix.
        k: Which diagonal; above the main one if positive. Two numbers for the lowest and the
            highest.
        align: "RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT" or "RIGHT_RIGHT".

    Raises:
        InvalidArgumentError: If the diagonals do not fit.
    """
    name = "MatrixSetDiagV3"
    x, y = match(name, input, diagonal)
    matrices(name, x)
    band = _band(name, k, align)
    shape = x._array.shape
    _check_inside(name, band, shape)
    places, _ = band_places(band, shape[-2:], align)
    expected = shape[:-2] + (places.shape if band[0] < band[1] else places.shape[1:])
    if y._array.shape != expected:
        raise InvalidArgumentError(
            f"diagonal must have the shape {written(expected)} for an input of shape "
            f"{written(shape)} and k={list(band)}, got {written(y._array.shape)} [Op:{name}]"
        )
    placed = MatrixDiag(y, k=band, shape=shape[-2:], padding_value=0, align=align)
    _, inside = matrix_places(band, shape[-2:], align)
    result: Tensor = SelectV2(inside, placed, x)
    return result


@public("linalg.trace")
def trace(x: NumericLike, name: str | None = None) -> Tensor:
    """Sum of the main diagonal of each matrix.

    >>> import cinta as tf
    >>> tf.linalg.trace([[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(5.0)

    Args:
        x: Matrices, in the last two axes.
    """
    return on_one(Sum, diag_part(tensor_of("Sum", x, NUMERIC)), axis=(-1,), keepdims=False)


@public("linalg.tensor_diag")
def tensor_diag(diagonal: NumericLike, name: str | None = None) -> Tensor:
    """A tensor of twice the rank, with the values where both halves of an index are the same.

    >>> import cinta as tf
    >>> tf.linalg.tensor_diag([1.0, 2.0]).numpy()
    array([[1., 0.],
           [0., 2.]], dtype=float32)

    Args:
        diagonal: A tensor with at least one axis.

    Raises:
        InvalidArgumentError: If it is a scalar.
    """
    x = tensor_of("Diag", diagonal, NUMERIC)
    shape = x._array.shape
    if not shape:
        raise InvalidArgumentError("Input must be at least rank 1, got 0 [Op:Diag]")
    flat = Reshape(x, shape=(math.prod(shape),))
    return Reshape(diag(flat), shape=shape + shape)


@public("linalg.tensor_diag_part")
def tensor_diag_part(input: NumericLike, name: str | None = None) -> Tensor:
    """The elements of a tensor for which both halves of the index are the same.

    >>> import cinta as tf
    >>> tf.linalg.tensor_diag_part([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([1., 4.], dtype=float32)

    Args:
        input: A tensor; both halves of its shape are the same.

    Raises:
        InvalidArgumentError: If they are not.
    """
    x = tensor_of("DiagPart", input, NUMERIC)
    shape = x._array.shape
    half = shape[: len(shape) // 2]
    if shape != half + half:
        raise InvalidArgumentError(
            "The rank of the tensor should be even, and both halves of its shape the same, got "
            f"shape {written(shape)} [Op:DiagPart]"
        )
    count = math.prod(half)
    return Reshape(diag_part(Reshape(x, shape=(count, count))), shape=half)
