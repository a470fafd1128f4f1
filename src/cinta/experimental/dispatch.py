"""NumPy's functions of tensors, recorded on tapes if the program enables it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import nest
from ..engine import recorders
from ..engine.convert import as_tensor
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..ops.arguments import flag
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_OPERATORS = {
    "add": ("__add__", "__radd__"),
    "subtract": ("__sub__", "__rsub__"),
    "multiply": ("__mul__", "__rmul__"),
    "divide": ("__truediv__", "__rtruediv__"),
    "floor_divide": ("__floordiv__", "__rfloordiv__"),
    "remainder": ("__mod__", "__rmod__"),
    "power": ("__pow__", "__rpow__"),
    "matmul": ("__matmul__", "__rmatmul__"),
    "less": ("__lt__", "__gt__"),
    "less_equal": ("__le__", "__ge__"),
    "greater": ("__gt__", "__lt__"),
    "greater_equal": ("__ge__", "__le__"),
    "equal": ("__eq__", "__eq__"),
    "not_equal": ("__ne__", "__ne__"),
}
"""The ufunc that NumPy's arrays call in `array + tensor`, and the method that answers it."""

_OTHER_NAMES = {
    "absolute": "abs",
    "degrees": "rad2deg",
    "radians": "deg2rad",
    "rint": "around",
}
_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
_LINEAR_ALGEBRA = {"cholesky", "det", "eigh", "eigvalsh", "inv", "pinv"}


@public("experimental.enable_numpy_dispatch")
def enable_numpy_dispatch(enabled: bool = True) -> None:
    """Let NumPy's functions of tensors be recorded, from now on and in the whole program.

    Without it NumPy takes the values out of a tensor, and what it computes is a constant for tapes.
    With it, the function of the same name in ``tf.experimental.numpy`` is called:

    >>> import numpy as np
    >>> import cinta as tf
    >>> tf.experimental.enable_numpy_dispatch()
    >>> x = tf.Variable([0.0, 1.0])
    >>> with tf.GradientTape() as tape:
    ...     y = np.sum(np.exp(x)) * np.float32(2)
    >>> tape.gradient(y, x).numpy().round(3)
    array([2.   , 5.437], dtype=float32)
    >>> tf.experimental.enable_numpy_dispatch(False)

    Operators between arrays and tensors keep the rules that they have without it. A function that
    has no counterpart gets the values, as before; it is refused if a tape would lose track by that.

    Args:
        enabled: Whether they are recorded.
    """
    on = flag(enabled, "enabled")
    kinds: tuple[Any, ...] = Tensor, Variable
    for kind in kinds:
        if on:
            kind.__array_ufunc__ = _array_ufunc
            kind.__array_function__ = _array_function
        elif "__array_ufunc__" in vars(kind):
            del kind.__array_ufunc__
            del kind.__array_function__


def _array_ufunc(
    self: Tensor | Variable, ufunc: np.ufunc, method: str, *inputs: Any, **options: int
) -> Any:
    name = ufunc.__name__
    if method == "__call__" and not options:
        if name in _OPERATORS:
            return _operate(name, *inputs)
        ours = _counterpart(name)
        if ours is not None:
            return ours(*inputs)
    elif method == "reduce" and name in _REDUCTIONS and options.keys() <= {"axis", "keepdims"}:
        ours = _counterpart(_REDUCTIONS[name])
        if ours is not None:
            return ours(*inputs, **{"axis": 0, **options})
    return _on_values(f"np.{name}", getattr(ufunc, method), inputs, options)


def _array_function(
    self: Tensor | Variable,
    func: Any,
    types: tuple[type[Any], ...],
    args: tuple[object, ...],
    kwargs: Mapping[str, object],
) -> Any:
    name = func.__name__
    if func.__module__ == "numpy":
        ours = _counterpart(name)
    else:
        is_ours = func.__module__ == "numpy.linalg" and name in _LINEAR_ALGEBRA
        ours = getattr(import_module("cinta.linalg"), name) if is_ours else None
    if ours is not None and kwargs.get("out") is None:
        return ours(*args, **kwargs)
    return _on_values(f"{func.__module__}.{name}".replace("numpy", "np", 1), func, args, kwargs)


def _operate(name: str, x: object, y: Tensor | Variable) -> Any:
    forwards, backwards = _OPERATORS[name]
    if isinstance(x, (Tensor, Variable)):
        return getattr(x, forwards)(y)
    return getattr(y, backwards)(x)


def _counterpart(name: str) -> Callable[..., Any] | None:
    """The function of tensors that is called as NumPy's function of this name is."""
    ours = import_module("cinta.experimental.numpy")
    found: Callable[..., Any] | None = getattr(ours, _OTHER_NAMES.get(name, name), None)
    return found


def _on_values(
    name: str, function: Callable[..., Any], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> Any:
    """NumPy's result for the tensors' values, unless a tape would lose track."""

    def value(x: Tensor) -> Any:
        if not isinstance(x, (Tensor, Variable)):
            return x
        tensor = as_tensor(x)
        if recorders.active(tensor._recorder):
            raise TypeError(
                f"{name} of a tensor that a tape watches would not be recorded: cinta has no such "
                "function of tensors, or not with these arguments. Use one of cinta's functions, "
                f"or say that it is a constant: {name}(t.numpy())."
            )
        return np.asarray(tensor._array)

    return function(*nest.map_structure(value, tuple(args)), **nest.map_structure(value, kwargs))
