"""Structures of arguments and results with a place for each tensor, as graphs number them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from ..programs.specs import TensorSpec
from ..saved_model.plain_structures import Argument, Result
from .graph_body import CannotBeWritten

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..saved_model.programs import SavedProgram


class Place:
    """The place of a tensor among arguments or results, with its spec."""

    def __init__(self, number: int, spec: TensorSpec) -> None:
        self.number, self.spec = number, spec


def replaced(structure: Any, kind: type, function: Callable[[Any], Any]) -> object:
    """A structure of tuples, lists and dicts with all things of a kind replaced."""
    if isinstance(structure, kind):
        return function(structure)
    if type(structure) in (tuple, list):
        return type(structure)([replaced(each, kind, function) for each in structure])
    if type(structure) is dict:
        return {key: replaced(each, kind, function) for key, each in structure.items()}
    if structure is None or isinstance(structure, (bool, int, float, str)):
        return structure
    raise CannotBeWritten(f"{structure!r} is among its arguments or results")


def places_of(structure: object) -> object:
    """The arguments with a place for each tensor."""
    numbers = itertools.count()
    return replaced(structure, Argument, lambda each: Place(next(numbers), each.spec))


def returned_places(program: SavedProgram) -> object:
    """The result with a place for each tensor."""
    outputs = program.outputs
    return replaced(
        program.returned,
        Result,
        lambda each: Place(each.position, _any_rank(outputs[each.position])),
    )


def _any_rank(output: Argument) -> TensorSpec:
    """The spec of a result, of which the dimensions are those of one call."""
    return TensorSpec([None] * len(output.shape), output.spec.dtype)


def specs_of(places: object) -> object:
    return replaced(places, Place, lambda each: each.spec)
