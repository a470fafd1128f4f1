"""How an op is declared: by a kernel, and a line of calculus for each input.

    @op("Exp", elementwise=True)
    def Exp(xp, x):
        return xp.exp(x)

    Exp.grads(x=lambda g, out: g * out)

A kernel takes the array module, its tensors by position and its attributes by keyword. A rule takes
the gradient ``g`` of the op's result and, by name, whatever else it needs: an input, ``out``, an
attribute, or ``x_shape``, ``x_dtype``, ``out_shape``, which keep no array. A value that no rule of
the tracked inputs names is not kept.

Called on tensors an op is recorded; called on arrays it is its kernel and nothing else. A rule is
written with ops, so the one line serves both a plain gradient, which runs on bare NumPy, and a
gradient that is itself recorded, which gives all higher orders.

Rules obey the law of leading axes: ``g`` may have more axes in front than the result had, and what
a rule returns has them too. So rules count axes from the right.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .broadcasting import Broadcasting
from .made_up import OpWithExample
from .operation import Op as Op
from .operation import originate as originate
from .operation import registry as registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from .annotations import ArrayFunction, ArrayModule
    from .made_up import Example
    from .tensor import Array


def op(
    name: str, *, broadcasts: bool = False, example: Example | None = None, **what_it_is: bool
) -> Callable[[Callable[..., Any]], Op]:
    """Declare the op of this name by its kernel, and say what is known of it.

    ``broadcasts``: inputs of several shapes are broadcast; the engine sums their gradients.
    ``elementwise``: an element of the result depends on one element of each input, so a rule is its
    own transpose. An op that broadcasts is elementwise unless it says otherwise.
    ``moves``: an element of the result is one element of an input, or a constant.
    ``rowwise``: with an axis in front of all inputs, it works on each of the rows by itself.
    ``linear``: in all the inputs together if it is variadic, else in each of those that can be
    differentiated. An op that moves elements is linear unless it says otherwise.
    ``sized_by_values``: results have other shapes for other values of the inputs.
    ``effects``: a call does more than give results, so it is made even if they are not used.
    ``example``: results for inputs whose values are made up (``engine.made_up``).
    """
    variant = Broadcasting if broadcasts else None
    if example is not None:
        return lambda kernel: OpWithExample(name, kernel, example, **what_it_is)
    return lambda kernel: Op(name, kernel, broadcasts=variant, **what_it_is)


def elementwise(
    name: str, ufunc: str, fast: Callable[..., Any] | None = None, linear: bool = False
) -> Op:
    """Declare an op that is a function of this name in NumPy and its kin.

    ``fast`` does the same to NumPy's arrays and scalars in less time, as the functions of Python's
    ``operator`` do. ``linear`` as in ``op``.
    """
    numpy_ufunc = getattr(np, ufunc)
    function_of: Callable[[ArrayModule], ArrayFunction] = attrgetter(ufunc)

    def of_one(xp: ArrayModule, x: Array) -> Array:
        return function_of(xp)(x)

    def of_two(xp: ArrayModule, x: Array | float, y: Array | float) -> Array:
        return function_of(xp)(x, y)

    if numpy_ufunc.nin == 1:
        declared = op(name, elementwise=True)(of_one)
    else:
        declared = op(name, broadcasts=True, linear=linear)(of_two)
    declared.run = fast or numpy_ufunc
    return declared.writes(numpy_ufunc, in_place=numpy_ufunc.nin == 2)  # exp is slow in place
