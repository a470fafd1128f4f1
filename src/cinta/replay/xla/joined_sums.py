"""Sums over all replicas that are made at once where none of them waits for another.

Between processes each sum is a message of its own, and many small ones take longer than a large
one. So small sums of one dtype are joined. One more element tells whether all processes take part:
one that has something else to do adds nothing.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ...ops.collective import AXIS, AllReduce, of_total
from ..recording import uses
from .lowering import Lowered, computed, fitted, given_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..recording import Spec, Step

    Round = tuple[list[Step], list[Step]]

TAKES_PART, ALL_TAKE_PART = -1, -2
"""The numbers of two values: 1 in a replica that takes part, else 0; and the sum of these."""

_SMALL, _FULL = 1 << 18, 1 << 20
"""Bytes up to which a value is joined with others, and up to which they are joined."""


class LoweredForProcesses(Lowered):
    """The steps of replicas some of which are in other processes."""

    def _play(
        self,
        steps: Sequence[Step],
        values: dict[Any, Any],
        specs: dict[int, Spec],
        suspicions: list[Any],
    ) -> None:
        for sums, others in rounds(steps):
            if sums:
                self._sum(sums, values, specs)
            for step in others:
                values.update(computed(step, values, specs, suspicions))
        if ALL_TAKE_PART not in values:
            self._sum([], values, specs)

    @staticmethod
    def _sum(sums: Sequence[Step], values: dict[Any, Any], specs: dict[int, Spec]) -> None:
        """Make sums, and with the first ones that which tells who takes part."""
        given = [jnp.asarray(given_to(step, values)[0]) for step in sums]
        if ALL_TAKE_PART not in values:
            given.append(values[TAKES_PART])
        totals = totals_of(given)
        for step, total in zip(sums, totals, strict=False):
            (n,) = step.outputs
            values[n] = fitted(step, of_total(total, **step.attrs), specs[n])
        values.setdefault(ALL_TAKE_PART, totals[-1])


def rounds(steps: Sequence[Step]) -> Iterator[Round]:
    """The sums that can be made at once, and the other steps that can be made after them."""
    level_of: defaultdict[int, int] = defaultdict(int)
    found: defaultdict[int, Round] = defaultdict(lambda: ([], []))
    for step in steps:
        is_sum = step.op is AllReduce
        level = max([level_of[n] for n in uses(step)], default=0) + is_sum
        found[level][not is_sum].append(step)
        level_of.update(dict.fromkeys(step.outputs, level))
    yield from [found[level] for level in sorted(found)]


def totals_of(values: Sequence[Any]) -> list[Any]:
    """The sum of what all replicas have, for each of some values."""
    groups = _groups(values)
    joined = [_joined([values[i] for i in group]) for group in groups]
    totals = jax.lax.psum(joined, AXIS)  # type: ignore[no-untyped-call]
    found: dict[int, Any] = {}
    for group, total in zip(groups, totals, strict=True):
        found |= zip(group, _apart(total, [values[i] for i in group]), strict=True)
    return [found[i] for i in range(len(values))]


def _groups(values: Sequence[jax.Array]) -> list[list[int]]:
    """The places of values that are sent as one."""
    groups: list[list[int]] = []
    open_groups: dict[object, tuple[list[int], int]] = {}
    for i, value in enumerate(values):
        group, size = open_groups.get(value.dtype, ([], 0))
        if value.nbytes > _SMALL:
            groups.append([i])
            continue
        if not group or size + value.nbytes > _FULL:
            group, size = [], 0
            groups.append(group)
        group.append(i)
        open_groups[value.dtype] = group, size + value.nbytes
    return groups


def _joined(values: Sequence[jax.Array]) -> jax.Array:
    return values[0] if len(values) == 1 else jnp.concatenate([x.ravel() for x in values])


def _apart(joined: jax.Array, values: Sequence[jax.Array]) -> list[jax.Array]:
    """The values of a joined one, of the shapes of these."""
    if len(values) == 1:
        return [joined]
    *ends, _ = accumulate([x.size for x in values])
    parts = jnp.split(joined, ends)
    return [part.reshape(x.shape) for part, x in zip(parts, values, strict=True)]
