"""Makers of functions that differ in their operation only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ...engine.dtype_kinds import BOOL, NUMERIC
from ...engine.tensor import Tensor, seen, wrap
from ...ops.arguments import common_shape, tensor_of
from .types import asarray, floating, promoted_pair

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import TensorLike


class One(Protocol):
    """A function of one array."""

    def __call__(self, x: TensorLike) -> Tensor: ...


class Two(Protocol):
    """A function of two arrays that are broadcast against each other."""

    def __call__(self, x1: TensorLike, x2: TensorLike) -> Tensor: ...


def one(
    name: str,
    function: Callable[[Tensor], Tensor],
    floats: bool = True,
    example: float = 0.5,
) -> One:
    """The function of one array by this name; unless ``floats`` says no, it makes floats of all."""
    prepare = floating if floats else _as_it_is

    def call(x: TensorLike) -> Tensor:
        return function(prepare(tensor_of(name, asarray(x), NUMERIC + BOOL)))

    _publish(call, name, example)
    return call


def two(
    name: str,
    function: Callable[[Tensor, Tensor], Tensor],
    floats: bool = False,
    together: Callable[..., list[Tensor]] = promoted_pair,
) -> Two:
    """The function of two arrays by this name, which ``together`` makes to be of one dtype."""
    prepare = floating if floats else _as_it_is

    def call(x1: TensorLike, x2: TensorLike) -> Tensor:
        left, right = together(x1, x2)
        return function(prepare(left), prepare(right))

    _publish(call, name, 6, 4)
    return call


def asks(name: str, kinds: str = NUMERIC + BOOL) -> One:
    """The function that asks something of every element, of these kinds: it gives bools."""
    numpy_function = getattr(np, name)

    def call(x: TensorLike) -> Tensor:
        tensor = tensor_of(name, asarray(x), kinds)
        return wrap(np.asarray(numpy_function(seen(tensor)))[()])

    _publish(call, name, -1.0)
    return call


def on_integers(name: str) -> Two:
    """NumPy's function of two arrays of integers, which have no gradients."""
    numpy_function = getattr(np, name)

    def call(x1: TensorLike, x2: TensorLike) -> Tensor:
        x1, x2 = promoted_pair(x1, x2)
        if not x1.dtype.is_integer:
            raise ValueError(f"Arguments to {name} must be integers, but are {x1.dtype!r}.")
        common_shape(name, x1._array.shape, x2._array.shape)
        return wrap(numpy_function(seen(x1), seen(x2)))

    _publish(call, name, 6, 4, more="        ValueError: If they are not integers.\n")
    return call


def _as_it_is(x: Tensor) -> Tensor:
    return x


_ARGUMENTS = (
    """
    Args:
        x: An array, a tensor, or what becomes one.

    Raises:
        InvalidArgumentError: If it holds strings.
""",
    """
    Args:
        x1: An array, a tensor, or what becomes one.
        x2: Another; both become one dtype, and the shapes are broadcast.

    Raises:
        InvalidArgumentError: If the shapes do not fit.
""",
)


def _publish(call: Callable[..., Any], name: str, *example: object, more: str = "") -> None:
    """Give a function its name, and a docstring that shows what it gives."""
    given = ", ".join(map(str, example))
    elements = "element" if len(example) == 1 else "two elements"
    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"""NumPy's `{name}` of every {elements}.

    >>> import cinta as tf
    >>> tf.experimental.numpy.{name}({given}).numpy()
    {call(*example).numpy()!r}
{_ARGUMENTS[len(example) - 1]}{more}    """
