"""Derivatives of high order along one line: Taylor series instead of values.

Every value is a power series in t, and its coefficients are computed one after the other:

- through an op whose slope is the same everywhere each coefficient goes by itself, as a tangent;
- products are sums of products of coefficients, and quotients are products solved for a factor;
- any other op gives y' = slope(x) x', which is what pushes tangents. That formula is a computation
  like others, so its values are series too, and coefficient k of y is coefficient k - 1 of y' over
  k. The formula may name y itself: its coefficients up to k - 1 are known by then.

So the rules are all that is needed, and the same formula on the same values is set up only once:
sine and cosine, each the slope of the other, need two series and not one more for every order. The
cost is a low power of the order; tapes inside of tapes cost a factor for each order.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..derivatives.custom import CustomGradient
from ..derivatives.forward import push
from ..derivatives.tape_arguments import directions, like, zeros
from ..dtypes import is_differentiable
from ..engine import recorders
from ..engine.carrier import Carrier
from ..engine.convert import as_tensor
from ..engine.primitives import BroadcastTo, Identity, Mul
from ..engine.recorders import Call
from ..engine.rule_binding import bare_values, needs, shape_of
from ..engine.sweep import quietly
from ..engine.tensor import Tensor, as_wrapped, wrap
from ..ops.arguments import whole_number
from ..public import public
from .differentiated_call import differentiable, fresh
from .series import AffineSeries, Given, Integral, PartSeries, Product, Quotient, Slope, extend

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.annotations import NumericLike, TensorLike
    from .series import Series

_POWERS = ("Pow", "Raised")
_QUOTIENTS = ("RealDiv", "DivNoNan", "Xdivy")


class Following(Carrier):
    """The series of all that is computed from what has one."""

    __slots__ = ("_calls", "_slopes")

    def __init__(self) -> None:
        super().__init__()
        self._calls: dict[Any, Series] = {}
        self._slopes: dict[Series, Tensor] = {}

    def give(self, tensor: Tensor, series: Series) -> None:
        """Let a tensor stand for a series."""
        recorders.watch(tensor, self)
        self.learn(tensor, series)

    def follow(self, call: Call) -> None:
        found = {i: self.of(call.inputs[i]) for i in call.plan.tracked}
        inputs = {i: series for i, series in found.items() if series is not None}
        if not inputs:
            return
        key = _key(call, inputs)
        series = self._calls.get(key) or self._series(call, inputs)
        self._calls[key] = series
        if type(call.result) is not tuple:
            self.learn(call.result, series)
            return
        for position, part in enumerate(call.result):
            if is_differentiable(part._array.dtype):
                self.learn(part, PartSeries(part, series, position))

    def _series(self, call: Call, inputs: dict[int, Series]) -> Series:
        if _is_affine(call, inputs):
            return AffineSeries(call, inputs)
        if call.op.linear and not call.op.variadic:
            return Product(call, inputs)
        if call.op.name in _QUOTIENTS:
            return Quotient(call, inputs)
        if call.op.name in _POWERS and 1 not in inputs and (n := _whole(call.inputs[1])):
            return self._whole_power(call.inputs[0], n)
        return Integral(call, inputs, self)

    def _whole_power(self, x: Tensor, n: int) -> Series:
        """Products, whose slopes are known at 0: the rule gives 0 times infinity there."""
        multiply, power = Mul, x
        for digit in f"{n:b}"[1:]:
            power = multiply(power, power)
            if digit == "1":
                power = multiply(power, x)
        series: Series = self.of(power)
        return series

    def slopes(self, call: Call, inputs: dict[int, Series]) -> list[Series | None]:
        """The derivatives of a call's results, as series."""
        recorders.start(self)
        try:
            tracked = [inputs.get(i) for i in call.plan.tracked]
            tangents = [None if series is None else self._slope(series) for series in tracked]
            pushed = quietly(push, call, tangents)
        finally:
            recorders.stop(self)
        parts = pushed if type(call.result) is tuple else [pushed]
        return [None if p is None else self.of(p) or Given([p]) for p in parts]

    def _slope(self, series: Series) -> Tensor:
        """The derivative of a series, as a tensor that ops are called on."""
        if series not in self._slopes:
            value, first = series.coefficients[:2]
            first = np.zeros_like(bare_values(value)) if first is None else first
            tensor = Identity(first) if type(first) is Tensor else wrap(first)
            self.give(tensor, Slope(tensor, series))
            self._slopes[series] = tensor
        return self._slopes[series]

    def close(self) -> None:
        for series in (*self.known.values(), *self._calls.values()):
            vars(series).clear()
        super().close()
        self._calls.clear()
        self._slopes.clear()


def _is_affine(call: Call, inputs: dict[int, Series]) -> bool:
    """Whether no rule looks at an input that is a series, or at the result."""
    op = call.op
    if op is CustomGradient:
        return False  # its rule looks at what it likes
    named = {name for rule in op.rules_for(tuple(inputs)) for name in needs(op, rule)}
    moving = set(op.inputs) if op.variadic else {op.inputs[i] for i in inputs}
    return not named & {"out", *moving}


def _whole(exponent: float) -> int:
    """The exponent, if it is one whole number above 0; else 0."""
    y = np.asarray(bare_values(exponent))
    whole = not y.ndim and y.dtype.kind in "fi" and y > 0 and y == np.floor(y) and np.isfinite(y)
    return int(y) if whole else 0


def _key(call: Call, inputs: dict[int, Series]) -> Any:
    """The key that two equal calls share."""
    values = [inputs.get(i) or _identity(x) for i, x in enumerate(call.inputs)]
    key = (call.op, tuple(values), tuple(call.attrs.items()))
    try:
        hash(key)
    except TypeError:  # attributes that cannot be compared: no other call is the same
        return object()
    return key


