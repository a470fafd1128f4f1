"""Plan: how one op is differentiated for one choice of tracked inputs.

A plan is made when its op is first recorded with these inputs tracked, and then serves every
record. It knows which values to keep (those that the rules of the tracked inputs name), and pulls
a gradient of the result back to the tracked inputs. It does so in two ways that come from the same
rules: ``pull`` on bare arrays, and ``traced`` on tensors, when some tape records the gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from .rule_binding import (
    bare_values,
    bind,
    dtype_of,
    getter,
    joint_pull,
    keeper,
    kept_by,
    needs,
    on_arrays,
    shape_of,
)
from .tensor import Tensor, tracked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .annotations import Numbers, NumericLike
    from .operation import Op
    from .recorders import Recorder
    from .rule_binding import Getter, Pull
    from .shapes import Shape
    from .tensor import Array

    ResultSpecs: TypeAlias = tuple[tuple[Shape, np.dtype[Any]], ...]

# The results of `slot` for the values that a plan keeps, for the fast calls of elementwise ops.
FIRST, SECOND, BOTH, OUT, NOTHING, OTHER = range(6)


class Plan:
    """The rules of one op for the inputs at the positions ``tracked``.

    ``pull(g, saved)`` gives the gradient if one input is tracked; if several are,
    ``pull(g, saved, wanted)`` gives one for each, or None where ``wanted`` says no.
    """

    guard: ClassVar[Callable[[Op, Pull], Pull] | None] = None
    """A wrapper for the pulls of new plans, such as a check of the gradients that they return."""

    pull: Pull
    traced: Pull

    __slots__ = (
        "_variants",
        "has_user_rule",
        "keep",
        "names",
        "op",
        "pull",
        "slot",
        "takes_rows",
        "traced",
        "tracked",
    )

    def __init__(self, op: Op, tracked: tuple[int, ...], count: int) -> None:
        self.op = op
        self.tracked = tracked
        self.takes_rows, self.has_user_rule = op.takes_rows, op.has_user_rule
        rules = op.rules_for(tracked)
        self.names = kept_by(op, rules)
        self.keep = keeper([getter(op, name) for name in self.names])
        self.slot = self._slot()
        self.traced = self._bind(rules, count)
        self.pull = self._bind([on_arrays(rule) for rule in rules], count)
        if Plan.guard is not None:
            self.traced, self.pull = Plan.guard(op, self.traced), Plan.guard(op, self.pull)
        self._variants: dict[type[Plan], Plan] = {}

    def _slot(self) -> int:
        if self.op.variadic:
            return OTHER
        inputs = self.op.inputs
        slots = {inputs[:2]: BOTH, inputs[:1]: FIRST, inputs[1:2]: SECOND, ("out",): OUT}
        return slots.get(self.names, OTHER) if self.names else NOTHING

    def _bind(self, rules: list[Pull], count: int) -> Pull:
        """Join the rules into one function of the gradient and what was kept."""
        op, tracked = self.op, self.tracked
        if op.joint is not None or op.variadic:
            return joint_pull(op, rules[0], self.names, tracked, count)
        pulls = [bind(rule, needs(op, rule), self.names) for rule in rules]
        if len(pulls) == 1:
            return pulls[0]

        def pull(g: Tensor, saved: NumericLike | None, wanted: Sequence[bool] | None) -> list[Any]:
            if wanted is None:
                return [pull(g, saved) for pull in pulls]
            pairs = zip(pulls, wanted, strict=True)
            return [pull(g, saved) if want else None for pull, want in pairs]

        return pull

    def restore_tensors(
        self, saved: Any, inputs: Numbers, output: int, recorder: Recorder
    ) -> object:
        """The saved values as the tensors they were, for a gradient that this recorder records."""
        given = (inputs,) if isinstance(inputs, int) else inputs
        numbers = dict(zip(self.tracked, given, strict=True))

        def restored(name: str, value: Any) -> object:
            if name == "out":
                return as_it_was(value, output, recorder)
            if name not in self.op.inputs:
                return value
            if self.op.variadic:
                return tuple([as_it_was(v, numbers.get(i), recorder) for i, v in enumerate(value)])
            return as_it_was(value, numbers.get(self.op.inputs.index(name)), recorder)

        if len(self.names) == 1:
            return restored(self.names[0], saved)
        values = zip(self.names, saved or (), strict=True)
        return tuple([restored(name, value) for name, value in values])

    def variant(self, kind: type[Plan]) -> Plan:
        """This plan with something added, such as the undoing of a broadcast."""
        found = self._variants.get(kind)
        if found is None:
            found = kind.__new__(kind)
            found.extend(self)
            # Other threads find it from here on, so it must be complete; all take the first one.
            found = self._variants.setdefault(kind, found)
        return found

    def extend(self, base: Plan) -> None:
        """Become a variant of the base plan."""
        raise NotImplementedError


class WrappedPlan(Plan):
    """A plan that wraps another one."""

    __slots__ = ("base",)

    def extend(self, base: Plan) -> None:
        self.keep = self.keeping(base.keep)
        self.op, self.tracked, self.base = base.op, base.tracked, base
        self.takes_rows, self.has_user_rule = base.takes_rows, base.has_user_rule
        self.slot, self._variants = OTHER, {}
        self.pull, self.traced = self.around(base.pull), self.around(base.traced)

    def keeping(self, keep: Getter) -> Getter:
        """The values that this variant saves, by those that the base plan saves."""
        return keep

    def around(self, pull: Pull) -> Pull:
        """The base plan's pull with this variant's work added."""
        raise NotImplementedError


class SeveralResults(WrappedPlan):
    """For an op with several results: gives its rule a gradient for each of them."""

    __slots__ = ()

    def keeping(self, keep: Getter) -> Getter:
        return lambda inputs, out, attrs: (
            keep(inputs, out, attrs),
            tuple([(shape_of(o), dtype_of(o)) for o in out]),
        )

    def restore_tensors(
        self, saved: tuple[Any, ResultSpecs], inputs: Numbers, output: int, recorder: Recorder
    ) -> tuple[object, ResultSpecs]:
        return self.base.restore_tensors(saved[0], inputs, output, recorder), saved[1]

    def around(self, pull: Pull) -> Pull:
        prepare = list if self.takes_rows else without_rows
        return lambda g, saved, *wanted: pull(tuple(prepare(g.filled(saved[1]))), saved[0], *wanted)


class SomeResults(SeveralResults):
    """The same, with None for each result that has no gradient."""

    __slots__ = ()

    def around(self, pull: Pull) -> Pull:
        return lambda g, saved, *wanted: pull(
            tuple(without_rows([g.get(k) for k in range(len(saved[1]))])), saved[0], *wanted
        )


class Undense:
    """A gradient in another form than an array, such as rows of a table; it can give the array."""

    __slots__ = ()

    def __add__(self, other: Any) -> Undense | Array | Tensor:
        raise NotImplementedError

    def dense(self) -> Array | Tensor:
        """The gradient as an array, or as a tensor if a recorder tracks it."""
        raise NotImplementedError

    def mapped(self, change: Callable[[Any], Any]) -> Undense:
        """The gradient with a linear function of its elements in their place."""
        raise NotImplementedError


def without_rows(gradients: Sequence[Any]) -> list[Any]:
    """The gradients without any that are rows of a table."""
    return [g.dense() if isinstance(g, Undense) else g for g in gradients]


class Shared(WrappedPlan):
    """For a call that several recorders hear: keeps tensors, not arrays.

    When one of the tapes is asked for a gradient that another one records, the values must still
    be what the other one knows.
    """

    __slots__ = ()

    def restore_tensors(
        self, saved: object, inputs: Numbers, output: int, recorder: Recorder
    ) -> object:
        return saved

    def extend(self, base: Plan) -> None:
        super().extend(base)
        self.traced = base.traced

    def around(self, pull: Pull) -> Pull:
        return lambda g, saved, *wanted: pull(g, bare_values(saved), *wanted)


class Parts(dict[int, Any]):
    """The gradients of some results of an op that has several, by their positions."""

    def __add__(self, other: Parts) -> Parts:
        total = Parts(self)
        for k, g in other.items():
            if k not in total:
                total[k] = g
            else:  # a tensor does not know how to add rows
                total[k] = g + total[k] if isinstance(g, Undense) else total[k] + g
        return total

    def filled(self, specs: ResultSpecs) -> tuple[Any, ...]:
        """A gradient for every result, zeros where none arrived."""
        k, g = next(iter(self.items()))
        undense = isinstance(g, Undense)
        lead = () if undense else shape_of(g)[: len(shape_of(g)) - len(specs[k][0])]
        return tuple(
            [self[k] if k in self else np.zeros(lead + s, d) for k, (s, d) in enumerate(specs)]
        )


class PartPlan(Plan):
    """From one result of an op to the op itself; what is saved is the result's position."""

    __slots__ = ()

    def __init__(self) -> None:
        self.pull = self.traced = lambda g, position: Parts({position: g})
        self.op: Any = None
        self.tracked, self.takes_rows, self.has_user_rule = (0,), True, False

    def restore_tensors(
        self, saved: object, inputs: Numbers, output: int, recorder: Recorder
    ) -> object:
        return saved


PART = PartPlan()


def as_it_was(array: Array, number: int | None, recorder: Recorder) -> Array | Tensor:
    """A saved array as the tensor that the recorder knows by this number, if it knows it."""
    return array if number is None else tracked(array, recorder, number)
