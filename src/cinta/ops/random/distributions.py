"""Distributions, written once for the three ways to ask for random numbers.

``tf.random.normal``, ``tf.random.stateless_normal`` and ``Generator.normal`` differ only in where
the state comes from: a stream of the program, a seed, a generator. That is the ``source`` here: a
function that takes the op that will draw, the dtypes that name its stream and the count of blocks
that it may use up, and returns a state.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor, match
from ...engine.dtype_kinds import NUMERIC, REAL_FLOATING, refused_dtype
from ...engine.op import Op
from ...engine.primitives import BroadcastTo
from ...engine.shapes import Shape, TensorShape, written
from ...engine.tensor import Tensor
from ...errors import InvalidArgumentError
from ..arguments import common_shape, integer, integers
from ..arrays.shaping import reshape
from ..elementwise.arithmetic import maximum
from .binomial import StatelessRandomBinomial
from .bounded import StatelessParameterizedTruncatedNormal
from .categorical import StatelessMultinomial
from .gamma_numbers import StatelessRandomGammaV3
from .kernels import (
    RESERVED,
    StatelessRandomNormalV2,
    StatelessRandomUniformFullIntV2,
    StatelessRandomUniformIntV2,
    StatelessRandomUniformV2,
)
from .permutation import RandomShuffle
from .poisson import StatelessRandomPoisson
from .truncated import StatelessTruncatedNormalV2

if TYPE_CHECKING:
    from ...engine.annotations import (
        DTypeLike,
        IntLike,
        NumericLike,
        PartialShape,
        ShapeLike,
        TensorLike,
    )


Source: TypeAlias = Callable[[Op, tuple[Any, ...], int], Any]

FLOATS = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)
INTEGERS = (dtypes.int32, dtypes.int64)
UNSIGNED = (dtypes.uint32, dtypes.uint64)
GAMMAS = (dtypes.float16, dtypes.float32, dtypes.float64)
COUNTS = (*INTEGERS, dtypes.float16, dtypes.float32, dtypes.float64)


# -- arguments ---------------------------------------------------------------------------------


def checked_dtype(
    dtype: object,
    accepted: tuple[dtypes.DType, ...],
    error: Callable[[str], Exception] = ValueError,
    name: str = "dtype",
) -> np.dtype[Any]:
    """The NumPy dtype of an argument, which must be one of these."""
    given = dtypes.as_dtype(dtype)
    if given not in accepted:
        raise error(f"Argument `{name}` got invalid value {given}. Accepted dtypes are {accepted}.")
    return given.dtype


def lengths(op: Op, shape: Any) -> Shape:
    """The argument ``shape``, which must be a vector of whole numbers that are not negative."""
    if shape is None:
        raise ValueError(f"shape must be a vector of whole numbers, got None. [Op:{op.name}]")
    listed = isinstance(shape, (list, tuple, TensorShape))
    if any(isinstance(part, (list, tuple)) for part in shape) if listed else np.ndim(shape) != 1:
        raise InvalidArgumentError(
            f"shape must be a vector of {{int32,int64}}, got {shape!r}. Write [n] for one axis. "
            f"[Op:{op.name}]"
        )
    found = tuple([n for part in shape for n in integers(part, "shape")])
    if any(n < 0 for n in found):
        raise InvalidArgumentError(f"Dimension {min(found)} must be >= 0 [Op:{op.name}]")
    return found


def index_dtype(shape: PartialShape) -> np.dtype[Any]:
    """The dtype of a shape as a tensor, which is part of the name of an op's stream."""
    return np.dtype(getattr(shape, "dtype", np.int32))


def draw(source: Source, op: Op, shape: PartialShape, dtype: np.dtype[Any]) -> Tensor:
    """Fill a shape with the random numbers that an op gives."""
    sizes = lengths(op, shape)
    state = source(op, (dtype, index_dtype(shape)), math.prod(sizes) * RESERVED)
    return op(state, shape=sizes, dtype=dtype)


# -- distributions -----------------------------------------------------------------------------


def normal(
    source: Source,
    shape: ShapeLike,
    mean: NumericLike,
    stddev: NumericLike,
    dtype: DTypeLike | None,
) -> Tensor:
    """Normal numbers."""
    return _located(StatelessRandomNormalV2, source, shape, mean, stddev, dtype)


