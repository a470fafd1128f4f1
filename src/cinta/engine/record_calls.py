"""How a call of an op is recorded: tapes append a record, followers and observers are called.

``record_call`` is the one way. Records are appended here alone, and in ``fast_calls``, which does
in line for one tape what ``record_call`` does for it: its docstring has the times.
"""

from __future__ import annotations

from _thread import get_ident
from typing import TYPE_CHECKING, Any

from ..dtypes import is_differentiable
from .gradient_plan import PART, Shared
from .listeners import listeners
from .recorders import (
    Call,
    Follower,
    Observer,
    Recorder,
    RecorderGroup,
    active,
    direct_recorders,
    join,
    next_number,
    observers,
    watch,
)
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .annotations import NumericLike, Result, TensorLike
    from .gradient_plan import Plan
    from .operation import Op
    from .tensor import Array


def record_call(
    op: Op,
    tracker: Recorder | RecorderGroup,
    inputs: Sequence[Any],
    arrays: Sequence[Array],
    attrs: dict[str, Any],
    out: Array | tuple[Array, ...],
    result: Any,
) -> None:
    """Report a call of an op to all recorders that track an input and record on this thread.

    ``tracker`` is what tracks the inputs that are tracked, a group if they differ.
    """
    thread = get_ident()
    if tracker.owner != thread or type(out) is tuple:
        observer = tracker.observer
        if observer is not None and observer.owner == thread and type(out) is not tuple:
            for tape in tracker.tapes:
                if tape.owner == thread:
                    break
            else:  # as in a function that is recorded, and in gradients there
                result._recorder, result._number = observer.alone, next_number()
                observer.note(op, inputs, attrs, result)
                return
        if type(tracker) is not RecorderGroup or not _by_group(
            op, tracker, inputs, arrays, attrs, out, result
        ):
            _by_each(op, inputs, arrays, attrs, out, result)
        return
    # Nearly always one tape records one result: 3.4 µs for a product of scalars, 8.4 by `_by_each`.
    recorder: Any = tracker
    if op.differentiable is False and not can_be_tracked(out):
        return
    tracked = _tracked_by(recorder, inputs)
    if tracked is None:
        _by_each(op, inputs, arrays, attrs, out, result)
        return
    plan = op.plan_for(tracked, arrays, out)
    if plan is None:
        begin(result, [recorder])
        return
    number = next_number()
    saved = plan.keep(arrays, out, attrs)
    recorder.append((plan, numbers_of(inputs, plan.tracked), number, saved))
    result._recorder, result._number = recorder, number


def notify_observers(
    op: Op, inputs: Sequence[Any], attrs: dict[str, Any], result: NumericLike
) -> None:
    """Report a call to the observers on this thread that do not know its inputs."""
    knowing = {r for x in inputs if type(x) is Tensor for r in active(x._recorder)}
    for observer in observers():
        if observer not in knowing:
            for part in result if type(result) is tuple else (result,):
                watch(part, observer)
            observer.note(op, inputs, attrs, result)
        if observer.relays:
            break


def record_again(
    op: Op, inputs: Sequence[Any], attrs: dict[str, Any], arrays: Sequence[Array], several: bool
) -> Result:
    """Record a call that has been made as if it had been made on these inputs.

    The results are those that it gave, as new tensors.
    """
    parts = tuple([wrap(array) for array in arrays])
    given = [x._array if type(x) is Tensor else x for x in inputs]
    result = parts if several else parts[0]
    out = tuple(arrays) if several else arrays[0]
    _by_each(op, inputs, given, attrs, out, result)
    notify_observers(op, inputs, attrs, result)
    return result


def _by_group(
    op: Op,
    group: RecorderGroup,
    inputs: Sequence[Any],
    arrays: Sequence[Array],
    attrs: dict[str, Any],
    out: Array | tuple[Array, ...],
    result: Any,
) -> bool:
    """Tell tapes of a call, and the observer that listens with them, where all is simple.

    That is: one result, and all inputs that are tracked are so by the same recorders, which are
    tapes that record here and one observer at most. One record serves all tapes: a product of a
    Hessian and a vector of 200 numbers takes 500 µs, and 560 with one record each.
    """
    observer, thread = group.observer, get_ident()
    if (
        type(out) is tuple
        or op.differentiable is False
        or not group.is_simple
        or (observer is not None and observer.owner != thread)
        or not group.tapes
    ):
        return False
    for tape in group.tapes:
        if tape.owner != thread:
            return False
    tracked = _tracked_by(group, inputs)
    plan = None if tracked is None else op.plan_for(tracked, arrays, out)
    if plan is None:
        return False
    plan = plan.variant(Shared)
    result._recorder, result._number = group, next_number()
    saved = plan.keep(inputs, result, attrs)
    record = plan, numbers_of(inputs, plan.tracked), result._number, saved
    for tape in group.tapes:
        tape.append(record)
    if observer is not None:  # one without records is false
        observer.note(op, inputs, attrs, result)
    return True


