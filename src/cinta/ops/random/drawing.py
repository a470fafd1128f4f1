"""Drawing: the distributions of which a generator draws numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import dtypes
from ...errors import InvalidArgumentError
from . import distributions
from .distributions import FLOATS, INTEGERS, UNSIGNED, checked_dtype

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, NumericLike, ShapeLike
    from ...engine.op import Op
    from ...engine.tensor import Tensor


class Drawing:
    """The methods of a generator that give random numbers; the generator gives the bits."""

    def _source(self, op: Op, names: tuple[Any, ...], blocks: int) -> Tensor:
        """The state from which an op makes so many blocks of bits."""
        raise NotImplementedError

    def normal(
        self,
        shape: ShapeLike,
        mean: NumericLike = 0.0,
        stddev: NumericLike = 1.0,
        dtype: DTypeLike = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Normally distributed numbers.

        Args:
            shape: The shape of the result.
            mean: The mean.
            stddev: The standard deviation.
            dtype: A floating-point dtype.
        """
        return distributions.normal(self._source, shape, mean, stddev, dtype)

    def truncated_normal(
        self,
        shape: ShapeLike,
        mean: NumericLike = 0.0,
        stddev: NumericLike = 1.0,
        dtype: DTypeLike = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Normally distributed numbers within two standard deviations of the mean.

        >>> import cinta as tf
        >>> x = tf.random.Generator.from_seed(1).truncated_normal([1000])
        >>> bool(tf.reduce_max(abs(x)) < 2.0)
        True

        Args:
            shape: The shape of the result.
            mean: The mean.
            stddev: The standard deviation, before anything is cut off.
            dtype: A floating-point dtype.
        """
        return distributions.truncated_normal(self._source, shape, mean, stddev, dtype)

    def uniform(
        self,
        shape: ShapeLike,
        minval: NumericLike | None = 0,
        maxval: NumericLike | None = None,
        dtype: DTypeLike = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Numbers in [minval, maxval); integers of any value if both bounds are None.

        >>> import cinta as tf
        >>> x = tf.random.Generator.from_seed(1).uniform([1000], 1, 7, tf.int32)
        >>> tf.reduce_min(x).numpy(), tf.reduce_max(x).numpy()
        (np.int32(1), np.int32(6))

        Args:
            shape: The shape of the result.
            minval: The least number.
            maxval: The bound, which is not reached; None for 1.
            dtype: A floating-point or integer dtype.

        Raises:
            ValueError: If integers are asked for with one bound alone.
        """
        if dtypes.as_dtype(dtype) in (dtypes.bool, dtypes.string):
            raise TypeError(f"dtype must be one of numbers to have bounds, got {dtype}.")
        kind = checked_dtype(dtype, FLOATS + INTEGERS + UNSIGNED, InvalidArgumentError)
        if kind.kind in "iu" and (minval is None) != (maxval is None):
            raise ValueError(
                f"For integer dtype {dtypes.of(kind)}, minval and maxval must be both `None` or "
                f"both non-`None`; got minval={minval} and maxval={maxval}"
            )
        if kind.kind in "iu" and minval is None:
            return distributions.full_integers(self._source, shape, kind)
        return distributions.uniform(self._source, shape, minval, maxval, kind)

    def uniform_full_int(
        self, shape: ShapeLike, dtype: DTypeLike = dtypes.uint64, name: str | None = None
    ) -> Tensor:
        """Integers of any value that their dtype has.

        >>> import cinta as tf
        >>> tf.random.Generator.from_seed(1).uniform_full_int([2], tf.int64).dtype
        tf.int64

        Args:
            shape: The shape of the result.
            dtype: An integer dtype.
        """
        kind = checked_dtype(dtype, INTEGERS + UNSIGNED, InvalidArgumentError)
        return distributions.full_integers(self._source, shape, kind)

    def binomial(
        self,
        shape: ShapeLike,
        counts: NumericLike,
        probs: NumericLike,
        dtype: DTypeLike = dtypes.int32,
        name: str | None = None,
    ) -> Tensor:
        """Counts of successes; ``shape`` ends with that of ``counts`` and ``probs``.

        >>> import cinta as tf
        >>> tf.random.Generator.from_seed(1).binomial([3], 10.0, [0.0, 0.5, 1.0]).numpy()[[0, 2]]
        array([ 0, 10], dtype=int32)

        Args:
            shape: The shape of the result.
            counts: How often to try.
            probs: The probability of a success.
            dtype: The dtype of the counts.
        """
        return distributions.binomial(self._source, shape, counts, probs, dtype)