def truncated_normal(
    source: Source,
    shape: ShapeLike,
    mean: NumericLike,
    stddev: NumericLike,
    dtype: DTypeLike | None,
) -> Tensor:
    """Normal numbers within two standard deviations."""
    return _located(StatelessTruncatedNormalV2, source, shape, mean, stddev, dtype)


def _located(
    op: Op,
    source: Source,
    shape: ShapeLike,
    mean: NumericLike,
    stddev: NumericLike,
    dtype: DTypeLike | None,
) -> Tensor:
    plain = dtypes.as_dtype(dtype).is_complex  # 0.0 and 1.0 can be converted to it
    kind = checked_dtype(dtype, FLOATS, InvalidArgumentError if plain else TypeError)
    if type(mean) is float and type(stddev) is float and (mean, stddev) == (0.0, 1.0):
        return draw(source, op, shape, kind)
    mean, stddev = as_tensor(mean, kind), as_tensor(stddev, kind)
    located: Tensor = draw(source, op, shape, kind) * stddev + mean
    return located


def uniform(
    source: Source, shape: ShapeLike, minval: Any, maxval: NumericLike | None, dtype: np.dtype[Any]
) -> Tensor:
    """Numbers in [minval, maxval)."""
    if dtype.kind in "iu":
        return _uniform_integers(source, shape, minval, maxval, dtype)
    if minval is None:
        raise ValueError(f"minval must be a number for {dtypes.of(dtype)}, got None.")
    unit = draw(source, StatelessRandomUniformV2, shape, dtype)
    maxval = 1 if maxval is None else maxval
    if isinstance(minval, int) and minval == 0:
        return unit if isinstance(maxval, int) and maxval == 1 else unit * as_tensor(maxval, dtype)
    low, high = as_tensor(minval, dtype), as_tensor(maxval, dtype)
    return unit * (high - low) + low


def _uniform_integers(
    source: Source, shape: ShapeLike, minval: TensorLike, maxval: object, dtype: np.dtype[Any]
) -> Tensor:
    op = StatelessRandomUniformIntV2
    sizes = lengths(op, shape)
    low, high = as_tensor(minval, dtype), as_tensor(maxval, dtype)
    for name, bound in ("minval", low), ("maxval", high):
        if bound.ndim:
            raise InvalidArgumentError(
                f"{name} must be 0-D, got shape {written(bound.shape)}: bounds of integers do not "
                f"broadcast. [Op:{op.name}]"
            )
    if math.prod(sizes) and int(low) >= int(high):
        raise InvalidArgumentError(
            f"Need minval < maxval, got {int(low)} >= {int(high)} [Op:{op.name}]"
        )
    state = source(op, (dtype, index_dtype(shape)), math.prod(sizes) * RESERVED)
    return op(state, low, high, shape=sizes)


def full_integers(source: Source, shape: ShapeLike, dtype: np.dtype[Any]) -> Tensor:
    """Integers of any value that their dtype has."""
    return draw(source, StatelessRandomUniformFullIntV2, shape, dtype)


def gamma(
    source: Source, samples: int, alpha: NumericLike, beta: NumericLike | None, dtype: DTypeLike
) -> Tensor:
    """Gamma distributed numbers: the samples, then the axes of alpha and beta."""
    kind = checked_dtype(dtype, GAMMAS)
    alpha, beta = as_tensor(alpha, kind), as_tensor(1 if beta is None else beta, kind)
    op = StatelessRandomGammaV3
    shape = common_shape(op.name, alpha._array.shape, beta._array.shape)
    alpha = BroadcastTo(alpha, shape=shape, rank=alpha.ndim)
    state = source(op, (kind, np.int32), samples * math.prod(shape) * RESERVED)
    tiny = as_tensor(np.finfo(kind).tiny)
    return maximum(tiny, op(state, alpha, samples=samples) / beta)


def poisson(source: Source, samples: int, lam: NumericLike, dtype: object) -> Tensor:
    """Poisson distributed counts: the samples, then the axes of lam."""
    kind = checked_dtype(dtype, COUNTS, InvalidArgumentError)
    rate = as_tensor(lam)
    checked_dtype(rate.dtype, COUNTS, InvalidArgumentError, "lam")
    op = StatelessRandomPoisson
    names = np.int32, np.dtype(rate.dtype), kind
    state = source(op, names, samples * math.prod(rate._array.shape) * RESERVED)
    return op(state, rate, samples=samples, dtype=kind)


