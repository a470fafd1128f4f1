"""The short way through a call that is like one before: from its arguments to the program of all.

The way of all calls takes arguments apart for each replica, looks for a recording that fits, and
puts results together. The short way is one generated function that looks whether the arguments are
of the same kind, and whether all else is as it was; then it runs the program at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import nest
from ..engine import recorders
from ..engine.committing import commit
from ..engine.distributed_values import PerReplica
from ..engine.listeners import listeners
from ..engine.op import Op
from ..engine.tensor import Tensor, held, wrap_held
from ..replay.argument_structures import ATOMS, Arguments
from ..replay.entry_source import Unmatched, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from ..engine.device_values import Held
    from ..replay.entry_source import Enter
    from ..replay.variant import Variant
    from ..replay.xla.replicas import Others
    from .replica_context import Call

    Founds: TypeAlias = Sequence[Sequence[Held]]
    """The results of each replica."""


class Shortcut:
    """The short way to a variant, for calls like this one.

    ``enter`` is a function of no owner and of the arguments for all replicas.

    Raises ``Unmatched`` if such arguments or results are to be looked at in general.
    """

    def __init__(
        self,
        call: Call,
        parts: Sequence[Arguments],
        returned: object,
        variant: Variant,
        others: Others,
    ) -> None:
        whole = Arguments((), *call)
        places = {id(x): i for i, x in enumerate(whole.tensors)}
        self._order = [[places[id(x)] for x in each.tensors] for each in parts]
        self._pack = _packing(returned, others.found or ())
        self.variant, self._runner, self._others = variant, variant.runner, others
        self.enter = self._entered(call, whole)

    def _entered(self, call: Call, whole: Arguments) -> Enter:
        args, kwargs = call
        writer = Writer(len(args), *kwargs)
        by_place = [f"args[{i}]" for i in range(len(args))]
        writer.match_all(whole.kind, by_place, [f"kwargs[{name!r}]" for name in kwargs])
        writer.values |= {"hold": self.variant.captures.hold, "run": self._run}
        writer.values |= {"recording": recorders.recording}
        return writer.compiled(
            f"if Op.epoch != {Op.epoch} or recording() or not hold(): return ELSEWHERE",
            f"return run([{', '.join(writer.arrays)}])",
        )

    def _run(self, arrays: Sequence[Held]) -> object:
        """The results for all replicas, with variables assigned."""
        parts = [[arrays[i] for i in each] for each in self._order]
        return self._runner.holding.call(self._assigning, parts)

    def _assigning(self, parts: Sequence[Sequence[Held]]) -> object:
        runner, others = self._runner, self._others
        read = runner.read()
        for listener in listeners():
            for variable, value in zip(runner.variables, read, strict=True):
                listener.on_read(variable, value)
        others.begin(parts[1:])
        _, values = runner.callable.program([*parts[0], *read])
        commit(runner.assigned, values)
        others.assign_copies()
        self.variant.calls += 1
        return self._pack(others.found or ())


def _packing(returned: object, found: Founds) -> Callable[[Founds], Any]:
    """How to put together what a call returns, of the results that each replica has."""
    places = {id(value): i for i, value in enumerate(found[0])}
    makers = [_maker(leaf, places) for leaf in nest.flatten(returned)]
    if type(returned) is PerReplica:
        return makers[0]
    structure = nest.map_structure(lambda _: None, returned)
    return lambda found: nest.pack_sequence_as(structure, [make(found) for make in makers])


def _maker(leaf: object, places: dict[int, int]) -> Callable[[Founds], object]:
    """How to make a leaf of what is returned."""
    if type(leaf) in ATOMS:
        return lambda found: leaf
    if type(leaf) is not PerReplica or type(leaf.values[0]) is not Tensor:
        raise Unmatched
    place = places[id(held(leaf.values[0]))]
    return lambda found: PerReplica(*[wrap_held(each[place]) for each in found])
