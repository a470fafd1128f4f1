"""Recordings with loops in place of stretches that repeat themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..passes import for_folding
from ..passes.dead_code import without_dead_code
from ..passes.draws_first import draws_first
from ..recording import Step, uses
from ..without_gc import without_gc
from .bodies import Body
from .references import NoLoop, Turns
from .repeats import FEWEST, repeats
from .signatures import signatures
from .stacks import Stacks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..recording import Recording
    from .repeats import Stretch

_VERY_LONG = 20_000
"""Steps from which on the first search for loops is in the recording as it is."""

_MOST_LEFT = 0.1
"""The part of the steps that may be left by that search."""


@without_gc()
def folded(
    recording: Recording, worth: int, may_fold: Callable[[Step], bool] | None = None
) -> Recording:
    """The recording with loops, each of which is in place of so many steps and more.

    It computes the same, bit by bit. A step that ``may_fold`` refuses stays outside of loops.
    """
    if len(recording.steps) < worth:
        return recording
    recording = shortened(recording, worth, may_fold)
    made = for_folding(recording)
    found = with_loops(made, worth, may_fold)
    return recording if found is made else found


def shortened(
    recording: Recording, worth: int, may_fold: Callable[[Step], bool] | None = None
) -> Recording:
    """A very long recording with those loops that are found at once, if nearly all is in them.

    To simplify one turn takes a fraction of the time that it takes to simplify all of them.
    """
    if len(recording.steps) < _VERY_LONG:
        return recording
    found = with_loops(recording, worth, may_fold, lambda body: folded(for_folding(body), worth))
    return found if len(found.steps) < _MOST_LEFT * len(recording.steps) else recording


@without_gc()
def with_loops(
    made: Recording,
    worth: int,
    may_fold: Callable[[Step], bool] | None = None,
    body_of: Callable[[Recording], Recording] | None = None,
) -> Recording:
    """The same for a recording in which no step repeats another, or changes nothing.

    ``body_of`` makes of the steps of a turn what the loop has for its body: loops in them too if
    it is not given.
    """
    if len(made.steps) < worth:
        return made
    may = may_fold or (lambda step: True)
    ordered = draws_first(made, lambda step: not may(step))
    loops = _loops(ordered, worth, may)
    if not loops:
        return made
    simpler = body_of or (lambda body: folded(body, worth))
    return without_dead_code(_rebuilt(ordered, loops, simpler))


def _loops(made: Recording, worth: int, may_fold: Callable[[Step], bool]) -> list[Body]:
    """The loops of a recording, in order."""
    stretches = repeats(signatures(made, may_fold), worth)
    if not stretches:
        return []
    maker = {
        n: position
        for position, step in enumerate(made.steps)
        if type(step) is Step
        for n in step.outputs
    }
    taken = bytearray(len(made.steps))
    found: list[Body] = []
    for longest in stretches:
        if any(taken[longest.start : longest.stop]):
            continue
        for stretch in _trials(longest):
            turns = Turns(made.steps, stretch, maker)
            try:
                found.append(Body(turns, turns.templates(), made))
            except NoLoop:
                continue
            taken[stretch.start : stretch.stop] = b"\1" * (stretch.stop - stretch.start)
            break
    return sorted(found, key=lambda body: body.stretch.start)


def _trials(longest: Stretch) -> Iterator[Stretch]:
    """The stretch, and the same without turns at its ends, which may refer to other things."""
    start, period, turns = longest
    for first, last in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)):
        if turns - first - last >= FEWEST:
            yield longest._replace(start=start + first * period, turns=turns - first - last)


def _rebuilt(
    made: Recording, loops: list[Body], body_of: Callable[[Recording], Recording]
) -> Recording:
    """The recording with these loops as steps."""
    wanted = _wanted_outside(made, loops)
    stacks = Stacks(made)
    position = 0
    for loop in loops:
        stacks.take(made.steps[position : loop.stretch.start])
        loop.emit(stacks, wanted, body_of)
        position = loop.stretch.stop
    stacks.take(made.steps[position:])
    for n in made.ends:
        stacks.value(n)
    return replace(made, steps=tuple(stacks.steps), specs=stacks.specs)


def _wanted_outside(made: Recording, loops: list[Body]) -> set[int]:
    """The values that are used in another place than the loop that makes them."""
    wanted = {*made.ends}
    position = 0
    for loop in loops:
        wanted.update(n for step in made.steps[position : loop.stretch.start] for n in uses(step))
        wanted.update(loop.taken)
        position = loop.stretch.stop
    wanted.update(n for step in made.steps[position:] for n in uses(step))
    return wanted
