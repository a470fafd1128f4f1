"""Functions of anything that holds numbers, as functions of one vector that give one vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import nest
from ..derivatives.tape import GradientTape
from ..dtypes import of
from ..engine.convert import as_tensor
from ..engine.primitives import Cast, ConcatV2, Reshape, SplitV
from ..engine.tensor import Tensor, wrap
from ..functional.differentiated_call import check_recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import NumericLike, TensorLike
    from ..engine.tensor import Array

    VectorFunction: TypeAlias = Callable[[Tensor], Tensor]


def vector_of(x: TensorLike) -> Tensor:
    """All numbers of a structure in one vector, as a tensor of its own."""
    leaves = [real(leaf, "differentiate with respect to")._array for leaf in nest.flatten(x)]
    if not leaves:
        raise ValueError(f"there is nothing to differentiate with respect to in {x!r}.")
    return wrap(np.concatenate([np.reshape(leaf, -1) for leaf in leaves]))


def real(value: NumericLike, what: str) -> Tensor:
    """A value as a tensor, which must be of real floating-point numbers."""
    tensor = as_tensor(value)
    if not of(tensor._array.dtype).is_floating:
        raise TypeError(
            f"cannot {what} {value!r}, which is {tensor.dtype.name}: sparse derivatives are those "
            "of real floating-point numbers."
        )
    return tensor


def on_vectors(
    f: Callable[..., Any], x: TensorLike, args: Sequence[Any], kwargs: dict[str, Any]
) -> VectorFunction:
    """The function of all the numbers of x that gives all the numbers that f returns."""
    leaves = [as_tensor(leaf)._array for leaf in nest.flatten(x)]

    def function(vector: Tensor) -> Tensor:
        parts = [vector]
        if len(leaves) > 1:
            sizes = tuple([leaf.size for leaf in leaves])
            parts = [*SplitV(vector, sizes=sizes, axis=-1)]
        shaped = [fitted(part, leaf) for part, leaf in zip(parts, leaves, strict=True)]
        returned = f(nest.pack_sequence_as(x, shaped), *args, **kwargs)
        for value in nest.flatten(returned):
            check_recorded(value)
        values = [real(value, "differentiate") for value in nest.flatten(returned)]
        flat = [Reshape(value, shape=(-1,)) for value in values]
        if len(flat) == 1:
            return flat[0]
        wide = np.result_type(*[value._array.dtype for value in flat])
        same = [Cast(value, dtype=wide) for value in flat]
        return ConcatV2(*same, axis=-1)

    return function


def fitted(part: Tensor, leaf: Array) -> Tensor:
    """A part of the vector in the shape and dtype of the leaf that it stands for."""
    shaped: Tensor = Reshape(part, shape=leaf.shape)
    if shaped._array.dtype != leaf.dtype:
        shaped = Cast(shaped, dtype=leaf.dtype)
    return shaped


def gradient_function(f: VectorFunction) -> VectorFunction:
    """The gradient of a function that returns one number."""

    def function(vector: Tensor) -> Tensor:
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(vector)
            y = f(vector)
        if y._array.size != 1:
            raise ValueError(
                f"a Hessian is that of one number, but the function returned {y._array.size}. "
                "Use tf.reduce_sum in it, or sparse_jacobian."
            )
        return as_tensor(tape.gradient(y, vector, unconnected_gradients="zero"))

    return function
