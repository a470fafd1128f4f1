"""Functions as functions of the leaves of their arguments, and their derivatives likewise.

That is the form in which a check can move one argument at a time, and differentiate again what it
has differentiated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import dtypes, nest
from ..derivatives.forward import ForwardAccumulator
from ..derivatives.tape import GradientTape
from ..derivatives.tape_arguments import UnconnectedGradients
from ..engine.convert import as_tensor
from ..engine.primitives import Identity
from ..engine.tensor import Array, Tensor, wrap
from ..engine.variable import Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import TensorLike


class Point(NamedTuple):
    """The arguments that can be differentiated: their values, and what to call them."""

    arrays: list[Array]
    names: list[str]


class LeafFunction(NamedTuple):
    """A function of lists of tensors to such lists, and what to call its results."""

    call: Callable[[list[Tensor]], list[Tensor]]
    names: list[str]


def of_leaves(f: Callable[..., Any], args: Sequence[Any]) -> tuple[LeafFunction, Point]:
    """The function as one of the leaves of its arguments that can be differentiated."""
    flat = nest.flatten_with_path(list(args))
    paths, leaves = [path for path, _ in flat], [leaf for _, leaf in flat]
    smooth = [i for i, leaf in enumerate(leaves) if _changes_smoothly(leaf)]
    if not smooth:
        raise ValueError(f"none of the arguments is of floating-point or complex dtype: {args!r}.")
    arrays = [np.asarray(as_tensor(leaves[i])._array) for i in smooth]
    names = [_path("args", paths[i]) for i in smooth]

    def results(tensors: list[Tensor]) -> list[tuple[Any, Tensor]]:
        given = dict(enumerate(leaves)) | dict(zip(smooth, tensors, strict=True))
        returned = f(*nest.pack_sequence_as(list(args), [*given.values()]))
        found = [(path, as_tensor(y)) for path, y in nest.flatten_with_path(returned)]
        return [(path, y) for path, y in found if dtypes.is_differentiable(y._array.dtype)]

    of = [_path("result", path) for path, _ in results([wrap(x) for x in arrays])]
    return LeafFunction(lambda tensors: [y for _, y in results(tensors)], of), Point(arrays, names)


def _changes_smoothly(leaf: TensorLike) -> bool:
    """Whether an argument is differentiated; others reach the function as they were given."""
    if not isinstance(leaf, (Tensor, Variable, np.ndarray, np.generic, float, complex)):
        return False
    return dtypes.is_differentiable(as_tensor(leaf)._array.dtype)


def _path(name: str, path: Sequence[Any]) -> str:
    return name + "".join(f"[{key!r}]" for key in path)


def values_at(function: LeafFunction, point: Point) -> list[Tensor]:
    return function.call([wrap(x) for x in point.arrays])


def gradients_of(function: LeafFunction, point: Point, weights: Sequence[Array]) -> LeafFunction:
    """The gradients of the weighted results."""

    def gradients(tensors: list[Tensor]) -> list[Tensor]:
        with GradientTape() as tape:
            tensors = [Identity(x) for x in tensors]
            tape.watch(tensors)
            targets = function.call(tensors)
        seeds = [wrap(w) for w in weights]
        found = tape.gradient(targets, tensors, seeds, UnconnectedGradients.ZERO)
        return [as_tensor(g) for g in found]

    return LeafFunction(gradients, [f"the gradient by {name}" for name in point.names])


def tangents_of(function: LeafFunction, point: Point, weights: Sequence[Array]) -> LeafFunction:
    """The derivatives of the results along one fixed random direction."""
    vectors = {k: draw_like(x, 200 + k) for k, x in enumerate(point.arrays)}

    def tangents(tensors: list[Tensor]) -> list[Tensor]:
        return _push(function, tensors, vectors)

    return LeafFunction(tangents, [f"the tangent of {name}" for name in function.names])


def pushed(function: LeafFunction, point: Point, vectors: dict[int, Array]) -> list[Tensor]:
    return _push(function, [wrap(x) for x in point.arrays], vectors)


def _push(function: LeafFunction, tensors: list[Tensor], vectors: dict[int, Array]) -> list[Tensor]:
    """The derivatives of the results along a direction."""
    tensors = [Identity(x) for x in tensors]
    moving = [tensors[k] for k in vectors]
    with ForwardAccumulator(moving, [wrap(v) for v in vectors.values()]) as accumulator:
        results = function.call(tensors)
    pushed: list[Tensor] = accumulator.jvp(results, UnconnectedGradients.ZERO)
    return pushed


def draw_like(like: Array, seed: int) -> Array:
    """Fixed random numbers in the shape and dtype of an array."""
    draw = np.random.default_rng(seed).standard_normal
    numbers = draw(like.shape) + (1j * draw(like.shape) if like.dtype.kind == "c" else 0)
    return np.asarray(numbers, like.dtype)


def inner(a: Array, b: Array) -> float:
    """The real part of the product, which pairs gradients with directions in TensorFlow."""
    return float(np.sum(np.real(np.conj(a) * b), dtype=np.float64))
