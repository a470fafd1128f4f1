"""Gradients as functions of functions, for code without tapes in it.

The function is differentiated with respect to its arguments and nothing else: what it finds
elsewhere, variables included, is constant. Arguments may be tensors, variables, arrays, floats and
nests of them. Gradients have the structure, the shapes and the dtypes of the arguments; where there
is no dependence they are zeros, so gradients of gradients always exist.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from . import dtypes, nest
from .asked import UnconnectedGradients
from .convert import as_tensor
from .op import registry
from .tape import GradientTape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .tensor import Tensor


def grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False) -> Any:
    """The function that gives the gradient of ``f``, whose value must be a scalar.

    >>> import cinta as tf
    >>> cube = lambda x: x**3
    >>> tf.grad(cube)(2.0).numpy(), tf.grad(tf.grad(cube))(2.0).numpy()
    (np.float32(12.0), np.float32(12.0))

    Args:
        f: A function of positional and keyword arguments.
        argnums: The position of the argument to differentiate with respect to, or several, for
            which the gradient is a tuple.
        has_aux: Whether ``f`` returns a pair of its value and something else to be handed on. Then
            the result is a pair too.
    """

    def gradient(*args: Any, **kwargs: Any) -> Any:
        _, aux, found = _differentiate(f, argnums, has_aux, _scalar, args, kwargs)
        return (found, aux) if has_aux else found

    return _like(gradient, f)


def value_and_grad(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Any:
    """The function that gives the value of ``f`` and its gradient; see ``grad``.

    >>> import cinta as tf
    >>> value, gradient = tf.value_and_grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 5.0})
    >>> value.numpy(), tf.nest.map_structure(float, gradient)
    (np.float32(10.0), {'a': 5.0, 'b': 2.0})
    """

    def both(*args: Any, **kwargs: Any) -> Any:
        value, aux, found = _differentiate(f, argnums, has_aux, _scalar, args, kwargs)
        return ((value, aux) if has_aux else value), found

    return _like(both, f)


def elementwise_grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Any:
    """The derivative of a function that works on each element by itself, as another such function.

    It is the gradient of the sum of the elements of the result.

    >>> import cinta as tf
    >>> square = lambda x: x * x
    >>> tf.elementwise_grad(square)(tf.constant([1.0, 2.0, 3.0])).numpy()
    array([2., 4., 6.], dtype=float32)
    """

    def derivative(*args: Any, **kwargs: Any) -> Any:
        return _differentiate(f, argnums, False, _differentiable, args, kwargs)[2]

    return _like(derivative, f)


def _like(made: Callable[..., Any], f: Callable[..., Any]) -> Any:
    """The function made from ``f``, with its name and signature."""
    if not callable(f):
        raise TypeError(f"a function is expected, to be differentiated, but got {f!r}.")
    return functools.update_wrapper(made, f, updated=())


def _differentiate(
    f: Callable[..., Any],
    argnums: int | Sequence[int],
    has_aux: bool,
    checked: Callable[[Any], Tensor],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Tensor, Any, Any]:
    """Value, auxiliary result and gradient of one call."""
    arguments = list(args)
    positions = [argnums] if isinstance(argnums, int) else list(argnums)
    with GradientTape(watch_accessed_variables=False) as tape:
        for position in positions:
            _check_position(position, args)
            arguments[position] = nest.map_structure(_fresh, args[position])
        sources = [arguments[position] for position in positions]
        tape.watch(sources)
        returned = f(*arguments, **kwargs)
    value, aux = _pair(returned) if has_aux else (returned, None)
    value = checked(value)
    found = tape.gradient(value, sources, None, UnconnectedGradients.ZERO)
    found = nest.map_structure(as_tensor, found)
    return value, aux, found[0] if isinstance(argnums, int) else tuple(found)


def _check_position(position: int, args: tuple[Any, ...]) -> None:
    if not -len(args) <= position < len(args):
        raise ValueError(
            f"argnums names the positional argument {position}, but the function was called with "
            f"{len(args)} of them; arguments passed by keyword have no position."
        )


def _fresh(leaf: Any) -> Tensor:
    """The value of an argument as a tensor of its own.

    The same tensor may also reach the function by another way, as a constant of it.
    """
    tensor = as_tensor(leaf)
    if not dtypes.is_differentiable(tensor._array.dtype):
        raise TypeError(
            f"cannot differentiate with respect to {leaf!r}, which is {tensor.dtype.name}: only "
            "floating-point and complex numbers change smoothly. Write 3.0 instead of 3, or use "
            "tf.cast(x, tf.float32)."
        )
    fresh: Tensor = registry["Identity"](tensor)
    return fresh


def _pair(returned: Any) -> tuple[Any, Any]:
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise TypeError(
            f"with has_aux=True the function must return a pair (value, aux), got {returned!r}."
        )
    return returned


def _differentiable(value: Any) -> Tensor:
    if value is None:
        raise TypeError("the function to be differentiated returned None: is a `return` missing?")
    tensor = as_tensor(value)
    if not dtypes.is_differentiable(tensor._array.dtype):
        raise TypeError(
            "the function to be differentiated must return floating-point or complex numbers, but "
            f"returned {tensor!r}."
        )
    return tensor


def _scalar(value: Any) -> Tensor:
    tensor = _differentiable(value)
    if tensor.ndim:
        raise TypeError(
            f"a gradient is that of a scalar, but the function returned a tensor of shape "
            f"{tensor.shape}. Use tf.reduce_sum in it, or tf.elementwise_grad, or tape.jacobian."
        )
    return tensor
