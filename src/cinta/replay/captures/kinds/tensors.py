"""Tensors, variables, tapes, and other objects that this library makes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ....derivatives.tape import GradientTape
from ....engine.sparse_tensor import PLACED
from ....engine.tensor import Tensor
from ....engine.variable import Variable
from ...argument_structures import MASK, parts
from ..instances import names_in_library, own_dict, own_names, reached_class
from .refusals import unknown
from .table import handles, identity

if TYPE_CHECKING:
    from ..reach import Found, Reach


@handles(Tensor)
def tensor(reach: Reach, found: Found) -> None:
    """Its value cannot change; programs and Keras may give it attributes; tapes may watch it."""
    if identity(reach, found):
        reach.watch(found.value)
        own = vars(found.value)
        reach.space(own, own, found.label).open_to = _names_of_tensor


def _names_of_tensor(reach: Reach) -> set[str]:
    return reach.names | {MASK}


@handles(subclasses=(Variable,))
def variable(reach: Reach, found: Found) -> None:
    """Its value is read at each call, and what else it has is compared."""
    if identity(reach, found):
        private = frozenset(name for name in own_dict(found.value) or () if name.startswith("_"))
        own_names(reach, found, besides=private)
        if type(found.value) is not Variable:
            reached_class(reach, found._replace(value=type(found.value)), made=False)


@handles(subclasses=(GradientTape,))
def tape(reach: Reach, found: Found) -> None:
    """It is not: a replay does not tell it of the ops that it would hear."""
    reach.refuse(f"it uses a tape from outside, {found.label}")


def of_cinta(reach: Reach, found: Found) -> None:
    """It tells the recorder what it does; what users gave to it, and set on it, is reached."""
    if not identity(reach, found) or type(found.value).__module__.startswith(_NOTES):
        return
    value, own = found.value, own_dict(found.value)
    if type(value).__module__.startswith(_MESSAGES):  # there is no telling when these change
        unknown(reach, found)
    if own is not None:
        space = reach.space(own, own, found.label)
        space.open_to = partial(_public_names, own, names_in_library(*type(value).__mro__))
    if isinstance(value, PLACED):
        for part in parts(value):
            _kept(reach, found, part)
    elif hasattr(type(value), "_refers_to"):  # made by tf.function or tf.custom_gradient
        for part in value._refers_to():
            _kept(reach, found, part)


_MESSAGES = "cinta.protobuf."
_NOTES = "cinta.explain."
"""Notes of explanations on each call, on which nothing depends that a function computes."""


def _public_names(own: dict[str, Any], asked_by_class: frozenset[str], reach: Reach) -> set[str]:
    names = reach.names | (own.keys() & asked_by_class)
    return {name for name in names if not name.startswith("_")}


def _kept(reach: Reach, found: Found, part: object) -> None:
    reach.add(reach.found(part, found.label, reach.guards.weak(part), kept=True))
