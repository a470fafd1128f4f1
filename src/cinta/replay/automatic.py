"""Automatic recording of procedures that libraries call over and over.

So a recording must not be told from the Python: numbers that are drawn, texts that are printed and
functions that are called belong to Python alone, and what is not understood runs as it is, without
a word. The first calls run as Python too. For a recording takes as long as some ten calls, which
a program that makes few of them never gains back.
"""

from __future__ import annotations

from _thread import get_ident
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from ..engine import settings
from ..engine.listeners import has_listener
from ..ops.random import op_numbering
from .argument_structures import Arguments
from .calls import Call
from .engines import compiler
from .entry import ELSEWHERE, Written
from .variants import Variants

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from inspect import BoundArguments, Signature

    from ..engine.indexed_slices import IndexedSlices
    from ..engine.tensor import Tensor
    from ..ops.random.op_numbering import NumberedGraph
    from .variant import Variant

    Gradient = Tensor | IndexedSlices

OFTEN = 8
"""From which call on with arguments of a kind a procedure is recorded."""

MOST_KINDS = 256
"""Of how many kinds of arguments calls are counted, before the count begins anew."""


def may_replay() -> bool:
    """Whether procedures may be replayed now: no one wants to see their ops."""
    return not (settings.run_functions_eagerly or has_listener(get_ident()))


class Procedure:
    """The calls of a procedure that takes tensors and returns nothing, where they may be replayed.

    All that a call depends on beside its arguments is in the reach of its ``owner``, some objects.
    """

    def __init__(self, name: str, signature: Signature) -> None:
        self._variants = _Unseen(name, compiler(jit_compile=False))
        self._bind: Callable[..., BoundArguments] = signature.bind
        self._calls: Counter[Any] = Counter()

    def __call__(
        self, python: Callable[..., Any], owner: tuple[Any, ...], args: tuple[Gradient, ...]
    ) -> None:
        """Do what ``python(*args)`` does, which depends on the parts."""
        for entry in self._variants.entries:
            if entry.enter(owner, args, {}) is not ELSEWHERE:
                return
        given = Arguments(owner, args, {})
        if self._is_often(given.kind):
            written = Written(owner, args, {}, self._bind)
            self._variants.call(Call(given, partial(_nothing, python), (), written))
        else:
            python(*args)

    def _is_often(self, kind: Hashable) -> bool:
        """Whether arguments were often of this kind, and such calls can be replayed."""
        if self._variants.refuses(kind):
            return False
        if len(self._calls) > MOST_KINDS:
            self._calls.clear()
        self._calls[kind] += 1
        return self._calls[kind] > OFTEN


def _nothing(
    python: Callable[..., Any], args: tuple[Gradient, ...], kwargs: dict[str, Gradient]
) -> None:
    python(*args)


class _Unseen(Variants):
    """The recordings of a procedure: nothing tells that there are any."""

    def refuses(self, kind: Hashable) -> bool:
        """Whether calls with such arguments run as Python for good."""
        return kind in self._refused

    def graph_for(self, given: Arguments) -> NumberedGraph | None:
        """Python that draws numbers while it is recorded draws those that it always would."""
        return op_numbering.current()

    def _add(self, kind: Hashable, variant: Variant, why: str) -> None:
        if any(step.op.effects for step in variant.recording.calls):
            self._refused[kind] = "it has effects, which belong to Python"
        else:
            super()._add(kind, variant, why)

    def _tell(self, what: str) -> None:
        """Nobody has asked."""
