"""Numbers that follow from the lengths of a tensor, such as where the middle of an image begins.

Sums of products of lengths cannot say them, so a recording for any sizes computes them in each
call.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from ...engine.made_up import are_sizes_steps, made_up_lengths
from ...engine.op import op
from ...engine.tensor import look, seen
from .shaping import AxisLengths

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...engine.annotations import ArrayModule
    from ...engine.made_up import MadeUpLengths
    from ...engine.tensor import Array, Tensor


def _around_middle(lengths: Sequence[int], fraction: float) -> list[int]:
    """How much is in front of a middle part that is this fraction."""
    return [int((n - n * fraction) / 2) for n in lengths]


def _cut_or_framed(lengths: Sequence[int], *targets: float) -> list[int]:
    """How much of each axis is left, how much is cut in front of that, and how much is added."""
    wanted = [int(target) for target in targets]
    kept = [min(n, target) for n, target in zip(lengths, wanted, strict=True)]
    cut = [(n - m) // 2 for n, m in zip(lengths, kept, strict=True)]
    added = [(target - m) // 2 for target, m in zip(wanted, kept, strict=True)]
    return [*kept, *cut, *added]


def _frames(lengths: Sequence[int], length: float, hop: float) -> list[int]:
    """How many frames of this length fit that begin so far apart."""
    return [max(0, 1 + (n - int(length)) // int(hop)) for n in lengths]


def _frames_to_end(lengths: Sequence[int], length: float, hop: float) -> list[int]:
    """How many frames begin before the end, and how long a signal is that has them all."""
    counts = [-(-n // int(hop)) for n in lengths]
    ends = [int(length) + int(hop) * (count - 1) for count in counts]
    return [*counts, *[max(n, end) for n, end in zip(lengths, ends, strict=True)]]


RULES: dict[str, Callable[..., list[int]]] = {
    "around middle": _around_middle,
    "cut or framed": _cut_or_framed,
    "frames": _frames,
    "frames to end": _frames_to_end,
}


@op("NumbersOfLengths")
def NumbersOfLengths(
    xp: ArrayModule,
    lengths: Array,
    *,
    rule: str,
    axes: tuple[int, ...],
    parameters: tuple[float, ...],
) -> Array:
    """The numbers that a rule makes of some lengths of a shape."""
    return np.array(RULES[rule]([int(lengths[axis]) for axis in axes], *parameters), np.int64)


NumbersOfLengths.no_grad()


def numbers_of_lengths(
    rule: str, x: Tensor, axes: tuple[int, ...], *parameters: float
) -> Sequence[int]:
    """The numbers that a rule makes of the lengths of these axes."""
    if x._recorder is None or not are_sizes_steps(x):
        return RULES[rule]([x._array.shape[axis] for axis in axes], *parameters)
    lengths = AxisLengths(x, dtype=np.dtype(np.int64))
    found = seen(NumbersOfLengths(lengths, rule=rule, axes=axes, parameters=parameters))
    return [int(n) for n in found]


# -- lengths that values decide --------------------------------------------------------------------


def upper_end(numbers: Array) -> int:
    """The whole number behind the greatest one; 0 if there are none."""
    return int(numbers.max(initial=-1)) + 1


def longest(numbers: Array) -> int:
    """The greatest of some lengths, which need not be whole; 0 if there are none."""
    return max(ceil(np.nan_to_num(numbers.max())), 0) if numbers.size else 0


_ENDS: dict[str, Callable[[Array], int]] = {"upper end": upper_end, "longest": longest}


def _made_up_places(lengths: MadeUpLengths, numbers: Array, **attrs: object) -> Array:
    return np.arange(lengths())


@op("PlacesBefore", sized_by_values=True, example=_made_up_places)
def PlacesBefore(
    xp: ArrayModule, numbers: Array, *, end: str, least: int, most: int | None
) -> Array:
    """The places before an end that numbers have, which are so many at least and at most."""
    count = max(_ENDS[end](numbers), least)
    return np.arange(count if most is None else min(count, most))


PlacesBefore.no_grad()


def end_of(numbers: Tensor, end: str, least: int = 0, most: int | None = None) -> int:
    """The end that numbers have, at least and at most these. A recording for made up numbers
    computes it in each call."""
    if made_up_lengths([numbers]) is not None:
        return len(PlacesBefore(numbers, end=end, least=least, most=most)._array)
    count = max(look(numbers, _ENDS[end]), least)
    return count if most is None else min(count, most)
