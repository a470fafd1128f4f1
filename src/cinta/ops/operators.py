"""The operators of tensors and variables: which function each of them is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import dtypes
from ..engine.convert import as_tensor, is_tensor, match
from ..engine.dtype_kinds import NUMERIC
from ..engine.fast_calls import binary, surrounded
from ..engine.primitives import Mul
from ..engine.tensor import Tensor, wrap
from .arguments import integer
from .arrays.indexing import getitem, part_of_variable
from .arrays.joining import rows
from .elementwise import arithmetic, comparison, division, powers
from .elementwise import unary as mathematics
from .elementwise.casting import cast
from .linalg.matmul import matmul

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.annotations import NumericLike, TensorLike
    from ..engine.fast_calls import Binary
    from ..engine.variable import Variable


Operator: TypeAlias = "Callable[..., Any]"


def reflecting(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A wrapper that lets a function of two tensors ask a second operand that is not a tensor."""
    reflected = f"__r{name}__"

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(x: Any, y: NumericLike) -> Any:
            try:
                return function(x, y)
            except (TypeError, ValueError) as error:
                found = _answer(x, y, reflected)
                if found is NotImplemented:
                    raise error
            return found

        return call

    return around


def _answer(x: Tensor, y: TensorLike | None, reflected: str) -> Any:
    """The answer of an object that is not a tensor to an operator on its left."""
    answer = getattr(type(y), reflected, None)
    if answer is None or is_tensor(y) or isinstance(y, (np.ndarray, np.generic)):
        return NotImplemented  # NumPy would compute in its own way
    try:
        return answer(y, x)
    except (TypeError, ValueError):
        return NotImplemented


def with_reflected_operand(name: str, function: Binary) -> Binary:
    """``x <op> y`` for a tensor on the left."""
    return surrounded(function, reflecting(name))


def reflected(function: Binary) -> Operator:
    """``x <op> y`` for a tensor on the right."""

    def call(self: Tensor, other: Any) -> Tensor:
        dtype = self._array.dtype
        kind = type(other)
        if (kind is not float and kind is not int) or dtype.kind != "f":
            other = as_tensor(other, dtype)
        return function(other, self)

    return call


def of_value(function: Operator) -> Operator:
    """The operator of a variable that a tensor's operator with two operands does to its value."""
    return lambda self, other: function(self.__tf_tensor__(), other)


def refusing(sign: str, instead: str) -> Callable[[Variable, Any], None]:
    """The advice for an augmented assignment to a variable."""

    def refuse(self: Variable, value: object) -> None:
        raise RuntimeError(
            f"`variable {sign}= value` with `tf.Variable`s is not supported. Use {instead} to "
            f"change the variable, or `variable = variable {sign} value` to get a new Tensor."
        )

    return refuse


