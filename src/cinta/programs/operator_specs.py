"""The specs of linear operators, by which libraries take them apart and build them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import nest
from .composite_specs import type_spec_from_value
from .specs import TypeSpec

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from ..ops.linalg.operators.composites import MadeOfTensors
    from .spec_parts import Part, Parts


class LinearOperatorSpec(TypeSpec):
    """The class of an operator, the specs of its tensors, and its other arguments as they are."""

    __slots__ = ("components", "kind", "others")

    def __init__(
        self,
        kind: type[MadeOfTensors],
        components: Mapping[str, Part],
        others: Mapping[str, Part],
    ) -> None:
        self.kind, self.components, self.others = kind, dict(components), dict(others)

    @classmethod
    def from_operator(cls, operator: MadeOfTensors) -> Self:
        """The spec of an operator."""
        fields = operator._component_fields()
        arguments = operator.parameters
        return cls(
            type(operator),
            {name: nest.map_structure(type_spec_from_value, field) for name, field in fields},
            {name: value for name, value in arguments.items() if name not in dict(fields)},
        )

    def _serialize(self) -> Parts:
        return self.kind, self.components, self.others

    @property
    def value_type(self) -> type[MadeOfTensors]:
        """The class of the operator."""
        return self.kind

    @property
    def _component_specs(self) -> dict[str, Part]:
        return self.components

    def _to_components(self, value: MadeOfTensors) -> dict[str, Part]:
        """The tensors, variables and operators in the arguments of an operator."""
        return dict(value._component_fields())

    def _from_components(self, components: Mapping[str, Part]) -> MadeOfTensors:
        """The operator of this spec that is made of these."""
        return self.kind(**components, **self.others)
