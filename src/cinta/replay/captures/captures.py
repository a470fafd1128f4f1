"""Captures: what a function's Python refers to beside its arguments, as it was when it ran."""

from __future__ import annotations

import pickle
import weakref
from typing import TYPE_CHECKING, Any

from ...engine.recorders import active
from .guards import in_words
from .kinds import look
from .reach import Reach

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from types import CodeType


class Captures:
    """Everything in reach of some functions and objects, for comparison at later calls.

    ``refused`` says why a recording cannot stand for the Python, if it cannot; ``catches`` says
    that the Python may catch errors, and ``calls_python`` that it may call functions that replays
    call too, whose surroundings need not be compared; ``makes_generators`` that it may make
    generators of random numbers, which ask for a seed if they are given none. ``reads_arrays`` says
    that the recording reads large arrays at each call, where Python only converts them to tensors;
    ``arrays`` has these, held weakly, and ``sites`` the operators that take them.
    """

    def __init__(
        self, *roots: object, apart: Collection[CodeType] = (), reads_arrays: bool = False
    ) -> None:
        reach = Reach(roots, apart, reads_arrays)
        reach.walk(look)
        self._guards = reach.guards
        self.refused = reach.refused
        self.catches = reach.catches
        self.calls_python = reach.calls_python
        self.makes_generators = reach.makes_generators
        self.arrays = [weakref.ref(array) for array in reach.arrays]
        self.sites = {site: weakref.ref(array) for site, array in reach.sites.items()}
        self._tensors = reach.tensors
        generators = reach.generators
        if generators and not reach.names.isdisjoint(_STATES):
            self.refused = f"it looks at the state of {min(generators)}, which generates numbers"
        self._states = {label: (each, _state(each)) for label, each in generators.items()}

    @property
    def hold(self) -> Callable[[], bool]:
        """A function that tells whether everything is what it was."""
        return self._guards.hold

    def knows(self, value: object) -> bool:
        """Whether an object is in reach, so that it is what it was if everything is.

        Python cannot look at what is in arrays that it only converts to tensors.
        """
        return self._guards.knows(value) or any([ref() is value for ref in self.arrays])

    def watched(self) -> bool:
        """Whether a tape that records on this thread knows a tensor that was captured."""
        alive = [ref() for ref in self._tensors]
        return any([active(tensor._recorder) for tensor in alive if tensor is not None])

    def when_gone(self, do: Callable[[], None]) -> None:
        """Do this when something goes that the function refers to."""
        self._guards.when_gone(do)

    def difference(self, since: Captures | None = None) -> str | None:
        """The first difference, in words; None if there is none.

        Only what is in the reach of ``since`` counts, if that is given.
        """
        counts = None if since is None else since._guards.labels
        for label, was, now in () if self._guards.hold() else self._guards.differences():
            if counts is None or label in counts:
                return in_words(label, was, now)
        for label, (generator, was) in self._states.items():
            if (since is None or label in since._states) and _state(generator) != was:
                return f"it draws random numbers from {label}, which only Python knows"
        return None


_STATES = frozenset(("getstate", "get_state", "bit_generator", "state", "setstate", "set_state"))
"""Attributes by which programs get at the states of generators of random numbers."""


def _state(generator: Any) -> bytes:
    """The state of a generator of random numbers."""
    look = getattr(generator, "getstate", None) or getattr(generator, "get_state", None)
    if look is not None:
        return pickle.dumps(look())
    return pickle.dumps(getattr(generator, "bit_generator", generator).state)
