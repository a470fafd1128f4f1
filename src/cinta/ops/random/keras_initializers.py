"""Initializers that scale with the number of inputs and outputs, with the numbers of Keras."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.free_memory import check_memory
from ...engine.tensor import seen, wrap
from ...public import public
from ..arguments import number, shape_argument
from ..linalg.qr import qr
from . import distributions
from .v2_initializers import Initializer, constant_initializer, source

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.annotations import DTypeLike, ShapeLike
    from ...engine.tensor import Tensor
    from .distributions import Source

_TRUNCATED = 0.87962566103423978
"""The standard deviation of a normal number truncated at 2: sqrt(1 - 4 phi(2) / (2 Phi(2) - 1))."""


@public("initializers.VarianceScaling", "initializers.variance_scaling")
class VarianceScaling(Initializer):
    """Random numbers whose variance is a scale by the number of inputs or outputs of a layer.

    The last axis is that of the outputs, the one before it that of the inputs; those before are
    the places of a convolution.

    >>> import cinta as tf
    >>> tf.initializers.GlorotUniform(seed=1)([2, 1]).numpy().round(4)
    array([[ 1.0705],
           [-0.1132]], dtype=float32)

    Args:
        scale: The scale.
        mode: "fan_in" for the number of inputs, "fan_out" of outputs, "fan_avg" for their mean.
        distribution: "truncated_normal", "untruncated_normal" or "uniform".
        seed: With a seed the numbers are the same at every call.

    Raises:
        ValueError: If the scale is not positive, or there is no such mode or distribution.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        if not number(scale, "scale") > 0:
            raise ValueError(f"Argument `scale` must be positive float. Received: scale={scale}")
        _check("mode", mode, _FANS)
        _check("distribution", distribution, _DRAWS)
        self.scale, self.mode, self.distribution = scale, mode, distribution
        self.seed = _seed(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32) -> Tensor:
        sizes = _sizes(shape)
        variance = self.scale / max(1.0, _FANS[self.mode](*_fans(sizes)))
        return _DRAWS[self.distribution](sizes, math.sqrt(variance), dtype, self.seed)


def _truncated(shape: list[int], deviation: float, dtype: DTypeLike, seed: int | None) -> Tensor:
    wide = deviation / _TRUNCATED
    return distributions.truncated_normal(_source(seed), shape, 0.0, wide, dtype)


def _normal(shape: list[int], deviation: float, dtype: DTypeLike, seed: int | None) -> Tensor:
    return distributions.normal(_source(seed), shape, 0.0, deviation, dtype)


def _uniform(shape: list[int], deviation: float, dtype: DTypeLike, seed: int | None) -> Tensor:
    limit = math.sqrt(3) * deviation
    kind = dtypes.as_dtype(dtype).dtype
    return distributions.uniform(_source(seed), shape, -limit, limit, kind)


_DRAWS: dict[str, Callable[[list[int], float, Any, int | None], Tensor]] = {
    "truncated_normal": _truncated,
    "untruncated_normal": _normal,
    "uniform": _uniform,
}
_FANS: dict[str, Callable[[float, float], float]] = {
    "fan_in": lambda ins, outs: ins,
    "fan_out": lambda ins, outs: outs,
    "fan_avg": lambda ins, outs: (ins + outs) / 2,
}


def _check(name: str, given: str, known: dict[str, Any]) -> None:
    if not isinstance(given, str) or given not in known:
        raise ValueError(f"Invalid `{name}` argument: {given}. Please use one of {sorted(known)}.")


def _seed(given: int | None) -> int | None:
    if given is not None and not isinstance(given, (int, np.integer)):
        raise ValueError(f"Argument `seed` must be an integer or None. Received: seed={given!r}")
    return None if given is None else int(given)


def _source(seed: int | None) -> Source:
    """The numbers of a seed, which Keras brings into the range of 32 bits."""
    return source(None if seed is None else seed % (2**31 - 2))


def _sizes(shape: ShapeLike) -> list[int]:
    sizes = list(shape_argument(shape))
    if min(sizes, default=0) < 0:
        raise ValueError(f"`shape` must not have negative dimensions, got {sizes}.")
    return sizes


def _fans(shape: list[int]) -> tuple[float, float]:
    """How many inputs an output has, and how many outputs an input."""
    if len(shape) < 2:
        count = shape[0] if shape else 1
        return count, count
    places = math.prod(shape[:-2])
    return shape[-2] * places, shape[-1] * places


class _Scaled(VarianceScaling):
    """A variance scaling of which only the seed is open."""

    arguments: tuple[float, str, str]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(*self.arguments, seed=seed)

    def get_config(self) -> dict[str, Any]:
        return {"seed": self.seed}


