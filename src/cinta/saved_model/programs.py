"""Programs: what a saved model has of a function, for one kind of arguments.

A recording is made for certain shapes. A function of arguments with unknown dimensions is recorded
at several sizes, and what differs between the recordings is expressed by the sizes: dimensions that
have nothing to do with each other first, then with the first axes of all arguments as one, then
with all unknown dimensions as one. The program is checked at other sizes, of which 1 is one: a
function that goes another way there gets a program of its own for it.

Lengths that values decide, such as how many elements are true, are unknown too: they are made up in
these recordings, and found in a call as it goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.made_up import MadeUpLengths
from ..programs.composite_specs import StructuredSpec
from ..programs.specs import TensorSpec
from ..replay.examples import KINDS, example
from ..replay.recording import Spec
from .found_sizes import deciding
from .merging import merged_traces
from .object_structures import RECORDS, value_of
from .plain_structures import Argument, CannotBeSaved, Unknown, with_arguments
from .repetition import guards_hold, has_loops, unfolded, with_loops_found, with_scalars_as_arrays
from .size_checks import always_holds
from .size_formulas import NeedsPoints, NoPattern, Points, is_same
from .tracing import Traced, run, traced, traced_on_all_ways, with_gradients_recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..replay.recording import Recording
    from ..replay.trace import Trace
    from .sizes import Sizes
    from .tracing import Run

LOW, HIGH = (3, 5, 7, 9), (4, 6, 8, 10)
_OTHERS = (7, 11, 13, 17), (67, 19, 23, 29)
_MOST = len(LOW)
_MOST_POINTS, _MOST_TRIED = 48, 12
_MANY = 6, 8, 10, 12
_MANY_MORE = (11, 13, 17, 19), (67, 23, 29, 31)
_FEW = range(6)
"""Numbers of turns that are too few for a loop to be found in each part of it."""


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
    if with_rank(structure, 0) == structure:
        return _of_known_ranks(source, structure)
    found: list[SavedProgram] = []
    failure: Exception | None = None
    for rank in range(_MOST, -1, -1):
        try:
            found += _of_known_ranks(source, with_rank(structure, rank))
        except Exception as error:
            failure = failure or error
    if not found and failure is not None:
        raise failure
    return found


def with_rank(structure: Any, rank: int) -> Any:
    """The structure with this rank for specs that do not say theirs."""
    if isinstance(structure, TensorSpec) and structure.shape.rank is None:
        return TensorSpec([None] * rank, structure.dtype, structure.name)
    if isinstance(structure, StructuredSpec):
        return structure._spec([with_rank(each, rank) for each in structure._inner()])
    if type(structure) in (tuple, list):
        return type(structure)([with_rank(item, rank) for item in structure])
    if type(structure) is dict:
        return {key: with_rank(item, rank) for key, item in structure.items()}
    return structure


def _of_known_ranks(
    source: Source, given: tuple[dict[str, Any] | tuple[TensorSpec, ...], ...]
) -> list[SavedProgram]:
    failures: list[Exception] = []
    for names in (_apart, _first_axes_tied, _tied):
        structure, count = _with_unknowns(given, names())
        if count > _MOST:
            failures.append(CannotBeSaved(f"more than {_MOST} dimensions are unknown"))
            continue
        try:
            return _for_structure(source, structure, count)
        except Exception as error:
            if not count:
                raise
            failures.append(error)
    failure = next((each for each in failures if isinstance(each, NoPattern)), failures[0])
    if isinstance(failure, NoPattern):
        raise CannotBeSaved(
            f"what it does depends on unknown dimensions in a way that cannot be written down: "
            f"{failure}. Give an input_signature of known dimensions, or call the function with "
            "the shapes that are to be saved"
        )
    raise failure


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
            family = _Examples(source, structure, kind).family(count)
        except Exception as error:
            failure = failure or error
            continue
        guards = [_decisions(made.recording, serves.count(None)) for serves, made in family]
        if not any(is_same(guards, others) for others in seen):
            seen.append(guards)
            found = [SavedProgram(structure, serves, *made) for serves, made in family] + found
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
            return _family(self._with_made_up(count), (None,) * count, made_up.asked)
        except Exception as error:
            try:  # it may want the results that go with its arguments
                return _family(self._with_results, (None,) * count)
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

    family = _family(record, (None,) * count)
    return [SavedProgram(structure, serves, *made) for serves, made in family]


def _family(
    record: Callable[[Sizes], Traced], serves: tuple[int | None, ...], decided: int = 0
) -> list[tuple[tuple[int | None, ...], Traced]]:
    """The recordings for these sizes, where None is any size; special cases come first.

    ``decided`` lengths, which values decide, come after the sizes.
    """
    free = [i for i, size in enumerate(serves) if size is None]

    def at(point: Sizes) -> Traced:
        sizes = dict(zip(free, point, strict=False))
        known = [sizes.get(i, size or 0) for i, size in enumerate(serves)]
        return record((*known, *point[len(free) :]))

    count = len(free) + decided
    if not count:
        return [(serves, merged_traces([at(())], Points((), ())))]
    if count > _MOST:
        raise CannotBeSaved(f"more than {_MOST} dimensions are unknown")
    try:
        general, others = _for_any_size(at, count)
    except NoPattern as error:
        try:
            general, others = _with_loops_over_sizes(at, count)
        except NoPattern:
            raise error from None
    special = []
    for k, size in others:
        if k >= len(free):
            raise NoPattern("it goes another way if a length that values decide is small")
        i = free[k]
        special += _family(record, (*serves[:i], size, *serves[i + 1 :]), decided)
    return [*special, (serves, general)]


def _for_any_size(
    at: Callable[[Sizes], Traced], count: int
) -> tuple[Traced, list[tuple[int, int]]]:
    """A recording for all sizes, and which of these are 1 where the function goes another way."""
    points = Points(LOW[:count], HIGH[:count], *[sizes[:count] for sizes in _OTHERS])
    made, points, general = _merged(at, points, [at(point) for point in points.all])
    others = []
    for k in range(count):
        one = (*LOW[:k], 1, *LOW[k + 1 : count])
        try:
            alone = at(one)
        except Exception:  # the function refuses this size
            continue
        try:
            _merged(at, points.with_point(one), [*made, alone])
        except NoPattern:
            others.append((k, 1))
    return general, others


def _with_loops_over_sizes(
    at: Callable[[Sizes], Traced], count: int
) -> tuple[Traced, list[tuple[int, int]]]:
    """The same for a function with loops whose turns are as many as a size, or some more or less.

    For few turns these cannot be told from other steps. So what the recording for all sizes does
    at few turns is compared with what the function does.
    """

    def looped(sizes: Sizes) -> Traced:
        made = at(sizes)
        return made._replace(recording=with_loops_found(made.recording))

    low, high = _MANY[:count], [n + 1 for n in _MANY[:count]]
    points = Points(low, tuple(high), *[sizes[:count] for sizes in _MANY_MORE])
    if not has_loops(looped(low).recording):
        raise NoPattern
    *_, general = _merged(looped, points, [looped(point) for point in points.all])
    others = []
    for k in range(count):
        for few in _FEW:
            sizes = (*low[:k], few, *low[k + 1 :])
            try:
                alone = at(sizes)
            except Exception:  # the function refuses this size
                continue
            if not _is_at(general, sizes, alone):
                others.append((k, few))
    return general, others


def _is_at(general: Traced, sizes: Sizes, alone: Traced) -> bool:
    """Whether a recording for all sizes is this one at some sizes."""
    found = [guard.found for guard in alone.recording.guards]
    try:
        filled = general._replace(recording=unfolded(general.recording, sizes, found))
        bare = Points((), ())
        both = [
            merged_traces([each._replace(recording=with_scalars_as_arrays(each.recording))], bare)
            for each in (filled, alone)
        ]
        merged_traces(both, bare.with_point(()))
    except (NoPattern, ValueError):
        return False
    return True


def _merged(
    at: Callable[[Sizes], Traced], points: Points, made: Sequence[Traced]
) -> tuple[Sequence[Traced], Points, Traced]:
    """The recordings at these points and others that are needed, and the one for all sizes."""
    for _ in range(_MOST_POINTS):
        try:
            return made, points, merged_traces(made, points)
        except NeedsPoints as error:
            point, traced = _first_recorded(at, error)
            made = [*made, traced]
            points = points.with_point(point)
    raise NoPattern("sizes that cannot be told apart from others")


def _first_recorded(at: Callable[[Sizes], Traced], error: NeedsPoints) -> tuple[Sizes, Traced]:
    """The first of the sizes that are needed for which the function can be recorded."""
    for point in error.candidates[:_MOST_TRIED]:
        try:
            return point, at(point)
        except Exception:  # the function refuses these sizes
            continue
    raise NoPattern(str(error))


# -- unknown dimensions ----------------------------------------------------------------------------


def _apart() -> Callable[[int, int], Any]:
    """Each dimension is one of its own."""
    return lambda leaf, axis: (leaf, axis)


def _first_axes_tied() -> Callable[[int, int], Any]:
    """The first axes of all arguments have one size, as those of batches have."""
    return lambda leaf, axis: (leaf, axis) if axis else "batch"


def _tied() -> Callable[[int, int], Any]:
    """All unknown dimensions have one size."""
    return lambda leaf, axis: "all"


def _with_unknowns(
    structure: tuple[dict[str, Any] | tuple[TensorSpec, ...], ...], name: Callable[[int, int], Any]
) -> tuple[Any, int]:
    """The structure with specs as places of tensors, and how many sizes are unknown."""
    numbers: dict[Any, int] = {}
    leaves = 0

    def placed(spec: TensorSpec) -> Argument:
        nonlocal leaves
        leaves += 1
        return _argument(spec, leaves, name, numbers)

    return with_arguments(structure, placed), len(numbers)


def _argument(
    spec: TensorSpec, leaf: int, name: Callable[[int, int], Any], numbers: dict[Any, int]
) -> Argument:
    shape = [
        Unknown(numbers.setdefault(name(leaf, axis), len(numbers))) if n is None else n
        for axis, n in enumerate(spec.shape.as_list())
    ]
    return Argument(spec.dtype.dtype, tuple(shape), spec.name)


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