def _tracked_by(tracker: Recorder | RecorderGroup, inputs: Sequence[Any]) -> list[int] | None:
    """The positions of the inputs that are tracked so; None if one is tracked in another way.

    A tape of another thread may have begun to watch an input since the tracker was found.
    """
    found = []
    for i, x in enumerate(inputs):
        if type(x) is Tensor and (now := x._recorder) is not None:
            if now is tracker:
                found.append(i)
            elif tracker.observer is None or now is not tracker.observer.alone:
                return None
    return found


def _by_each(
    op: Op,
    inputs: Sequence[Any],
    arrays: Sequence[Array],
    attrs: dict[str, Any],
    out: Array | tuple[Array, ...],
    result: TensorLike,
) -> None:
    """Append a record for every recorder that tracks an input and records on this thread.

    The records keep tensors: each recorder must find what the others know of the values, and
    the numbers of several results.
    """
    trackers = [active(x._recorder) if type(x) is Tensor else () for x in inputs]
    values = [x if each else a for x, a, each in zip(inputs, arrays, trackers, strict=True)]
    number = next_number()
    plans, starting = {}, []
    observing: list[Observer] = []
    may_flow = op.differentiable is not False or can_be_tracked(out)
    for recorder in direct_recorders(dict.fromkeys([r for each in trackers for r in each])):
        if isinstance(recorder, Observer):
            observing.append(recorder)
        if recorder.wide or not may_flow:
            continue
        plan = op.plan_for([i for i, each in enumerate(trackers) if recorder in each], arrays, out)
        if plan is None:
            starting.append(recorder)
            continue
        plans[recorder] = plan
        if type(recorder) is Recorder:
            enter_shared(recorder, plan, inputs, values, attrs, result, number)
    if plans or observing:
        mark(result, number, [*plans], observing)
    begin(result, starting)
    for observer in observing:
        observer.note(op, values, attrs, result)
    for listener in listeners():  # the oldest recorder is the first to hear of it
        if isinstance(listener, Follower) and listener in plans:
            listener.follow(Call(op, values, attrs, result, plans[listener]))


def enter_shared(
    recorder: Recorder,
    plan: Plan,
    inputs: Sequence[Any],
    values: Sequence[Any],
    attrs: dict[str, Any],
    result: TensorLike,
    number: int,
) -> None:
    """Append a record that keeps tensors, because several recorders know of the values."""
    plan = plan.variant(Shared)
    saved = plan.keep(values, result, attrs)
    enter(recorder, plan, numbers_of(inputs, plan.tracked), number, saved)


def enter(
    recorder: Recorder,
    plan: Plan,
    inputs: int | tuple[int, ...],
    number: int,
    saved: TensorLike | None,
) -> None:
    """Append the record of a call; inputs are the numbers of those that the plan tracks."""
    recorder.append((plan, inputs, number, saved))


def enter_results(
    recorders: Iterable[Recorder], number: int, results: Iterable[tuple[int, Tensor]]
) -> None:
    """Append records that these tensors are the results at these positions of a call."""
    results = [*results]
    for recorder in recorders:
        for position, tensor in results:
            recorder.append((PART, number, tensor._number, position))


def numbers_of(inputs: Sequence[Any], tracked: tuple[int, ...]) -> int | tuple[int, ...]:
    """The numbers of the inputs at these positions, as records have them."""
    if len(tracked) == 1:
        number: int = inputs[tracked[0]]._number
        return number
    return tuple([inputs[i]._number for i in tracked])


def mark(
    result: Any, number: int, recorders: Sequence[Recorder], observing: Sequence[Observer] = ()
) -> None:
    """Let the recorders track the result of an op, or its results, known to them by numbers.

    Observers track results of any dtype.
    """
    tracker = join([*recorders, *observing])
    if type(result) is Tensor:
        result._recorder, result._number = tracker, number
        return
    flowing = []
    for position, part in enumerate(result):
        if is_differentiable(part._array.dtype):
            part._recorder, part._number = tracker, next_number()
            flowing.append((position, part))
        elif observing:
            part._recorder, part._number = join(observing), next_number()
    enter_results(recorders, number, flowing)


def can_be_tracked(out: Any) -> bool:
    """Whether a kernel's result can have a gradient; those of comparisons and the like cannot."""
    return type(out) is tuple or is_differentiable(out.dtype)


def begin(result: TensorLike, recorders: Iterable[Recorder]) -> None:
    """Let recorders track a result as they track what is watched: no gradient flows on from it.

    So the gradient by a rounded number is known, though not the gradient of rounding.
    """
    for part in result if type(result) is tuple else (result,):
        if is_differentiable(part._array.dtype):
            for recorder in recorders:
                watch(part, recorder)