def binomial(
    source: Source, shape: ShapeLike, counts: object, probs: object, dtype: object
) -> Tensor:
    """Counts of successes; the shape ends with that of the parameters."""
    op = StatelessRandomBinomial
    kind = checked_dtype(dtype, COUNTS, InvalidArgumentError)
    probability = as_tensor(probs)
    checked_dtype(probability.dtype, COUNTS, InvalidArgumentError, "probs")
    trials = as_tensor(counts, None if hasattr(counts, "dtype") else np.dtype(probability.dtype))
    checked_dtype(trials.dtype, COUNTS, InvalidArgumentError, "counts")
    own = common_shape(op.name, trials._array.shape, probability._array.shape)
    sizes, samples = rows_of(op, shape, own)
    state = source(op, (kind,), (samples + 3) * 50 * RESERVED * math.prod(own))
    trials, probability = (BroadcastTo(x, shape=own, rank=x.ndim) for x in (trials, probability))
    return reshape(op(state, trials, probability, samples=samples, dtype=kind), sizes)


def bounded_normal(source: Source, shape: ShapeLike, *parameters: TensorLike) -> Tensor:
    """Normal numbers with means, deviations and bounds that broadcast to the end of the shape."""
    op = StatelessParameterizedTruncatedNormal
    means, *others = parameters
    means = as_tensor(means)
    kind = np.dtype(means.dtype)
    if kind not in (np.float16, np.float32, np.float64):
        raise refused_dtype(op.name, means, REAL_FLOATING)
    given = [means, *(match(op.name, means, x)[1] for x in others)]
    own = common_shape(op.name, *[each._array.shape for each in given])
    sizes, _ = rows_of(op, shape, own)
    given = [BroadcastTo(x, shape=own, rank=x.ndim) for x in given]
    return op(source(op, (kind,), 0), *given, shape=sizes)


def categorical(source: Source, logits: NumericLike, num_samples: IntLike, dtype: object) -> Tensor:
    """Indices drawn with the probabilities that logits give."""
    kind = checked_dtype(dtypes.int64 if dtype is None else dtype, INTEGERS)
    scores, op = as_tensor(logits), StatelessMultinomial
    if not scores.dtype.is_floating and not scores.dtype.is_integer:
        raise refused_dtype(op.name, scores, NUMERIC)
    count = integer(num_samples, "num_samples")
    if scores.ndim != 2:
        raise InvalidArgumentError(
            f"logits should be a matrix, got shape {written(scores.shape)} [Op:{op.name}]"
        )
    if count < 0:
        raise InvalidArgumentError(
            f"num_samples should be non-negative, got {count} [Op:{op.name}]"
        )
    if not scores.shape[1] and scores.shape[0] and count:
        raise InvalidArgumentError(f"num_classes should be positive, got 0 [Op:{op.name}]")
    blocks = scores.shape[0] * -(-count // 4) * 4 * 2 * RESERVED  # a sample takes two words
    state = source(op, (np.dtype(scores.dtype), kind), blocks)
    return op(state, scores, num_samples=count, dtype=kind)


def shuffle(source: Source, value: object) -> Tensor:
    """The rows of a tensor in random order."""
    tensor = as_tensor(value)
    if not tensor.ndim or tensor.shape[0] < 2:
        return tensor
    state = source(RandomShuffle, (np.dtype(tensor.dtype),), (tensor.shape[0] + 2) // 4)
    return RandomShuffle(state, tensor)


def rows_of(op: Op, shape: ShapeLike, own: Shape) -> tuple[Shape, int]:
    """A shape that ends with that of the parameters, and how often they go into it."""
    sizes = lengths(op, shape)
    if sizes[len(sizes) - len(own) :] != own:
        raise InvalidArgumentError(
            f"Shape passed in must end with broadcasted shape: {list(sizes)} does not end with "
            f"{list(own)}. [Op:{op.name}]"
        )
    return sizes, math.prod(sizes[: len(sizes) - len(own)])
