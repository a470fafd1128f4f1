"""Sizes at which a function was recorded, and the sums of products of sizes that suit them.

A number that a call finds is a size as well, as the half of a length at which a slice ends: the
values that were found stand beside the sizes. If they depend on these alone, they are computed for
many more, so that two formulas are known to differ where the function has not been recorded yet.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import lcm, prod
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import OpError
from .sizes import Quotient, Size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .sizes import AnySize, Sizes

    Monomial: TypeAlias = tuple[int, ...]
    """Which sizes are multiplied."""

_ALONG = (*range(1, 41), 48, 63, 64, 65, 96, 100, 128, 129, 200, 256, 257, 512, 513, 1024, 1025)
"""Sizes that one dimension has in turn while the others are small."""
_FAR = tuple([1 << power for power in range(12, 31, 3)])
_SMALL = 120
"""So many points have small sizes, which have nothing to do with each other."""
_AFFORDABLE = 1 << 14
"""A function is recorded for so many elements at most, to see what it does there."""
_MORE = 3
"""So many points more than formulas have factors tell whether these are right."""
REFUSALS = OpError, ArithmeticError, ValueError
"""The errors of ops for sizes that they do not take."""
_PRIME = (1 << 61) - 1


class NoPattern(Exception):
    """A value does not depend on the sizes in any way that is known here."""


class NeedsPoints(NoPattern):
    """Formulas can be told apart only at one of these other sizes."""

    def __init__(self, candidates: Sequence[Sizes]) -> None:
        super().__init__("sizes that cannot be told apart from others")
        self.candidates = candidates


class Points:
    """The sizes at which something was recorded: the corners of a box first, then others.

    ``given`` is the number of those sizes that do not follow from others.
    """

    def __init__(self, low: Sizes, high: Sizes, *others: Sizes) -> None:
        self.given = len(low)
        self.low = low
        self.all: list[Sizes] = [*product(*zip(low, high, strict=True)), *others]
        self.probes: list[Sizes] | None = None
        self.lengths: dict[tuple[int, ...], AnySize] = {}
        """How often windows fit, by these numbers at all points."""
        self._solver: _Solver | None = None

    def written(self, place: int) -> str:
        """The sizes at this place in the list, for people."""
        return "×".join(map(str, self.all[place][: self.given]))

    def with_point(self, point: Sizes) -> Points:
        """The same and one more."""
        return self._with([*self.all, point], self.probes)

    def only(self, places: Sequence[int]) -> Points:
        """The points in these places; ``NoPattern`` if they tell less of formulas than all."""
        if len(places) == len(self.all):
            return self
        monomials = _monomials(self.given, len(self.all[0]))
        rows = _Rows([_row(monomials, self.all[i]) for i in places])
        if any([rows.tells(_row(monomials, point)) for point in self.all]):
            raise NoPattern("too few sizes at which its elements differ")
        return self._with([self.all[i] for i in places], self.probes)

    def _with(self, points: list[Sizes], probes: list[Sizes] | None) -> Points:
        made = Points(self.low, self.low)
        made.all, made.probes = points, probes
        return made

    def finding(self, values: Sequence[int], at: Callable[[Sizes], int] | None) -> Points:
        """The same with one more size at each point: what was found there.

        ``at`` tells what is found at other sizes, if that depends on sizes alone.
        ``NeedsPoints`` if the values found follow from the sizes here, but not elsewhere.
        """
        points = [(*point, value) for point, value in zip(self.all, values, strict=True)]
        probes: list[Sizes] = []
        if at is not None:
            for point in self._others():
                try:
                    probes.append((*point, at(point)))
                except REFUSALS:  # the function does not take these sizes
                    continue
        made = self._with(points, probes)
        made.lengths = self.lengths
        made._check_told_apart(all_told=at is not None)
        return made

    def holds_elsewhere(self, form: Any, at: Callable[[Sizes], int]) -> bool:
        """Whether a formula has what is found at other sizes as well."""
        for point in self._others():
            try:
                found = at(point)
            except REFUSALS:  # the function does not take these sizes
                continue
            try:
                if found != (form if isinstance(form, int) else form.at(point)):
                    return False
            except ValueError:  # there is no whole number
                return False
        return True

    def know_length(self, values: Sequence[int], form: AnySize) -> None:
        """Know the form of a length that has these values.

        ``NeedsPoints`` if another form has them too, here but not elsewhere.
        """
        fit = self.size(values)
        others = [fit] if [_value(fit, p) for p in self.all] == [*values] else []
        others += [self.lengths[(*values,)]] if (*values,) in self.lengths else []
        for other in others:
            apart = [p for p in self._others() if _value(form, p) != _value(other, p)]
            if apart:
                raise self._needing(apart)
        self.lengths[(*values,)] = form

    def _needing(self, points: Sequence[Sizes]) -> NeedsPoints:
        known = {point[: self.given] for point in self.all}
        given = {point[: self.given] for point in points} - known
        return NeedsPoints(sorted([p for p in given if prod(p) <= _AFFORDABLE], key=_cost))

    def _others(self) -> Sequence[Sizes]:
        """Other sizes, for which the function is not run."""
        return [*_probes(self.low)] if self.probes is None else self.probes

    def _check_told_apart(self, *, all_told: bool) -> None:
        monomials = _monomials(self.given, len(self.all[0]))
        rows = _Rows([_row(monomials, point) for point in self.all])
        if not all_told:
            if rows.rank < len(monomials):
                raise NoPattern("what values decide may follow from sizes, or not")
            return
        telling = [point for point in self.probes or () if rows.tells(_row(monomials, point))]
        if telling or len(self.all) < rows.rank + _MORE:
            raise self._needing(telling or self.probes or ())

    def size(self, values: Sequence[int]) -> AnySize:
        """The sum of products of sizes that has these values, if any has them at all points."""
        if self._solver is None:
            self._solver = _Solver(_monomials(self.given, len(self.all[0])), self.all)
        return self._solver.solved(values)


def _value(form: AnySize, sizes: Sizes) -> int | None:
    """The number that a form gives; None if there is no whole one."""
    try:
        return form.at(sizes)
    except ValueError:
        return None


def _cost(sizes: Sizes) -> tuple[bool, int, Sizes]:
    """In which order sizes are tried: 1, for which Python may have a branch, comes last."""
    return 1 in sizes, prod(sizes), sizes


def _monomials(given: int, count: int) -> list[Monomial]:
    """All products of given sizes, and of what was found with one other."""
    sizes = [each for n in range(given + 1) for each in combinations(range(given), n)]
    found = range(given, count)
    pairs = [(*([other] if other < k else []), k) for k in found for other in range(-1, k)]
    unique = dict.fromkeys([tuple([i for i in pair if i >= 0]) for pair in pairs])
    return [*sizes, *sorted(unique, key=len)]


def _row(monomials: Iterable[Monomial], point: Sizes) -> list[int]:
    return [prod([point[i] for i in each]) for each in monomials]


def _probes(low: Sizes) -> Iterable[Sizes]:
    """Sizes for which a function is not run."""
    count = len(low)
    for axis in range(count):
        for size in (*_ALONG, *_FAR):
            yield (*low[:axis], size, *low[axis + 1 :])
    for size in (*_ALONG, *_FAR):
        yield (size,) * count
    state = 1
    for _ in range(_SMALL):
        sizes = []
        for _ in range(count):
            state = state * 48271 % 2147483647
            sizes.append(1 + state % 13)
        yield (*sizes,)


class _Rows:
    """Rows of numbers, and whether others are sums of multiples of them, modulo a large prime."""

    def __init__(self, rows: Iterable[Sequence[int]] = ()) -> None:
        self._reduced: dict[int, list[int]] = {}
        for row in rows:
            self.add(row)

    @property
    def rank(self) -> int:
        return len(self._reduced)

    def _rest(self, row: Sequence[int]) -> list[int]:
        rest = [n % _PRIME for n in row]
        for column, known in self._reduced.items():
            factor = rest[column]
            if factor:
                rest = [(n - factor * k) % _PRIME for n, k in zip(rest, known, strict=True)]
        return rest

    def tells(self, row: Sequence[int]) -> bool:
        """Whether a row is other than all sums of multiples of those that are known."""
        return any(self._rest(row))

    def add(self, row: Sequence[int]) -> bool:
        """Know one more row; whether it says something new."""
        rest = self._rest(row)
        column = next((i for i, n in enumerate(rest) if n), None)
        if column is None:
            return False
        inverse = pow(rest[column], -1, _PRIME)
        self._reduced[column] = [n * inverse % _PRIME for n in rest]
        return True


class _Solver:
    """Finds sums of these products with given values at points.

    Of products that follow from earlier ones at all points, the earlier ones are taken.
    """

    def __init__(self, monomials: Sequence[Monomial], points: Sequence[Sizes]) -> None:
        table = [_row(monomials, point) for point in points]
        rows, columns = _Rows(), _Rows()
        self._rows = [i for i, row in enumerate(table) if rows.add(row)]
        turned = [[table[i][j] for i in self._rows] for j in range(len(monomials))]
        chosen = [j for j, column in enumerate(turned) if columns.add(column)]
        self._monomials = [monomials[j] for j in chosen]
        self._inverse = _inverse([[table[i][j] for j in chosen] for i in self._rows])

    def solved(self, values: Sequence[int]) -> AnySize:
        given = [values[i] for i in self._rows]
        factors = [sum(a * b for a, b in zip(row, given, strict=True)) for row in self._inverse]
        over = lcm(*[Fraction(factor).denominator for factor in factors])
        terms = [
            (int(factor * over), monomial)
            for factor, monomial in zip(factors, self._monomials, strict=True)
            if factor
        ]
        size = Size(tuple(terms))
        return size if over == 1 else Quotient(size, over)


def _inverse(matrix: Sequence[Sequence[int]]) -> list[list[Fraction]]:
    """The inverse of a matrix, exactly."""
    count = len(matrix)
    rows = [
        [*map(Fraction, row), *[Fraction(i == j) for j in range(count)]]
        for i, row in enumerate(matrix)
    ]
    for k in range(count):
        place = next(i for i in range(k, count) if rows[i][k])
        rows[k], rows[place] = rows[place], rows[k]
        rows[k] = [n / rows[k][k] for n in rows[k]]
        for i in range(count):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [n - factor * m for n, m in zip(rows[i], rows[k], strict=True)]
    return [row[count:] for row in rows]
