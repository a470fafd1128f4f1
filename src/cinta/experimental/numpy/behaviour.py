"""Tensors that behave as NumPy's arrays do, once a program enables it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine import operators, settings
from ...engine.tensor import Tensor, seen
from ...engine.variable import Variable
from ...ops.arguments import flag
from ...public import public
from . import algebra, elementwise, indexing, manipulation, reductions
from .types import asarray

if TYPE_CHECKING:
    from collections.abc import Callable


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "add": elementwise.add,
    "sub": elementwise.subtract,
    "mul": elementwise.multiply,
    "truediv": elementwise.divide,
    "floordiv": elementwise.floor_divide,
    "mod": elementwise.mod,
    "pow": elementwise.power,
    "matmul": algebra.matmul,
    "and": elementwise.bitwise_and,
    "or": elementwise.bitwise_or,
    "xor": elementwise.bitwise_xor,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "lt": elementwise.less,
    "le": elementwise.less_equal,
    "gt": elementwise.greater,
    "ge": elementwise.greater_equal,
}


def _reflected(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda self, other: function(other, self)


def _unless_none(function: Callable[[Any, Any], Any], answer: bool) -> Callable[..., Any]:
    """A comparison that knows what to say about None."""
    return lambda self, other: answer if other is None else function(self, other)


_METHODS: dict[str, Any] = {
    **{f"__{name}__": function for name, function in _OPERATORS.items()},
    **{f"__r{name}__": _reflected(function) for name, function in _OPERATORS.items()},
    **{f"__{name}__": function for name, function in _COMPARISONS.items()},
    "__eq__": _unless_none(elementwise.equal, False),
    "__ne__": _unless_none(elementwise.not_equal, True),
}


def _reshape(self: Tensor, *shape: Any, order: str = "C") -> Tensor:
    return manipulation.reshape(self, shape[0] if len(shape) == 1 else shape, order)


def _transpose(self: Tensor, *axes: int) -> Tensor:
    return manipulation.transpose(self, axes[0] if len(axes) == 1 else axes or None)


_ATTRIBUTES: dict[str, Any] = {
    "T": property(manipulation.transpose),
    "data": property(lambda self: self),
    "size": property(manipulation.size),
    "astype": asarray,
    "clip": elementwise.clip,
    "flatten": manipulation.flatten,
    "max": reductions.max,
    "mean": reductions.mean,
    "min": reductions.min,
    "ravel": manipulation.ravel,
    "reshape": _reshape,
    "tolist": lambda self: seen(self).tolist(),
    "transpose": _transpose,
    "__pos__": elementwise.positive,
    "__round__": elementwise.around,
    "__getitem__": indexing.picked,
}


@public("tnp.experimental_enable_numpy_behavior")
def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> None:
    """Let the operators of tensors promote dtypes by NumPy's rules, and give tensors NumPy's
    methods and ways of indexing, from now on and in the whole program.

    >>> import cinta as tf
    >>> tf.experimental.numpy.experimental_enable_numpy_behavior()  # doctest: +SKIP
    >>> tf.constant([1, 2]) + 1.5  # doctest: +SKIP
    <tf.Tensor: shape=(2,), dtype=float64, numpy=array([2.5, 3.5])>

    Args:
        prefer_float32: Whether Python's floats are float32 for ``tf.experimental.numpy``, and not
            float64.
        dtype_conversion_mode: "legacy", which is NumPy's rules; there are no others.

    Raises:
        ValueError: If the mode is another one.
    """
    if not isinstance(dtype_conversion_mode, str) or dtype_conversion_mode != "legacy":
        raise ValueError(
            f"dtype_conversion_mode must be 'legacy', got {dtype_conversion_mode!r}: there are "
            "no other rules than NumPy's."
        )
    settings.prefer_float32 = flag(prefer_float32, "prefer_float32")
    operators.fetch()  # those that stay as they are
    operators.define(Tensor, _METHODS | _ATTRIBUTES)
    operators.define(Variable, _METHODS)
