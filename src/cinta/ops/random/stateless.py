"""Random tensors that are a function of a seed: the same arguments always give the same numbers.

The seed is a vector of two whole numbers. ``split`` and ``fold_in`` make new seeds of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import dtypes
from ...engine.convert import as_tensor, match
from ...engine.shapes import written
from ...engine.tensor import seen
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import common_shape, tensor_of
from ..arrays.joining import stack
from ..arrays.padding import pad
from ..arrays.shaping import reshape
from ..reductions.reduction import reduce_any
from . import distributions
from .distributions import FLOATS, INTEGERS, UNSIGNED, checked_dtype, rows_of
from .gamma_numbers import StatelessRandomGammaV3
from .permutation import RandomIndexShuffle
from .poisson import StatelessRandomPoisson
from .seeds import Algorithm, from_seed

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, NumericLike, ShapeLike
    from ...engine.tensor import Tensor


_FIRST_WORD = 498247692  # of the three of which the cipher of index_shuffle makes its keys


@public("random.stateless_normal")
def stateless_normal(
    shape: ShapeLike,
    seed: NumericLike,
    mean: NumericLike = 0.0,
    stddev: NumericLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: str | int | Algorithm = "auto_select",
) -> Tensor:
    """Normally distributed numbers that the seed determines.

    >>> import cinta as tf
    >>> tf.random.stateless_normal([2], seed=[1, 2]).numpy().round(4)
    array([0.5441, 0.2074], dtype=float32)

    Args:
        shape: The shape of the result.
        seed: Two whole numbers.
        mean: The mean.
        stddev: The standard deviation.
        dtype: A floating-point dtype.
        alg: The algorithm: "philox", "threefry" or "auto_select".
    """
    return distributions.normal(from_seed(seed, alg), shape, mean, stddev, dtype)


@public("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: ShapeLike,
    seed: NumericLike,
    mean: NumericLike = 0.0,
    stddev: NumericLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: str | int | Algorithm = "auto_select",
) -> Tensor:
    """Normal numbers within two standard deviations of the mean that the seed determines.

    >>> import cinta as tf
    >>> tf.random.stateless_truncated_normal([2], seed=[1, 2]).numpy().round(4)
    array([0.5441, 0.2074], dtype=float32)

    Args:
        shape: The shape of the result.
        seed: Two whole numbers.
        mean: The mean.
        stddev: The standard deviation, before anything is cut off.
        dtype: A floating-point dtype.
        alg: The algorithm: "philox", "threefry" or "auto_select".
    """
    return distributions.truncated_normal(from_seed(seed, alg), shape, mean, stddev, dtype)


@public("random.stateless_parameterized_truncated_normal")
def stateless_parameterized_truncated_normal(
    shape: ShapeLike,
    seed: NumericLike,
    means: NumericLike = 0.0,
    stddevs: NumericLike = 1.0,
    minvals: NumericLike = -2.0,
    maxvals: NumericLike = 2.0,
    name: str | None = None,
) -> Tensor:
    """Normal numbers between bounds, which the seed determines.

    ``shape`` ends with that of the parameters, to which gradients flow.

    >>> import cinta as tf
    >>> x = tf.random.stateless_parameterized_truncated_normal([100], [1, 2], minvals=1.0)
    >>> bool(tf.reduce_all((x >= 1) & (x <= 2)))
    True

    Args:
        shape: The shape of the result.
        seed: Two whole numbers.
        means: The means, before anything is cut off.
        stddevs: The standard deviations, likewise.
        minvals: The lower bounds.
        maxvals: The upper bounds.
    """
    parameters = means, stddevs, minvals, maxvals
    return distributions.bounded_normal(from_seed(seed), shape, *parameters)


@public("random.stateless_uniform")
def stateless_uniform(
    shape: ShapeLike,
    seed: NumericLike,
    minval: NumericLike | None = 0,
    maxval: NumericLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    alg: str | int | Algorithm = "auto_select",
) -> Tensor:
    """Numbers in [minval, maxval) that the seed determines; floats in [0, 1) by default.

    With ``minval=None`` and ``maxval=None``, integers of the whole range of their dtype.

    >>> import cinta as tf
    >>> tf.random.stateless_uniform([3], seed=[1, 2], maxval=10, dtype=tf.int32).numpy()
    array([0, 9, 4], dtype=int32)

    Args:
        shape: The shape of the result.
        seed: Two whole numbers.
        minval: The least number.
        maxval: The bound, which is not reached; None for 1.
        dtype: A floating-point or integer dtype.
        alg: The algorithm: "philox", "threefry" or "auto_select".

    Raises:
        ValueError: If integers are asked for with one bound alone.
    """
    kind = checked_dtype(dtype, FLOATS + INTEGERS + UNSIGNED)
    source = from_seed(seed, alg)
    if kind.kind not in "iu":
        return distributions.uniform(source, shape, minval, maxval, kind)
    if minval is None and maxval is None:
        return distributions.full_integers(source, shape, kind)
    if minval is None or maxval is None:
        raise ValueError(
            f"For integer `dtype` argument {dtypes.of(kind)}, argument `minval` and `maxval` must "
            f"be both None or not None. Got `minval`={minval} and `maxval`={maxval}."
        )
    if kind.kind == "u":
        raise ValueError(
            f"Argument `dtype` got invalid value {dtypes.of(kind)} when argument `minval` is not "
            "None. Please don't use unsigned integers in this case."
        )
    return distributions.uniform(source, shape, minval, maxval, kind)


@public("random.stateless_gamma")
def stateless_gamma(
    shape: ShapeLike,
    seed: NumericLike,
    alpha: NumericLike,
    beta: NumericLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Gamma distributed numbers that the seed determines.

    >>> import cinta as tf
    >>> tf.random.stateless_gamma([2], seed=[1, 2], alpha=3.0).numpy().round(4)
    array([4.0681, 2.9891], dtype=float32)

    ``shape`` is that of the result, and ends with that of the parameters.

    Args:
        shape: The shape of the result.
        seed: Two whole numbers.
        alpha: The shape of the distributions.
        beta: Their rate; None for 1.
        dtype: A floating-point dtype.
    """
    kind = dtypes.as_dtype(dtype).dtype
    both = as_tensor(alpha, kind), as_tensor(1 if beta is None else beta, kind)
    distributions.checked_dtype(dtype, distributions.GAMMAS, InvalidArgumentError)
    op = StatelessRandomGammaV3
    sizes, samples = rows_of(
        op, shape, common_shape(op.name, *[each._array.shape for each in both])
    )
    return reshape(distributions.gamma(from_seed(seed), samples, alpha, beta, dtype), sizes)


