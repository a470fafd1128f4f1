"""Passes: recordings made smaller, without a change to what they compute, bit by bit.

Each is a function from a recording to a recording. ``simplified`` is for recordings of which
gradients may still be taken: its steps are those that a tape would have recorded. ``for_running``
goes further, for recordings that are only run any more: what stops a gradient or tells another one
has done its work by then, and two gradients of one value need not be added as Python added them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .aliases import aliases
from .constant_folding import constants, plain_constants
from .dead_code import with_guards_once, without_dead_code
from .effect_order import effects_after_guards
from .repetitions import repetitions
from .rewriting import rewritten
from .spreading import without_spreading
from .squares import squares

if TYPE_CHECKING:
    from ..recording import Recording


def simplified(recording: Recording) -> Recording:
    """The recording with no steps in vain, and still as tapes know it."""
    return effects_after_guards(without_dead_code(with_guards_once(recording)))


def for_running(recording: Recording) -> Recording:
    """The recording as it is best run, when no gradient is taken of it any more."""
    of = without_spreading(recording)
    rules = constants(of), aliases(of), squares(of), plain_constants(of), repetitions()
    return without_dead_code(rewritten(of, *rules))


def for_folding(recording: Recording) -> Recording:
    """The recording with the turns of its loops as much alike as they can be."""
    return rewritten(recording, aliases(recording), repetitions())


def in_row_major(recording: Recording) -> Recording:
    """The remaining work where all arrays are known to lie in memory row by row, without gaps."""
    rules = aliases(recording, row_major=True), plain_constants(recording, row_major=True)
    return without_dead_code(rewritten(recording, *rules, repetitions()))
