"""Functions of ragged and sparse tensors as functions of the tensors that these are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nest
from ..engine.composites import Assembled
from ..engine.sparse_tensor import SparseTensor
from .composite_specs import type_spec_from_value
from .specs import TensorSpec, TypeSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.annotations import DTypeLike
    from ..engine.composites import Part

_SEVERAL = Assembled, SparseTensor
"""Values that are made of several tensors."""


def takes_parts(given: Sequence[object], declared: Sequence[object]) -> bool:
    """Whether an argument or a result is made of several tensors."""
    return any(isinstance(x, _SEVERAL) for x in given) or any(map(_is_composite, declared))


def _is_composite(declared: object) -> bool:
    return isinstance(declared, TypeSpec) and not isinstance(declared, TensorSpec)


def parts_of(values: Sequence[object]) -> list[Part]:
    """The values, with those that are made of several tensors taken apart."""
    found: list[Part] = []
    for x in values:
        found += nest.flatten(x, expand_composites=True) if isinstance(x, _SEVERAL) else [x]
    return found


class OnParts:
    """A function that takes tensors, and returns tensors, for one that takes what they make up."""

    def __init__(
        self, function: Callable[..., Any], given: Sequence[Any], declared: Sequence[Any]
    ) -> None:
        self._function, self._declared = function, declared
        self._given = [type_spec_from_value(x) if isinstance(x, _SEVERAL) else None for x in given]

    def __call__(self, *tensors: Part) -> list[Part]:
        """The parts of what the function returns."""
        rest = iter(tensors)
        returned = self._function(*[_taken(spec, rest) for spec in self._given])
        found = returned_values(returned, len(self._declared))
        for value, wanted in zip(found, self._declared, strict=True):
            self._check(value, wanted)
        return parts_of(found)

    def dtypes(self) -> list[DTypeLike]:
        """The dtypes of those parts."""
        kinds: list[DTypeLike] = []
        for each in self._declared:
            kinds += [p.dtype for p in each._parts()] if _is_composite(each) else [each]
        return kinds

    def results(self, parts: Sequence[Part]) -> list[Part]:
        """The results that these parts make up."""
        rest = iter(parts)
        return [_taken(each if _is_composite(each) else None, rest) for each in self._declared]

    def _check(self, value: object, wanted: Any) -> None:
        composite = _is_composite(wanted)
        fits = wanted.is_compatible_with(value) if composite else not isinstance(value, _SEVERAL)
        if not fits:
            raise ValueError(
                f"py_function: func={self._function} returned {value!r}, which did not match "
                f"Tout={wanted!r}"
            )


def returned_values(returned: object, count: int) -> list[Part]:
    """The values that a function returned, as a list of so many."""
    given = [] if returned is None else returned
    found = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(found) != count:
        raise ValueError(
            f"the function returns {len(found)} values, but expects to see {count} values: "
            "Tout names a dtype for each of them"
        )
    return found


def _taken(spec: Any, rest: Iterator[Part]) -> Part:
    """The next value; it is made of several of the rest if it has a spec."""
    return next(rest) if spec is None else spec._of_parts([next(rest) for _ in spec._parts()])
