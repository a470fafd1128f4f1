"""Locks, loggers and streams: objects whose effects do not come back to a program."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ..callables import LOCK_METHODS, READ_METHODS
from ..instances import own_names
from ..library_settings import told_to_logger
from .table import handles, identity

if TYPE_CHECKING:
    from ..reach import Found, Reach


@handles(type(threading.Lock()), type(threading.RLock()))
def lock(reach: Reach, found: Found) -> None:
    """It keeps other threads away while the Python runs; a replay has nothing that they disturb."""
    identity(reach, found)
    reach.system_attributes |= LOCK_METHODS


_FAMILY = frozenset(("manager", "parent", "root", "_cache"))
"""Where a logger finds the other ones, and what it has found."""


@handles("logging.Logger", "logging.RootLogger")
def logger(reach: Reach, found: Found) -> None:
    """Logged text does not come back to the program; what it was told is compared."""
    if identity(reach, found):
        own_names(reach, found, besides=_FAMILY)
        look, it = reach.guards.bind(told_to_logger), reach.guards.weak(found.value)
        now, was = f"{look}({it})", reach.guards.bind(told_to_logger(found.value))
        reach.guards.check(found.label, f"{now} == {was}", now, was, late=True)


def stream(reach: Reach, found: Found) -> None:
    """Where Python prints: what is written there does not come back."""
    identity(reach, found)
    reach.system_attributes |= READ_METHODS
