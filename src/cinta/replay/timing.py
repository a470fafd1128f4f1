"""Where the time of a call goes: its parts, each run by itself on values made up for it.

Tensors are zeros, variables are read as they are, and places that nobody else has take the values
that variables would get. So nothing comes of it, and calls do not pay for being measured. A program
whose loops end by a value is not run, because with zeros they need not end.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from ..engine.committing import commit
from ..engine.device_values import on_host
from ..engine.tensor import wrap_held
from ..engine.variable import Variable
from .loops.loop_ops import ends_by_a_value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.device_values import Held
    from .entry import Entry
    from .variant import Variant

_SECONDS = 0.01
"""For so long each part is run again and again."""
_MOST = 100
"""How often it is run at most."""


def parts_of_a_call(entry: Entry) -> dict[str, float]:
    """The microseconds that each part takes; none are known where zeros lead to an error."""
    variant = entry.variant
    try:
        owner, args, kwargs = entry.sample()
        arguments = entry.arguments
        tensors = arguments(owner, args, kwargs)
        parts: dict[str, Callable[[], object]] = {
            "arguments": lambda: arguments(owner, args, kwargs),
            "guards": variant.captures.hold,
        }
        if not ends_by_a_value(variant.serves()):
            parts |= _parts_of_a_run(variant, tensors)
    except Exception:
        return {}
    return {name: 1e6 * _seconds(run) for name, run in parts.items()}


def _parts_of_a_run(variant: Variant, tensors: Sequence[Held]) -> dict[str, Callable[[], object]]:
    """The parts of a call from its arrays to its results."""
    runner = variant.runner
    program, read = runner.callable.program, runner.read()
    found, values = program.run(*tensors, *read)
    places = [Variable(0) for _ in runner.assigned]
    return {
        "program": lambda: [on_host(x) for x in program.run(*tensors, *read)[0]],
        "commit": lambda: commit(places, values),
        "results": lambda: variant.pack([wrap_held(x) for x in found]),
    }


def _seconds(run: Callable[[], object]) -> float:
    """The time of a call, as the median of several."""
    times: list[float] = []
    started = perf_counter()
    while len(times) < _MOST and (not times or perf_counter() - started < _SECONDS):
        before = perf_counter()
        run()
        times.append(perf_counter() - before)
    return sorted(times)[len(times) // 2]
