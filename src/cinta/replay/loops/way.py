"""A way of Python through a function, and what is known of the recordings that are made of ways."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...ops.random.state import NextRandomState
from .loop_ops import Branch

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ...engine.variable import Variable
    from ..recording import Recording, Ref


class Look(NamedTuple):
    """A guard by its position, the state in which Python looked, and the values that it knew there.

    The first one is what it looked at. They are all if its ``whole`` state could be told.
    ``counts`` are how many random ops and graphs had come, which matters only to those that come.
    ``has_tapes`` tells that what comes may depend on what is on tapes, beside all that.
    """

    position: int
    state: Hashable
    refs: tuple[Ref, ...]
    whole: bool
    counts: Hashable = ()
    has_tapes: bool = False


class Way(NamedTuple):
    """One way through a function: its recording, and where Python looked.

    ``returned`` is equal for two ways if they return the same but for tensors. ``on_tapes`` is the
    way with tapes as steps, if it is of use.
    """

    made: Recording
    looks: tuple[Look, ...]
    returned: Hashable
    on_tapes: Way | None = None

    @property
    def draws(self) -> bool:
        """Whether random numbers are drawn on it."""
        return any([step.op is NextRandomState for step in self.made.calls])

    @property
    def counting(self) -> Way:
        """The same with states that tell also what has been counted."""
        looks = [each._replace(state=(each.state, each.counts)) for each in self.looks]
        return self._replace(looks=tuple(looks))


class Unseen(NamedTuple):
    """A position on a way at which something else can be found, and nobody has seen what then."""

    way: int
    position: int


def bodies(made: Recording) -> list[Recording]:
    """The recordings within the loops and branches of a recording."""
    found = [body for step in made.calls for body in step.bodies]
    return [inner for body in found for inner in (body, *bodies(body))]


def has_gradients(general: Recording) -> bool:
    """Whether its loops and branches have the gradients of what is in them.

    They do not know which values in them are those of variables that were read again, nor can they
    call the gradient functions that people wrote.
    """
    outside = {n for step in general.calls for n in step.outputs}
    calls = [step for body in bodies(general) for step in body.calls]
    return outside.issuperset(general.rereads) and not any([x.op.has_user_rule for x in calls])


def without_exits(body: Recording) -> Recording:
    """The body as it is in turns that end."""
    if not body.guards:
        return body
    steps = []
    for step in body.calls:
        sides = [without_exits(side) for side in step.bodies]
        if step.op is Branch and sides != step.bodies:
            step = step.with_bodies(sides)._replace(outputs=step.outputs[:-1])
            if not step.outputs:
                continue
        steps.append(step)
    return replace(body, steps=tuple(steps))


def first_values(made: Recording, variables: Sequence[tuple[Variable, bool]]) -> list[int]:
    """The first values of these variables, by numbers of which those not read here have none."""
    read = {id(v): n for v, n in made.reads}
    return [read.get(id(v), -1 - i) for i, (v, _) in enumerate(variables)]


def last_values(made: Recording, variables: Sequence[tuple[Variable, bool]]) -> list[Ref]:
    """The values that these variables have in the end."""
    assigned = {id(v): ref for v, ref in made.assigns}
    numbers = first_values(made, variables)
    return [assigned.get(id(v), n) for (v, _), n in zip(variables, numbers, strict=True)]
