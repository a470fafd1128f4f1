"""Nests of tensors as the vectors of float64 that SciPy works on, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, nest
from ..engine.convert import as_tensor
from ..engine.primitives import Cast, Reshape
from ..engine.tensor import wrap
from ..ops.arrays.joining import concat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import DTypeLike, NumericLike
    from ..engine.tensor import Array, Tensor

Vector = np.ndarray[Any, np.dtype[np.float64]]


class Packing:
    """How a nest lies in a vector: the elements of its tensors, one after the other.

    Tensors, variables and arrays keep their dtype, in which the function is then computed; numbers
    take the dtype of the others, or float64. ``dtype`` asks for another one for all. Lists of
    numbers are vectors, as in ``tf.constant``.
    """

    def __init__(self, values: object, dtype: DTypeLike | None = None) -> None:
        for_numbers = floating_dtype(nest.flatten(values)) or np.dtype(np.float64)
        wanted = None if dtype is None else dtypes.as_dtype(dtype).dtype
        self.like = with_vectors(values, for_numbers)
        leaves = [_real(leaf, for_numbers, wanted) for leaf in nest.flatten(self.like)]
        self.shapes = [leaf._array.shape for leaf in leaves]
        self.dtypes = [leaf._array.dtype for leaf in leaves]
        self.ends = np.cumsum([0, *[leaf._array.size for leaf in leaves]]).tolist()
        self.size: int = self.ends[-1]
        self.start = self.vector(nest.pack_sequence_as(self.like, leaves))

    def vector(self, values: object) -> Vector:
        """The elements of a nest, or of numbers that stand for all elements of a tensor."""
        given = nest.flatten(with_vectors(values, np.dtype(np.float64)))
        leaves = [np.asarray(as_tensor(leaf)._array, np.float64) for leaf in given]
        pairs = zip(leaves, self.shapes, strict=True)
        return np.concatenate([np.zeros(0), *[np.broadcast_to(x, s).ravel() for x, s in pairs]])

    def spread(self, values: object) -> Any:
        """One number in the place of each tensor, if only one was given for all."""
        if nest.is_nested(values) or not nest.is_nested(self.like):
            return values
        return nest.map_structure(lambda _: values, self.like)

    def nest(self, vector: Array) -> Any:
        """The nest whose elements these are."""
        return self.unpacked(tensor_of(vector))

    def unpacked(self, vector: Tensor) -> Any:
        """The nest whose elements these are; its tensors depend on the vector."""
        leaves = []
        for start, stop, shape, dtype in zip(
            self.ends, self.ends[1:], self.shapes, self.dtypes, strict=False
        ):
            leaf = Reshape(vector[start:stop], shape=shape)
            same = leaf._array.dtype == dtype
            leaves.append(leaf if same else Cast(leaf, dtype=dtype))
        return nest.pack_sequence_as(self.like, leaves)


def tensor_of(vector: Array) -> Tensor:
    """The vector as a tensor of its own: SciPy may write to it."""
    return wrap(np.array(vector, np.float64))


def flat(values: object, what: str) -> Tensor:
    """The elements of a nest of real tensors as one tensor, which depends on them."""
    given = nest.flatten(values)
    for_numbers = floating_dtype(given) or np.dtype(np.float64)
    leaves = [_real(leaf, for_numbers, None, what) for leaf in given]
    if not leaves:
        raise ValueError(f"{what} returned nothing: {values!r}.")
    widest = np.result_type(*[leaf._array.dtype for leaf in leaves])
    parts = [Reshape(leaf, shape=(leaf._array.size,)) for leaf in leaves]
    parts = [p if p._array.dtype == widest else Cast(p, dtype=widest) for p in parts]
    return parts[0] if len(parts) == 1 else concat(parts, 0)


def with_vectors(values: Any, dtype: Any) -> Any:
    """The nest with an array in the place of each list or tuple of numbers."""
    if isinstance(values, dict):
        return type(values)({key: with_vectors(value, dtype) for key, value in values.items()})
    if type(values) not in (list, tuple) or not values:
        return values
    if all(isinstance(leaf, (int, float, np.generic)) for leaf in nest.flatten(values)):
        return np.asarray(values, dtype)
    return type(values)([with_vectors(value, dtype) for value in values])


def floating_dtype(leaves: Sequence[Any]) -> Any:
    """The dtype of the first tensor, variable or array of floats, None if there is none."""
    for leaf in leaves:
        if hasattr(leaf, "dtype") and as_tensor(leaf).dtype.is_floating:
            return as_tensor(leaf)._array.dtype
    return None


def _real(
    leaf: NumericLike,
    for_numbers: np.dtype[Any],
    wanted: np.dtype[Any] | None,
    what: str = "the starting point",
) -> Tensor:
    """A leaf as a tensor of floats, of the wanted dtype if there is one."""
    tensor = as_tensor(np.asarray(leaf, for_numbers) if isinstance(leaf, (int, float)) else leaf)
    if tensor._array.dtype.kind in "iu" or (wanted is not None and tensor._array.dtype != wanted):
        tensor = Cast(tensor, dtype=for_numbers if wanted is None else wanted)
    if not tensor.dtype.is_floating:
        raise TypeError(
            f"{what} must be real numbers, in tensors, arrays or nests of them, but has "
            f"{tensor.dtype.name}: {leaf!r}."
        )
    return tensor
