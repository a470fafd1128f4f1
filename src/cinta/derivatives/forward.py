"""Forward mode: derivatives along a direction, computed together with the values.

Backwards, an op's rule pulls the gradient of its result to its inputs. Forwards, tangents of the
inputs are pushed to the result, and this needs no second formula:

- the rule of an elementwise op is its own transpose: what pulls, pushes;
- an op that is linear in its inputs pushes tangents through itself;
- any other rule is transposed: it is linear in the gradient, so it is recorded for an unknown one,
  and the gradient of that recording is the push.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes, nest
from ..engine import recorders
from ..engine.broadcasting import Broadcasting
from ..engine.carrier import Carrier
from ..engine.convert import as_tensor
from ..engine.gradient_plan import Parts
from ..engine.indexed_slices import dense
from ..engine.primitives import BroadcastTo, Cast
from ..engine.recorders import Call, Recorder, next_number
from ..engine.rule_binding import bare_values, dtype_of, shape_of
from ..engine.sweep import quietly, sweep
from ..engine.tensor import Tensor, wrap
from ..engine.variable import Variable
from ..engine.warning import warn
from ..public import public
from ..tracebacks import note_none
from .tape_arguments import (
    UnconnectedGradients,
    checked,
    directions,
    like,
    wants_zero,
    zeros,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType
    from typing import TypeAlias, TypeVar

    from ..engine.annotations import NumericLike
    from ..engine.tensor import Array

    T = TypeVar("T")
    Tangent: TypeAlias = Array | Tensor | None


class Tangents(Carrier):
    """The tangents of all that is computed from what has one."""

    __slots__ = ()

    def follow(self, call: Call) -> None:
        tangents = [self.of(call.inputs[i]) for i in call.plan.tracked]
        if all(t is None for t in tangents):
            return
        with recorders.paused(self):
            pushed = quietly(push, call, tangents)
        if type(call.result) is tuple:
            for part, tangent in zip(call.result, pushed, strict=True):
                self.learn(part, tangent)
        else:
            self.learn(call.result, pushed)


# -- pushing -------------------------------------------------------------------------------------


def push(call: Call, tangents: Sequence[Tangent]) -> Any:
    """The tangent of a call's result for tangents of the tracked inputs, some of them None.

    Tangents may have more axes in front than their values. Works on arrays; on tensors where
    somebody listens. For a call with several results, a tangent or None for each.
    """
    if not recorders.recording():
        inputs = [bare_values(x) for x in call.inputs]
        call = call._replace(inputs=inputs, result=bare_values(call.result))
        tangents = [bare_values(t) for t in tangents]
    if call.op.elementwise and call.op.joint is None and is_real(call):
        pushed = through_rules(call, tangents)
    elif call.op.linear and not is_stacked(call, tangents):
        pushed = through_itself(call, tangents)
    else:
        pushed = transposed(call, tangents)
    if type(call.result) is tuple:
        return [in_dtype_of(r, p) for r, p in zip(call.result, pushed, strict=True)]
    return in_dtype_of(call.result, pushed)


def is_real(call: Call) -> bool:
    """Whether no complex numbers take part: there, rules are not their own transposes."""
    return all(dtype_of(x).kind != "c" for x in (*call.inputs, call.result))


def is_stacked(call: Call, tangents: Sequence[Tangent]) -> bool:
    """Whether a tangent has more axes than its value."""
    return any(
        len(shape_of(t)) > len(shape_of(call.inputs[i]))
        for _, i, t in with_tangents(call, tangents)
    )


def in_dtype_of(result: Tensor, tangent: Tangent) -> Tangent:
    """The tangent in the dtype of the value that it belongs to."""
    dtype = dtype_of(result)
    if tangent is None or dtype_of(tangent) == dtype:
        return tangent
    return Cast(tangent, dtype=dtype)


def with_tangents(call: Call, tangents: Sequence[Tangent]) -> list[tuple[int, int, Array | Tensor]]:
    """Where there is a tangent: its place among the tracked, its input's position, itself."""
    each = enumerate(zip(call.plan.tracked, tangents, strict=True))
    return [(k, i, t) for k, (i, t) in each if t is not None]


def through_rules(call: Call, tangents: Sequence[Tangent]) -> Any:
    """Push by the rules of an elementwise op, which are their own transposes."""
    plan = call.plan.base if isinstance(call.plan, Broadcasting) else call.plan
    pull = plan.traced if recorders.recording() else plan.pull
    saved = plan.keep(call.inputs, call.result, call.attrs)
    shape, count = shape_of(call.result), len(plan.tracked)
    pushed = []
    for k, i, t in with_tangents(call, tangents):
        own = shape_of(call.inputs[i])
        if own != shape:
            t = BroadcastTo(t, shape=shape, rank=len(own))
        alone = [j == k for j in range(count)]
        pushed.append(pull(t, saved) if count == 1 else pull(t, saved, alone)[k])
    return total(pushed)


def through_itself(call: Call, tangents: Sequence[Tangent]) -> object:
    """Push by calling an op that is linear: in all its inputs at once, or in each of them."""
    known = with_tangents(call, tangents)
    if call.op.variadic:
        inputs: list[Array | Tensor] = [np.zeros(shape_of(x), dtype_of(x)) for x in call.inputs]
        for _, i, t in known:
            inputs[i] = t
        return call.op(*inputs, **call.attrs)
    pushed = [
        call.op(*call.inputs[:i], t, *call.inputs[i + 1 :], **call.attrs) for _, i, t in known
    ]
    if type(call.result) is tuple:
        return [total(parts) for parts in zip(*pushed, strict=True)]
    return total(pushed)


