"""Values as power series, and how the coefficients of one follow from those of others.

The recurrences are in Griewank and Walther, "Evaluating derivatives" (2008), chapter 13.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from ..derivatives.forward import in_dtype_of, push
from ..engine import recorders
from ..engine.rule_binding import bare_values
from ..engine.sweep import quietly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.annotations import NumericLike
    from ..engine.recorders import Call
    from ..engine.tensor import Tensor
    from .jet import Following


class Series:
    """A value as a power series, its coefficients as far as they are known; None is zero."""

    def __init__(self, value: NumericLike) -> None:
        self.coefficients: list[Any] = [value]

    def needs(self, k: int) -> Sequence[tuple[Series, int]]:
        """The coefficients of others that number ``k`` is computed from."""
        return ()

    def next(self, k: int) -> Any:
        """Coefficient ``k``, when those before it and all that it needs are known."""
        raise NotImplementedError


class Given(Series):
    """Coefficients that are given; those after them are zeros."""

    def __init__(self, coefficients: Sequence[Any]) -> None:
        super().__init__(coefficients[0])
        self.coefficients.extend(coefficients[1:])

    def next(self, k: int) -> Tensor | None:
        return None


class Slope(Series):
    """The derivative of a series."""

    def __init__(self, value: Tensor, of: Series) -> None:
        super().__init__(value)
        self.of = of

    def needs(self, k: int) -> Sequence[tuple[Series, int]]:
        return [(self.of, k + 1)]

    def next(self, k: int) -> Tensor | None:
        c = self.of.coefficients[k + 1]
        return None if c is None else c * (k + 1)


class CalledSeries(Series):
    """The result of a call, by the series of those of its inputs that have one."""

    def __init__(self, call: Call, inputs: dict[int, Series]) -> None:
        super().__init__(call.result)
        self.call = call
        self.inputs = inputs

    def needs(self, k: int) -> Sequence[tuple[Series, int]]:
        return [(series, k) for series in self.inputs.values()]


class AffineSeries(CalledSeries):
    """For an op whose slope is the same everywhere."""

    def next(self, k: int) -> Any:
        tracked = [self.inputs.get(i) for i in self.call.plan.tracked]
        tangents = [None if s is None else s.coefficients[k] for s in tracked]
        if all(t is None for t in tangents):
            return None
        return quietly(push, self.call, tangents)


class Product(CalledSeries):
    """For an op that is linear in each of its inputs."""

    def next(self, k: int) -> Any:
        first = itertools.product(range(k + 1), repeat=len(self.inputs) - 1)
        return _total([self._term((*js, k - sum(js))) for js in first if sum(js) <= k])

    def _term(self, orders: Sequence[int]) -> Any:
        inputs = list(self.call.inputs)
        for (i, series), order in zip(self.inputs.items(), orders, strict=True):
            inputs[i] = series.coefficients[order]
            if inputs[i] is None:
                return None
        return self.call.op(*_lowered(inputs), **self.call.attrs)


class Quotient(CalledSeries):
    """For division: the quotient times the divisor is the dividend."""

    def next(self, k: int) -> Any:
        divisor, quotient = self.inputs[1].coefficients, self.coefficients
        known = [(divisor[j], quotient[k - j]) for j in range(1, k + 1)]
        terms = [-(a * b) for a, b in known if a is not None and b is not None]
        dividend = self.inputs[0].coefficients[k] if 0 in self.inputs else None
        rest = _total([dividend, *terms])
        return None if rest is None else self.call.op(*_lowered([rest, divisor[0]]))


class Integral(CalledSeries):
    """For all other ops: what has their slope."""

    def __init__(self, call: Call, inputs: dict[int, Series], follower: Following) -> None:
        super().__init__(call, inputs)
        self.follower = follower
        self.slopes: list[Series | None] | None = None

    def needs(self, k: int) -> Sequence[tuple[Series, int]]:
        first = [(s, 1) for s in self.inputs.values() if len(s.coefficients) < 2]
        if first:
            return first
        if self.slopes is None:
            self.slopes = self.follower.slopes(self.call, self.inputs)
        return [(s, k - 1) for s in self.slopes if s is not None]

    def next(self, k: int) -> Any:
        several = type(self.call.result) is tuple
        results = self.call.result if several else (self.call.result,)
        parts = []
        for result, slope in zip(results, self.slopes or (), strict=True):
            c = None if slope is None else slope.coefficients[k - 1]
            parts.append(None if c is None else in_dtype_of(result, c / k))
        return parts if several else parts[0]


class PartSeries(Series):
    """One of several results of a call."""

    def __init__(self, value: Tensor, call: Series, position: int) -> None:
        super().__init__(value)
        self.call = call
        self.position = position

    def needs(self, k: int) -> Sequence[tuple[Series, int]]:
        return [(self.call, k)]

    def next(self, k: int) -> Tensor | None:
        parts = self.call.coefficients[k]
        return None if parts is None else parts[self.position]


def extend(series: Series, order: int) -> None:
    """Compute the coefficients of a series up to an order.

    Without recursion, which would be as deep as the computation is long.
    """
    asked = [(series, order)]
    while asked:
        one, k = asked[-1]
        known = len(one.coefficients)
        if known > k:
            asked.pop()
            continue
        missing = [(s, j) for s, j in one.needs(known) if len(s.coefficients) <= j]
        if missing:
            asked.extend(missing)
        else:
            one.coefficients.append(one.next(known))


def _lowered(values: Sequence[Any]) -> Sequence[Any]:
    """The values to compute with: arrays, unless a recorder tracks them."""
    return values if recorders.recording() else [bare_values(x) for x in values]


def _total(terms: Sequence[Any]) -> Any:
    present = _lowered([t for t in terms if t is not None])
    if not present:
        return None
    total = present[0]
    for term in present[1:]:
        total = total + term
    return total
