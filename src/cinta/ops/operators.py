"""The operators of tensors and variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor, is_tensor, match
from ..engine.doors import binary
from ..engine.kinds import NUMERIC
from ..engine.primitives import Mul
from ..engine.tensor import Tensor, wrap
from ..engine.variable import Variable
from .elementwise import arithmetic, comparison, division, powers
from .elementwise import functions as mathematics
from .elementwise.casting import cast
from .linalg.matmul import matmul

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.doors import Binary, Unary


def asking(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """What lets a function of two tensors ask the second one, if it can make no tensor of it."""
    reflected = f"__r{name}__"

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(x: Any, y: Any) -> Any:
            try:
                return function(x, y)
            except (TypeError, ValueError) as error:
                found = _answer(x, y, reflected)
                if found is NotImplemented:
                    raise error
            return found

        return call

    return around


def _answer(x: Any, y: Any, reflected: str) -> Any:
    """What an object that is no tensor says to an operator on its left."""
    answer = getattr(type(y), reflected, None)
    if answer is None or is_tensor(y) or isinstance(y, (np.ndarray, np.generic)):
        return NotImplemented  # NumPy would compute in its own way
    try:
        return answer(y, x)
    except (TypeError, ValueError):
        return NotImplemented


def install(name: str, function: Any) -> None:
    """Let ``x <op> y`` call the function of two tensors, whichever side the tensor is on."""
    own = function.around(asking(name)) if hasattr(function, "around") else asking(name)(function)

    def reflected(self: Tensor, other: Any) -> Any:
        dtype = self._array.dtype
        kind = type(other)
        if (kind is not float and kind is not int) or dtype.kind != "f":
            other = as_tensor(other, dtype)
        return function(other, self)

    setattr(Tensor, f"__{name}__", own)
    setattr(Tensor, f"__r{name}__", reflected)
    setattr(Variable, f"__{name}__", lambda self, other: own(self.__tf_tensor__(), other))
    setattr(Variable, f"__r{name}__", lambda self, other: reflected(self.__tf_tensor__(), other))


def install_one_way(name: str, function: Callable[[Any, Any], Any]) -> None:
    """Let a comparison call the function of two tensors; Python itself turns it around."""
    setattr(Tensor, f"__{name}__", function)
    setattr(Variable, f"__{name}__", function)


def install_unary(name: str, function: Unary) -> None:
    """Let an operator of one tensor call the function."""
    setattr(Tensor, f"__{name}__", lambda self: function(self))
    setattr(Variable, f"__{name}__", lambda self: function(self.__tf_tensor__()))


def refuse_in_place(name: str, sign: str, instead: str) -> None:
    """Let an augmented assignment to a variable say what to do instead."""

    def refuse(self: Variable, value: Any) -> None:
        raise RuntimeError(
            f"`variable {sign}= value` with `tf.Variable`s is not supported. Use {instead} to "
            f"change the variable, or `variable = variable {sign} value` to get a new Tensor."
        )

    setattr(Variable, f"__i{name}__", refuse)


def on_bools(logical: Binary, bitwise: Binary) -> Binary:
    """An operator that is logical for bools and bitwise for integers."""

    def call(x: Any, y: Any, name: str | None = None) -> Tensor:
        x, y = match("BitwiseAnd", x, y)
        return (logical if x.dtype.is_bool else bitwise)(x, y)

    return call


def is_bool(x: Any) -> bool:
    """Whether this is a tensor of bools."""
    return is_tensor(x) and dtypes.bool == x.dtype


def bool_match(op: str, x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """The factors of a product: both bool if one is, and then so is the product."""
    if is_bool(x) or is_bool(y):
        return cast(x, "bool"), cast(y, "bool")
    return match(op, x, y)


times = binary(Mul, "multiply", "The product.", NUMERIC + "b", bool_match)


def matrix_product(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The product of matrices."""
    return matmul(x, y)


def equal(x: Any, y: Any) -> Any:
    """Whether elements are equal; a tensor equals no None, and none of another shape."""
    if y is None and type(x) is Tensor:
        return False
    return comparison.equal(x, y) if comparable(x, y) else wrap(np.bool_(False))


def not_equal(x: Any, y: Any) -> Any:
    """Whether elements differ; a tensor differs from None and from those of another shape."""
    if y is None and type(x) is Tensor:
        return True
    return comparison.not_equal(x, y) if comparable(x, y) else wrap(np.bool_(True))


def comparable(x: Any, y: Any) -> bool:
    """Whether the shapes can be broadcast to one."""
    if type(y) in (float, int, bool):
        return True
    left, right = match("Equal", x, y)
    shapes = zip(reversed(left._array.shape), reversed(right._array.shape), strict=False)
    return all(m == n or m == 1 or n == 1 for m, n in shapes)


def invert(x: Any, name: str | None = None) -> Tensor:
    """``not`` for bools, every bit flipped for integers."""
    return comparison.logical_not(x) if x.dtype.is_bool else comparison.invert(x)


def rounded(x: Any, digits: Any = None) -> Tensor:
    """The nearest whole numbers."""
    if digits is not None:
        raise TypeError(
            f"round(t, {digits!r}): tensors are rounded to whole numbers. For one decimal place "
            "write tf.round(t * 10.0) / 10.0."
        )
    return mathematics.round(x)


for name, function in {
    "add": arithmetic.add,
    "sub": arithmetic.subtract,
    "mul": times,
    "matmul": matrix_product,
    "truediv": division.truediv,
    "floordiv": division.floordiv,
    "mod": division.floormod,
    "pow": powers.pow,
    "and": on_bools(comparison.logical_and, comparison.bitwise_and),
    "or": on_bools(comparison.logical_or, comparison.bitwise_or),
    "xor": on_bools(comparison.logical_xor, comparison.bitwise_xor),
}.items():
    install(name, function)
for name, compare in {
    "eq": equal,
    "ne": not_equal,
    "lt": comparison.less,
    "le": comparison.less_equal,
    "gt": comparison.greater,
    "ge": comparison.greater_equal,
}.items():
    install_one_way(name, compare)
install_unary("neg", arithmetic.negative)
install_unary("abs", mathematics.abs)
install_unary("invert", invert)
Tensor.__round__ = rounded  # type: ignore[assignment]
Variable.__round__ = lambda v, n=None: rounded(v.__tf_tensor__(), n)  # type: ignore[misc]
for name, sign, instead in (
    ("add", "+", "`variable.assign_add(value)`"),
    ("sub", "-", "`variable.assign_sub(value)`"),
    ("mul", "*", "`variable.assign(variable * value)`"),
    ("truediv", "/", "`variable.assign(variable / value)`"),
    ("pow", "**", "`variable.assign(variable ** value)`"),
):
    refuse_in_place(name, sign, instead)
