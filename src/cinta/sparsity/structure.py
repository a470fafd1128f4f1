"""Structure: which elements of a Jacobian or a Hessian can be other than zero.

It is found by following the calls that a function makes, not by looking at values: so it holds for
other arguments too, as long as these neither change which ops run nor the indices that they use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from ..derivatives.tape_arguments import is_known
from ..engine import recorders
from ..engine.carrier import Carrier
from ..engine.recorders import Call, following
from ..engine.rule_binding import shape_of
from .pattern import Matrix, Pattern, identity, union
from .rules import moved, pushed

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engine.tensor import Tensor


class Dependences(Carrier):
    """Which elements of a source all that is computed from it depends on."""

    __slots__ = ()

    def follow(self, call: Call) -> None:
        known = {i: self.of(call.inputs[i]) for i in call.plan.tracked}
        known = {i: pattern for i, pattern in known.items() if pattern is not None}
        if not known:
            return
        results = call.result if type(call.result) is tuple else (call.result,)
        for result, pattern in zip(results, patterns_of(call, known), strict=True):
            if is_known(result):  # an integer among several results is not
                self.learn(result, pattern)


def patterns_of(call: Call, known: dict[int, Pattern]) -> list[Pattern]:
    """The pattern of each result of a call, by those of its inputs."""
    if call.op.moves:
        return moved(call, known)
    results = call.result if type(call.result) is tuple else (call.result,)
    found = []
    for number, result in enumerate(results):
        first, *others = [pushed(call, i, p, shape_of(result), number) for i, p in known.items()]
        for other in others:
            first = union(first, other)
        found.append(first)
    return found


def structure_of(f: Callable[[Tensor], Tensor], x: Tensor) -> Matrix:
    """The structure of the Jacobian of a function of one vector, as a matrix of bools."""
    dependences = Dependences()
    recorders.watch(x, dependences)
    dependences.known[x._number] = identity(x._array.size)
    with following(dependences):
        y = f(x)
    pattern = dependences.of(y)
    dependences.close()
    shape = (y._array.size, x._array.size)
    if pattern is None:
        return csr_array(shape, dtype=bool)
    found = pattern.matrix()
    found.sort_indices()
    return found


def given_structure(structure: Any) -> Matrix:
    """A structure from the user, sparse or dense: its elements that are not zero."""
    found = csr_array(structure).astype(bool)
    found.sum_duplicates()
    found.eliminate_zeros()
    if found.ndim != 2:
        raise ValueError(f"a structure has rows and columns, but got {np.shape(structure)}.")
    return found
