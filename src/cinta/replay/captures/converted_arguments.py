"""Conversions: which arguments functions of cinta only convert to tensors.

An array that is given to such a function can be read anew at each call of a recording, since
nothing in Python has looked at it otherwise.
"""

from __future__ import annotations

import sys
from inspect import CO_OPTIMIZED
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from .callables import of_opaque_library
from .sites import Site
from .uses import Form, Operator, Path, Use

_CONVERTING = {
    **dict.fromkeys(("constant", "convert_to_tensor"), 1),
    **dict.fromkeys(("matmul", "linalg.matmul", "linalg.matvec"), 2),
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "maximum", "minimum"), 2),
    **dict.fromkeys(("math.add", "math.subtract", "math.multiply", "math.divide"), 2),
    **dict.fromkeys(("identity", "cast", "reshape", "transpose", "gather"), 1),
    **dict.fromkeys(("exp", "tanh", "sin", "cos", "square", "sqrt", "abs", "negative"), 1),
    **dict.fromkeys(("reduce_sum", "reduce_mean", "reduce_max", "reduce_min"), 1),
    **dict.fromkeys(("nn.relu", "nn.softmax", "nn.embedding_lookup"), 1),
    **dict.fromkeys(("nn.conv2d", "nn.bias_add"), 2),
}
"""How many of the first arguments these functions convert, and do nothing else with."""


_CONVERTING_ONE = frozenset(("constant", "convert_to_tensor", "identity", "cast"))
"""Those of them that convert nothing else, so that a part of an array is what they convert."""


class Taken(NamedTuple):
    """That code only gives a value, or its item by these keys, to what converts it to a tensor.

    These are functions of cinta, and operators if tensors are beside it, which is seen when the
    code runs: then ``site`` is the place in the code. So it is with a part of a value, which may be
    a view of its memory or a copy.
    """

    keys: tuple[int | str, ...] = ()
    site: Site | None = None


def taken_by(use: Use, code: CodeType, names: dict[str, Any]) -> Taken | None:
    """How code takes a value, if that may only convert it."""
    taker = use.taker
    if isinstance(taker, Operator):
        return Taken(use.keys, Site.of(code, taker.offset))
    if isinstance(taker, Form):
        return Taken(use.keys)
    if not isinstance(taker, Path) or not _converts(use, taker, code, names):
        return None
    if use.part is None:
        return Taken(use.keys)
    if use.position == 0 and taker.attributes[-1] in _CONVERTING_ONE:
        return Taken(use.keys, Site.of(code, use.part, is_call=True))
    return None


def _converts(use: Use, taker: Path, code: CodeType, names: dict[str, Any]) -> bool:
    """Whether what takes a value only converts it to a tensor; it is known by a global name.

    In the body of a class such a name may be one of the class.
    """
    if not code.co_flags & CO_OPTIMIZED:
        return False
    count = _CONVERTING.get(".".join(taker.attributes))
    if use.position is None or count is None or taker.kind != "global":
        return False
    found: Any = names.get(taker.name)
    if found is not sys.modules[__name__.partition(".")[0]]:
        return False
    for name in taker.attributes:
        found = vars(found).get(name) if type(found) is ModuleType else None
    unchanged = of_opaque_library(found) and found.__name__ == taker.attributes[-1]
    return unchanged and use.position < count
