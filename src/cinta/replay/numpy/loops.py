"""A loop on NumPy: one Python function, with the lines of the body in a ``for``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..passes import for_running
from .engine import in_words, runnable
from .regions import with_regions
from .reuse import overwritten
from .source import Changed, Source, straight_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..recording import Recording


class NumpyLoop:
    """A loop as a function of what it carries, of stacks, and of what is the same in each turn.

    The counts are those of ``Loop``.
    """

    def __init__(self, body: Recording, turns: int, carried: int, sliced: int, last: int) -> None:
        made = for_running(body)
        fixed = made.inputs[carried + sliced :]
        items = [runnable(item) for item in with_regions(made)]
        returned = [made.results, fixed]  # what is the same in each turn outlives the turn
        over = overwritten(made, items, returned)
        line = straight_line(f"loop of {made.name}", made.inputs, items, returned, made.specs, over)
        names = [f"v{i}" for i in range(len(made.inputs))]  # as the line calls its parameters
        source = _looped(line, names, turns, carried, sliced, last)
        self.source, self._lines = str(source), source.steps
        self._run: Callable[..., tuple[Any, ...]] = source.compiled()

    def __call__(self, *values: Any) -> tuple[Any, ...]:
        try:
            return self._run(*values)
        except (Changed, RuntimeWarning, FloatingPointError):
            raise
        except Exception as error:
            raise in_words(error, self._run.__code__, self._lines) from None


def _looped(
    line: Source, inputs: Sequence[str], turns: int, carried: int, sliced: int, last: int
) -> Source:
    """The source with its lines in a loop."""
    single = carried + last
    results = line.returned[0]
    stacks = [f"s{i}" for i in range(len(results) - single)]
    head = [f"    {stack} = []" for stack in stacks]
    rows = inputs[carried : carried + sliced]
    over = f"zip({', '.join(rows)})" if sliced else f"range({turns})"
    head.append(f"    for {', '.join(rows) + ',' if sliced else '_'} in {over}:")
    tail = [f"{s}.append({r})" for s, r in zip(stacks, results[single:], strict=True)]
    names = [*inputs[:carried], *[f"r{i}" for i in range(last)]]
    if names:
        tail.append(f"{', '.join(names)}, = {', '.join(results[:single])},")
    shift = len(head)
    first, *middle, _ = line.lines
    line.lines[:] = [
        first,
        *head,
        *[f"    {each}" for each in middle],
        *[f"        {each}" for each in tail],
        f"    return {', '.join([*names, *stacks])},",
    ]
    line.steps = {number + shift: step for number, step in line.steps.items()}
    return line
