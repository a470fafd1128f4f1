"""A function that replicas run, as one program that XLA runs for all of them.

The first call runs as Python, and the first replica is recorded. Later ones run the recording on a
device for each replica, unless what they are given, or what the recording does, is not for that:
then replicas take turns, as they do without XLA. Where there are several processes, all make sure
in each call that they do the same.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import nest
from ..engine.convert import as_tensor
from ..engine.tensor import held, wrap_held
from ..engine.warning import warn
from ..replay.argument_structures import Arguments, Results
from ..replay.calls import Call
from ..replay.entry_source import ELSEWHERE, Unmatched
from ..replay.variants import MOST_ENTRIES, Variants
from ..replay.xla import devices_for
from ..replay.xla.replicas import NotForAll, Others, ReplicaProgram, place_of
from .replica_values import joined
from .shortcuts import Shortcut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..replay.recording import Recording
    from .cluster import Cluster
    from .replica_context import Call as ReplicaCall

Parts: TypeAlias = "list[ReplicaCall]"
"""The arguments of each replica."""


_KEYS = {True: "in turns this time", False: "in turns always"}
"""The message to the others of a process that does not run the program."""


class ProgramForAll:
    """A function, and its recordings for all replicas."""

    def __init__(
        self,
        name: str,
        roots: Sequence[object],
        count: int,
        in_turns: Callable[[Parts], list[Any]],
        cluster: Cluster | None = None,
    ) -> None:
        self._roots, self._in_turns, self._cluster = roots, in_turns, cluster
        self._none_is_fit = False  # in any process
        self._devices = devices_for(count, 1 if cluster is None else len(cluster))
        self._others = Others()
        self._shortcuts: tuple[Shortcut, ...] = ()
        self.variants = Variants(name, self._compiled)
        self.is_fit = self._devices is not None
        self._name, self._told = name, set[str]()
        if not self.is_fit:
            self._tell(f"JAX has begun with fewer than {count} devices: make the strategy earlier")

    def _compiled(self, recording: Recording) -> ReplicaProgram:
        return ReplicaProgram(recording, self._devices or (), self._others, self._cluster)

    def _tell(self, why: str, for_ever: bool = True) -> None:
        """Warn once for each reason why replicas take turns."""
        if why not in self._told:
            self._told.add(why)
            calls = "" if for_ever else " in such calls"
            warn(f"The replicas that run {self._name} take turns{calls}, without XLA: {why}.")

    def at_once(self, call: ReplicaCall, apart: Callable[[ReplicaCall], Parts]) -> Any:
        """The results for all replicas by the short way; `ELSEWHERE` if there is none."""
        try:
            for shortcut in self._shortcuts:
                found = shortcut.enter((), *call)
                if found is not ELSEWHERE:
                    return found
        except NotForAll as error:
            return joined(self._in_other_ways(error, apart(call)))
        return ELSEWHERE

    def __call__(self, call: ReplicaCall, parts: Parts) -> Any:
        """The results of the replicas, put together; ``parts`` are the call for each of them."""
        parts = nest.map_structure(_as_tensors, parts)
        given = [Arguments((), *part) for part in parts]
        are_alike = all(each.kind == given[0].kind for each in given[1:])
        if self.is_fit and not are_alike:
            self._tell("their arguments have different shapes or dtypes", for_ever=False)
        if not (self.is_fit and are_alike):
            return joined(self._agreed_turns(parts))
        found = joined(self._called(parts, given))
        if self._others.found is not None:
            self._learn(call, given, found)
        return found

    def _in_other_ways(self, error: NotForAll, parts: Parts) -> list[Any]:
        """The results of replicas that cannot run the program in this call."""
        self.is_fit = self.is_fit and not error.for_ever
        self._tell(str(error), error.for_ever)
        return (self._in_turns if error.is_agreed else self._agreed_turns)(parts)

    def _agreed_turns(self, parts: Parts) -> list[Any]:
        """The results of replicas that take turns, in all processes."""
        if self._cluster is not None and not self._none_is_fit:
            found = self._cluster.exchange_parts(place_of(self._name), [_KEYS[self.is_fit]])
            self._none_is_fit = all(key == _KEYS[False] for (key,) in found)
        return self._in_turns(parts)

    def _called(self, parts: Parts, given: list[Arguments]) -> list[Any]:
        others = self._others
        ran: list[Any] = []
        others.begin([[held(x) for x in each.tensors] for each in given[1:]])

        def python(args: tuple[object, ...], kwargs: dict[str, object]) -> object:
            ran[:] = self._agreed_turns([(args, kwargs), *parts[1:]])
            return ran[0]

        try:
            first = self.variants.call(Call(given[0], python, self._roots))
        except NotForAll as error:
            return self._in_other_ways(error, parts)
        if others.found is None:
            return [first, *ran[1:]]
        others.assign_copies()
        results = Results(first)
        places = {id(array): i for i, array in enumerate(others.found[0])}
        order = [places[id(held(x))] for x in results.tensors]
        return [
            first,
            *[results.pack([wrap_held(found[i]) for i in order]) for found in others.found[1:]],
        ]

    def _learn(self, call: ReplicaCall, given: list[Arguments], returned: object) -> None:
        """Let calls like this one, which the program has run, take the short way from now on."""
        variant = self.variants.serving(given[0].kind)
        if variant is None or variant.draws:
            return
        with suppress(Unmatched, TypeError):
            new = Shortcut(call, given, returned, variant, self._others)
            alive = [each for each in self._shortcuts if each.variant in self.variants]
            self._shortcuts = new, *alive[: MOST_ENTRIES - 1]


def _as_tensors(leaf: object) -> object:
    return as_tensor(leaf) if isinstance(leaf, (np.ndarray, np.generic)) else leaf
