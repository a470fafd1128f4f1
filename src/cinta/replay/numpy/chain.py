"""The source of a block function: elementwise steps that write where others are done reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..recording import uses
from .source import Source, writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..recording import Recording, Ref, Step


class Chain(NamedTuple):
    """A function of blocks: of inputs, of results that it fills, and of scratch memory."""

    run: Callable[..., None]
    source: str
    scratch: list[Any]
    """The dtypes of the scratch arrays that it takes."""


def chain(made: Recording, inputs: Sequence[int], written: Sequence[int]) -> Chain:
    """The block function of a recording whose steps are all elementwise.

    It takes blocks of the inputs in this order, then of the results that it is to write, then
    scratch arrays.
    """
    return _Writer(made, inputs, written).chain()


class _Writer:
    def __init__(self, made: Recording, inputs: Sequence[int], written: Sequence[int]) -> None:
        self.made, self.inputs, self.written = made, inputs, written
        self.source = Source("blocks", ())
        self.last = {n: i for i, step in enumerate(made.calls) for n in uses(step)}
        self.names = {n: f"v{n}" for n in inputs} | {n: f"o{n}" for n in written}
        self.scratch: list[Any] = []
        self.free: list[tuple[Any, str]] = []

    def chain(self) -> Chain:
        for position, step in enumerate(self.made.calls):
            self._add(step, position)
        self.source.add("return")  # even if there is nothing to do
        results = [f"o{n}" for n in self.written]
        scratch = [f"s{i}" for i in range(len(self.scratch))]
        parameters = [*[f"v{n}" for n in self.inputs], *results, *scratch]
        self.source.lines[0] = f"def run({', '.join(parameters)}):"
        return Chain(self.source.compiled(), str(self.source), self.scratch)

    def _add(self, step: Step, position: int) -> None:
        (number,) = step.outputs
        given = [self._shown(ref) for ref in step.inputs]
        into = writer(step, self.made.specs)
        dying = [n for n in dict.fromkeys(uses(step)) if self.last[n] == position]
        if into is None:
            target = f"o{number}[...]" if number in self.written else f"t{number}"
            self.names.setdefault(number, target)
            self.source.add(f"{target} = {self.source.call(step, given)}")
            self._release(dying)
        else:
            if step.op.in_place:
                self._release(dying)
            target = self.names.setdefault(number, self._scratch(number))
            if not step.op.in_place:
                self._release(dying)
            self.source.add(self.source.call_into(into, step, given, target))
        bare = [self.names[n] for n in dying if self.names[n].startswith("t")]
        if bare:
            self.source.add(f"del {', '.join(bare)}")

    def _shown(self, ref: Ref) -> str:
        return self.names[ref] if isinstance(ref, int) else self.source.constant(ref)

    def _scratch(self, number: int) -> str:
        """The name of the array that a value is written into."""
        if number in self.written:
            return f"o{number}"
        dtype = self.made.specs[number].dtype
        for each in self.free:
            if each[0] == dtype:
                self.free.remove(each)
                return each[1]
        self.scratch.append(dtype)
        return f"s{len(self.scratch) - 1}"

    def _release(self, numbers: Sequence[int]) -> None:
        """Let other values have the scratch memory of these."""
        for n in numbers:
            if self.names[n].startswith("s"):
                self.free.append((self.made.specs[n].dtype, self.names[n]))
