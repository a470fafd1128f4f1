"""Functions of JAX as functions of tensors, with gradients: what ``JaxLayer`` is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import cinta

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import DTypeLike
    from ..engine.tensor import Array, Tensor


def converted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function on tensors; JAX compiles it once for each structure of arguments."""
    import jax

    known: dict[Any, _Flat] = {}

    def on_tensors(*args: object) -> Any:
        leaves, structure = jax.tree_util.tree_flatten(args)
        if structure not in known:
            known[structure] = _Flat(function, structure)
        return known[structure]([cinta.convert_to_tensor(leaf) for leaf in leaves])

    return on_tensors


class Key:
    """A key for random numbers: a tensor, which JAX's own functions take too."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = cinta.bitcast(tensor, "uint32")[0]

    def __tf_tensor__(self, dtype: DTypeLike | None = None, name: str | None = None) -> Any:
        return self._tensor

    def __jax_array__(self) -> Any:
        import jax

        return jax.numpy.asarray(self._tensor.numpy())


class _Flat:
    """A function for one structure of arguments, called on a list of tensors."""

    def __init__(self, function: Callable[..., Any], structure: object) -> None:
        import jax

        def on_leaves(*leaves: Array) -> list[Any]:
            arguments = jax.tree_util.tree_unflatten(structure, leaves)
            results, self._returned = jax.tree_util.tree_flatten(function(*arguments))
            found: list[Any] = results
            return found

        self._call, self._returned = _Compiled(on_leaves), None

    def __call__(self, tensors: Sequence[Any]) -> Any:
        import jax

        results = self._call(tensors)  # which notes the structure that was returned
        return jax.tree_util.tree_unflatten(self._returned, results)


class _Compiled:
    """A function from arrays to a list of them, on tensors."""

    def __init__(self, function: Callable[..., list[Any]]) -> None:
        import jax

        self._function, self._compiled = function, jax.jit(function)
        self._backward: _Compiled | None = None

    def __call__(self, tensors: Sequence[Any]) -> list[Any]:
        import jax

        like = [np.broadcast_to(np.zeros((), x.dtype.as_numpy_dtype), x.shape) for x in tensors]
        dtypes = [each.dtype for each in jax.eval_shape(self._compiled, *like)]

        def run(*arrays: Array) -> list[Any]:
            return [np.asarray(result) for result in self._compiled(*arrays)]

        @cinta.custom_gradient
        def call(*inputs: Any) -> Any:
            def gradient(*upstream: Tensor) -> list[Any]:
                found = iter(self._pull(inputs, upstream))
                return [next(found) if _is_real(x) else None for x in inputs]

            return cinta.numpy_function(run, inputs, dtypes), gradient

        results: list[Any] = cinta.nest.flatten(call(*tensors))  # a single one is in no list
        return results

    def _pull(self, inputs: Sequence[Any], upstream: Sequence[Any]) -> list[Any]:
        """The gradients of the real inputs; they are a function of JAX too, and differentiable."""
        if self._backward is None:
            self._backward = _Compiled(_backward(self._function, len(inputs)))
        return self._backward([*inputs, *upstream])


def _backward(function: Callable[..., list[Any]], count: int) -> Callable[..., list[Any]]:
    """The gradients of a function of so many arrays, by those and the gradients of its results."""
    import jax

    def gradients(*arrays: Array) -> list[Any]:
        inputs, upstream = arrays[:count], arrays[count:]
        results = function(*inputs)
        given = [g for y, g in zip(results, upstream, strict=True) if _is_real(y)]

        def of_real(*values: Array) -> list[Any]:
            real = iter(values)
            found = function(*[next(real) if _is_real(x) else x for x in inputs])
            return [y for y in found if _is_real(y)]

        _, pull = jax.vjp(of_real, *[x for x in inputs if _is_real(x)])
        return list(pull(given))

    return gradients


def _is_real(x: Array) -> bool:
    """Whether gradients flow to a tensor or array of this dtype."""
    import jax

    return bool(jax.numpy.issubdtype(cinta.as_dtype(x.dtype).as_numpy_dtype, jax.numpy.inexact))