@public("random.stateless_poisson")
def stateless_poisson(
    shape: ShapeLike,
    seed: NumericLike,
    lam: NumericLike,
    dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Poisson distributed counts that the seed determines.

    >>> import cinta as tf
    >>> tf.random.stateless_poisson([4], seed=[1, 2], lam=3.0).numpy()
    array([5, 5, 4, 6], dtype=int32)

    ``shape`` is that of the result, and ends with that of ``lam``.
    """
    rate = as_tensor(lam)
    sizes, samples = rows_of(StatelessRandomPoisson, shape, rate._array.shape)
    return reshape(distributions.poisson(from_seed(seed), samples, rate, dtype), sizes)


@public("random.stateless_binomial")
def stateless_binomial(
    shape: ShapeLike,
    seed: NumericLike,
    counts: NumericLike,
    probs: NumericLike,
    output_dtype: DTypeLike = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Counts of successes in so many trials, which the seed determines.

    ``shape`` is that of the result, and ends with that of ``counts`` and ``probs``.

    >>> import cinta as tf
    >>> tf.random.stateless_binomial([3], [1, 2], counts=20.0, probs=0.3).numpy()
    array([10,  9,  9], dtype=int32)

    Args:
        shape: The shape of the result.
        seed: Two whole numbers.
        counts: How often to try.
        probs: The probability of a success.
        output_dtype: The dtype of the counts.
    """
    return distributions.binomial(from_seed(seed), shape, counts, probs, output_dtype)


@public("random.stateless_categorical")
def stateless_categorical(
    logits: NumericLike,
    num_samples: IntLike,
    seed: NumericLike,
    dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """For each row of logits, indices that the seed determines, likely as ``softmax(row)``.

    >>> import cinta as tf
    >>> tf.random.stateless_categorical([[0.0, 0.0]], 5, seed=[1, 2]).numpy()
    array([[1, 1, 0, 1, 1]])

    Args:
        logits: A row of logarithms of probabilities for each example.
        num_samples: How many indices to draw for each row.
        seed: Two whole numbers.
        dtype: ``tf.int64`` or ``tf.int32``.
    """
    return distributions.categorical(from_seed(seed), logits, num_samples, dtype)


@public("random.experimental.stateless_shuffle")
def stateless_shuffle(
    value: NumericLike,
    seed: NumericLike,
    alg: str | int | Algorithm = "auto_select",
    name: str | None = None,
) -> Tensor:
    """The tensor with its rows, along the first axis, in an order that the seed determines.

    >>> import cinta as tf
    >>> tf.sort(tf.random.experimental.stateless_shuffle([1, 2, 3], seed=[1, 2])).numpy()
    array([1, 2, 3], dtype=int32)

    Args:
        value: A tensor.
        seed: Two whole numbers.
        alg: The algorithm: "philox", "threefry" or "auto_select".
    """
    return distributions.shuffle(from_seed(seed, alg), value)


@public("random.experimental.index_shuffle")
def index_shuffle(index: IntLike, seed: NumericLike, max_index: IntLike) -> Tensor:
    """Where an index comes to lie when all from 0 to ``max_index`` are shuffled.

    Each index is found alone: nothing of the size of ``max_index`` is kept. The arguments are
    scalars or vectors of one length; a vector of seeds has the shape [n, 2].

    >>> import cinta as tf
    >>> tf.random.experimental.index_shuffle(tf.range(4), [5, 9], 3).numpy()
    array([2, 0, 1, 3], dtype=int32)

    Args:
        index: The index.
        seed: Two whole numbers.
        max_index: The last index.

    Raises:
        InvalidArgumentError: If the shapes do not fit, or an index is beyond the last.
    """
    indices, limits = match("RandomIndexShuffle", index, max_index)
    seeds = as_tensor(seed)
    for given in indices, limits, seeds:
        tensor_of("RandomIndexShuffle", given, "iu")
    longest = max(indices._array.size, limits._array.size, seeds._array.size // 2)
    shapes = (), (longest,)
    if not (
        indices._array.shape in shapes
        and limits._array.shape in shapes
        and seeds._array.shape in ((2,), (longest, 2))
    ):
        raise InvalidArgumentError(
            "index and max_index must be scalars or vectors of one length n, and seed must have "
            f"shape [2] or [n, 2], got shapes {written(indices._array.shape)}, "
            f"{written(limits._array.shape)} and {written(seeds._array.shape)}. "
            "[Op:RandomIndexShuffle]"
        )
    if bool(reduce_any((indices > limits) | (indices < 0))):
        raise InvalidArgumentError(
            f"index must be >= 0 and <= max_index, got max_index {seen(limits)} and index "
            f"{seen(indices)}. [Op:RandomIndexShuffle]"
        )
    words = pad(seeds, [[0, 0]] * (seeds.ndim - 1) + [[1, 0]], constant_values=_FIRST_WORD)
    return RandomIndexShuffle(indices, words, limits, rounds=4)


@public("random.experimental.stateless_split", "random.split")
def split(
    seed: NumericLike, num: IntLike = 2, alg: str | int | Algorithm = "auto_select"
) -> Tensor:
    """New seeds of one: an array of shape [num, 2].

    >>> import cinta as tf
    >>> left, right = tf.random.split([1, 2])
    >>> left.numpy()
    array([1105988140, 1738052849], dtype=int32)

    Args:
        seed: Two whole numbers.
        num: How many seeds to make.
        alg: The algorithm: "philox", "threefry" or "auto_select".

    Raises:
        ValueError: If the seed is not of whole numbers.
    """
    seed = as_tensor(seed)
    if seed.dtype.is_floating:
        raise ValueError(f"`seed` must be two whole numbers, got {seed}.")
    return stateless_uniform([num, 2], seed, None, None, seed.dtype, alg=alg)


@public("random.experimental.stateless_fold_in", "random.fold_in")
def fold_in(
    seed: NumericLike, data: NumericLike, alg: str | int | Algorithm = "auto_select"
) -> Tensor:
    """A new seed that depends on a seed and a whole number.

    >>> import cinta as tf
    >>> tf.random.fold_in([1, 2], 3).numpy()
    array([1105988140,          3], dtype=int32)

    Args:
        seed: Two whole numbers.
        data: A whole number.
        alg: The algorithm: "philox", "threefry" or "auto_select".
    """
    data = as_tensor(data)
    return stack([stateless_uniform([], seed, None, None, data.dtype, alg=alg), data])
