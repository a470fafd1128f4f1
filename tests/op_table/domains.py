"""Inputs for the rows of the op table: fixed, double precision, inside of where an op is smooth."""

from __future__ import annotations

from typing import Any

import numpy as np


def _draw(shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(len(shape) * 100 + sum(shape))


def real(*shape: int) -> Any:
    """Normal numbers, none of them close to an integer or a half, where steps and kinks are."""
    x = _draw(shape).standard_normal(shape)
    near = np.abs(x * 2 - np.round(x * 2)) < 0.1
    return np.where(near, x + 0.11, x)


def positive(*shape: int) -> Any:
    """Numbers between 0.2 and 3."""
    return _draw(shape).uniform(0.2, 3.0, shape)


def unit(*shape: int) -> Any:
    """Numbers between -0.9 and 0.9, none close to 0."""
    draw = _draw(shape)
    return draw.uniform(0.1, 0.9, shape) * draw.choice([-1.0, 1.0], shape)


def distinct(*shape: int) -> Any:
    """Numbers of which no two are close: no ties."""
    size = int(np.prod(shape))
    return _draw(shape).permutation(np.linspace(-2.05, 1.95, size)).reshape(shape)


def definite(*shape: int) -> Any:
    """Symmetric positive definite matrices."""
    a = real(*shape)
    return a @ np.swapaxes(a, -1, -2) + shape[-1] * np.eye(shape[-1])


def regular(*shape: int) -> Any:
    """Matrices far from singular."""
    return 0.3 * real(*shape) + np.diag(np.arange(1.0, shape[-1] + 1))


def complex_numbers(*shape: int) -> Any:
    """Complex numbers away from 0 and from the axes."""
    return (0.5 + positive(*shape)) * np.exp(1j * (0.3 + unit(*shape) * 0.2))


def integers(*shape: int, high: int) -> Any:
    """Whole numbers from 0 to below ``high``."""
    return _draw(shape).integers(0, high, shape).astype(np.int32)
