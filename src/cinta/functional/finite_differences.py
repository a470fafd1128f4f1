"""Derivatives checked against finite differences.

A derivative is compared along directions: single elements where there are few, random directions
where there are many. Central differences are cheap and nearly always good enough; where they do not
agree with the derivative, a second look with half the step extrapolates them, and sees whether the
function has a kink there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..ops.arguments import listed, whole_number
from ..public import public
from .leaves import (
    LeafFunction,
    Point,
    draw_like,
    gradients_of,
    inner,
    of_leaves,
    pushed,
    tangents_of,
    values_at,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.tensor import Array, Tensor

_TOLERANCE = {"float64": 1e-6, "complex128": 1e-6, "float32": 2e-3, "complex64": 2e-3}
_FEW = 64
"""Up to how many elements all of them are checked one by one."""

_DIRECTIONS = 2
"""How many random directions are tried for each argument that has more."""


@public("autodiff.GradientError")
class GradientError(AssertionError):
    """A derivative is not that of finite differences; the worst one that was found.

    >>> import cinta as tf
    >>> @tf.custom_gradient
    ... def square(x):
    ...     return x * x, lambda upstream: upstream * x  # it should be 2 * x
    >>> try:
    ...     tf.check_grads(square, (tf.constant(3.0),))
    ... except tf.autodiff.GradientError as error:
    ...     print(error.found, round(error.expected, 2))
    3.0 6.0

    Args:
        message: What is printed.

    Attributes:
        order: The order of the derivative.
        mode: ``"fwd"`` or ``"rev"``.
        argument: The name of the argument.
        index: The element of the argument; None where it is not known.
        found: The derivative.
        expected: What finite differences give.
        tolerance: What would have been close enough.
    """

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message)
        self.order: int = fields["order"]
        self.mode: str = fields["mode"]
        self.argument: str = fields["argument"]
        self.index: tuple[int, ...] | None = fields["index"]
        self.found: float = fields["found"]
        self.expected: float = fields["expected"]
        self.tolerance: float = fields["tolerance"]


@public("autodiff.check_grads", "check_grads")
def check_grads(
    f: Callable[..., Any],
    args: Sequence[Any],
    order: int = 2,
    modes: Sequence[str] = ("fwd", "rev"),
    *,
    rtol: float | None = None,
    atol: float | None = None,
    step: float | None = None,
    elements: bool | None = None,
) -> None:
    """Check the derivatives of a function against finite differences.

    Nothing happens if they agree. If not, the error names the argument and the element where they
    differ most, both values, and the tolerance that would let them pass.

    >>> import cinta as tf
    >>> tf.check_grads(lambda x: tf.sin(x) ** 2, [tf.constant([0.5, 2.0])])
    >>> @tf.custom_gradient
    ... def wrong(x):
    ...     return x * x, lambda g: 3.0 * g * x
    >>> try:
    ...     tf.check_grads(wrong, [tf.constant([0.5, 2.0])], modes=["rev"])
    ... except AssertionError as error:
    ...     print(error.order, error.mode, error.argument, error.index)
    1 rev args[0] (1,)

    Args:
        f: A function of positional arguments, whose value is a tensor or a nest of them. Only
            floating-point and complex numbers are differentiated, all else is constant.
        args: The arguments, in a list or tuple; each may be a nest. Away from kinks and jumps.
        order: The highest order to check. The derivatives of higher orders are checked as first
            derivatives of derivatives, in all combinations of the modes.
        modes: "rev" for gradients, "fwd" for derivatives along a direction.
        rtol: How much a derivative may be off, as a part of it. 1e-6 for float64 and 2e-3 for
            float32, unless given.
        atol: The absolute error that is allowed in addition; as ``rtol`` unless given.
        step: The step of the differences, for numbers up to 1; greater for greater ones. The cube
            root of the dtype's precision, unless given.
        elements: Whether to check every element by itself, or else along random directions; None
            does so for up to 64 of them.
    """
    if any(not isinstance(m, str) or m not in ("fwd", "rev") for m in listed(modes, "modes")):
        raise ValueError(f"check_grads: the modes are 'fwd' and 'rev', not {modes!r}.")
    if not isinstance(args, (list, tuple)):
        raise TypeError(f"check_grads takes the arguments in a list or tuple, but got {args!r}.")
    function, point = of_leaves(f, args)
    _check_dtypes(point)
    precision = max(np.finfo(x.dtype).eps for x in point.arrays)
    widest = max(_TOLERANCE[str(x.dtype)] for x in point.arrays)
    rtol = widest if rtol is None else rtol
    check = _Check(
        order=whole_number(order, "order"),
        modes=tuple(modes),
        rtol=rtol,
        atol=rtol if atol is None else atol,
        step=float(np.cbrt(precision)) if step is None else step,
        precision=float(precision),
        elements=sum(x.size for x in point.arrays) <= _FEW if elements is None else elements,
    )
    check.derivatives(function, point, 1)


class _Direction(NamedTuple):
    """A direction from the point in one argument, and how far one step goes."""

    argument: int
    vector: Array
    step: float
    element: tuple[int, ...] | None  # its index, if it is only one


class _Difference(NamedTuple):
    """A derivative along a direction, and what finite differences say of it."""

    excess: float  # how much more it is off than it may be
    way: _Direction
    at: str
    found: float
    expected: float
    tolerance: float
    kink: str


class _Check(NamedTuple):
    order: int
    modes: tuple[str, ...]
    rtol: float
    atol: float
    step: float
    precision: float
    elements: bool

    def derivatives(self, function: LeafFunction, point: Point, level: int) -> None:
        """Check the derivatives of a function of this order; then theirs."""
        if level > self.order:
            return
        weights = [
            draw_like(out._array, 100 + k) for k, out in enumerate(values_at(function, point))
        ]
        for mode in self.modes:
            derivative = (gradients_of if mode == "rev" else tangents_of)(function, point, weights)
            of = _Compared(self, mode, function, point, weights, derivative)
            worst = max(of.differences(), key=lambda each: each.excess, default=None)
            if worst is not None and worst.excess > 0:
                raise _error(of.narrowed(worst), worst, point, mode, level)
            self.derivatives(derivative, point, level + 1)


class _Compared(NamedTuple):
    """One mode of differentiation compared with finite differences at a point."""

    check: _Check
    mode: str
    function: LeafFunction
    point: Point
    weights: list[Array]
    derivative: LeafFunction

    def differences(self) -> Iterator[_Difference]:
        gradients = values_at(self.derivative, self.point) if self.mode == "rev" else []
        for k, x in enumerate(self.point.arrays):
            for way in self._ways(k, x):
                yield self.along(way, gradients)

    def _ways(self, k: int, x: Array) -> Iterator[_Direction]:
        if not self.check.elements:
            for seed in range(_DIRECTIONS if x.size else 0):
                vector = draw_like(x, seed) * np.maximum(1, abs(x)).astype(x.dtype)
                yield _Direction(k, vector, self.check.step, None)
            return
        for index in np.ndindex(x.shape):
            for unit in (1, 1j) if x.dtype.kind == "c" else (1,):
                yield self._element(k, index, unit)

    def _element(self, k: int, index: tuple[int, ...], unit: complex) -> _Direction:
        x = self.point.arrays[k]
        vector = np.zeros_like(x)
        vector[index] = unit
        return _Direction(k, vector, self.check.step * max(1.0, abs(x[index])), index)

    def along(self, way: _Direction, gradients: Sequence[Tensor]) -> _Difference:
        """Compare the derivative along a direction."""
        found, names = self._found(way, gradients), self.function.names
        if self.mode == "rev":
            names = [""]
        once, unsure, bend = self._quotients(way, way.step)
        difference = self._worst(way, names, found, once, unsure, "")
        if difference.excess <= 0:
            return difference
        twice, unsure, sharper = self._quotients(way, way.step / 2)
        better = [(4 * b - a) / 3 for a, b in zip(once, twice, strict=True)]
        steps = zip(unsure, better, twice, strict=True)
        unsure = [2 * u + abs(a - b) / 4 for u, a, b in steps]
        return self._worst(way, names, found, better, unsure, _kink(bend, sharper))

    def _found(self, way: _Direction, gradients: Sequence[Tensor]) -> list[Array]:
        if self.mode == "rev":
            gradient = gradients[way.argument]._array
            if gradient.shape != way.vector.shape:
                raise AssertionError(
                    f"the gradient by {self.point.names[way.argument]} has shape {gradient.shape}, "
                    f"but the argument has {way.vector.shape}"
                )
            return [np.asarray(inner(gradient, way.vector))]
        tangents = pushed(self.function, self.point, {way.argument: way.vector})
        return [np.asarray(tangent._array) for tangent in tangents]

    def _quotients(self, way: _Direction, step: float) -> tuple[list[Array], list[Array], float]:
        """Central differences, how far rounding puts them off, and how much slopes differ."""
        above, here, below = [self._moved(way, far) for far in (step, 0.0, -step)]
        quotients = [(a - b) / (2 * step) for a, b in zip(above, below, strict=True)]
        blur = self.check.precision / step
        noise = [np.full(a.shape, blur * np.max(abs(a), initial=0)) for a in here]
        jumps = [abs(a - 2 * x + b) for a, x, b in zip(above, here, below, strict=True)]
        bend = max([np.max(each, initial=0) / step for each in jumps], default=0.0)
        if self.mode == "fwd":
            return quotients, noise, bend
        weighted = [inner(w, q) for w, q in zip(self.weights, quotients, strict=True)]
        blurred = [inner(w * n, w * n) for w, n in zip(self.weights, noise, strict=True)]
        return [np.asarray(sum(weighted))], [np.sqrt(sum(blurred))], bend

    def _moved(self, way: _Direction, far: float) -> list[Array]:
        arrays = list(self.point.arrays)
        x = arrays[way.argument]
        arrays[way.argument] = (x + far * way.vector).astype(x.dtype)
        wide = {"f": np.float64, "c": np.complex128}
        outs = values_at(self.function, self.point._replace(arrays=arrays))
        return [np.asarray(out._array, wide[out._array.dtype.kind]) for out in outs]

    def _worst(
        self,
        way: _Direction,
        names: Sequence[str],
        found: Sequence[Array],
        expected: Sequence[Array],
        unsure: Sequence[Array],
        kink: str,
    ) -> _Difference:
        """The element of the results that is off most."""
        worst = _Difference(-np.inf, way, "", 0.0, 0.0, 0.0, kink)
        for name, a, b, u in zip(names, found, expected, unsure, strict=True):
            off = abs(a - b) - u
            size = (
                abs(b) if way.element is not None else np.full(b.shape, np.max(abs(b), initial=0))
            )
            excess = np.nan_to_num(off - self.check.atol - self.check.rtol * size, nan=np.inf)
            if not excess.size or excess.max() <= worst.excess:
                continue
            i = np.unravel_index(np.argmax(excess), excess.shape)
            at = f"{name}{list(map(int, i)) if i else ''}"
            passing = float(off[i] / (1 + size[i]))
            values = (a[i].item(), b[i].item())
            worst = _Difference(float(excess[i]), way, at, *values, passing, kink)
        return worst

    def narrowed(self, worst: _Difference) -> _Difference:
        """The element because of which a random direction is off, if it is one."""
        if worst.way.element is not None:
            return worst
        gradients = values_at(self.derivative, self.point) if self.mode == "rev" else []
        k, vector, step, _ = worst.way
        places = np.arange(vector.size)
        while places.size > 1:
            halves = np.array_split(places, 2)
            parts = [np.zeros_like(vector) for _ in halves]
            for part, half in zip(parts, halves, strict=True):
                part.flat[half] = vector.flat[half]
            off = [self.along(_Direction(k, p, step, None), gradients).excess for p in parts]
            places = halves[int(off[1] > off[0])]
        index = tuple(map(int, np.unravel_index(places[0], vector.shape)))
        single = self.along(self._element(k, index, 1), gradients)
        return single if single.excess > 0 else worst


def _check_dtypes(point: Point) -> None:
    for name, x in zip(point.names, point.arrays, strict=True):
        if str(x.dtype) not in _TOLERANCE:
            raise ValueError(
                f"check_grads: {name} is {x.dtype}, too coarse for differences. Use float64, or "
                "float32."
            )


# -- failures --------------------------------------------------------------------------------------


def _kink(bend: float, sharper: float) -> str:
    """The message about slopes to the left and right that stay apart as the step shrinks."""
    if not sharper >= max(1e-2, 0.75 * bend):
        return ""
    return (
        "\nThe function is not smooth there: its slopes to the left and to the right differ by "
        f"{sharper:.3g}. Move the point away from the kink."
    )


def _error(
    one: _Difference, worst: _Difference, point: Point, mode: str, level: int
) -> GradientError:
    name = point.names[one.way.argument]
    index = one.way.element
    where = f"{name}{list(index) if index else ''}"
    if index is None:
        where = f"{name}, along a random direction,"
    elif one.way.vector.dtype.kind == "c":
        unit = one.way.vector[index]
        where += " (imaginary part)" if unit.imag else " (real part)"
    of = "gradient" if mode == "rev" else f"derivative of {one.at}"
    tolerance = float(f"{1.1 * worst.tolerance:.1e}")
    advice = f"It would pass with a tolerance of {tolerance}."
    if not np.isfinite(one.expected):
        advice = "So the function leaves its domain nearby: give a smaller step."
    elif not np.isfinite(tolerance):
        advice = "No tolerance would let it pass."
    message = (
        f"order {level}, mode {mode!r}: the {of} by {where} is {one.found!r}, but finite "
        f"differences give {one.expected!r}. {advice}{one.kink}"
    )
    fields = {"argument": name, "index": index, "found": one.found, "expected": one.expected}
    return GradientError(message, order=level, mode=mode, tolerance=tolerance, **fields)
