"""The backward sweep: one walk over a recording, from its end to its beginning.

The records stand in the order in which the ops ran, so every use of a value comes before the op
that made it: when the walk meets that op, the value's gradient is complete. There is nothing to
sort, nothing recursive, and each record is met once.
"""

from __future__ import annotations

import operator
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..user_frames import user_frame
from . import recorders
from .indexed_slices import GradientRows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .recorders import Recorder
    from .rule_binding import Pull

    T = TypeVar("T")


def sweep(
    recorder: Recorder,
    seeds: Iterable[tuple[int, Any]],
    sources: set[int],
    *,
    keep: bool,
    on_tensors: bool = False,
) -> dict[int, Any]:
    """The gradients of the sources, by number, for these gradients of the targets.

    Works on arrays; on tensors where a tape records on this thread, or if so told. Unless the
    records are to be kept, each is freed when it has been used.
    """
    if not (on_tensors or recorders.recording()):
        return _swept(recorder, seeds, sources, keep, False)
    with recorders.called_from(user_frame(2)):
        seeds = [*seeds]
        run = partial(_swept, recorder, seeds, sources, keep, True)
        for observer in recorders.observers():
            run = partial(observer.tape_listener.sweep, recorder, seeds, sources, run)
        return run()


def _swept(
    recorder: Recorder, seeds: Iterable[tuple[int, Any]], sources: set[int], keep: bool, live: bool
) -> dict[int, Any]:
    """The gradients; ``live`` says that recorders hear how they are computed."""
    needed = reachable(recorder, sources)
    records = recorder.take_records(keep=keep)
    gradients: dict[int, Any] = {}
    owned: set[int] = set()  # their gradients are buffers, to be added to in place
    found: dict[int, Any] = {}
    for number, seed in seeds:
        add(gradients, owned, number, seed)
    take = gradients.pop
    made = sources - recorder.leaves  # sources that are results of recorded ops
    in_hand, latest = 0, None  # the last gradient: usually the very next record takes it up
    while records:
        plan, inputs, output, saved = records.pop()
        if output == in_hand:
            g = latest
            in_hand = 0
        else:
            g = take(output, None)
            if g is None:
                continue
        if made and output in made:
            found[output] = g
        if type(g) is GradientRows and not plan.takes_rows:
            g = g.dense()
        if live:
            saved = plan.restore_tensors(saved, inputs, output, recorder)
            pull = _of_program(plan.traced) if plan.has_user_rule else plan.traced
        else:
            pull = plan.pull
        if type(inputs) is int:
            if needed is not None and inputs not in needed:
                continue
            try:
                d = pull(g, saved)
            except (RuntimeWarning, FloatingPointError):
                d = quietly(pull, g, saved)
            if inputs != in_hand and (not gradients or inputs not in gradients):
                if d is not None:
                    if in_hand:
                        gradients[in_hand] = latest
                    in_hand = inputs
                    latest = d
                continue
            parts, inputs = (d,), (inputs,)
        else:
            wanted = None if needed is None else [n in needed for n in inputs]
            if wanted is not None and not any(wanted):
                continue
            try:
                parts = pull(g, saved, wanted)
            except (RuntimeWarning, FloatingPointError):
                parts = quietly(pull, g, saved, wanted)
        if in_hand:
            gradients[in_hand], in_hand = latest, 0
        for number, d in zip(inputs, parts, strict=True):
            add(gradients, owned, number, d)
    if in_hand:
        gradients[in_hand] = latest
    for number in sources:
        if number in gradients:
            found[number] = gradients[number]
    return found


def _of_program(pull: Pull) -> Pull:
    """A pull that calls a function of the program."""

    def called(*given: object) -> Any:
        with recorders.called_from(None):
            return pull(*given)

    return called


def quietly(function: Callable[..., T], *arguments: object) -> T:
    """Call with NumPy's warnings off: for the rare program that has turned them into errors."""
    with np.errstate(all="ignore"):
        return function(*arguments)


def add(gradients: dict[int, Any], owned: set[int], number: int, d: Any) -> None:
    """Add a contribution to the gradient of a value.

    The first may be anyone's array and the second sum is new; from then on it is added in place.
    """
    old = gradients.get(number)
    if old is None or d is None:
        if d is not None:
            gradients[number] = d
    elif number in owned and type(d) is type(old) and d.shape == old.shape:
        quietly(operator.iadd, old, d)  # a sum that was added in part cannot be tried again
    else:
        if type(d) is GradientRows:
            old, d = d, old  # a tensor does not know how to add rows
        try:
            total = old + d
        except (RuntimeWarning, FloatingPointError):
            total = quietly(operator.add, old, d)
        gradients[number] = total
        if type(total) is np.ndarray or type(total) is GradientRows:
            owned.add(number)
        else:
            owned.discard(number)


def reachable(recorder: Recorder, sources: set[int]) -> set[int] | None:
    """The numbers of all values that depend on a source; None if all that is recorded does."""
    if recorder.leaves <= sources:
        return None
    needed = set(sources)
    for _, inputs, output, _ in recorder.records:
        if inputs in needed if type(inputs) is int else not needed.isdisjoint(inputs):
            needed.add(output)
    return needed
