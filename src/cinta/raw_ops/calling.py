"""Functions that take an op's arguments as TensorFlow's raw ops do."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from .signature import Signature

if TYPE_CHECKING:
    from collections.abc import Callable


def raw_op(name: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """The op as a function of keywords."""
    signature = Signature(name)

    def call(*positional: Any, **given: Any) -> Any:
        if positional:
            raise TypeError(
                f"{name} only takes keyword args (possible keys: {[*signature.order, 'name']}). "
                "Please pass these args as kwargs instead."
            )
        return signature.finished(compute(*signature.arguments(given)))

    call.__name__ = call.__qualname__ = name
    call.__module__ = __package__
    call.__doc__ = f"TensorFlow's raw op {signature}, with results {signature.results}."
    call.__signature__ = _python(signature)  # type: ignore[attr-defined]
    return call


def _python(signature: Signature) -> inspect.Signature:
    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=signature.default(name))
        for name in signature.order
    ]
    label = inspect.Parameter("name", inspect.Parameter.KEYWORD_ONLY, default=None)
    return inspect.Signature([*parameters, label])
