"""The names that a program gives to its values, and the variables that its names lead to."""

from __future__ import annotations

import dis
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ..engine.tensor import Tensor
from ..engine.variable import Variable, behind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import FrameType

    from ..user_frames import CodePlace


def name_of(value: object, frame: FrameType | None) -> str:
    """The program's name of a value: a variable of the function, an attribute, its own name."""
    if frame is not None:
        named = _named(frame)
        for name, found in named.items():
            if behind(found) is value:
                return name
        for name, found in named.items():
            for key, inner in _attributes(found):
                if behind(inner) is value:
                    return f"{name}.{key}"
    if isinstance(value, Variable):
        return value.name.removesuffix(":0")
    return ""


def _named(frame: FrameType) -> dict[str, Any]:
    """The values of names in a frame: of its variables, and of the globals that its code names."""
    known = {name: frame.f_globals.get(name) for name in frame.f_code.co_names}
    return frame.f_locals | {
        name: value
        for name, value in known.items()
        if name not in frame.f_locals and not isinstance(value, ModuleType)
    }


def _attributes(value: object) -> list[tuple[str, Any]]:
    """An object's attributes, without asking code of its own."""
    if isinstance(value, (Tensor, Variable, type)):
        return []
    try:
        return list(object.__getattribute__(value, "__dict__").items())
    except AttributeError:
        return []


def numbers_of_variables(frame: FrameType | None) -> set[int]:
    """The numbers of all variables that names in a frame lead to."""
    if frame is None:
        return set()
    named = list(frame.f_locals.values())
    named += [inner for value in named for _, inner in _attributes(value)]
    named += [inner for value in named for inner in _members(value)]
    return {x._number for x in map(behind, named) if isinstance(x, Variable)}


def _members(value: object) -> Iterable[Any]:
    """The members of a plain container."""
    if type(value) is dict:
        return list(value.values())
    return value if type(value) in (list, tuple) else ()  # type: ignore[return-value]


def rebinds(place: CodePlace, name: str) -> bool:
    """Whether the line of a place reads what a name stands for, and gives it another value."""
    code, offset = place
    if code is None or not name:
        return False
    found = list(dis.get_instructions(code))
    line = next((x.positions.lineno for x in found if x.offset == offset and x.positions), None)
    here = [x for x in found if x.argval == name and x.positions and x.positions.lineno == line]
    kinds = {x.opname.split("_")[0] for x in here}
    return {"LOAD", "STORE"} <= kinds
