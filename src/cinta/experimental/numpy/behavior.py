"""Tensors that behave as NumPy's arrays do, once a program enables it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...engine import operators, settings
from ...engine.op import Op
from ...engine.tensor import Tensor, seen
from ...engine.variable import Variable
from ...ops.arguments import flag
from ...ops.operators import OF_TENSORS, OF_VARIABLES
from ...public import public
from . import algebra, elementwise, indexing, manipulation, promoting_names, reductions
from .types import asarray
from .weak_tensors import assigning, choosing, keeping, promoting

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...engine.dispatch import Function

    Methods = dict[str, Function]


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


def _by_lattice() -> Methods:
    """The operators of tensors and variables, with promotion by the lattice."""
    of_one = [f"__{name}__" for name in ("neg", "abs", "invert", "pos")]
    of_bits = [f"__{r}{name}__" for r in ("", "r") for name in ("and", "or", "xor")]
    return {
        **{name: promoting(OF_TENSORS[name]) for name in _METHODS if name in OF_TENSORS},
        **{name: choosing(OF_TENSORS[name]) for name in of_bits if name in OF_TENSORS},
        **{name: keeping(OF_TENSORS[name]) for name in of_one if name in OF_TENSORS},
    }


def _attributes(mode: str) -> Methods:
    """NumPy's attributes of tensors, which are weak as the tensor is, where there are weak ones."""
    if mode not in _LATTICES:
        return _ATTRIBUTES
    weak = {name: keeping(_ATTRIBUTES[name]) for name in _KEEPING}
    return {**_ATTRIBUTES, **weak, "T": property(keeping(manipulation.transpose))}


def _methods(kind: type[Tensor | Variable], mode: str) -> Methods:
    """The operators of tensors or variables in a mode, and the assignments of variables."""
    table = OF_TENSORS if kind is Tensor else OF_VARIABLES
    found = {**table, **(_METHODS if mode == "legacy" else {})}
    if mode in _LATTICES:
        found |= _by_lattice()
    if kind is Variable:
        found |= {
            name: assigning(method) if mode in _LATTICES else method
            for name, method in _ASSIGNMENTS.items()
        }
    return found


_KEEPING = ("flatten", "max", "mean", "min", "ravel", "reshape", "transpose")
_LATTICES = ("safe", "all")
_MODES = ("off", "legacy", *_LATTICES)
_ASSIGNMENTS = {name: getattr(Variable, name) for name in ("assign", "assign_add", "assign_sub")}


@public("tnp.experimental_enable_numpy_behavior")
def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> None:
    """Let the operators of tensors promote dtypes, and give tensors NumPy's methods and ways of
    indexing, from now on and in the whole program.

    In the modes "all" and "safe" a dtype that nobody has asked for is weak: a tensor of Python's
    numbers takes the dtype of the tensor beside it.

    >>> import cinta as tf
    >>> tf.experimental.numpy.experimental_enable_numpy_behavior()  # doctest: +SKIP
    >>> tf.constant([1, 2]) + 1.5  # doctest: +SKIP
    <tf.Tensor: shape=(2,), dtype=float64, numpy=array([2.5, 3.5])>

    Args:
        prefer_float32: Whether Python's floats are float32 for ``tf.experimental.numpy``, and not
            float64.
        dtype_conversion_mode: "legacy" promotes by NumPy's rules. "all" promotes by rules that do
            not depend on the order of operations and give no more bits than needed, for operators,
            ``tf.add`` and other functions. "safe" is the same, and refuses what can lose digits or
            needs more bits than both have. "off" promotes nothing.

    Raises:
        ValueError: If the mode is another one.
    """
    mode = dtype_conversion_mode
    if not isinstance(mode, str) or mode not in _MODES:
        raise ValueError(f"dtype_conversion_mode must be one of {_MODES}, got {mode!r}.")
    settings.prefer_float32 = flag(prefer_float32, "prefer_float32")
    settings.lattice = mode if mode in _LATTICES else ""
    operators.fetch()  # those that stay as they are
    operators.define(Tensor, _methods(Tensor, mode) | _attributes(mode))
    operators.define(Variable, _methods(Variable, mode))
    if mode == "off":
        promoting_names.restore()
    else:
        promoting_names.exchange(by_lattice=mode in _LATTICES)
    Op.begin_epoch()  # recordings are of the rules that were
