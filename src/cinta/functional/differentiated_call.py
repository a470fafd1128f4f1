"""A call of a function that is to be differentiated: its arguments, its value, its tape."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np

from .. import dtypes, nest
from ..derivatives.tape import GradientTape
from ..derivatives.tape_arguments import UnconnectedGradients
from ..engine.convert import as_tensor
from ..engine.primitives import Identity
from ..engine.warning import warn
from ..ops.arguments import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import NumericLike
    from ..engine.tensor import Tensor

    P = ParamSpec("P")

_WHOLE = (int, np.integer)


class Recorded:
    """One call, with the arguments at ``argnums`` watched by a tape.

    ``sources`` is the argument that is watched, as a nest of tensors, or a tuple of such nests if
    ``argnums`` is a list.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        argnums: int | Sequence[int],
        args: Sequence[Any],
        kwargs: dict[str, Any],
        has_aux: bool = False,
        persistent: bool = False,
    ) -> None:
        arguments = list(args)
        self.tape = GradientTape(persistent, watch_accessed_variables=False)
        with self.tape:
            for position in positions(argnums):
                arguments[position] = fresh(args, position)
            self.sources = picked(arguments, argnums)
            self.tape.watch(self.sources)
            returned = f(*arguments, **kwargs)
        self.value: Any
        self.aux: Any
        self.value, self.aux = _pair(returned) if has_aux else (returned, None)

    def gradient(self, checked: Callable[[Any], Tensor]) -> Any:
        """The gradient of the value, which is checked first."""
        value = checked(self.value)
        found = self.tape.gradient(value, self.sources, None, UnconnectedGradients.ZERO)
        return nest.map_structure(as_tensor, found)


def made_from(made: Callable[..., Any], f: Callable[P, Any]) -> Callable[P, Any]:
    """The function made from ``f``, with its name and signature."""
    if not callable(f):
        raise TypeError(f"Expected a function of tensors to differentiate, but got {f!r}.")
    return functools.update_wrapper(made, f, updated=())


def picked(values: Sequence[Any], argnums: int | Sequence[int]) -> Any:
    """The value at one position, or a tuple of those at several."""
    found = [values[i] for i in positions(argnums)]
    return found[0] if isinstance(argnums, _WHOLE) else tuple(found)


def positions(argnums: int | Sequence[int]) -> Sequence[int]:
    """The positions that are meant, also where it is only one."""
    return [argnums] if isinstance(argnums, _WHOLE) else argnums


def fresh(args: Sequence[Any], position: int) -> Any:
    """The argument at a position as tensors of its own.

    The same tensors may also reach the function by another way, as constants of it.
    """
    position = whole_number(position, "argnums")
    if not -len(args) <= position < len(args):
        raise ValueError(
            f"argnums names the positional argument {position}, but the function was called with "
            f"{len(args)} of them; arguments passed by keyword have no position. For derivatives "
            "by variables that the function reads, use a tf.GradientTape."
        )
    return nest.map_structure(_fresh, args[position])


def _fresh(leaf: NumericLike | None) -> Tensor:
    tensor = as_tensor(leaf)
    if not dtypes.is_differentiable(tensor._array.dtype):
        raise TypeError(
            f"cannot differentiate with respect to {leaf!r}, which is {tensor.dtype.name}: only "
            "floating-point and complex numbers change smoothly. Write 3.0 instead of 3, or use "
            "tf.cast(x, tf.float32)."
        )
    return Identity(tensor)


def _pair(returned: object) -> tuple[Any, Any]:
    if not isinstance(returned, tuple) or len(returned) != 2:
        raise TypeError(
            f"with has_aux=True the function must return a pair (value, aux), got {returned!r}."
        )
    return returned


def check_recorded(value: NumericLike) -> None:
    """Warn of a value that left tf on its way: it has no derivative but zero."""
    if why := left_by(value):
        warn(f"the function to be differentiated returned {why}")


def left_by(value: NumericLike) -> str:
    """The kind of a value that no recording knows, and advice; empty for all other values."""
    if isinstance(value, (np.ndarray, np.generic)):
        return (
            "a NumPy value, so its derivative is zero: what NumPy computes is not recorded. Use "
            "tf's functions, as tf.sin for np.sin."
        )
    if isinstance(value, (float, complex)):
        return (
            f"a Python number, {value!r}, so its derivative is zero: what Python computes with "
            "float(x) or x.numpy() is not recorded. Compute with the tensor itself, by tf's "
            "functions; a value that is constant on purpose is tf.constant(...)."
        )
    return ""


def differentiable(value: NumericLike | None) -> Tensor:
    """The value as a tensor, which must have a derivative."""
    if value is None:
        raise TypeError("the function to be differentiated returned None: is a `return` missing?")
    check_recorded(value)
    tensor = as_tensor(value)
    if not dtypes.is_differentiable(tensor._array.dtype):
        raise TypeError(
            "the function to be differentiated must return floating-point or complex numbers, but "
            f"returned {tensor!r}."
        )
    return tensor


def scalar(value: NumericLike | None) -> Tensor:
    """The value as a tensor, which must be a scalar that has a derivative."""
    tensor = differentiable(value)
    if tensor.ndim:
        raise TypeError(
            "to have a gradient, the function must return a scalar, but it returned a tensor of "
            f"shape {tensor.shape}. Use tf.reduce_sum in it, or tf.elementwise_grad or tf.jacobian."
        )
    return tensor
