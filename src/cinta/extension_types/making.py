"""Objects that are made of declared fields once, and never change: extension types and specs."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, ClassVar

from .field_types import converted
from .fields import signature_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

    from ..engine.composites import Part
    from .fields import Field

_OPEN = "_is_being_made"
"""The attribute that an object has while its constructor runs, which may set fields."""


class FieldsObject:
    """An object of fields, which its class says by ``_declared_fields``."""

    _holds_specs: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "__init__" in vars(cls):
            cls.__init__ = _closing(vars(cls)["__init__"])  # type: ignore[method-assign]

    @classmethod
    def _declared_fields(cls) -> tuple[Field, ...]:
        raise NotImplementedError

    def __init__(self, *args: Part, **kwargs: Part) -> None:
        bound = signature_of(self._declared_fields()).bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)
        if _OPEN not in self.__dict__:  # else a constructor of the user called this one
            self._close()

    def _close(self) -> None:
        """Convert the fields to what they are declared to be, and check them."""
        given, fields = self.__dict__, self._declared_fields()
        missing = {field.name for field in fields} - {*given}
        if missing:
            raise ValueError(f"Missing required fields: {missing}")
        for name, annotation, _ in fields:
            given[name] = converted(given[name], annotation, name, to_spec=self._holds_specs)
        self.__validate__()

    def __validate__(self) -> None:
        """Check the fields; classes say here what must hold."""

    def _field_values(self) -> tuple[Part, ...]:
        return tuple([self.__dict__[field.name] for field in self._declared_fields()])

    @classmethod
    def _with_fields(cls, values: Iterable[Part]) -> Self:
        """An object of such fields, which are right."""
        made = object.__new__(cls)
        names = [field.name for field in cls._declared_fields()]
        vars(made).update(zip(names, values, strict=True))
        return made

    @classmethod
    def _of_items(cls, items: dict[str, Part]) -> Self:
        """An object of such fields, which are yet to be converted and checked."""
        made = object.__new__(cls)
        made.__dict__.update(items)
        made._close()
        return made

    def __setattr__(self, name: str, value: Part) -> None:
        if _OPEN not in self.__dict__ or name not in {f.name for f in self._declared_fields()}:
            raise _immutable(name)
        self.__dict__[name] = value

    def __delattr__(self, name: str) -> None:
        if _OPEN not in self.__dict__:
            raise _immutable(name)
        del self.__dict__[name]

    def __repr__(self) -> str:
        names = [field.name for field in self._declared_fields()]
        fields = ", ".join(f"{name}={self.__dict__.get(name)!r}" for name in names)
        return f"{type(self).__qualname__}({fields})"


def _immutable(name: str) -> AttributeError:
    return AttributeError(
        f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType."
    )


def _closing(constructor: Callable[..., None]) -> Callable[..., None]:
    """A constructor of the user's, after which the object does not change any more."""

    @functools.wraps(constructor)
    def __init__(self: Part, *args: Part, **kwargs: Part) -> None:
        if _OPEN in self.__dict__:  # called by the constructor of a class made from this one
            constructor(self, *args, **kwargs)
            return
        self.__dict__[_OPEN] = True
        try:
            constructor(self, *args, **kwargs)
        finally:
            del self.__dict__[_OPEN]
        self._close()

    return __init__