def on_bools(logical: Binary, bitwise: Binary) -> Binary:
    """An operator that is logical for bools and bitwise for integers."""

    def call(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
        left, right = match("BitwiseAnd", x, y)
        return (logical if left.dtype.is_bool else bitwise)(left, right)

    return call


def is_bool(x: object) -> bool:
    """Whether this is a tensor of bools."""
    return is_tensor(x) and dtypes.bool == getattr(x, "dtype", None)


def bool_match(op: str, x: Tensor, y: NumericLike) -> tuple[Tensor, Tensor]:
    """The factors of a product: both bool if one is, and then so is the product."""
    if is_bool(x) or is_bool(y):
        return cast(x, "bool"), cast(y, "bool")
    return match(op, x, y)


times = binary(Mul, "multiply", "The product.", NUMERIC + "b", bool_match)


def matrix_product(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The product of matrices."""
    return matmul(x, y)


def equal(x: Tensor, y: TensorLike) -> Tensor:
    """Whether elements are equal; a tensor equals no None, and none of another shape."""
    if y is None and type(x) is Tensor:
        return False
    if compares_itself(y):
        return NotImplemented  # type: ignore[no-any-return]
    return comparison.equal(x, y) if comparable(x, y) else wrap(np.bool_(False))


def not_equal(x: Tensor, y: TensorLike) -> Tensor:
    """Whether elements differ; a tensor differs from None and from those of another shape."""
    if y is None and type(x) is Tensor:
        return True
    if compares_itself(y):
        return NotImplemented  # type: ignore[no-any-return]
    return comparison.not_equal(x, y) if comparable(x, y) else wrap(np.bool_(True))


def compares_itself(y: object) -> bool:
    """Whether Python is to ask the other operand, as ragged tensors are asked."""
    return getattr(type(y), "_compares_itself", False)


def comparable(x: Tensor | Variable, y: object) -> bool:
    """Whether the shapes can be broadcast to one."""
    if type(y) in (float, int, bool):
        return True
    try:
        left, right = match("Equal", x, y)
    except ValueError:  # one of them is ragged, or nothing to compare with
        return True
    shapes = zip(reversed(left._array.shape), reversed(right._array.shape), strict=False)
    return all(m == n or m == 1 or n == 1 for m, n in shapes)


def invert(x: Tensor, name: str | None = None) -> Tensor:
    """``not`` for bools, every bit flipped for integers."""
    return comparison.logical_not(x) if x.dtype.is_bool else comparison.invert(x)


_MOST_DIGITS = 30


def rounded(x: Tensor, digits: int | None = None) -> Tensor:
    """The nearest whole numbers, or those with so many digits after the point, as in NumPy."""
    if digits is None:
        return mathematics.round(x)
    digits = integer(digits, "ndigits")
    if abs(digits) > _MOST_DIGITS:
        raise ValueError(f"ndigits must be from -{_MOST_DIGITS} to {_MOST_DIGITS}, got {digits}.")
    scale = 10 ** abs(digits)
    if digits < 0:
        tens: Tensor = cast(mathematics.round(x / scale) * scale, x.dtype)
        return tens
    if x.dtype.is_integer:
        return x
    whole: Tensor = mathematics.round(x * scale)
    return division.truediv(whole, scale)


_BINARY: dict[str, Binary] = {
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
}
"""Functions of two tensors, whichever side the tensor is on."""

_COMPARISONS: dict[str, Operator] = {
    "__eq__": equal,
    "__ne__": not_equal,
    "__lt__": comparison.less,
    "__le__": comparison.less_equal,
    "__gt__": comparison.greater,
    "__ge__": comparison.greater_equal,
}
"""Functions of two tensors that Python itself turns around."""

_TWO_OPERANDS: dict[str, Operator] = {
    **{f"__{name}__": with_reflected_operand(name, function) for name, function in _BINARY.items()},
    **{f"__r{name}__": reflected(function) for name, function in _BINARY.items()},
}

OF_TENSORS: dict[str, Operator] = {
    **_TWO_OPERANDS,
    **_COMPARISONS,
    "__neg__": arithmetic.negative,
    "__abs__": mathematics.abs,
    "__invert__": invert,
    "__round__": rounded,
    "__getitem__": getitem,
    "__iter__": rows,
}
"""The methods of tensors."""

OF_VARIABLES: dict[str, Operator] = {
    **{name: of_value(function) for name, function in _TWO_OPERANDS.items()},
    **_COMPARISONS,
    "__neg__": lambda self: arithmetic.negative(self.__tf_tensor__()),
    "__abs__": lambda self: mathematics.abs(self.__tf_tensor__()),
    "__invert__": lambda self: invert(self.__tf_tensor__()),
    "__round__": lambda self, digits=None: rounded(self.__tf_tensor__(), digits),
    "__getitem__": part_of_variable,
    "__iadd__": refusing("+", "`variable.assign_add(value)`"),
    "__isub__": refusing("-", "`variable.assign_sub(value)`"),
    "__imul__": refusing("*", "`variable.assign(variable * value)`"),
    "__itruediv__": refusing("/", "`variable.assign(variable / value)`"),
    "__ipow__": refusing("**", "`variable.assign(variable ** value)`"),
}
"""The methods of variables."""
