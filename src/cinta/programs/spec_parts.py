"""The parts of specs, compared one by one: other specs, shapes and plain values."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeGuard

import numpy as np

from .. import nest
from ..engine.shapes import TensorShape

if TYPE_CHECKING:
    from collections.abc import Iterator

Part: TypeAlias = object
Parts: TypeAlias = "tuple[Part, ...]"
"""The parts of a spec; a nest of them may stand in the place of one."""


class MadeOfSpecs(Protocol):
    """A spec that says what it is made of."""

    def _serialize(self) -> Parts: ...


class Partial(Protocol):
    """A part that may be known in part."""

    def most_specific_common_supertype(self, others: list[Part]) -> Part: ...


def frozen(parts: Part) -> Hashable:
    """The same parts, as they are compared and hashed."""
    if isinstance(parts, Mapping):
        return tuple([(key, frozen(parts[key])) for key in sorted(parts)])
    if isinstance(parts, (tuple, list)):
        return (type(parts).__name__, *[frozen(part) for part in parts])
    if isinstance(parts, np.ndarray):
        return parts.shape, parts.dtype.str, parts.tobytes()
    return parts if isinstance(parts, Hashable) else id(parts)


def agree(spec: MadeOfSpecs, other: object, relation: str) -> bool:
    """Whether the specs and shapes in two specs of one class have this relation."""
    return _all_agree(_pairs(spec, other), relation)


def parts_agree(one: Part, other: Part, relation: str) -> bool:
    """The same for parts."""
    return _all_agree(_leaves(one, other), relation)


def _all_agree(pairs: Iterator[tuple[Part, Part]] | None, relation: str) -> bool:
    return pairs is not None and all(
        getattr(one, relation)(two) if _is_partial(one) else frozen(one) == frozen(two)
        for one, two in pairs
    )


def in_common(spec: MadeOfSpecs, other: object) -> Parts | None:
    """The parts of the narrowest spec that covers two of one class; None if there is none."""
    pairs = _pairs(spec, other)
    if pairs is None:
        return None
    found: list[Part] = []
    for one, two in pairs:
        common = _common(one, two)
        if common is None and one is not None:
            return None
        found.append(common)
    made: Parts = nest.pack_sequence_as(spec._serialize(), found)
    return made


def _common(one: Part, two: Part) -> Part:
    """The part that covers both; None if there is none."""
    if isinstance(one, TensorShape):
        return one.most_specific_compatible_shape(two) if isinstance(two, TensorShape) else None
    if _is_partial(one):
        return one.most_specific_common_supertype([two])
    return one if frozen(one) == frozen(two) else None


def _is_partial(part: Part) -> TypeGuard[Partial]:
    """Whether a part may be known in part: a spec or a shape."""
    return hasattr(part, "is_subtype_of") and hasattr(part, "is_compatible_with")


def _pairs(spec: MadeOfSpecs, other: object) -> Iterator[tuple[Part, Part]] | None:
    """The parts of two specs of one class side by side; None if they are arranged otherwise."""
    if not isinstance(other, type(spec)) or type(spec) is not type(other):
        return None
    return _leaves(spec._serialize(), other._serialize())


def _leaves(one: Part, other: Part) -> Iterator[tuple[Part, Part]] | None:
    """The leaves of two structures side by side; None if they are arranged otherwise."""
    try:
        nest.assert_same_structure(one, other)
    except (TypeError, ValueError):
        return None
    return zip(nest.flatten(one), nest.flatten(other), strict=True)
