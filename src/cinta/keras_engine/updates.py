"""Keras's optimizers outside of ``fit``: one update of a list of variables, recorded by itself.

As Python it takes some 500 microseconds for each variable, most of it for the rules by which Keras
finds dtypes. Recorded it takes about 20.
"""

from __future__ import annotations

import functools
import inspect
from math import prod
from typing import TYPE_CHECKING, Protocol, TypeGuard

from ..dtensor.moving import is_dtensor
from ..engine.indexed_slices import IndexedSlices
from ..engine.module import Owned
from ..engine.tensor import Tensor
from ..replay.automatic import Procedure, may_replay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..replay.automatic import Gradient

MOST_BYTES = 256 << 20
"""The largest update that is recorded: a recording keeps the old values until all new ones are
there, and Python's part in such an update is small."""

_ALL_NONE = "No gradients provided for any variable. CINTA_EXPLAIN=1 says why they are None."


class Optimizer(Protocol):
    """The members of Keras's optimizers that are used."""

    name: str
    built: bool
    _trainable_variables: Sequence[object]

    def _filter_empty_gradients(
        self, grads: Sequence[Gradient | None], vars: Sequence[object]
    ) -> tuple[Sequence[Gradient], Sequence[object]]: ...


def recorded(apply: Callable[..., None], *, filters: bool) -> Callable[..., None]:
    """The method ``apply`` of an optimizer, recorded once it is called over and over.

    ``filters`` says that it is the one that warns of gradients that are None, and leaves them out.
    """

    @functools.wraps(apply)
    def applied(
        self: Optimizer,
        grads: Sequence[Gradient | None],
        trainable_variables: Sequence[object] | None = None,
    ) -> None:
        if filters and grads and all(each is None for each in grads):
            raise ValueError(_ALL_NONE)
        variables = trainable_variables
        if variables is None and self.built:
            variables = self._trainable_variables
        if variables is None or not self.built or len(grads) != len(variables) or not may_replay():
            return apply(self, grads, trainable_variables)  # which may build, or raise an error
        if filters and any(each is None for each in grads):
            grads, variables = self._filter_empty_gradients(grads, variables)  # warns each time
        if not _can_be_recorded(grads):
            return apply(self, grads, variables)
        updates = _updates(self, apply)
        return updates(
            lambda *given: apply(self, list(given), variables), (self, *variables), tuple(grads)
        )

    return applied


def _can_be_recorded(grads: Sequence[Gradient | None]) -> TypeGuard[Sequence[Gradient]]:
    """Whether these are the gradients of a step: plain tensors, not too large."""
    size = 0
    for each in grads:
        values = each.values if type(each) is IndexedSlices else each
        if type(values) is not Tensor or is_dtensor(values):
            return False
        size += prod(values.shape) * values.dtype.size
    return 0 < size <= MOST_BYTES


def _updates(optimizer: Optimizer, apply: Callable[..., None]) -> Procedure:
    """The recordings of one optimizer, which may well refer to it."""
    owned = vars(optimizer).setdefault("_owned", Owned()).by_maker
    found: Procedure | None = owned.get(apply)
    if found is None:
        found = owned[apply] = Procedure(optimizer.name, _SIGNATURE)
    return found


_SIGNATURE = inspect.signature(lambda *gradients: None)
