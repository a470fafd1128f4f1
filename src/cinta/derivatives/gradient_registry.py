"""The registered gradients, and ways to register one or to replace one for a while."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine.op import registry
from ..engine.rule_binding import TakingAll
from ..engine.tensor import as_wrapped
from ..public import public
from .user_rules import call_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.annotations import NumericLike
    from ..engine.op import Op
    from ..engine.tensor import Tensor

_registered: dict[str, Any] = {}
"""Gradients registered by people, also for ops that are not (yet) here."""


class Operation:
    """A recorded op as a gradient function sees it: its inputs, outputs and attributes."""

    def __init__(self, op: Op, values: dict[str, Any]) -> None:
        self.type = self.name = op.name
        self.inputs = tuple([as_wrapped(values[name]) for name in op.inputs])
        out = values["out"]
        self.outputs = tuple([as_wrapped(o) for o in (out if isinstance(out, tuple) else (out,))])
        self._attrs = {name: values[name] for name in op.attrs}

    def get_attr(self, name: str) -> Any:
        """The value of an attribute."""
        if not isinstance(name, str) or name not in self._attrs:
            raise ValueError(f"{self.type} has no attribute {name!r}; it has {[*self._attrs]}.")
        return self._attrs[name]


@public("RegisterGradient")
class RegisterGradient:
    """Register the gradient of an op that has none: ``f(op, *upstream)``.

    >>> import cinta as tf
    >>> @tf.RegisterGradient("AnotherOpOfMine")
    ... def _(op, upstream):
    ...     return tf.zeros_like(op.inputs[0])

    A gradient is registered once and for everybody. To replace one for a while, use
    ``tf.override_gradient``.

    Args:
        op_type: The name of the op.

    Raises:
        KeyError: If the op has a gradient already.
    """

    def __init__(self, op_type: str) -> None:
        _check_name(op_type)
        self._name = op_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        _check_new(self._name)
        _registered[self._name] = f
        if self._name in registry:
            _set(registry[self._name], f)
        return f


@public("NoGradient", "NotDifferentiable", "no_gradient")
def no_gradient(op_type: str) -> None:
    """Register that an op has no gradient: what goes through it is constant.

    >>> import cinta as tf
    >>> tf.no_gradient("SomeOpOfMine")

    Args:
        op_type: The name of the op.
    """
    _check_name(op_type)
    _check_new(op_type)
    _registered[op_type] = None
    if op_type in registry:
        registry[op_type].no_grad().forget_plans()


NotDifferentiable = NoGradient = no_gradient


@public("override_gradient")
@contextmanager
def override_gradient(op_type: str, f: Callable[..., Any] | None) -> Iterator[None]:
    """Let an op have another gradient while the block runs: what is recorded in it keeps it.

    ``f(op, *upstream)`` as in ``RegisterGradient``; None means no gradient. Holds for all threads.

    >>> import cinta as tf
    >>> x = tf.Variable(-2.0)
    >>> with tf.GradientTape() as tape:
    ...     with tf.override_gradient("Relu", lambda op, upstream: 10.0 * upstream):
    ...         y = tf.nn.relu(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(10.0)

    Args:
        op_type: The name of the op.
        f: The gradient; None for none.
    """
    _check_name(op_type)
    op = op_named(op_type)
    before = op.rules, op.joint, op.differentiable, op.broadcasts, op.linear, op.has_user_rule
    if f is None:
        op.no_grad().forget_plans()
    else:
        _set(op, f)
    try:
        yield
    finally:
        op.rules, op.joint, op.differentiable, op.broadcasts, op.linear, op.has_user_rule = before
        op.forget_plans()


def gradient_of(op_type: str) -> str:
    """Whether an op has a gradient: "registered", "none" (not differentiable) or "missing"."""
    known = op_named(op_type).differentiable
    return "missing" if known is None else "registered" if known else "none"


def op_named(name: str) -> Op:
    """The op of this name."""
    if name not in registry:
        raise LookupError(
            f"there is no op named {name!r}; tf.raw_ops.names('registered') lists those that have "
            "a gradient."
        )
    return registry[name]


def _check_name(op_type: str) -> None:
    if not isinstance(op_type, str):
        raise TypeError(f"op_type must be a string, got {op_type!r}")


def _check_new(name: str) -> None:
    here = name in registry and registry[name].differentiable is not None
    if here or name in _registered:
        raise KeyError(
            f"Registering two gradient with name '{name}'! It has one already; to replace it for "
            "a while, use tf.override_gradient."
        )


def _set(op: Op, f: Callable[..., Any]) -> None:
    """Let a user's function be the op's gradient."""
    names = (*op.inputs, "out", *op.attrs)
    shapes = tuple([f"{name}_shape" for name in op.inputs])
    dtypes = tuple([f"{name}_dtype" for name in op.inputs])
    kept = ("out_shape", *names, *shapes, *dtypes)

    def rule(g: Any, wanted: Sequence[bool], *saved: Any) -> list[Any]:
        values = dict(zip(kept, saved, strict=True))

        def answer(*upstream: Tensor) -> list[Any]:
            return _one_for_each_input(op, f(Operation(op, values), *upstream))

        several = isinstance(g, tuple)
        upstream, out_shapes = (g, values["out_shape"]) if several else ([g], [values["out_shape"]])
        of_inputs = [values[name] for name in shapes], [values[name] for name in dtypes]
        return call_rule(answer, upstream, out_shapes, *of_inputs)

    op.rules, op.joint, op.differentiable = {}, TakingAll(rule, kept), True
    op.linear, op.has_user_rule = False, True
    op.broadcasts = None  # as far as gradients go: the function answers with the inputs' shapes
    op.forget_plans()


def _one_for_each_input(op: Op, answer: NumericLike | None) -> list[Any]:
    gradients = list(answer) if isinstance(answer, (list, tuple)) else [answer]
    if len(gradients) != len(op.inputs):
        raise ValueError(
            f"the gradient function registered for {op.name} returned {len(gradients)} "
            f"gradients; {op.name} has {len(op.inputs)} inputs: {', '.join(op.inputs)}."
        )
    return gradients
