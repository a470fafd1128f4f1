"""Sweeps through the turns of a loop on values, as its gradients make them, compiled by XLA.

How many turns there are is known when they begin, but XLA wants to know before how long stacks are.
So sweeps are compiled for stacks with room for a power of four of turns, and again where there are
more: a few times for any numbers of turns.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import jax
import jax.numpy as jnp
import numpy as np

from ..loops.sweeps import Program, Sweeps
from .lowering import Unsuited, body_results, our_rules
from .transfer import sent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..loops.sweeps import Sweep

_ROOMS = [4**k for k in range(2, 32)]

_compiled: WeakKeyDictionary[Program, CompiledSweeps] = WeakKeyDictionary()


def swept(values: Sequence[Any], program: Program) -> Sequence[Any]:
    """The results of the op ``Sweeps``."""
    if program not in _compiled:
        _compiled[program] = CompiledSweeps(program)
    return _compiled[program](values)


class CompiledSweeps:
    """A program of sweeps, compiled for so many turns at most as there have been."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._is_suited = True
        self._by_room: dict[int, Callable[..., Any]] = {}

    def __call__(self, values: Sequence[Any]) -> Sequence[Any]:
        turns = int(values[0])
        if self._is_suited:
            room = next(n for n in _ROOMS if n >= turns)
            if room not in self._by_room:
                self._by_room[room] = jax.jit(partial(_run, self._program, room))
            try:
                with our_rules():
                    found, failed = self._by_room[room](turns, *map(sent, values[1:]))
                if not failed:
                    return tuple(found)
            except Unsuited:
                self._is_suited = False
        results: Sequence[Any] = Sweeps.run(*map(np.asarray, values), program=self._program)
        return results


def _run(program: Program, room: int, turns: Any, *given: Any) -> tuple[list[Any], Any]:
    """The results, and whether NumPy might raise an error."""
    finals: list[list[Any]] = []
    stacks: list[list[Any]] = []
    failed = jnp.asarray(False)
    for sweep in program.sweeps:
        rows = [
            (stacks[i][k], sweep.backwards != program.sweeps[i].backwards) for i, k in sweep.rows
        ]
        held, made, fails = _turns(sweep, room, turns, rows, given)
        finals.append(held)
        stacks.append(made)
        failed |= fails
    return [finals[i][k] for i, k in program.results], failed


def _turns(
    sweep: Sweep, room: int, turns: Any, rows: Sequence[tuple[Any, bool]], given: Sequence[Any]
) -> tuple[list[Any], list[Any], Any]:
    """The values that a sweep carries to its end, what it stacks, and whether it might fail."""
    body, carried = sweep.body, len(sweep.begin)
    fixed = [given[i] for i in sweep.fixed]

    def turn(t: Any, state: Any) -> Any:
        held, stacks, failed = state
        row = [stack[turns - 1 - t if reverses else t] for stack, reverses in rows]
        results, fails = body_results(body, (*held, *row, *fixed))
        pairs = zip(results, body.results, strict=True)
        values = [jnp.asarray(x, body.spec_of(ref).dtype) for x, ref in pairs]
        made = zip(stacks, values[carried:], strict=True)
        return values[:carried], [stack.at[t].set(x) for stack, x in made], failed | fails

    begin = [
        jnp.asarray(given[i], body.specs[n].dtype)
        for i, n in zip(sweep.begin, sweep.carried, strict=True)
    ]
    specs = [body.spec_of(ref) for ref in sweep.stacked]
    stacks = [jnp.zeros((room, *spec.shape), spec.dtype) for spec in specs]
    held, made, failed = jax.lax.fori_loop(0, turns, turn, (begin, stacks, jnp.asarray(False)))
    return held, made, failed
