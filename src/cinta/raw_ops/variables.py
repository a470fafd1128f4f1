"""Ops on variables, which they take as `variable.handle`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cinta as tf

from .arrays import strided_update

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..engine.tensor import Tensor
    from ..engine.variable import Variable
    from .arrays import Masks


def _check_dtype(op: str, variable: Variable, dtype: tf.DType) -> None:
    if variable.dtype != dtype:
        raise tf.errors.InvalidArgumentError(
            f"The variable has another dtype. Expected {variable.dtype.kernel_name} got "
            f"{dtype.kernel_name} [Op:{op}]"
        )


def _assign(how: str) -> Callable[..., None]:
    def assign(variable: Variable, value: Tensor, *_: bool) -> None:
        _check_dtype("AssignVariableOp", variable, value.dtype)
        getattr(variable, how)(value)

    return assign


def _read(variable: Variable, dtype: tf.DType) -> Tensor:
    _check_dtype("ReadVariableOp", variable, dtype)
    return variable.read_value()


def _gather(variable: Variable, indices: Tensor, dtype: tf.DType, batch: int, _: bool) -> Tensor:
    _check_dtype("ResourceGather", variable, dtype)
    return tf.gather(variable, indices, batch_dims=batch)


def _gather_nd(variable: Variable, indices: Tensor, dtype: tf.DType) -> Tensor:
    _check_dtype("ResourceGatherNd", variable, dtype)
    return tf.gather_nd(variable, indices)


def _scatter(how: str) -> Callable[..., None]:
    def scatter(variable: Variable, indices: Tensor, updates: Tensor) -> None:
        getattr(variable, f"scatter_{how}")(tf.IndexedSlices(updates, indices))

    return scatter


def _scatter_nd(how: str) -> Callable[..., None]:
    def scatter(variable: Variable, indices: Tensor, updates: Tensor, *_: bool | str) -> None:
        getattr(variable, f"scatter_nd_{how}")(indices, updates)

    return scatter


def _assign_slice(
    variable: Variable, begin: Tensor, end: Tensor, strides: Tensor, value: Tensor, *masks: *Masks
) -> None:
    new = strided_update(variable.read_value(), begin, end, strides, value, *masks)
    variable.assign(new)


def _count_up_to(variable: Variable, limit: int, dtype: tf.DType) -> Tensor:
    """The value before 1 was added, if it was below the limit."""
    _check_dtype("ResourceCountUpTo", variable, dtype)
    before = variable.read_value()
    if int(before) >= limit:
        raise tf.errors.OutOfRangeError(f"Reached limit of {limit} [Op:ResourceCountUpTo]")
    variable.assign_add(1)
    return before


OPS: dict[str, Callable[..., Any]] = {
    "AssignAddVariableOp": _assign("assign_add"),
    "AssignSubVariableOp": _assign("assign_sub"),
    "AssignVariableOp": _assign("assign"),
    "ReadVariableOp": _read,
    "ResourceCountUpTo": _count_up_to,
    "ResourceGather": _gather,
    "ResourceGatherNd": _gather_nd,
    "ResourceScatterAdd": _scatter("add"),
    "ResourceScatterDiv": _scatter("div"),
    "ResourceScatterMax": _scatter("max"),
    "ResourceScatterMin": _scatter("min"),
    "ResourceScatterMul": _scatter("mul"),
    "ResourceScatterNdAdd": _scatter_nd("add"),
    "ResourceScatterNdMax": _scatter_nd("max"),
    "ResourceScatterNdMin": _scatter_nd("min"),
    "ResourceScatterNdSub": _scatter_nd("sub"),
    "ResourceScatterNdUpdate": _scatter_nd("update"),
    "ResourceScatterSub": _scatter("sub"),
    "ResourceScatterUpdate": _scatter("update"),
    "ResourceStridedSliceAssign": _assign_slice,
    "VarIsInitializedOp": lambda variable: variable.is_initialized(),
    "VariableShape": lambda variable, dtype: tf.shape(variable, dtype),
}
