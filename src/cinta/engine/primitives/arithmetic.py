"""The arithmetic that rules, operators and updates of variables are made of."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ..op import elementwise, op

if TYPE_CHECKING:
    from ..annotations import ArrayModule
    from ..tensor import Array

Add = elementwise("AddV2", "add", operator.add)
Sub = elementwise("Sub", "subtract", operator.sub)
Mul = elementwise("Mul", "multiply", operator.mul, linear=True)
Neg = elementwise("Neg", "negative", operator.neg)
Square = elementwise("Square", "square")


@op("Conj", elementwise=True)
def Conj(xp: ArrayModule, input: Array) -> Array:
    """The complex conjugate."""
    return xp.conj(input)


Add.grads(x=lambda g: g, y=lambda g: g)
Sub.grads(x=lambda g: g, y=lambda g: -g)
Mul.grads(x=lambda g, y: g * y, y=lambda g, x: g * x)
Neg.grads(x=lambda g: -g)
Neg.takes_rows = True
Square.grads(x=lambda g, x: g * (x + x))
Conj.grads(input=lambda g: Conj(g))
