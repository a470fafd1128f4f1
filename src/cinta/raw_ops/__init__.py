"""The ops of TensorFlow, by its names and with its arguments.

>>> import cinta as tf
>>> tf.raw_ops.Sum(input=tf.constant([[1.0, 2.0], [3.0, 4.0]]), axis=0).numpy()
array([4., 6.], dtype=float32)
>>> tf.raw_ops.TopKV2(input=[1.0, 3.0, 2.0], k=2).indices.numpy()
array([1, 2], dtype=int32)

``names()`` lists them. Gradients are registered for the ops that cinta itself records:
``gradient_of(name)`` says whether one has a gradient ("registered"), is declared to be not
differentiable ("none": gradients are None) or has none registered ("missing": differentiating it
raises LookupError); ``names("registered")`` and so on list those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..derivatives.gradient_registry import gradient_of as gradient_of
from ..engine.op import registry as _registry
from .families import find as _find
from .families import found as _found
from .signature import is_tensorflows as _is_tensorflows
from .signature import raw_op as _raw_op

if TYPE_CHECKING:
    from collections.abc import Callable as _Callable
    from typing import Any as _Any


def names(gradient: str | None = None) -> list[str]:
    """The names of all raw ops, or of the recorded ops of which the gradient is as asked for.

    That is "registered", "none" or "missing".

    >>> import cinta as tf
    >>> "Conv2D" in tf.raw_ops.names(), "Floor" in tf.raw_ops.names("none")
    (True, True)
    """
    if gradient is None:
        return sorted(_found())
    return sorted(name for name in _registry if gradient_of(name) == gradient)


def __getattr__(name: str) -> _Callable[..., _Any]:
    compute = _find(name)
    if compute is None:
        known = not name.startswith("_") and _is_tensorflows(name)
        reason = "cinta does not have this op of TensorFlow" if known else "no op has this name"
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}: {reason}; tf.raw_ops.names() lists "
            "those that there are."
        )
    call = globals()[name] = _raw_op(name, compute)
    return call


def __dir__() -> list[str]:
    return ["gradient_of", "names", *names()]
