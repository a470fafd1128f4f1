"""Fits the polynomials of src/cinta_kernels/numbers.h, and prints them with their errors.

    python fit_polynomials.py        needs mpmath

Least squares in Chebyshev's basis, with weights that grow where the error is largest (Lawson's
method), come close to the polynomial whose worst error is least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import mpmath as mp
import numpy as np
from numpy.polynomial import Chebyshev, Polynomial, chebyshev

if TYPE_CHECKING:
    from collections.abc import Callable

mp.mp.dps = 40
UNIT = 2.0**-24
POINTS, TURNS = 400, 60


def fit(name: str, f: Callable[..., object], low: float, high: float, degree: int, power: int):
    """Print the polynomial, which is to be multiplied by x to this power: less counts at 0."""
    t = np.cos(np.pi * (np.arange(POINTS) + 0.5) / POINTS)
    x = (low + high) / 2 + (high - low) / 2 * t
    wanted = np.array([float(f(mp.mpf(v))) for v in x])
    basis, counts, weights = chebyshev.chebvander(t, degree), np.abs(x) ** power, np.ones(POINTS)
    for _ in range(TURNS):
        by = np.sqrt(weights) * counts
        found, *_ = np.linalg.lstsq(basis * by[:, None], wanted * by, rcond=None)
        errors = np.abs(basis @ found - wanted) * counts
        weights *= errors / errors.max() + 1e-3
        weights /= weights.sum()
    coefficients = Chebyshev(found, [low, high]).convert(kind=Polynomial).coef
    print(f"{name}: worst error {errors.max() / UNIT:.3f} units")
    print("  ", ", ".join(f"{c:.9e}f" for c in coefficients))


def scaled_tail(t: mp.mpf) -> mp.mpf:
    """erfc(z) exp(z^2) (1 + 1.4375 x), where z is x / sqrt(2), and t is (x - 4) / (x + 4)."""
    x = 4 * (1 + t) / (1 - t)
    z = x / mp.sqrt(2)
    return mp.erfc(z) * mp.exp(z * z) * (1 + mp.mpf(1.4375) * x)


def rest_of_log(f: mp.mpf) -> mp.mpf:
    """What log(1 + f) has beyond f - f^2 / 2, divided by f^3."""
    near = mp.mpf(1) / 3 - f / 4
    return (mp.log1p(f) - f + f * f / 2) / f**3 if abs(f) > mp.mpf(10) ** -8 else near


if __name__ == "__main__":
    half = float(mp.log(2)) / 2 + 1e-4
    tiny = mp.mpf(10) ** -12
    half_of, ends = mp.mpf(1) / 2, (-half, half)
    fit(
        "exp", lambda r: (mp.exp(r) - 1 - r) / r**2 if abs(r) > tiny else half_of, -half, half, 4, 2
    )
    fit(
        "tanh, by the square",
        lambda s: (mp.tanh(mp.sqrt(s)) / mp.sqrt(s) - 1) / s if s > tiny else -mp.mpf(1) / 3,
        *(0, 0.625**2, 4, 1),
    )
    fit("log", rest_of_log, -0.2929, 0.4143, 8, 2)
    fit("tail of the normal distribution", scaled_tail, -1, 0.57, 10, 0)
    fit(
        "normal distribution near 0, by the square",
        lambda s: (mp.ncdf(mp.sqrt(s)) - half_of) / mp.sqrt(s) if s > tiny else mp.npdf(0),
        *(0, 0.64, 5, 0),
    )
