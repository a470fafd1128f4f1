"""The gradient of a loop of any number of turns: sweeps through its turns, there and back."""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ...engine.tensor import as_wrapped
from ...ops.elementwise.comparison import IsFinite, LogicalAnd
from ...ops.reductions.reduction import All_
from .by_python import as_if_by_python
from .derivative_sweeps import DerivativeBuilder
from .into_sides import with_steps_in_sides
from .references import NoLoop
from .sweeps import Program, Sweep, SweepResult, Sweeps
from .way import without_exits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.tensor import Array
    from ..recording import Recording
    from .derivative_sweeps import Derivative, GradientPart

_programs: WeakKeyDictionary[Recording, Program] = WeakKeyDictionary()
_derivatives: WeakKeyDictionary[Program, dict[Any, Derivative | None]] = WeakKeyDictionary()


def as_program(body: Recording, carried: int) -> Program:
    """A loop with this body as a program that gives all that it carries."""
    found = _programs.get(body)
    if found is None:
        begin, fixed = range(carried), range(carried, len(body.inputs))
        turn = with_steps_in_sides(without_exits(body))
        sweep = Sweep(turn, tuple(begin), (), tuple(fixed), backwards=False)
        found = _programs[body] = Program((sweep,), tuple([SweepResult(0, k) for k in begin]))
    return found


def gradients(
    program: Program, g: Sequence[Any], wanted: Sequence[bool], count: Any, values: Sequence[Any]
) -> list[Any]:
    """The gradients of a program's values, for those of its results that have one."""
    arrived = {k: each for k, each in enumerate(g) if each is not None}
    arrays = [_array(x) for x in values]
    if bool(count):  # which is a guard, as are those below
        like = {k: _array(x) for k, x in arrived.items()}
        derivative = _derivative(program, arrays, like, wanted)
        if derivative is not None and bool(count >= derivative.turns):
            found = _swept(derivative, count, (*values, *arrived.values()))
            if not derivative.must_be_finite or _are_finite(found):
                return found
    return as_if_by_python(partial(program.played, int(count)), arrived, wanted, values)


def _swept(derivative: Derivative, count: Any, given: Sequence[Any]) -> list[Any]:
    """The gradients of a program's values by the sweeps of its derivative."""
    if not derivative.program.results:
        return [None] * len(derivative.parts)
    constants = [np.full(spec.shape, x, spec.dtype) for spec, x in derivative.constants]
    found = Sweeps(count, *given, *constants, program=derivative.program)
    return [_sum(parts, found) for parts in derivative.parts]


def _are_finite(gradients: Sequence[Any]) -> bool:
    """Whether nothing in them came of zeros that were multiplied by what is not finite."""
    finite = [
        All_(IsFinite(g), axis=tuple(range(-_array(g).ndim, 0)), keepdims=False)
        for g in gradients
        if g is not None
    ]
    return not finite or bool(reduce(LogicalAnd, finite))


def _sum(parts: Sequence[GradientPart], found: Any) -> object:
    total = None
    for result, flag in parts:
        if flag is None or bool(found[flag]):  # which is a guard
            total = found[result] if total is None else total + found[result]
    return total


def _array(value: object) -> Any:
    return as_wrapped(value)._array


def _derivative(
    program: Program, values: Sequence[Array], arrived: dict[int, Array], wanted: Sequence[bool]
) -> Derivative | None:
    """The derivative for gradients of this kind; None if it depends on the number of turns."""
    kind = tuple(wanted), *[(k, g.dtype, g.shape) for k, g in arrived.items()]
    known = _derivatives.setdefault(program, {})
    if kind not in known:
        try:
            known[kind] = DerivativeBuilder(program, values, arrived, wanted).derivative()
        except NoLoop:
            known[kind] = None
    return known[kind]
