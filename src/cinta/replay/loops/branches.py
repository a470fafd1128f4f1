"""The gradient of a branch: a branch between the gradients of its sides.

Where the sides have gradients for different inputs, or their rules look at values, the rules run
for the side that is taken, which is a guard then.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ...dtypes import is_differentiable
from ...engine.tensor import as_wrapped
from ..gradient_steps import gradient_steps
from ..numpy.engine import interpret
from ..passes import simplified
from ..recording import may_fail
from .by_python import as_if_by_python
from .loop_ops import Branch
from .references import NoLoop
from .sweeps import called
from .way import without_exits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...engine.tensor import Array
    from ..recording import Recording

_gradients: WeakKeyDictionary[Recording, dict[Any, tuple[Recording, tuple[bool, ...]] | None]]
_gradients = WeakKeyDictionary()


def gradients_of_branch(
    then: Recording,
    otherwise: Recording,
    g: Sequence[Any],
    wanted: Sequence[bool],
    values: Sequence[Any],
) -> list[Any]:
    """The gradients of a branch's inputs, for those of its results that have one."""
    arrived = {k: each for k, each in enumerate(g) if each is not None}
    upstream = {k: as_wrapped(each)._array for k, each in arrived.items()}
    arrays = [as_wrapped(x)._array for x in values[1:]]
    sides = [_gradient(side, arrays, upstream, wanted[1:]) for side in (then, otherwise)]
    one, other = sides
    if one is None or other is None or one[1] != other[1] or not _agree(one[0], other[0]):
        side = then if bool(values[0]) else otherwise  # which is a guard
        run = partial(called, side)
        return [None, *as_if_by_python(run, arrived, wanted[1:], values[1:])]
    if not any(one[1]):
        return [None] * len(values)
    found = iter(Branch(*values, *arrived.values(), then=one[0], otherwise=other[0]))
    return [None, *[next(found) if has else None for has in one[1]]]


def _agree(one: Recording, other: Recording) -> bool:
    """Whether the results of the two are of the same dtypes and shapes."""
    specs = [[each.spec_of(ref) for ref in each.results] for each in (one, other)]
    return specs[0] == specs[1]


def _gradient(
    side: Recording, arrays: Sequence[Array], upstream: dict[int, Array], wanted: Sequence[bool]
) -> tuple[Recording, tuple[bool, ...]] | None:
    """The gradients of a side's inputs, and which inputs have one; None if values decide."""
    kind = tuple(wanted), *[(k, g.dtype, g.shape) for k, g in upstream.items()]
    known = _gradients.setdefault(side, {})
    if kind not in known:
        try:
            known[kind] = _gradient_side(side, arrays, upstream, wanted)
        except NoLoop:
            known[kind] = None
    return known[kind]


def _gradient_side(
    side: Recording, arrays: Sequence[Array], upstream: dict[int, Array], wanted: Sequence[bool]
) -> tuple[Recording, tuple[bool, ...]]:
    side = without_exits(side)  # of which it is not known yet that these values do not take them
    values = _values(side, arrays)
    sources = [
        n
        for n, want in zip(side.inputs, wanted, strict=True)
        if want and is_differentiable(side.specs[n].dtype)
    ]
    results = [(side.results[k], g) for k, g in upstream.items()]
    arriving = [(ref if isinstance(ref, int) else 0, g) for ref, g in results]
    found = gradient_steps(side, side.inputs, values, sources, arriving, dense=True)
    made = found.made
    if found.refused or made.reads or made.assigns or made.guards:
        raise NoLoop
    if any([step.op.effects for step in made.calls]):
        raise NoLoop
    has = {n for n, g in zip(sources, found.gradients, strict=True) if g is not None}
    both = replace(made, inputs=(*side.inputs, *made.inputs), steps=(*side.steps, *made.steps))
    return simplified(both), tuple([n in has for n in side.inputs])


def _values(side: Recording, arrays: Sequence[Array]) -> dict[int, Any]:
    """All values of a side for these inputs, which the other side may have been for."""
    try:
        return interpret(side, dict(zip(side.inputs, arrays, strict=True)))
    except Exception:
        if may_fail(side.calls):
            raise NoLoop from None
        raise