def _scaled(name: str, author: str, scale: float, mode: str, distribution: str) -> type[_Scaled]:
    doc = (
        f"{author}'s initializer: variance {scale} by {mode}, {distribution.replace('_', ' ')}.\n\n"
        "    >>> import cinta as tf\n"
        f"    >>> tf.initializers.{name}(seed=1)([2, 3]).shape\n"
        "    TensorShape([2, 3])\n"
    )
    members = {"arguments": (scale, mode, distribution), "__doc__": doc, "__module__": __name__}
    return type(name, (_Scaled,), members)


GlorotNormal = public("initializers.GlorotNormal", "initializers.glorot_normal")(
    _scaled("GlorotNormal", "Glorot", 1.0, "fan_avg", "truncated_normal")
)
GlorotUniform = public("initializers.GlorotUniform", "initializers.glorot_uniform")(
    _scaled("GlorotUniform", "Glorot", 1.0, "fan_avg", "uniform")
)
HeNormal = public("initializers.HeNormal", "initializers.he_normal")(
    _scaled("HeNormal", "He", 2.0, "fan_in", "truncated_normal")
)
HeUniform = public("initializers.HeUniform", "initializers.he_uniform")(
    _scaled("HeUniform", "He", 2.0, "fan_in", "uniform")
)
LecunNormal = public("initializers.LecunNormal", "initializers.lecun_normal")(
    _scaled("LecunNormal", "LeCun", 1.0, "fan_in", "truncated_normal")
)
LecunUniform = public("initializers.LecunUniform", "initializers.lecun_uniform")(
    _scaled("LecunUniform", "LeCun", 1.0, "fan_in", "uniform")
)


@public("initializers.TruncatedNormal", "initializers.truncated_normal")
class TruncatedNormal(Initializer):
    """Normally distributed numbers, all within two standard deviations of the mean.

    >>> import cinta as tf
    >>> tf.initializers.TruncatedNormal(stddev=0.1, seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, _seed(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32) -> Tensor:
        drawn = _source(self.seed), _sizes(shape)
        return distributions.truncated_normal(*drawn, self.mean, self.stddev, dtype)


@public("initializers.Orthogonal", "initializers.OrthogonalInitializer", "initializers.orthogonal")
class Orthogonal(Initializer):
    """A matrix with orthogonal columns, or rows if they are fewer, all of length ``gain``.

    >>> import cinta as tf
    >>> q = tf.initializers.Orthogonal(seed=1)([3, 2])
    >>> tf.matmul(q, q, transpose_a=True).numpy().round(3)
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain, self.seed = gain, _seed(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32) -> Tensor:
        sizes = _sizes(shape)
        if len(sizes) < 2:
            raise ValueError(
                "The tensor to initialize must be at least two-dimensional. Received: "
                f"shape={tuple(sizes)} of rank {len(sizes)}."
            )
        rows, columns = math.prod(sizes[:-1]), sizes[-1]
        flat = [max(rows, columns), min(rows, columns)]
        q, r = qr(distributions.normal(_source(self.seed), flat, 0.0, 1.0, dtype))
        matrix = seen(q) * np.sign(np.diagonal(seen(r)))  # made unique
        matrix = matrix.T if rows < columns else matrix
        kind = dtypes.as_dtype(dtype).dtype
        return wrap((self.gain * matrix.reshape(sizes)).astype(kind))


@public("initializers.Identity", "initializers.IdentityInitializer", "initializers.identity")
class IdentityInitializer(Initializer):
    """A matrix with ``gain`` along its diagonal and zeros elsewhere.

    >>> import cinta as tf
    >>> tf.initializers.Identity(gain=2.0)([2, 2]).numpy()
    array([[2., 0.],
           [0., 2.]], dtype=float32)
    """

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = number(gain, "gain")

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32) -> Tensor:
        sizes = _sizes(shape)
        if len(sizes) != 2:
            raise ValueError(
                "Identity matrix initializer can only be used for 2D matrices. Received: "
                f"shape={tuple(sizes)} of rank {len(sizes)}."
            )
        kind = distributions.checked_dtype(dtype, distributions.FLOATS, TypeError)
        check_memory("Identity", sizes)
        return wrap((self.gain * np.eye(sizes[0], sizes[1])).astype(kind))


@public("initializers.Constant", "initializers.constant")
class Constant(constant_initializer):
    """A number everywhere, in float32 unless another dtype is asked for.

    >>> import cinta as tf
    >>> tf.initializers.Constant(3.0)([2]).numpy()
    array([3., 3.], dtype=float32)

    Args:
        value: A number, or a list or array with as many as the shape has elements.
        support_partition: Whether to fill the parts of a variable that is kept in parts.

    Raises:
        TypeError: If the value is neither, or its elements do not fill the shape that is asked for.
    """

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32, **kwargs: object
    ) -> Tensor:
        return super().__call__(shape, dtype, **kwargs)
