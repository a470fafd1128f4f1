"""Things that are not understood: why a function that reaches them runs as Python."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

import numpy as np

from ..callables import may_query_system
from ..instances import made_by_python
from .effects import stream
from .table import handles, identity

if TYPE_CHECKING:
    from ..reach import Found, Reach


@handles(subclasses=(np.void,))
def unknown(reach: Reach, found: Found) -> None:
    """There is no entry for it: the function runs as Python."""
    of_library = not made_by_python(type(found.value))
    if of_library and callable(found.value) and may_query_system(found.value):
        refuse_callable(reach, found)
    if found.value is sys.stdout or found.value is sys.stderr:
        stream(reach, found)
        return
    kind = type(found.value)
    reach.refuse(
        f"{found.label} is a {kind.__module__}.{kind.__qualname__}, and it is not known when that "
        "changes. Pass what the function needs of it as an argument"
    )


@handles(threading.local)
def fields_of_threads(reach: Reach, found: Found) -> None:
    """Those of programs may hold anything; attrs keeps there what it is showing at the moment."""
    of_attrs = vars(sys.modules.get("attr._compat", sys))
    if found.value is of_attrs.get("repr_context"):
        identity(reach, found)
    else:
        unknown(reach, found)


def refuse_callable(reach: Reach, found: Found) -> None:
    if may_query_system(found.value):
        reach.refuse(f"it calls {found.label}(), which may answer otherwise at each call")
    else:
        reach.refuse(
            f"{found.label} is a {type(found.value).__name__} of {found.value.__module__}, of "
            "which it is not known what it looks at. Call it outside, and pass what it gives"
        )
