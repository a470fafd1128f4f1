"""Recordings on NumPy: a straight line of kernels, as Python source."""

from __future__ import annotations

from itertools import count
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.parallel import LARGE
from ..loops.folding import shortened, with_loops
from ..passes import for_running
from ..recording import PASSED_ON, Constant, Guard, Recording
from .blocks import Blocks
from .compiled_chains import ChainedSteps
from .regions import with_regions
from .reuse import overwritten
from .source import Changed as Changed
from .source import Item, SourcePart, straight_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import CodeType

    from ..recording import Step
    from .source import Called


_WORTH = 1024
"""So many lines of source are saved by a loop at least: a few more run as fast as a loop."""


class NumpyProgram:
    """A recording as one Python function of arrays."""

    knows_devices = False
    wants_on_host: frozenset[int] = frozenset()

    def __init__(self, recording: Recording) -> None:
        started = perf_counter()
        self.recording = recording
        made = with_loops(for_running(shortened(recording, _WORTH)), _WORTH)
        items = [runnable(item) for item in with_regions(made)]
        returned = [made.results, tuple([ref for _, ref in made.assigns])]
        over = overwritten(made, items, returned)
        title = f"recording of {made.name}"
        source = straight_line(title, made.takes, items, returned, made.specs, over)
        self.source, self._lines = str(source), source.steps
        self.run: Callable[..., tuple[list[Any], list[Any]]] = source.compiled()
        self.compile_seconds = perf_counter() - started

    @property
    def bytes_kept(self) -> int:
        """How much memory the constants of the recording take, each array once."""
        refs = [ref for step in self.recording.calls for ref in step.inputs]
        constants = [ref.value for ref in refs if isinstance(ref, Constant)]
        arrays = {id(a): a.nbytes for a in constants if isinstance(a, np.ndarray)}
        return sum(arrays.values())

    def __call__(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The results and the new values of variables, for the inputs and the variables' values.

        Raises ``Changed`` at the first guard that does not hold.
        """
        try:
            return self.run(*arrays)
        except Changed:
            raise
        except (RuntimeWarning, FloatingPointError):  # where someone has made them into errors
            with np.errstate(all="ignore"):
                return self.run(*arrays)
        except Exception as error:
            raise in_words(error, self.run.__code__, self._lines) from None


def in_words(error: Exception, code: CodeType, lines: Mapping[int, Called]) -> Exception:
    """The error that the op raises which failed in this code, in place of NumPy's."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code is not code:
        trace = trace.tb_next
    called = lines.get(trace.tb_lineno) if trace is not None else None
    if called is None or trace is None:
        return error
    step, names = called
    frame = trace.tb_frame
    given = [(frame.f_locals if x in frame.f_locals else frame.f_globals)[x] for x in names]
    try:
        step.op._again(error, given, step.attrs)
    except Exception as better:
        return better
    return error


def runnable(item: Step | Guard | Recording) -> Item:
    """A region as a function, anything else as it is."""
    if not isinstance(item, Recording):
        return item
    size = prod(item.specs[next(item.calls).outputs[0]].shape)
    run = Blocks(item) if size >= LARGE else ChainedSteps(item)
    return SourcePart(run, item.inputs, tuple(item.ends))


def interpret(
    recording: Recording, known: dict[int, Any], *, again: bool = False
) -> dict[int, Any]:
    """All values of a recording by their numbers, given some of them, its inputs at least.

    Effects of the call that gave the values do not happen again.
    """
    values = dict(known)
    guards = count()
    for step in recording.steps:
        if isinstance(step, Guard):
            if again:
                continue
            found, position = step.look(values[step.value]), next(guards)
            if not step.holds(found):
                number = int(values[step.value]) if step.exit == PASSED_ON else step.exit
                raise Changed(number or position, found)
        elif step.outputs and all([n in values for n in step.outputs]):
            continue
        elif step.outputs or not again:
            given = [values[ref] if isinstance(ref, int) else ref.value for ref in step.inputs]
            try:
                out = step.op.run(*given, **step.attrs)
            except Exception as error:
                out = step.op._again(error, given, step.attrs)
            values.update(zip(step.outputs, step.results(out), strict=True))
    return values
