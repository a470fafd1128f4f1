"""Values that cannot change."""

from __future__ import annotations

import datetime
import inspect
import operator
import re
import sys
import types
from collections import namedtuple
from typing import TYPE_CHECKING

import numpy as np

from ....dtypes import DType
from ....engine.op import Op
from ....engine.shapes import TensorShape
from ..guards import MISSING
from .table import handles, identity

if TYPE_CHECKING:
    from ..reach import Found, Reach


PLAIN: frozenset[type] = frozenset((int, float, complex, bool, str, bytes, type(None)))
"""The classes of plain values: equal ones are the same to every program."""

DATES = (datetime.date, datetime.datetime)

_Pair = namedtuple("_Pair", "left")  # its attributes are of a class that has no name in Python


@handles(
    *(*PLAIN, range, type(...), type(NotImplemented), type(MISSING)),
    *(datetime.date, datetime.timedelta, datetime.timezone),
    *("decimal.Decimal", "uuid.UUID", re.Pattern),
    *(type(sys.version_info), type(sys.float_info), type(sys.int_info), type(sys.flags)),
    subclasses=(np.generic,),
)
def constant(reach: Reach, found: Found) -> None:
    """It cannot change: another one that is equal is as good."""
    if not found.kept:
        was = reach.guards.bind(found.value)
        condition = f"{found.source} is {was} or same({found.source}, {was})"
        reach.guards.check(found.label, condition, found.source, was)


@handles(subclasses=(np.dtype,))
def dtype(reach: Reach, found: Found) -> None:
    """It cannot change, but for names of fields; equal ones may have other metadata."""
    constant(reach, found)
    for part in ("names", "metadata"):
        value, label = getattr(found.value, part), f"{found.label}.{part}"
        reach.add(reach.found(value, label, f"{found.source}.{part}"))


@handles(slice)
def slice_(reach: Reach, found: Found) -> None:
    """It is its three parts, which may be anything."""
    name = reach.guards.let(found.source)
    reach.guards.check(found.label, f"type({name}) is slice", name, "slice")
    for part in ("start", "stop", "step"):
        value, label = getattr(found.value, part), f"{found.label}.{part}"
        reach.add(reach.found(value, label, f"{name}.{part}"))


@handles(DType, TensorShape, Op, types.CodeType, type(_Pair.left))
def fixed(reach: Reach, found: Found) -> None:
    """It does not change while it lives, as far as programs can see."""
    identity(reach, found)


@handles(types.GenericAlias, types.UnionType)
def alias(reach: Reach, found: Found) -> None:
    """It cannot change; the classes of which it is made are looked at."""
    if identity(reach, found):
        for each in (found.value.__args__, getattr(found.value, "__origin__", None)):
            reach.add(reach.found(each, found.label, reach.guards.bind(each), kept=True))


@handles(inspect.Signature)
def signature(reach: Reach, found: Found) -> None:
    """It cannot change, but for what stands for arguments that are left out."""
    if identity(reach, found):
        for each in found.value.parameters.values():
            bound = reach.guards.bind(each.default)
            reach.add(reach.found(each.default, found.label, bound, kept=True))


@handles(operator.itemgetter)
def itemgetter(reach: Reach, found: Found) -> None:
    """It cannot change; its keys are compared as far as they can."""
    if identity(reach, found):
        _, keys = found.value.__reduce__()
        for key in keys:
            reach.add(reach.found(key, found.label, reach.guards.bind(key), kept=True))


@handles(datetime.datetime, datetime.time)
def moment(reach: Reach, found: Found) -> None:
    """It cannot change, but for a zone that a program has made."""
    constant(reach, found)
    zone = found.value.tzinfo
    if zone is not None:
        reach.add(reach.found(zone, f"{found.label}.tzinfo", f"{found.source}.tzinfo"))