def transposed(call: Call, tangents: Sequence[Tangent]) -> object:
    """Push by transposing the rules: they are linear in the gradient, whatever it is."""
    several = type(call.result) is tuple
    results = call.result if several else (call.result,)
    unknown = {k: wrap(np.zeros(shape_of(r), dtype_of(r))) for k, r in enumerate(results)}
    unknown = {k: g for k, g in unknown.items() if dtypes.is_differentiable(g._array.dtype)}
    if not unknown:
        return [None] * len(results) if several else None
    recorder = Recorder(watch_accessed=False)
    for g in unknown.values():
        recorders.watch(g, recorder)
    recorders.start(recorder)
    try:
        pulled = pull_unknown(call, tangents, Parts(unknown) if several else unknown[0])
    finally:
        recorders.stop(recorder)
    seeds = [
        (d._number, t)
        for d, t in zip(pulled, tangents, strict=True)
        if t is not None and isinstance(d, Tensor) and d._recorder is not None
    ]
    found = sweep(recorder, seeds, {g._number for g in unknown.values()}, keep=False)
    pushed = [found.get(unknown[k]._number) if k in unknown else None for k in range(len(results))]
    return pushed if several else pushed[0]


def pull_unknown(call: Call, tangents: Sequence[Tangent], g: Tensor | Parts) -> list[Tangent]:
    """The result of the rules for an unknown gradient, for each tracked input."""
    plan = call.plan
    saved = plan.keep(call.inputs, call.result, call.attrs)
    if len(plan.tracked) == 1:
        pulled = [plan.traced(g, saved)]
    else:
        pulled = plan.traced(g, saved, [t is not None for t in tangents])
    return [dense(d) for d in pulled]


def total(tangents: Iterable[T | None]) -> T | None:
    """The sum of those that are there, or None."""
    known = [t for t in tangents if t is not None]
    return functools.reduce(operator.add, known) if known else None


# -- public functions ----------------------------------------------------------------------------


@public("autodiff.ForwardAccumulator")
class ForwardAccumulator:
    """Compute derivatives along a direction, together with the values.

    A tape gives the derivatives of one result by many values; an accumulator those of many results
    along one direction. It keeps no records: its memory does not grow with the length of the
    computation.

    >>> import cinta as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    ...     y = x**2
    >>> acc.jvp(y).numpy()
    array([2., 0.], dtype=float32)

    Under a second accumulator, or together with tapes, derivatives of higher order follow. A
    gradient taken inside gives products with the Hessian:

    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    ...     with tf.GradientTape() as tape:
    ...         tape.watch(x)
    ...         y = x[0] ** 2 * x[1]
    ...     g = tape.gradient(y, x)
    >>> acc.jvp(g).numpy()
    array([4., 2.], dtype=float32)

    Args:
        primals: A tensor or variable, or a nest of them: where the direction starts.
        tangents: The direction: numbers of the same structure, shapes and dtypes.
    """

    def __init__(self, primals: NumericLike, tangents: NumericLike) -> None:
        self._tangents = Tangents()
        self._recording = False
        nest.assert_same_structure(primals, tangents)
        leaves = checked(primals, "primals")
        for primal, tangent in zip(leaves, directions(primals, tangents), strict=True):
            self._watch(primal, tangent)

    def _watch(self, primal: Tensor | Variable, tangent: Tensor) -> None:
        if self._tangents.of(primal) is not None:
            raise ValueError(
                f"{primal!r} was specified as a primal multiple times. This may indicate an error: "
                "give each tensor once, with the sum of its tangents."
            )
        if not dtypes.is_differentiable(primal._array.dtype):
            warn(
                "The dtype of the watched primal must be floating (e.g. tf.float32), got "
                f"{primal.dtype!r}: nothing that is computed from it has a tangent."
            )
            if isinstance(primal, Tensor) and primal._recorder is None:
                primal._number = next_number()
        elif isinstance(primal, Tensor):
            recorders.watch(primal, self._tangents)
        self._tangents.known[primal._number] = tangent

    def __repr__(self) -> str:
        state = "recording" if self._recording else "not recording"
        return f"<tf.autodiff.ForwardAccumulator: {state}>"

    def __enter__(self) -> ForwardAccumulator:
        if self._recording:
            raise ValueError("Accumulator is already recording.")
        recorders.start(self._tangents)
        self._recording = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        recorders.stop(self._tangents)
        self._recording = False

    def __del__(self) -> None:
        tangents = getattr(self, "_tangents", None)
        if tangents is not None:
            tangents.close()

    def jvp(
        self,
        primals: NumericLike,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """The derivative of each value along the direction: Jacobian times vector.

        Args:
            primals: A tensor or variable that was computed here, or a nest of them.
            unconnected_gradients: ``UnconnectedGradients.ZERO`` (or ``"zero"``) gives zeros instead
                of None for a value that does not depend on the accumulator's primals.
        """
        zero = wants_zero(unconnected_gradients)
        results = [self._tangent(leaf, zero) for leaf in checked(primals, "primals")]
        return like(primals, results)

    def _tangent(self, value: Tensor | Variable, zero: bool) -> Tensor | None:
        tangent = self._tangents.of(value)
        if tangent is not None:
            return as_tensor(tangent)
        if zero:
            return zeros(value.shape, value.dtype)
        note_none()
        return None
