"""Some of the elements, or more of them: take, skip, shard, repeat, concatenate, zip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import nest
from ..errors import FailedPreconditionError
from .elements import common, spec_of
from .source_stages import Range, TableRows
from .stage import EMPTY, INFINITE, UNKNOWN, Flow, LaterFlow, Stage

if TYPE_CHECKING:
    from .stage import Run, Specs

ALL = -1  # as a count: all that there are
_AT_A_TIME = 1 << 16  # elements that are skipped together


class Take(Stage):
    """The first elements."""

    def __init__(self, source: Stage, count: int) -> None:
        super().__init__(source)
        self.count = count

    def flow(self) -> Flow:
        flow = self.inputs[0].flow()
        return flow if self.count < 0 else TakeFlow(flow, self.count)

    def cardinality(self) -> int:
        there = self.inputs[0].cardinality()
        if self.count < 0 or there == UNKNOWN:
            return there
        return self.count if there == INFINITE else min(there, self.count)


class TakeFlow(Flow):
    kept = ("left",)

    def __init__(self, source: Flow, count: int) -> None:
        super().__init__(source)
        self.left = count

    def run(self, count: int) -> Run:
        if not self.left:
            return EMPTY
        run = self.inputs[0].run(min(count, self.left))
        self.left -= len(run)
        return run


class Skip(Stage):
    """All but the first elements."""

    def __init__(self, source: Stage, count: int) -> None:
        super().__init__(source)
        self.count = count

    def flow(self) -> Flow:
        flow = self.inputs[0].flow()
        return TakeFlow(flow, 0) if self.count < 0 else SkipFlow(flow, self.count)

    def cardinality(self) -> int:
        there = self.inputs[0].cardinality()
        if self.count < 0:
            return 0
        return there if there < 0 else max(there - self.count, 0)


class SkipFlow(Flow):
    kept = ("left",)

    def __init__(self, source: Flow, count: int) -> None:
        super().__init__(source)
        self.left = count

    def run(self, count: int) -> Run:
        while self.left and (skipped := len(self.inputs[0].run(min(self.left, _AT_A_TIME)))):
            self.left -= skipped
        return self.inputs[0].run(count)


class Shard(Stage):
    """Every so many-th element."""

    def __init__(self, source: Stage, shards: int, index: int) -> None:
        super().__init__(source)
        self.shards, self.index = shards, index

    def flow(self) -> Flow:
        return ShardFlow(self.inputs[0].flow(), self.shards, self.index)

    def cardinality(self) -> int:
        there = self.inputs[0].cardinality()
        return there if there < 0 else len(range(self.index, there, self.shards))


class ShardFlow(Flow):
    kept = ("next",)

    def __init__(self, source: Flow, shards: int, index: int) -> None:
        super().__init__(source)
        self.shards, self.next = shards, index

    def run(self, count: int) -> Run:
        while len(run := self.inputs[0].run(self.next + (count - 1) * self.shards + 1)):
            picked = run[self.next :: self.shards]
            self.next = (self.next - len(run)) % self.shards
            if len(picked):
                return picked
        return EMPTY


class Repeat(Stage):
    """The elements over and over; `ALL` means without end."""

    def __init__(self, source: Stage, count: int) -> None:
        super().__init__(source)
        self.count = count

    def flow(self) -> Flow:
        return RepeatFlow(self)

    def cardinality(self) -> int:
        there = self.inputs[0].cardinality()
        if self.count == 0 or there == 0:
            return 0
        if self.count < 0 or there == INFINITE:
            return INFINITE
        return there if there == UNKNOWN else there * self.count


class RepeatFlow(Flow):
    kept = ("begun", "empty")

    def __init__(self, stage: Repeat) -> None:
        super().__init__(stage.inputs[0].flow())
        self.stage, self.begun, self.empty = stage, 1, True

    def run(self, count: int) -> Run:
        while self.stage.count:
            run = self.inputs[0].run(count)
            if len(run):
                self.empty = False
                return run
            if self.begun == self.stage.count or (self.empty and self.stage.count < 0):
                break  # of nothing there would be nothing without end
            self.inputs = (self.stage.inputs[0].flow(),)
            self.begun, self.empty = self.begun + 1, True
        return EMPTY


class Concatenate(Stage):
    """The elements of one dataset, then those of another."""

    @property
    def compared(self) -> tuple[Stage, ...]:
        return self.inputs

    def flow(self) -> Flow:
        first, second = self.inputs
        return ConcatenateFlow(first.flow(), LaterFlow(second))

    def spec(self) -> Specs:
        first, second = self.inputs
        return common(first.spec(), second.spec())

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self.inputs]
        if INFINITE in counts:
            return INFINITE
        return UNKNOWN if UNKNOWN in counts else sum(counts)


class ConcatenateFlow(Flow):
    def __init__(self, *inputs: Flow) -> None:
        super().__init__(*inputs)
        self.sample: Run = EMPTY  # of the first input, until one of the second is compared with it

    def run(self, count: int) -> Run:
        first, second = self.inputs
        run = first.run(count)
        if len(run):
            self.sample = run[:1]
            return run
        run = second.run(count)
        if len(self.sample) and len(run):
            common(spec_of(self.sample[0]), spec_of(run[0]))
            self.sample = EMPTY
        return run


class Zip(Stage):
    """Elements side by side, as the nest of datasets has them; as many as the shortest gives."""

    def __init__(self, datasets: object) -> None:
        super().__init__(*nest.flatten(datasets))
        self.like = datasets

    def flow(self) -> Flow:
        return ZipFlow(self.like, *[source.flow() for source in self.inputs])

    def spec(self) -> Specs:
        specs: Specs = nest.map_structure(lambda source: source.spec(), self.like)
        return specs

    def cardinality(self) -> int:
        counts = [source.cardinality() for source in self.inputs]
        if UNKNOWN in counts:
            return UNKNOWN
        return min([count for count in counts if count != INFINITE], default=INFINITE)


class ZipFlow(Flow):
    def __init__(self, like: object, *sources: Flow) -> None:
        super().__init__(*sources)
        self.like = like

    def run(self, count: int) -> Run:
        runs, failed = [], None
        for source in self.inputs:  # all of them, also where one fails, so that they stay together
            try:
                runs.append(source.run(1))
            except Exception as error:
                failed = failed or error
        if failed:
            raise failed
        if not all(map(len, runs)):
            return EMPTY
        return [nest.pack_sequence_as(self.like, [run[0] for run in runs])]


def zipped(datasets: object) -> Stage:
    """Datasets side by side. The rows of several tables are the rows of one that is wider."""
    sources = nest.flatten(datasets)
    if not all(isinstance(source, TableRows) and source.is_whole() for source in sources):
        return Zip(datasets)
    count = min(source.cardinality() for source in sources)
    table = nest.map_structure(lambda source: source.first(count), datasets)
    return TableRows(table, Range(0, 1, count))


class AssertCardinality(Stage):
    """The same elements, of which there must be so many."""

    def __init__(self, source: Stage, count: int) -> None:
        super().__init__(source)
        self.count = count

    def flow(self) -> Flow:
        return AssertCardinalityFlow(self.inputs[0].flow(), self.count)

    def cardinality(self) -> int:
        return self.count


class AssertCardinalityFlow(Flow):
    kept = ("given",)

    def __init__(self, source: Flow, count: int) -> None:
        super().__init__(source)
        self.count, self.given = count, 0

    def run(self, count: int) -> Run:
        run = self.inputs[0].run(count)
        self.given += len(run)
        if 0 <= self.count < self.given:
            raise self._other(f"at least {self.given}")
        if not len(run) and self.given != self.count:
            raise self._other(f"only {self.given}")
        return run

    def _other(self, found: str) -> FailedPreconditionError:
        expected = "an infinite number of" if self.count == INFINITE else self.count
        return FailedPreconditionError(
            f"Input dataset was expected to contain {expected} elements but contained {found} "
            "elements."
        )
