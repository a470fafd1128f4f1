"""Operators as values that are made of tensors: taken apart, built again, differentiated."""

from __future__ import annotations

import copy
from inspect import signature
from typing import TYPE_CHECKING, ClassVar, Self

from .... import nest
from ....engine.convert import as_tensor
from ....engine.tensor import Tensor
from ....engine.variable import is_variable
from ...arrays.creation import zeros_like

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....engine.composites import Part


class MadeOfTensors:
    """The parts of an operator: the tensors, variables and operators in some attributes."""

    batched: ClassVar[dict[str, int]] = {}
    """The attributes that have the axes of the batch, and how many axes they have behind them."""

    _parameters: dict[str, Part] | None = None
    """The answer of ``parameters``, once it is known."""

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        """Keep what the operator is made with, for ``parameters``."""
        made = super().__new__(cls)
        made.__dict__["_given"] = args, kwargs
        return made

    @property
    def parameters(self) -> dict[str, Part]:
        """The arguments that the operator was made with, by name."""
        if self._parameters is None:
            args, kwargs = self.__dict__["_given"]
            bound = signature(type(self)).bind(*args, **kwargs)
            bound.apply_defaults()
            self._parameters = dict(bound.arguments)
        return dict(self._parameters)

    def _component_fields(self) -> list[tuple[str, Part]]:
        """The arguments of the constructor, with their names, in which there are tensors."""
        fields = [(name, getattr(self, name)) for name in self.batched if name in self.parameters]
        return [(name, field) for name, field in fields if any(map(_is_whole, nest.flatten(field)))]

    @property
    def _type_spec(self) -> Part:
        """The spec, which libraries ask for."""
        from ....programs.operator_specs import LinearOperatorSpec

        return LinearOperatorSpec.from_operator(self)

    def _fields(self) -> list[Part]:
        return [getattr(self, name) for name in self.batched]

    def _parts(self) -> tuple[Part, ...]:
        """The tensors and variables that it is made of, for `tf.nest`."""
        return tuple(filter(_is_part, nest.flatten(self._fields(), expand_composites=True)))

    def _of_parts(self, parts: Sequence[Part]) -> Self:
        """One like this, of other tensors."""
        given = iter(parts)
        fields = nest.map_structure(
            lambda leaf: next(given) if _is_part(leaf) else leaf,
            self._fields(),
            expand_composites=True,
        )
        return self._with_fields(dict(zip(self.batched, fields, strict=True)))

    def _with_fields(self, fields: dict[str, Part]) -> Self:
        """One like this, with other values in some fields."""
        made = copy.copy(self)
        for name, value in fields.items():
            setattr(made, name, value)
        arguments = self.parameters
        made._parameters = arguments | {k: v for k, v in fields.items() if k in arguments}
        return made

    def _convert_variables_to_tensors(self) -> Self:
        """One with the values of the variables that this one is made of."""
        return self._of_parts([as_tensor(part) for part in self._parts()])

    def _tracked_parts(self) -> tuple[Part, ...]:
        """The values through which gradients flow."""
        return self._parts()

    def _with_gradients(self, gradients: Sequence[Part]) -> Self | None:
        """The gradients of its parts as one of this operator; None if it has no gradient at all."""
        if all([gradient is None for gradient in gradients]):
            return None
        pairs = zip(self._parts(), gradients, strict=True)
        return self._of_parts([zeros_like(x) if found is None else found for x, found in pairs])


def _is_whole(leaf: Part) -> bool:
    return _is_part(leaf) or isinstance(leaf, MadeOfTensors)


def _is_part(leaf: Part) -> bool:
    return isinstance(leaf, Tensor) or is_variable(leaf)
