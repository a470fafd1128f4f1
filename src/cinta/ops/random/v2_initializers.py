"""Initializers: objects that make a tensor of a shape, for variables to start with.

These are the ones that TensorFlow has at its top level; Keras has many more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import dtypes
from ...engine.convert import constant
from ...public import public
from ..arrays.creation import ones, zeros
from . import distributions
from .seeds import from_seed
from .state import stream

if TYPE_CHECKING:
    from typing import Self

    from ...engine.annotations import DTypeLike, NumericLike, ShapeLike
    from ...engine.tensor import Tensor
    from .distributions import Source


@public("initializers.Initializer")
class Initializer:
    """Calls as ``initializer(shape, dtype)``; its configuration is what it was made with.

    >>> import cinta as tf
    >>> class Twos(tf.initializers.Initializer):
    ...     def __call__(self, shape, dtype=tf.float32, **kwargs):
    ...         return tf.fill(shape, tf.constant(2, dtype))
    >>> Twos()([2]).numpy()
    array([2., 2.], dtype=float32)
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32) -> Tensor:
        raise NotImplementedError

    def __repr__(self) -> str:
        given = [f"{k}={v!r}" for k, v in vars(self).items() if not k.startswith("_")]
        return f"{type(self).__name__}({', '.join(given)})"

    def get_config(self) -> dict[str, object]:
        """The arguments that make such an initializer.

        >>> import cinta as tf
        >>> tf.random_normal_initializer(stddev=0.1, seed=1).get_config()
        {'mean': 0.0, 'stddev': 0.1, 'seed': 1}
        """
        return dict(vars(self))

    def clone(self) -> Self:
        """Another initializer with the same configuration.

        >>> import cinta as tf
        >>> tf.initializers.HeNormal(seed=1).clone().get_config()
        {'seed': 1}
        """
        return self.from_config(self.get_config())

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """An initializer made with these arguments.

        >>> import cinta as tf
        >>> tf.initializers.HeNormal.from_config({"seed": 1}).get_config()
        {'seed': 1}

        Args:
            config: A dictionary, as ``get_config`` gives it.

        Raises:
            TypeError: If it is not a dictionary, or names what the initializer does not take.
        """
        if not isinstance(config, dict):
            raise TypeError(f"`config` must be a dictionary of arguments, got {config!r}.")
        return cls(**{key: value for key, value in config.items() if key != "dtype"})


@public("initializers.Zeros", "initializers.zeros", "zeros_initializer")
class zeros_initializer(Initializer):
    """Zeros.

    >>> import cinta as tf
    >>> tf.zeros_initializer()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32, **kwargs: object
    ) -> Tensor:
        return zeros(_part(shape, kwargs), _checked(dtype))


@public("initializers.Ones", "initializers.ones", "ones_initializer")
class ones_initializer(Initializer):
    """Ones.

    >>> import cinta as tf
    >>> tf.ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32, **kwargs: object
    ) -> Tensor:
        return ones(_part(shape, kwargs), _checked(dtype))


@public("constant_initializer")
class constant_initializer(Initializer):
    """A number, or a list or array with as many elements as the shape has.

    With ``support_partition`` it fills the parts of variables that are kept in parts.

    >>> import cinta as tf
    >>> tf.constant_initializer([1.0, 2.0])([2, 1]).numpy()
    array([[1.],
           [2.]], dtype=float32)

    Args:
        value: A number, or a list or array of them.
        support_partition: Whether to fill the parts of a variable that is kept in parts.

    Raises:
        TypeError: If the value is neither, or its elements do not fill the shape that is asked for.
    """

    def __init__(self, value: NumericLike = 0, support_partition: bool = False) -> None:
        if not np.isscalar(value) and not isinstance(value, (list, tuple, np.ndarray)):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}. Expected Python scalar, "
                "list or tuple of values, or numpy.ndarray."
            )
        self.value: Any = value
        self._in_parts = support_partition

    def get_config(self) -> dict[str, object]:
        return {"value": self.value}

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = None, **kwargs: object
    ) -> Tensor:
        lengths = _part(shape, kwargs)
        if kwargs and not self._in_parts:
            raise ValueError(
                "A constant initializer takes partition-related arguments only if it is made with "
                "support_partition=True."
            )
        return constant(self.value, dtype if dtype is None else _checked(dtype), lengths)


@public("initializers.RandomNormal", "initializers.random_normal", "random_normal_initializer")
class random_normal_initializer(Initializer):
    """Normally distributed numbers; with a seed the same ones at every call.

    >>> import cinta as tf
    >>> tf.random_normal_initializer(seed=1)([2]).numpy().round(4)
    array([ 0.0063, -0.0247], dtype=float32)

    Args:
        mean: The mean.
        stddev: The standard deviation.
        seed: A number that decides what is drawn; None for other numbers at every call.
    """

    def __init__(
        self, mean: NumericLike = 0.0, stddev: NumericLike = 0.05, seed: int | None = None
    ) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32, **kwargs: object
    ) -> Tensor:
        lengths, kind = _part(shape, kwargs), _checked(dtype)
        if not kind.is_floating:
            raise ValueError(
                f"Argument `dtype` is expected to be floating point. Received: {kind}."
            )
        return distributions.normal(source(self.seed), lengths, self.mean, self.stddev, kind)


@public("initializers.RandomUniform", "initializers.random_uniform", "random_uniform_initializer")
class random_uniform_initializer(Initializer):
    """Numbers in [minval, maxval); with a seed the same ones at every call.

    >>> import cinta as tf
    >>> tf.random_uniform_initializer(-1.0, 1.0, seed=1)([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self, minval: NumericLike = -0.05, maxval: NumericLike = 0.05, seed: int | None = None
    ) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(
        self, shape: ShapeLike, dtype: DTypeLike | None = dtypes.float32, **kwargs: object
    ) -> Tensor:
        lengths, kind = _part(shape, kwargs), _checked(dtype)
        if not kind.is_floating and not kind.is_integer:
            raise ValueError(f"Argument `dtype` is expected to be numeric. Received: {kind}.")
        drawn = source(self.seed)
        return distributions.uniform(drawn, lengths, self.minval, self.maxval, kind.dtype)


def source(seed: int | None) -> Source:
    """Without a seed the streams of the program; with one its own stream, always from its start."""
    return stream(None) if seed is None else from_seed(np.array([seed, 0], np.int64))


def _part(shape: ShapeLike, kwargs: dict[str, Any]) -> Any:
    """The shape of the part that is asked for, of a variable that is kept in parts, or of all."""
    unknown = sorted(set(kwargs) - {"partition_shape", "partition_offset"})
    if unknown:
        raise TypeError(
            "Keyword argument should be one of ['partition_shape', 'partition_offset']. Received: "
            f"{unknown[0]}"
        )
    return kwargs.get("partition_shape", shape)


def _checked(dtype: object) -> dtypes.DType:
    if type(dtype) is int:
        raise TypeError(
            f"an initializer got {dtype} for `dtype`, its second argument. The shape is one list, "
            f"such as [2, {dtype}]; a dtype is tf.float32, for example."
        )
    kind = dtypes.as_dtype(dtype)
    if not kind.is_numeric and not kind.is_bool:
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {kind}.")
    return kind
