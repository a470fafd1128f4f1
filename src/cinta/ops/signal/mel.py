"""The mel scale, on which steps that sound alike are equally long."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from ... import dtypes
from ...engine.convert import as_tensor
from ...engine.tensor import wrap
from ...public import public
from ..arguments import memory_for, number, whole_number
from .arguments import check_rank
from .cosine import dct

if TYPE_CHECKING:
    from ...engine.annotations import DTypeLike, IntLike, NumericLike
    from ...engine.tensor import Array, Tensor


def _mel(hertz: Array | float) -> Array:
    # O'Shaughnessy's 2595 log10(1 + f / 700), in natural logarithms
    return 1127.0 * np.log1p(hertz / 700.0)


@public("signal.linear_to_mel_weight_matrix")
def linear_to_mel_weight_matrix(
    num_mel_bins: IntLike = 20,
    num_spectrogram_bins: IntLike = 129,
    sample_rate: NumericLike = 8000,
    lower_edge_hertz: NumericLike = 125.0,
    upper_edge_hertz: NumericLike = 3800.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The matrix that turns the bins of a spectrogram into bins of the mel scale.

    ``tf.matmul(spectrogram, matrix)`` has ``num_mel_bins`` instead of ``num_spectrogram_bins``.
    Each mel bin is a triangle of weights that reaches from the middle of one neighbor to that of
    the other; together they reach from the lower to the upper edge.

    >>> import cinta as tf
    >>> tf.signal.linear_to_mel_weight_matrix(3, 5).numpy().round(2)
    array([[0.  , 0.  , 0.  ],
           [0.3 , 0.7 , 0.  ],
           [0.  , 0.2 , 0.8 ],
           [0.  , 0.  , 0.46],
           [0.  , 0.  , 0.  ]], dtype=float32)

    Args:
        num_mel_bins: The number of columns.
        num_spectrogram_bins: The number of rows.
        sample_rate: How many samples a second has.
        lower_edge_hertz: The lower edge.
        upper_edge_hertz: The upper edge, at most half the rate.
        dtype: A floating-point dtype.
    """
    count, rate = whole_number(num_mel_bins, "num_mel_bins"), number(sample_rate, "sample_rate")
    low = number(lower_edge_hertz, "lower_edge_hertz")
    high = number(upper_edge_hertz, "upper_edge_hertz")
    wanted = dtypes.as_dtype(dtype)
    _check(count, rate, low, high, wanted)
    bins = max(whole_number(num_spectrogram_bins, "num_spectrogram_bins"), 1)
    room = memory_for("linear_to_mel_weight_matrix", (bins, count + 2))
    with room, np.errstate(invalid="ignore"):  # of an infinite rate
        frequencies = np.linspace(0.0, rate / 2, bins)
        weights = _triangles(_mel(frequencies), np.linspace(_mel(low), _mel(high), count + 2))
    weights[0] = 0.0  # the mean of the signal belongs to no tone
    return wrap(weights.astype(wanted.dtype))


def _triangles(places: Array, edges: Array) -> Array:
    """For each place and each inner edge, how close it is: 1 there, 0 at the next edges."""
    lower, center, upper = edges[:-2], edges[1:-1], edges[2:]
    rising = (places[:, None] - lower) / (center - lower)
    falling = (upper - places[:, None]) / (upper - center)
    result: Array = np.maximum(0.0, np.minimum(rising, falling))
    return result


def _check(count: int, rate: float, low: float, high: float, dtype: dtypes.DType) -> None:
    if count <= 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {count}")
    if low < 0.0:
        raise ValueError(f"lower_edge_hertz must be non-negative. Got: {low}")
    if low >= high:
        raise ValueError(f"lower_edge_hertz {low:.1f} >= upper_edge_hertz {high:.1f}")
    if rate <= 0.0:
        raise ValueError(f"sample_rate must be positive. Got: {rate}")
    if high > rate / 2:
        raise ValueError(
            "upper_edge_hertz must not be larger than the Nyquist frequency (sample_rate / 2). "
            f"Got {high} for sample_rate: {rate}"
        )
    if not dtype.is_floating:
        raise ValueError(f"dtype must be a floating point type. Got: {dtype!r}")


@public("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(
    log_mel_spectrograms: NumericLike, name: str | None = None
) -> Tensor:
    """The cepstral coefficients of spectrograms on the mel scale, of which you give the logarithm.

    They are cosine transforms of type 2, scaled as in the Hidden Markov Model Toolkit.

    >>> import cinta as tf
    >>> tf.signal.mfccs_from_log_mel_spectrograms([[1.0, 1.0]]).numpy().round(3)
    array([[2., 0.]], dtype=float32)

    Args:
        log_mel_spectrograms: The logarithms, along the last axis.

    Raises:
        ValueError: If the last axis is empty.
    """
    x = as_tensor(log_mel_spectrograms)
    check_rank(x, 1)
    bins = x._array.shape[-1]
    if bins == 0:
        raise ValueError(f"num_mel_bins must be positive. Got: {x}")
    return dct(x) * sqrt(0.5 / bins)
