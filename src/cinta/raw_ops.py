"""The ops themselves, by the names that gradients are registered under.

>>> import cinta as tf
>>> tf.raw_ops.Sin(x=tf.constant(0.0)).numpy()
np.float32(0.0)
>>> tf.raw_ops.gradient_of("Sin"), tf.raw_ops.gradient_of("Floor")
('registered', 'none')

``names()`` lists them, ``gradient_of(name)`` says whether one has a gradient ("registered"), is
declared to be not differentiable ("none": gradients are None) or has none registered ("missing":
differentiating it raises LookupError).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .derivatives.registering import gradient_of as gradient_of
from .derivatives.registering import op_named as _op_named
from .engine.convert import as_tensor as _as_tensor
from .engine.op import registry as _registry

if TYPE_CHECKING:
    from collections.abc import Callable


def names(gradient: str | None = None) -> list[str]:
    """The names of all ops, or of those whose gradient is "registered", "none" or "missing"."""
    return sorted(n for n in _registry if gradient is None or gradient_of(n) == gradient)


def __getattr__(name: str) -> Callable[..., Any]:
    try:
        op = _op_named(name)
    except LookupError:
        raise AttributeError(
            f"there is no op named {name!r}; tf.raw_ops.names() lists them."
        ) from None

    def call(**arguments: Any) -> Any:
        unknown = set(arguments) - {*op.inputs, *op.attrs}
        missing = {*op.inputs, *op.attrs} - set(arguments)
        if unknown or missing:
            raise TypeError(
                f"{op.name} takes {', '.join((*op.inputs, *op.attrs))} by keyword; "
                f"not known: {sorted(unknown)}, not given: {sorted(missing)}."
            )
        given = [arguments[n] for n in op.inputs]
        values = given[0] if op.variadic else given
        return op(*[_as_tensor(v) for v in values], **{n: arguments[n] for n in op.attrs})

    call.__name__, call.__doc__ = op.name, op.__doc__
    return call


def __dir__() -> list[str]:
    return ["gradient_of", "names", *names()]