def _identity(value: NumericLike) -> Any:
    if isinstance(value, (bool, int, float, complex)):
        return type(value), value
    return id(value)  # the call, which is kept, keeps the value


# -- public functions ------------------------------------------------------------------------------


_HIGHEST = 1000
"""The order beyond which factorials, and so most coefficients, overflow."""


@public("autodiff.taylor")
def taylor(
    f: Callable[..., Any], x: TensorLike, order: int, direction: NumericLike | None = None
) -> list[Any]:
    """The coefficients of f(x + t) as a power series in t: value, slope, half the curvature, ...

    >>> import cinta as tf
    >>> [float(c) for c in tf.autodiff.taylor(tf.math.reciprocal, 1.0, 4)]
    [1.0, -1.0, 1.0, -1.0, 1.0]

    The derivative of order k is ``math.factorial(k)`` times coefficient k. A tensor moves in all
    of its elements at once, so a function that works on each element by itself gives the series of
    each. The cost is a low power of the order, except for the matrix exponential: its slope is the
    exponential of matrices twice as large.

    Args:
        f: A function of one argument.
        x: The argument, a tensor or a nest of them.
        order: The number of the last coefficient.
        direction: Where the argument moves to: x + t * direction. In the structure of ``x``; ones
            unless given.

    Returns:
        A list of ``order + 1`` coefficients, each in the structure of the value.

    Raises:
        ValueError: If the order is negative or above 1000.
    """
    last = whole_number(order, "order")
    if last > _HIGHEST:
        raise ValueError(f"order may be {_HIGHEST} at most, got {last}.")
    if last < 0:
        raise ValueError(f"order is the number of the last coefficient, from 0 on, not {order!r}.")
    start = fresh([x], 0)
    ones = nest.map_structure(lambda leaf: np.ones(leaf.shape, leaf.dtype.dtype), start)
    moved = directions(start, ones if direction is None else direction)
    lines = [[tangent] for tangent in moved] if last else [[] for _ in moved]
    return _coefficients(f, [start], lines, last)


@public("autodiff.jet")
def jet(f: Callable[..., Any], primals: Sequence[Any], series: Sequence[Any]) -> tuple[Any, Any]:
    """Push derivatives of all orders along a curve through a function.

    The arguments are functions of t, known by their derivatives at t = 0; so is the value.

    >>> import cinta as tf
    >>> value, derivatives = tf.autodiff.jet(tf.sin, [0.0], [[1.0, 0.0, 0.0]])
    >>> float(value), [float(d) for d in derivatives]
    (0.0, [1.0, 0.0, -1.0])

    Args:
        f: A function of positional arguments.
        primals: The arguments at t = 0, in a list or tuple.
        series: For each argument the list of its derivatives by t, from the first on, each in the
            structure of the argument. Derivatives, not coefficients: for x + t * v they are
            ``[v, 0, 0, ...]``. All lists have the same length, the order.

    Returns:
        The value, and the list of its derivatives by t, each in the structure of the value.
    """
    order = _check_series(primals, series)
    starts = [fresh(primals, i) for i in range(len(primals))]
    lines = []
    for start, terms in zip(starts, series, strict=True):
        by_order = [directions(start, term) for term in terms]
        lines += [
            [d / float(math.factorial(k + 1)) for k, d in enumerate(line)]
            for line in zip(*by_order, strict=True)
        ] or [[] for _ in nest.flatten(start)]
    value, *found = _coefficients(f, starts, lines, order)
    derivatives = [
        nest.map_structure(lambda c, k=k: c * float(math.factorial(k)), c)
        for k, c in enumerate(found, 1)
    ]
    return value, derivatives


def _check_series(primals: Any, series: Any) -> int:
    """The order to which derivatives were given for each argument."""
    for role, given in (("primals", primals), ("series", series)):
        if not isinstance(given, (list, tuple)):
            raise TypeError(f"tf.autodiff.jet: `{role}` is a list or tuple, but got {given!r}.")
    for terms in series:
        if not isinstance(terms, (list, tuple)):
            raise TypeError(
                f"tf.autodiff.jet: `series` has a list of derivatives for each argument, but got "
                f"{terms!r} for one."
            )
    orders = {len(terms) for terms in series}
    if len(series) != len(primals) or len(orders) != 1:
        raise ValueError(
            f"tf.autodiff.jet needs `series` to be one list of derivatives for each of "
            f"{len(primals)} arguments, all of one length, but got lists of lengths "
            f"{[len(terms) for terms in series]}."
        )
    return orders.pop()


def _coefficients(
    f: Callable[..., Any], starts: list[Any], lines: list[list[Tensor]], order: int
) -> list[Any]:
    """The coefficients of f(starts + lines), each in the structure of the value."""
    follower = Following()
    for start, line in zip(nest.flatten(starts), lines, strict=True):
        follower.give(start, Given([start, *line]))
    try:
        recorders.start(follower)
        try:
            value = nest.map_structure(differentiable, f(*starts))
        finally:
            recorders.stop(follower)
        columns = [_column(follower, leaf, order) for leaf in nest.flatten(value)]
    finally:
        follower.close()
    return [like(value, [column[k] for column in columns]) for k in range(order + 1)]


def _column(follower: Following, value: Tensor, order: int) -> list[Tensor]:
    """The coefficients of one tensor of the value."""
    series = follower.of(value) or Given([value])
    extend(series, order)
    known = [zeros(value.shape, value.dtype) if c is None else c for c in series.coefficients]
    return [
        as_wrapped(c)
        if shape_of(c) == shape_of(value)
        else BroadcastTo(as_tensor(c), shape=shape_of(value), rank=len(shape_of(c)))
        for c in known[: order + 1]
    ]
