"""Normal numbers between bounds that are given one by one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.op import op
from ...engine.primitives import SumTo
from ...errors import InternalError, InvalidArgumentError
from ..elementwise.guarded import MulNoNan
from ..elementwise.special import Erfc
from ..elementwise.unary import Exp
from .kernels import (
    StatelessRandomNormalV2,
    StatelessRandomUniformV2,
    key_and_counter,
    numbers_per_block,
)
from .state import as_state

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import ArrayModule
    from ...engine.op import Op
    from ...engine.shapes import Shape
    from ...engine.tensor import Array

_WIDE = 1.3  # standard deviations around the mean from which normal numbers often fit in
_PATIENCE = 1000  # trials in a row that may fail


@op("StatelessParameterizedTruncatedNormal")
def StatelessParameterizedTruncatedNormal(
    xp: ArrayModule,
    state: Array,
    means: Array,
    stddevs: Array,
    minvals: Array,
    maxvals: Array,
    *,
    shape: Shape,
) -> Array:
    """Numbers for each set of parameters, in turn from one stream, with their axes in front.

    Robert, "Simulation of truncated normal variables" (1995), says what is tried, and how often it
    is accepted.
    """
    stream = _Stream(state, means.dtype)
    sets = zip(
        *[np.asarray(p).reshape(-1) for p in (means, stddevs, minvals, maxvals)], strict=True
    )
    count = math.prod(shape[: len(shape) - means.ndim])
    drawn = [_draw(stream, count, *parameters) for parameters in sets]
    return np.array(drawn, means.dtype).reshape(math.prod(means.shape), count).T.reshape(shape)


@StatelessParameterizedTruncatedNormal.pullback
def _(
    g: Array,
    wanted: tuple[bool, ...],
    means: Array,
    stddevs: Array,
    minvals: Array,
    maxvals: Array,
    out: Array,
    means_shape: Shape,
    out_shape: Shape,
) -> tuple[Any, ...]:
    """How the numbers move with the parameters while their quantiles stay."""
    x, low, high = ((v - means) / stddevs for v in (out, minvals, maxvals))
    below_x, below_low, below_high = (Erfc(v * -(0.5**0.5)) for v in (x, low, high))
    whole = below_high - below_low
    by_low = Exp(0.5 * (x * x - low * low)) * (below_high - below_x) / whole
    by_high = Exp(0.5 * (x * x - high * high)) * (below_x - below_low) / whole
    # Bounds that stay where they are move relative to the mean.
    by_deviation = x - MulNoNan(low, by_low) - MulNoNan(high, by_high)
    slopes = 1 - by_low - by_high, by_deviation, by_low, by_high
    return tuple(
        SumTo(g * slope, shape=means_shape, rank=len(out_shape)) if want else None
        for slope, want in zip((None, *slopes), wanted, strict=True)
    )


class _Stream:
    """Where the next set of parameters goes on."""

    def __init__(self, state: Array, dtype: np.dtype[Any]) -> None:
        self._key, self.counter = key_and_counter(state)
        self.dtype, self.per_block = dtype, numbers_per_block(dtype)

    def numbers(self, op: Op, blocks: int) -> Array:
        """The numbers of the next blocks, a row for each, from an op that fills a shape."""
        state = as_state(self._key, self.counter)
        drawn: Array = op.run(state, shape=(blocks, self.per_block), dtype=self.dtype)
        return drawn


def _draw(
    stream: _Stream, count: int, mean: Array, deviation: Array, low: Array, high: Array
) -> Array:
    """So many numbers for one set of parameters; what its last blocks have left is not used."""
    if not (deviation > 0 and low < high and (np.isfinite(low) or np.isfinite(high))):
        raise InvalidArgumentError(
            f"Invalid parameters: need stddev > 0 and minval < maxval, one of them finite; got "
            f"{deviation}, {low} and {high}. [Op:StatelessParameterizedTruncatedNormal]"
        )
    if low == -np.inf or high < mean:  # the way below treats the mirror image
        low, high, deviation = high, low, -deviation
    low, high = (low - mean) / deviation, (high - mean) / deviation
    propose, blocks_each = _proposal(low, high)
    found: list[Any] = []
    missing = count
    while missing:
        rows = max(_PATIENCE, missing) // stream.per_block + 1
        accepted, values = propose(stream, rows, low, high)
        good = np.flatnonzero(accepted)[:missing]
        if not good.size:
            raise InternalError("No number between the bounds was found in 1000 trials.")
        found.append(values.reshape(-1)[good])
        missing -= good.size
        used = rows if missing else good[-1] // accepted.shape[1] + 1
        stream.counter += int(used) * blocks_each
    return np.concatenate([np.empty(0, stream.dtype), *found]) * deviation + mean


def _proposal(low: Array, high: Array) -> tuple[Any, int]:
    """The proposal for these bounds, and the blocks that a row of trials takes."""
    if (low < -_WIDE and high >= 0) or (high > _WIDE and low <= 0):
        return _normal, 1
    root = np.sqrt(low * low + 4)
    cutoff = 2 * np.exp(0.5 + low * (low - root) / 4) / (low + root)
    return (_uniform, 2) if high - low < cutoff else (_exponential, 1)


def _normal(stream: _Stream, rows: int, low: Array, high: Array) -> tuple[Any, Any]:
    tried = stream.numbers(StatelessRandomNormalV2, rows)
    return (tried >= low) & (tried <= high), tried


def _uniform(stream: _Stream, rows: int, low: Array, high: Array) -> tuple[Any, Any]:
    numbers = stream.numbers(StatelessRandomUniformV2, 2 * rows)
    tried = numbers[0::2] * (high - low) + low
    largest = max(low, low * 0) ** 2
    return numbers[1::2] <= _rounded(np.exp, (largest - tried * tried) / 2), tried


def _exponential(stream: _Stream, rows: int, low: Array, high: Array) -> tuple[Any, Any]:
    numbers = stream.numbers(StatelessRandomUniformV2, rows)
    rate = (low + np.sqrt(low * low + 4)) / 2
    with np.errstate(divide="ignore"):
        tried = -_rounded(np.log, numbers[:, 0::2]) / rate + low
    x = rate - tried if low < rate else low - rate
    return (numbers[:, 1::2] <= _rounded(np.exp, -x * x / 2)) & (tried < high), tried


def _rounded(function: Callable[..., Any], x: Array) -> Any:
    """A function evaluated in float64, so that it is right to the last bit where that is more."""
    return function(np.asarray(x, np.float64)).astype(x.dtype)
