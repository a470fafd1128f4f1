"""Points of a Sobol sequence, which fill a cube more evenly than chance does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ... import dtypes
from ...engine.free_memory import check_memory
from ...engine.tensor import wrap
from ...errors import InvalidArgumentError
from ...public import public
from ..arguments import integer

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike
    from ...engine.tensor import Tensor

_MOST_DIMENSIONS, _MOST_POINTS = 21201, 1 << 30
"""The dimensions of the direction numbers of Joe and Kuo (2008), which SciPy uses; 30 bits."""

_INT32_MAX = 2**31 - 1


@public("math.sobol_sample")
def sobol_sample(
    dim: IntLike,
    num_results: IntLike,
    skip: IntLike = 0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Points of the Sobol sequence in a cube of ``dim`` dimensions, after the first ``skip`` ones.

    >>> import cinta as tf
    >>> tf.math.sobol_sample(2, 3).numpy()
    array([[0.5 , 0.5 ],
           [0.75, 0.25],
           [0.25, 0.75]], dtype=float32)

    Args:
        dim: The number of dimensions, at least 1.
        num_results: How many points to give, at least 1.
        skip: How many points of the sequence to leave out before them.
        dtype: ``tf.float32`` or ``tf.float64``.

    Raises:
        InvalidArgumentError: If a number is too small, or the dtype is another.
    """
    from scipy.stats.qmc import Sobol  # takes a second to import

    dimensions, count, left_out = (
        integer(dim, "dim"),
        integer(num_results, "num_results"),
        integer(skip, "skip"),
    )
    if dimensions < 1 or count < 1 or left_out < 0:
        raise InvalidArgumentError(
            f"dim must be at least one, as must num_results, and skip not negative: got "
            f"{dimensions}, {count} and {left_out} [Op:SobolSample]"
        )
    wanted = dtypes.as_dtype(dtype)
    if wanted not in (dtypes.float32, dtypes.float64):
        raise InvalidArgumentError(
            f"Value for attr 'dtype' of {wanted.kernel_name} is not in the list of allowed values: "
            "float, double [Op:SobolSample]"
        )
    _check_int32("num_results*dim", count * dimensions)
    _check_int32("num_results+skip", count + left_out)
    if dimensions > _MOST_DIMENSIONS or count + left_out >= _MOST_POINTS:
        raise InvalidArgumentError(
            f"the sequence has up to {_MOST_DIMENSIONS} dimensions and {_MOST_POINTS} points, got "
            f"dim={dimensions} and {count} points after {left_out} [Op:SobolSample]"
        )
    check_memory("SobolSample", (count, dimensions))
    points = Sobol(dimensions, scramble=False)
    points.fast_forward(left_out + 1)  # the first is the origin
    return wrap(points.random(count).astype(wanted.dtype))


def _check_int32(product: str, value: int) -> None:
    if value >= _INT32_MAX:
        raise InvalidArgumentError(
            f"{product} must be less than {_INT32_MAX}, got {value} [Op:SobolSample]"
        )
