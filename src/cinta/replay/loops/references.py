"""References of the steps of a repeated stretch, slot by slot: whether the stretch is a loop.

A slot is an input of one step of the turn, over all turns. Nothing is guessed: a stretch is a loop
if every slot is of one of the kinds below in every turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..recording import Constant
from .numbers import NotAffine, alike, over_turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..recording import Ref, Step
    from .repeats import Stretch

_LONGEST_LAG = 4
"""Values of so many turns before are carried, as in a recurrence of that order."""


class Fixed(NamedTuple):
    """The same value in each turn, from before the loop, or the same constant."""

    ref: Ref


class OfTurn(NamedTuple):
    """A result of an earlier step in this turn: which result of which step."""

    step: int
    result: int


class Carried(NamedTuple):
    """A result of ``lag`` turns before; in the first turns, values from before the loop."""

    lag: int
    source: OfTurn
    initial: tuple[Ref, ...]


class Sliced(NamedTuple):
    """Another value in each turn, all from before the loop."""

    refs: tuple[Ref, ...]


Slot: TypeAlias = Fixed | OfTurn | Carried | Sliced


class Template(NamedTuple):
    """A step of the body: as it was in the first turn, what it takes, and all its attributes."""

    step: Step
    slots: tuple[Slot, ...]
    attrs: dict[str, Any]
    """Numbers that grow from turn to turn stand as ``Affine``."""


class NoLoop(Exception):
    """The stretch is none."""


class Turns:
    """The steps of a stretch by their places in the turn."""

    def __init__(self, steps: Sequence[Any], stretch: Stretch, maker: Mapping[int, int]) -> None:
        """``maker`` has the positions of the steps that make values."""
        self.stretch = stretch
        self._maker = maker
        period = stretch.period
        inside = steps[stretch.start : stretch.stop]
        self.columns: list[Sequence[Step]] = [inside[j::period] for j in range(period)]
        self._made: dict[OfTurn, tuple[int, ...]] = {}

    def made(self, source: OfTurn) -> tuple[int, ...]:
        """The results of one step of the turn, in each turn."""
        if source not in self._made:
            column = self.columns[source.step]
            self._made[source] = tuple([step.outputs[source.result] for step in column])
        return self._made[source]

    def templates(self) -> list[Template]:
        """The steps of the body; ``NoLoop`` if they are not the same in each turn."""
        return [self._template(column) for column in self.columns]

    def _template(self, column: Sequence[Step]) -> Template:
        first = column[0]
        try:
            attrs = {
                name: over_turns([step.attrs[name] for step in column]) for name in first.attrs
            }
        except NotAffine:
            raise NoLoop from None
        if first.op.may_fail is not None and not alike(
            (*attrs.values(),), (*first.attrs.values(),)
        ):
            raise NoLoop  # whether it fails could not be told
        slots = [self._slot(refs) for refs in zip(*[step.inputs for step in column], strict=True)]
        return Template(first, tuple(slots), attrs)

    def _slot(self, refs: tuple[Ref, ...]) -> Slot:
        source = self._source(refs[-1])
        if source is None:
            if refs.count(refs[0]) == len(refs):
                return Fixed(refs[0])
            if not all(map(self._is_before, refs)):
                raise NoLoop
            first = refs[0]
            same = all([_same(first, ref) for ref in refs])
            return Fixed(first) if same else Sliced(refs)
        lag = len(refs) - 1 - source[0]
        made, initial = self.made(source[1]), refs[:lag]
        if lag > _LONGEST_LAG or refs[lag:] != made[: len(refs) - lag]:
            raise NoLoop
        if not all(map(self._is_before, initial)):
            raise NoLoop
        return Carried(lag, source[1], initial) if lag else source[1]

    def _source(self, ref: Ref) -> tuple[int, OfTurn] | None:
        """In which turn, and by which of its steps, the value was made."""
        if isinstance(ref, Constant) or self._is_before(ref):
            return None
        position = self._maker[ref]
        turn, step = divmod(position - self.stretch.start, self.stretch.period)
        return turn, OfTurn(step, self.columns[step][turn].outputs.index(ref))

    def _is_before(self, ref: Ref) -> bool:
        if type(ref) is Constant:
            return True
        return self._maker.get(ref, -1) < self.stretch.start


def _same(one: Ref, other: Ref) -> bool:
    if isinstance(one, Constant) and isinstance(other, Constant):
        return alike(one.value, other.value)
    return one == other
