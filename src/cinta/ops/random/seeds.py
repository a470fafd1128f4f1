"""Seeds of random numbers, and the algorithms that they are for."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from ...engine.convert import as_tensor
from ...engine.op import op
from ...engine.shapes import written
from ...errors import InvalidArgumentError, UnimplementedError
from ...public import public
from ..arguments import whole_number
from . import philox
from .state import as_state

if TYPE_CHECKING:
    from ...engine.annotations import ArrayModule, NumericLike
    from ...engine.tensor import Array
    from .distributions import Source


@public("random.Algorithm", "random.experimental.Algorithm")
class Algorithm(Enum):
    """The generators of random bits that TensorFlow knows; here all numbers come from Philox.

    ``PHILOX`` is that generator. ``AUTO_SELECT`` chooses it. ``THREEFRY`` is another one, which
    TensorFlow has for some devices.

    >>> import cinta as tf
    >>> tf.random.Generator.from_seed(1, alg=tf.random.Algorithm.PHILOX).algorithm
    1
    """

    PHILOX = 1
    THREEFRY = 2
    AUTO_SELECT = 3


def algorithm(alg: str | int | Algorithm) -> Algorithm:
    """The algorithm that an argument ``alg`` names."""
    try:
        if isinstance(alg, str):
            return Algorithm[{"autoselect": "AUTO_SELECT"}.get(_plain(alg), _plain(alg).upper())]
        return alg if isinstance(alg, Algorithm) else Algorithm(whole_number(alg, "alg"))
    except (KeyError, ValueError):
        raise ValueError(
            f"Argument `alg` got unsupported value {alg}. Supported values are philox for the "
            "Philox algorithm, threefry for the ThreeFry algorithm, and auto_select for "
            "auto-selection."
        ) from None


def _plain(alg: str) -> str:
    return alg.strip().lower().replace("-", "").replace("_", "")


def check_philox(alg: str | int | Algorithm) -> None:
    """Refuse an algorithm other than Philox."""
    if algorithm("auto_select" if alg is None else alg) is Algorithm.THREEFRY:
        raise UnimplementedError(
            "The ThreeFry algorithm is not supported on this device. Use alg='philox'."
        )


def from_seed(seed: NumericLike, alg: str | int | Algorithm = "auto_select") -> Source:
    """The source that gives every op the state of this seed."""
    check_philox(alg)
    numbers = as_tensor(seed)
    if numbers._array.dtype not in (np.int32, np.int64):
        raise InvalidArgumentError(
            f"Value for attr 'Tseed' of {numbers.dtype.kernel_name} is not in the list "
            f"of allowed values: int32, int64. `seed` must be two whole numbers, got {seed!r}."
        )
    if numbers._array.shape != (2,):
        raise InvalidArgumentError(f"seed must have shape [2], not {written(numbers.shape)}")
    state = MixedSeed(numbers)
    return lambda op, names, blocks: state


@op("StatelessRandomGetKeyCounter")
def MixedSeed(xp: ArrayModule, seed: Array) -> Array:
    """The state that a seed of two numbers stands for."""
    result: Array = as_state(*philox.mixed(*seed.tolist()))
    return result


MixedSeed.no_grad()
