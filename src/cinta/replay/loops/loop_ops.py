"""The ops of folded recordings: a loop, and what leads values into it and out of it.

Values of all turns are a *stack*. On NumPy that is a list of arrays, so that each keeps the strides
that it would have without a loop; on XLA it is one array with an axis more in front.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ...engine.gradient_plan import SomeResults
from ...engine.op import op, registry
from ...engine.primitives import Pack, Unpack
from ...engine.shapes import Count
from ...engine.tensor import truth
from ..recording import Guard, Recording
from .numbers import in_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.tensor import Array

_compiled: WeakKeyDictionary[Recording, Callable[..., Any]] = WeakKeyDictionary()
_telling_sides: WeakKeyDictionary[Recording, Callable[..., Any]] = WeakKeyDictionary()
"""The sides of branches that tell whether one was left."""


@op("Loop")
def Loop(
    xp: ArrayModule,
    *values: Array,
    body: Recording,
    turns: Count,
    carried: Count,
    sliced: Count,
    last: Count,
) -> tuple[Any, ...]:
    """Turns of a body, which takes what is carried from turn to turn, then an element of each
    stack that is sliced, then what is the same in each turn.

    Its results are the new values of what is carried, results of which the ``last`` ones are
    wanted, and results of which those of all turns are wanted. The loop gives the same, with
    stacks of the latter.
    """
    found = _compiled.get(body)
    if found is None:
        from ..numpy.loops import numpy_loop  # it may have loops in it

        found = _compiled[body] = numpy_loop(body, turns, carried, sliced, last)
    return found(*values)


@op("While")
def While(
    xp: ArrayModule, *values: Array, body: Recording, carried: Count, watched: Count, found: bool
) -> tuple[Any, ...]:
    """Turns of a body for as long as the truth of what is watched is as found.

    The body takes what is carried and what is the same in each turn, and gives the former. The
    watched value is one of the carried ones. Behind what is carried, the results are the number of
    turns and, if the body has guards, the number of the one that did not hold; 0 if all did. The
    loop is left there, and the turn has changed nothing.
    """
    run = _compiled.get(body)
    if run is None:
        from ..numpy.loops import numpy_while

        run = _compiled[body] = numpy_while(body, carried, watched, found)
    return run(*values)


While.several = SomeResults


def ends_by_a_value(recording: Recording) -> bool:
    """Whether it has a loop that ends by a value: with values that are made up, it may not end."""
    return any(
        step.op is While or any(map(ends_by_a_value, step.bodies)) for step in recording.calls
    )


@While.pullback
def _(
    g: Any, wanted: Sequence[bool], values: Any, out: Any, body: Recording, carried: Count
) -> list[Any]:
    from .adjoints import as_program, gradients  # which have loops in them

    return gradients(as_program(body, carried), g[:carried], wanted, out[carried], values)


@op("Branch")
def Branch(xp: ArrayModule, *values: Array, then: Recording, otherwise: Recording) -> object:
    """The results of one of two bodies for all values but the first, whose truth decides.

    If a body has guards, the last result is the number of the one that did not hold; 0 if all did.
    Behind it there are no results.
    """
    body = then if truth(np.asarray(values[0])) else otherwise
    may_be_left = any([type(step) is Guard for step in (*then.steps, *otherwise.steps)])
    sides = _telling_sides if may_be_left else _compiled
    run = sides.get(body)
    if run is None:
        from ..numpy.loops import numpy_body, step_by_step

        run = sides[body] = (numpy_body if body.specs else step_by_step)(body, may_be_left)
    return run(*values[1:])


Branch.several = SomeResults


@Branch.pullback
def _(
    g: Any, wanted: Sequence[bool], values: Any, then: Recording, otherwise: Recording
) -> list[Any]:
    from .branches import gradients_of_branch  # which have branches in them

    return gradients_of_branch(then, otherwise, g, wanted, values)


@op("Expected", effects=True)
def Expected(xp: ArrayModule, value: Array, *, found: int, dtype: np.dtype[Any]) -> Array:
    """A guard in the turn of a loop: a value must be this number, or its truth if that is a bool.

    It is a guard again where the turns are written one by one, and is not run.
    """
    raise NotImplementedError


@op("Numbered")
def Numbered(
    xp: ArrayModule, turn: Array | int, *inputs: Array, name: str, attributes: dict[Any, Any]
) -> object:
    """The op of this name with attributes that hold the number of the turn."""
    if xp is np:
        turn = int(turn)
    attrs = {key: in_turn(value, turn) for key, value in attributes.items()}
    return registry[name].bind(xp)(*inputs, **attrs)


@op("Rows", moves=True)
def Rows(xp: ArrayModule, x: Array, *, axis: int, count: Count) -> object:
    """The slices along an axis, of which there are so many, as a stack."""
    return list(Unpack.run(x, axis=axis)) if xp is np else xp.moveaxis(x, axis, 0)


@op("Turn", moves=True)
def Turn(xp: ArrayModule, stack: Array, *, turn: int) -> Array:
    """The value of one turn."""
    value: Array = stack[turn]
    return value


@op("Packed", moves=True)
def Packed(xp: ArrayModule, stack: Array, *, axis: int) -> Array:
    """The values of all turns along a new axis."""
    packed: Array = Pack.run(*stack, axis=axis) if xp is np else xp.moveaxis(stack, 0, axis)
    return packed


@op("Gathered", moves=True)
def Gathered(
    xp: ArrayModule, *pieces: Array, ranges: tuple[tuple[int, Count, int] | None, ...]
) -> object:
    """A stack of pieces: single values, and parts of stacks by start, count and step."""
    parts = [
        (_single(xp, piece) if where is None else piece[_slice(*where)])
        for piece, where in zip(pieces, ranges, strict=True)
    ]
    return [value for part in parts for value in part] if xp is np else xp.concatenate(parts)


@op("GatheredOnHost", moves=True)
def GatheredOnHost(xp: ArrayModule, *values: Array) -> Array:
    """A stack for XLA of single values that the host has."""
    return xp.stack(values)


def _single(xp: ArrayModule, value: object) -> Any:
    return [value] if xp is np else xp.asarray(value)[None]


def _slice(start: int, count: int, step: int) -> slice:
    stop = start + count * step
    return slice(start, None if stop < 0 else stop, step)
