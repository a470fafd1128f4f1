"""How a call of an op is heard: tapes record it, followers and witnesses are told of it.

``heard`` is the one way. Records are appended here alone, and in ``fast_calls``, which does for
one tape in line what ``heard`` does for it: its docstring has the times.
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
    Group,
    Recorder,
    Witness,
    active,
    at_first_hand,
    join,
    next_number,
    watch,
    witnesses,
)
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .annotations import NumericLike, Result, TensorLike
    from .gradient_plan import Plan
    from .operation import Op
    from .tensor import Array


def heard(
    op: Op,
    tracker: Recorder | Group,
    inputs: Sequence[Any],
    arrays: Sequence[Array],
    attrs: dict[str, Any],
    out: Array | tuple[Array, ...],
    result: Any,
) -> None:
    """Report a call of an op to all recorders that track an input and record on this thread.

    ``tracker`` is what tracks the inputs that are tracked, a group if they differ.
    """
    if tracker.owner != get_ident() or type(out) is tuple:
        if type(tracker) is not Group or not _by_group(
            op, tracker, inputs, arrays, attrs, out, result
        ):
            _by_each(op, inputs, arrays, attrs, out, result)
        return
    # Nearly always one tape hears one result: 3.4 µs for a product of scalars, 8.4 by `_by_each`.
    recorder: Any = tracker
    if op.differentiable is False and not can_be_tracked(out):
        return
    tracked = [i for i, x in enumerate(inputs) if type(x) is Tensor and x._recorder is recorder]
    plan = op.plan_for(tracked, arrays, out)
    if plan is None:
        begin(result, [recorder])
        return
    number = next_number()
    saved = plan.keep(arrays, out, attrs)
    recorder.append((plan, numbers_of(inputs, plan.tracked), number, saved))
    result._recorder, result._number = recorder, number


def heard_anyway(op: Op, inputs: Sequence[Any], attrs: dict[str, Any], result: NumericLike) -> None:
    """Let the witnesses on this thread hear of a call whose inputs they do not know."""
    knowing = {r for x in inputs if type(x) is Tensor for r in active(x._recorder)}
    for witness in witnesses():
        if witness not in knowing:
            for part in result if type(result) is tuple else (result,):
                watch(part, witness)
            witness.note(op, inputs, attrs, result)
        if witness.relays:
            break


def heard_again(
    op: Op, inputs: Sequence[Any], attrs: dict[str, Any], arrays: Sequence[Array], several: bool
) -> Result:
    """Let a call that has been made be heard as if it had been made on these inputs.

    The results are those that it gave, as new tensors.
    """
    parts = tuple([wrap(array) for array in arrays])
    given = [x._array if type(x) is Tensor else x for x in inputs]
    result = parts if several else parts[0]
    out = tuple(arrays) if several else arrays[0]
    _by_each(op, inputs, given, attrs, out, result)
    heard_anyway(op, inputs, attrs, result)
    return result


def _by_group(
    op: Op,
    group: Group,
    inputs: Sequence[Any],
    arrays: Sequence[Array],
    attrs: dict[str, Any],
    out: Array | tuple[Array, ...],
    result: Any,
) -> bool:
    """Tell tapes of a call, and the witness that listens with them, where all is simple.

    That is: one result, and all inputs that are tracked are so by the same recorders, which are
    tapes and one witness at most, or by that witness alone. One record serves all tapes: a product
    of a Hessian and a vector of 200 numbers takes 500 µs, and 560 with a record for each tape.
    """
    witness, thread = group.witness, get_ident()
    if (
        type(out) is tuple
        or not group.is_simple
        or (witness is not None and witness.owner != thread)
    ):
        return False
    tapes = [tape for tape in group.tapes if tape.owner == thread]
    number = next_number()
    if tapes:
        if op.differentiable is False or len(tapes) < len(group.tapes):
            return False
        tracked = [i for i, x in enumerate(inputs) if type(x) is Tensor and x._recorder is group]
        plan = op.plan_for(tracked, arrays, out)
        if plan is None:
            return False
        plan = plan.variant(Shared)
        record = plan, numbers_of(inputs, plan.tracked), number, plan.keep(inputs, result, attrs)
        for tape in tapes:
            tape.append(record)
        result._recorder = group
    elif witness is not None:
        result._recorder = witness.alone
    else:
        return False
    result._number = number
    if witness is not None:  # one without records is false
        witness.note(op, inputs, attrs, result)
    return True


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
    heard = [active(x._recorder) if type(x) is Tensor else () for x in inputs]
    values = [x if each else a for x, a, each in zip(inputs, arrays, heard, strict=True)]
    number = next_number()
    plans, starting = {}, []
    hearing: list[Witness] = []
    may_flow = op.differentiable is not False or can_be_tracked(out)
    for recorder in at_first_hand(dict.fromkeys([r for each in heard for r in each])):
        if isinstance(recorder, Witness):
            hearing.append(recorder)
        if recorder.wide or not may_flow:
            continue
        plan = op.plan_for([i for i, each in enumerate(heard) if recorder in each], arrays, out)
        if plan is None:
            starting.append(recorder)
            continue
        plans[recorder] = plan
        if type(recorder) is Recorder:
            enter_shared(recorder, plan, inputs, values, attrs, result, number)
    if plans or hearing:
        mark(result, number, [*plans], hearing)
    begin(result, starting)
    for witness in hearing:
        witness.note(op, values, attrs, result)
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
    result: Any, number: int, recorders: Sequence[Recorder], hearing: Sequence[Witness] = ()
) -> None:
    """Let the recorders track the result of an op, or its results, known to them by numbers.

    Witnesses track results of any dtype.
    """
    tracker = join([*recorders, *hearing])
    if type(result) is Tensor:
        result._recorder, result._number = tracker, number
        return
    flowing = []
    for position, part in enumerate(result):
        if is_differentiable(part._array.dtype):
            part._recorder, part._number = tracker, next_number()
            flowing.append((position, part))
        elif hearing:
            part._recorder, part._number = join(hearing), next_number()
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
