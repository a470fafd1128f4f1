"""The names by which Keras's old files know specs: TensorFlow's, and those of extension types."""

from __future__ import annotations

from typing import Any, Final

import cinta

from ..extension_types.names import class_of, name_of

_NAMED: Final[dict[str, type[Any]]] = {
    f"tf.{kind.__name__}": kind
    for kind in (
        cinta.NoneTensorSpec,
        cinta.RaggedTensorSpec,
        cinta.SparseTensorSpec,
        cinta.TensorSpec,
    )
}
_SPEC: Final = ".Spec"


def get_name(cls: object) -> str:
    """The name of a class of specs."""
    if not (isinstance(cls, type) and issubclass(cls, cinta.TypeSpec)):
        raise TypeError(f"Expected `cls` to be a TypeSpec; got {cls!r}.")
    for name, kind in _NAMED.items():
        if kind is cls:
            return name
    if issubclass(cls, cinta.experimental.ExtensionTypeSpec):
        own = name_of(cls._of)
        if own is not None:
            return own + _SPEC
    raise ValueError(
        f"TypeSpec {cls.__module__}.{cls.__qualname__} has not been registered: an extension type "
        'says its name by `__name__ = "..."`.'
    )


def lookup(name: object) -> type[Any]:
    """The class of specs that has this name."""
    if not isinstance(name, str):
        raise TypeError(f"Expected `name` to be a string; got {name!r}.")
    if name in _NAMED:
        return _NAMED[name]
    kind = class_of(name.removesuffix(_SPEC)) if name.endswith(_SPEC) else None
    if kind is None:
        raise ValueError(f"No TypeSpec has been registered with name {name!r}.")
    return kind.Spec
