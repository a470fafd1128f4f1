"""Programs: what a saved model has of a function, for one kind of arguments.

A recording is made for certain shapes. A function of arguments with unknown dimensions is recorded
at several sizes, and what differs between the recordings is expressed by the sizes: with dimensions
that have nothing to do with each other first, then with some of them as one (``ties``). The program
is checked at other sizes, of which 1 is one (``families``): a function that goes another way there
gets a program of its own for it.

Lengths that values decide, such as how many elements are true, are unknown too: they are made up in
these recordings, and found in a call as it goes.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.made_up import MadeUpLengths
from ..programs.composite_specs import StructuredSpec
from ..programs.specs import TensorSpec
from ..replay.examples import KINDS, example
from ..replay.recording import Spec
from .families import LOW, MOST_UNKNOWN, family
from .found_sizes import deciding
from .object_structures import RECORDS, value_of
from .plain_structures import Argument, CannotBeSaved
from .repetition import guards_hold
from .size_checks import always_holds
from .size_formulas import NoPattern, is_same
from .ties import ties
from .tracing import Traced, run, traced, traced_on_all_ways, with_gradients_recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ..replay.recording import Recording
    from ..replay.trace import Trace
    from .sizes import Sizes
    from .tracing import Run

_MOST_ATTEMPTS = 4
_MOST_RANK, _FEW_RANKS = 4, 3


class SavedProgram(NamedTuple):
    """A recording for arguments of this structure, for some or all sizes of what is unknown.

    ``serves`` has a size, or None for any size, for each unknown dimension; the recording depends
    on those sizes that are free.
    """

    arguments: tuple[tuple[Any, ...], dict[str, Any]]
    serves: tuple[int | None, ...]
    recording: Recording
    returned: Any
    outputs: tuple[Argument, ...]

    def free(self, sizes: Sizes) -> Sizes | None:
        """The sizes that the recording depends on; None if the program does not serve these."""
        pairs = [*zip(self.serves, sizes, strict=True)]
        if any(served not in (None, size) for served, size in pairs):
            return None
        return tuple([size for served, size in pairs if served is None])


class Source(NamedTuple):
    """A function to be saved, and the roots of all to which it refers.

    ``gradients``: with its custom gradients.
    """

    python: Callable[..., Any]
    roots: tuple[object, ...]
    gradients: bool


def programs(source: Source, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[SavedProgram]:
    """The programs of a function for arguments with specs among them.

    Where a rank is unknown, there are programs for each rank that the function takes.
    """
    structure = args, kwargs
    found: list[SavedProgram] = []
    failure: Exception | None = None
    for ranks in _ranks(_of_unknown_rank(structure)):
        try:
            found += _of_known_ranks(source, with_ranks(structure, iter(ranks)))
        except Exception as error:
            failure = failure or error
    if not found and failure is not None:
        raise failure
    return found


def _ranks(count: int) -> Iterable[tuple[int, ...]]:
    """The ranks that so many arguments have together: the same, or some few ones."""
    if count == 1:
        return [(rank,) for rank in reversed(range(MOST_UNKNOWN + 1))]
    same = [(rank,) * count for rank in reversed(range(_MOST_RANK + 1))] if count else []
    few = product(range(_FEW_RANKS if count <= 2 else 1), repeat=count)
    return dict.fromkeys([*same, *few])


def _of_unknown_rank(structure: object) -> int:
    """How many specs do not say their rank."""
    if isinstance(structure, TensorSpec):
        return int(structure.shape.rank is None)
    if isinstance(structure, StructuredSpec):
        return sum(map(_of_unknown_rank, structure._inner()))
    if isinstance(structure, dict):
        return sum(map(_of_unknown_rank, structure.values()))
    return sum(map(_of_unknown_rank, structure)) if isinstance(structure, (tuple, list)) else 0


def with_ranks(structure: Any, ranks: Iterator[int]) -> Any:
    """The structure with these ranks for specs that do not say theirs, in order."""
    if isinstance(structure, TensorSpec) and structure.shape.rank is None:
        return TensorSpec([None] * next(ranks), structure.dtype, structure.name)
    if isinstance(structure, StructuredSpec):
        return structure._spec([with_ranks(each, ranks) for each in structure._inner()])
    if type(structure) in (tuple, list):
        return type(structure)([with_ranks(item, ranks) for item in structure])
    if type(structure) is dict:
        return {key: with_ranks(item, ranks) for key, item in structure.items()}
    return structure


def _of_known_ranks(
    source: Source, given: tuple[dict[str, Any] | tuple[TensorSpec, ...], ...]
) -> list[SavedProgram]:
    failures: list[Exception] = []
    attempts = 0
    for structure, count in ties(given):
        if count > MOST_UNKNOWN:
            failures.append(CannotBeSaved(f"more than {MOST_UNKNOWN} dimensions are unknown"))
            continue
        if failures and not _can_be_recorded(source, structure, count):
            continue
        attempts += 1
        try:
            return _for_structure(source, structure, count)
        except Exception as error:
            if not count:
                raise
            failures.append(error)
        if attempts == _MOST_ATTEMPTS:
            break
    failure = next((each for each in failures if isinstance(each, NoPattern)), failures[0])
    if isinstance(failure, NoPattern):
        raise CannotBeSaved(
            f"what it does depends on unknown dimensions in a way that cannot be written down: "
            f"{failure}. Give an input_signature of known dimensions, or call the function with "
            "the shapes that are to be saved"
        )
    raise failure


def _can_be_recorded(source: Source, structure: object, count: int) -> bool:
    """Whether a function takes arguments of such sizes: that is soon tried."""
    for examples in (True, False):
        made_up = MadeUpLengths(examples=examples)
        try:
            _Examples(source, structure, KINDS[0]).record(LOW[:count], made_up)
            return True
        except Exception:  # it fails for these
            continue
    return False


def _for_structure(source: Source, structure: Any, count: int) -> list[SavedProgram]:
    """The programs for arguments with so many unknown sizes in them.

    If Python looks at values, or raises, other values are tried too, so that it goes other ways,
    and one program for all ways is made if there can be one.
    """
    found: list[SavedProgram] = []
    seen: list[Any] = []
    failure: Exception | None = None
    for kind in KINDS:
        try:
            made_of_kind = _Examples(source, structure, kind).family(count)
        except Exception as error:
            failure = failure or error
            continue
        guards = [_decisions(made.recording, serves.count(None)) for serves, made in made_of_kind]
        if not any(is_same(guards, others) for others in seen):
            seen.append(guards)
            found = [
                SavedProgram(structure, serves, *made) for serves, made in made_of_kind
            ] + found
        if not any(guards):
            return found
    try:
        return _on_all_ways(source, structure, count)
    except (CannotBeSaved, NoPattern) as error:
        if not found:
            raise failure or error from None
        return found


def _decisions(recording: Recording, count: int) -> list[Any]:
    """All that Python finds where it decides, but for what it finds at all of so many sizes."""
    decisions = [x.found for x in deciding(recording) if not always_holds(recording, x)]
    return decisions if guards_hold(recording, count) else [*decisions, "in a loop"]


class _Examples(NamedTuple):
    """A function, and examples of one kind of its arguments."""

    source: Source
    structure: Any
    kind: str

    def family(self, count: int) -> list[tuple[tuple[int | None, ...], Traced]]:
        """The recordings for so many unknown sizes of the arguments."""
        made_up = MadeUpLengths()
        try:
            self.record(LOW[:count], made_up)
            return family(self._with_made_up(count), (None,) * count, made_up.asked)
        except Exception as error:
            try:  # it may want the results that go with its arguments
                return family(self._with_results, (None,) * count)
            except Exception:
                raise error from None

    def _with_made_up(self, count: int) -> Callable[[Sizes], Traced]:
        """Record for the sizes of the arguments, and for lengths that values decide after them."""
        return lambda sizes: self.record(sizes[:count], MadeUpLengths(sizes[count:]))

    def _with_results(self, sizes: Sizes) -> Traced:
        """Record with the results that ops have for examples."""
        return self.record(sizes, MadeUpLengths(examples=False))

    def record(self, sizes: Sizes, made_up: MadeUpLengths) -> Traced:
        """The recording for these sizes of the arguments."""
        given, keywords = _filled(self.structure, sizes, self.kind)
        made = traced(self.source.python, given, keywords, made_up)
        recording = with_gradients_recorded(made.recording, self.source.gradients)
        return made._replace(recording=recording)


def _on_all_ways(source: Source, structure: Any, count: int) -> list[SavedProgram]:
    """The programs that go all ways."""

    def record(sizes: Sizes) -> Traced:
        def run_by(new_trace: Callable[[], Trace], kind: str) -> Run:
            given, keywords = _filled(structure, sizes, kind)
            made_up = MadeUpLengths()
            found = run(source.python, given, keywords, source.roots, new_trace, made_up)
            if made_up.asked:
                raise CannotBeSaved("values decide both lengths and the way that Python goes")
            return found

        made = traced_on_all_ways(run_by)
        recording = with_gradients_recorded(made.recording, source.gradients)
        return made._replace(recording=recording)

    found = family(record, (None,) * count)
    return [SavedProgram(structure, serves, *made) for serves, made in found]


def _filled(structure: Any, sizes: Sizes, kind: str) -> Any:
    """The structure with examples of these sizes in the places of tensors."""
    if isinstance(structure, Argument):
        return example(Spec(structure.dtype, structure.lengths(sizes)), kind)
    if isinstance(structure, RECORDS):
        return value_of(structure.mapped(lambda part: _filled(part, sizes, kind)))
    if type(structure) in (tuple, list):
        return type(structure)([_filled(item, sizes, kind) for item in structure])
    if type(structure) is dict:
        return {key: _filled(item, sizes, kind) for key, item in structure.items()}
    return structure
