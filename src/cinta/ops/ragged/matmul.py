"""Products of batches of matrices that differ in size."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from .constructors import ragged_or_dense
from .densifying import from_tensor
from .elementwise import same_rows
from .reshaping import expand_dims
from .tensor import RaggedTensor

if TYPE_CHECKING:
    from .annotations import Argument, RaggedOrDense


def matmul(
    a: RaggedOrDense,
    b: RaggedOrDense,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: RaggedOrDense = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> RaggedOrDense:
    """The product of the matrices of each batch.

    Rows are filled up with zeros, which add nothing to a product, and cut off again.
    """
    x, y = ragged_or_dense(a), ragged_or_dense(b)
    how: dict[str, Argument] = {
        "transpose_a": transpose_a,
        "transpose_b": transpose_b,
        "adjoint_a": adjoint_a,
        "adjoint_b": adjoint_b,
        "output_type": output_type,
    }
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        raise ValueError("Only one of transpose and adjoint can be true for one operand.")
    if x.dtype is not y.dtype:
        raise InvalidArgumentError(f"a and b must have one dtype, got {x.dtype!r} and {y.dtype!r}.")
    if min(len(x.shape), len(y.shape)) < 2:
        raise ValueError(
            f"a and b must be matrices or batches of them, got shapes {x.shape} and {y.shape}."
        )
    if len(x.shape) != len(y.shape):
        raise ValueError(f"a and b must have the same rank, got shapes {x.shape} and {y.shape}.")
    return _product(x, y, how)


def _product(x: RaggedOrDense, y: RaggedOrDense, how: dict[str, Argument]) -> RaggedOrDense:
    from ..linalg.matmul import matmul as dense

    ragged = [v for v in (x, y) if isinstance(v, RaggedTensor)]
    if not ragged:
        return dense(x, y, **how)
    if len(x.shape) > 3 or (len(ragged) == 2 and _dense_matrices(x) and _dense_matrices(y)):
        x, y = _in_one_depth(x, y)
        if not same_rows([x._row_partition], [y._row_partition]):
            raise InvalidArgumentError(
                "The batches of a and b must have the same rows, got "
                f"{x._row_partition.lengths.tolist()} and {y._row_partition.lengths.tolist()}."
            )
        return x.with_values(_product(x.values, y.values, how))
    if len(x.shape) == 2:
        matrix = _of_batches(expand_dims(x, 0), expand_dims(y, 0), how)[0]
        return RaggedTensor.from_tensor(matrix) if isinstance(matrix, Tensor) else matrix
    return _of_batches(x, y, how)


def _dense_matrices(x: RaggedTensor) -> bool:
    return len(x.shape) > 3


def _in_one_depth(x: RaggedOrDense, y: RaggedOrDense) -> tuple[Any, Any]:
    from .joining import with_depth

    dtype = next(v.row_splits.dtype for v in (x, y) if isinstance(v, RaggedTensor))
    return with_depth(x, 1, dtype), with_depth(y, 1, dtype)


def _size(x: RaggedOrDense, axis: int) -> RaggedOrDense:
    """The length of an axis in every batch."""
    count = int(x.shape[0])
    if not isinstance(x, RaggedTensor) or x.shape[axis] is not None:
        return np.full(count, int(x.shape[axis]))
    if axis == 1:
        return x._row_partition.lengths
    rows, inner = x._row_partition, x.values._row_partition
    lengths = np.zeros(count, np.int64)
    for i, (a, b) in enumerate(pairwise(rows.ends)):
        within = set(inner.lengths[a:b].tolist())
        if len(within) > 1:
            raise InvalidArgumentError(
                f"The matrices of an input must be dense: matrix {i} has rows of {sorted(within)} "
                "elements."
            )
        lengths[i] = within.pop() if within else 0
    return lengths


def _of_batches(x: RaggedOrDense, y: RaggedOrDense, how: dict[str, Argument]) -> RaggedOrDense:
    from ..linalg.matmul import matmul as dense

    turned_a = how["transpose_a"] or how["adjoint_a"]
    turned_b = how["transpose_b"] or how["adjoint_b"]
    if int(x.shape[0]) != int(y.shape[0]):
        raise InvalidArgumentError(
            f"a and b must have as many matrices, got shapes {x.shape} and {y.shape}."
        )
    rows, inner = _size(x, 2 if turned_a else 1), _size(x, 1 if turned_a else 2)
    inner_b, columns = _size(y, 2 if turned_b else 1), _size(y, 1 if turned_b else 2)
    if (inner != inner_b).any():
        raise InvalidArgumentError(
            "Dimensions of the matrices must be equal, but are "
            f"{inner.tolist()} and {inner_b.tolist()} [Op:BatchMatMul]"
        )
    filled = [v.to_tensor() if isinstance(v, RaggedTensor) else v for v in (x, y)]
    product = dense(*_to_one_length(filled, turned_a, turned_b), **how)
    dtype = next(v.row_splits.dtype for v in (x, y) if isinstance(v, RaggedTensor))
    if len(set(columns.tolist())) <= 1:
        return from_tensor(product, rows, None, 1, dtype)
    return from_tensor(product, [rows, np.repeat(columns, rows)], None, 2, dtype)


def _to_one_length(filled: list[Any], turned_a: bool, turned_b: bool) -> list[Any]:
    """Both with as many inner elements: the longest of either."""
    from ..arrays.padding import pad

    axes = [1 if turned_a else 2, 2 if turned_b else 1]
    longest = max(int(x.shape[axis]) for x, axis in zip(filled, axes, strict=True))
    made = []
    for x, axis in zip(filled, axes, strict=True):
        missing = [[0, 0], [0, 0], [0, 0]]
        missing[axis][1] = longest - int(x.shape[axis])
        made.append(pad(x, missing) if missing[axis][1] else x)
    return made
