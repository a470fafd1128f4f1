"""Structures with the values of all replicas, put together and taken apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from .. import nest
from ..engine.convert import is_tensor
from ..engine.distributed_values import DistributedValues, PerReplica, ReplicaValues
from ..programs.specs import TypeSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class PerReplicaSpec(TypeSpec):
    """The specs of values that differ from replica to replica."""

    __slots__ = ("_specs",)

    def __init__(self, *specs: TypeSpec) -> None:
        self._specs = specs

    def _serialize(self) -> tuple[TypeSpec, ...]:
        return self._specs

    @property
    def value_type(self) -> type[PerReplica]:
        """The class of the values."""
        return PerReplica

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Whether a value, or a value of another spec, may be of this spec."""
        if not isinstance(spec_or_value, PerReplica):
            return super().is_compatible_with(spec_or_value)
        values = spec_or_value.values
        return len(values) == len(self._specs) and all(
            spec.is_compatible_with(value) for spec, value in zip(self._specs, values, strict=True)
        )


def joined(structures: Sequence[T]) -> T:
    """The replicas' results, as one structure with the values of all in place of each tensor.

    A tensor that is one object everywhere stays so; other leaves do if they are equal everywhere.
    """
    first = structures[0]
    if len(structures) == 1:
        return first
    for other in structures[1:]:
        nest.assert_same_structure(first, other)
    leaves = zip(*[nest.flatten(each) for each in structures], strict=True)
    whole: T = nest.pack_sequence_as(first, [_together(each) for each in leaves])
    return whole


def _together(values: Sequence[object]) -> object:
    first = values[0]
    if isinstance(first, DistributedValues) or all(value is first for value in values):
        return first
    if any(map(is_tensor, values)):
        return PerReplica(*values)
    return first if all(_equal(value, first) for value in values) else PerReplica(*values)


def _equal(one: object, other: object) -> bool:
    try:
        return one is other or bool(one == other)
    except Exception:  # of a class of the program
        return False


def of_replica(structure: T, number: int, count: int) -> T:
    """A structure with the value for one replica in place of the values for all."""

    def chosen(leaf: object) -> object:
        if not isinstance(leaf, ReplicaValues):
            return leaf
        if len(leaf.values) != count:
            raise ValueError(
                f"This has values for {len(leaf.values)} replicas, and the strategy has {count}: "
                f"{leaf!r}."
            )
        return leaf.values[number]

    part: T = nest.map_structure(chosen, structure)
    return part
