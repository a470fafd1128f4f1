"""Entries: the short way from a call to a recording, for calls like one that it has served.

An entry is one generated function. It looks whether the arguments are of the variant's kind, where
`Arguments` finds out of what kind they are; whether nobody listens; and whether all that the
variant depends on is as it was. Then it runs the recording on the arrays. Wherever something is
different, or fails, it returns `ELSEWHERE`. Then nothing has happened, and the call takes the way
of all calls.
"""

from __future__ import annotations

from _thread import get_ident
from collections.abc import Callable
from inspect import BoundArguments
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from .. import nest
from ..engine import settings
from ..engine.op import Op
from ..engine.recorders import is_heard
from ..engine.tensor import Tensor, held, wrap_held
from .argument_structures import ATOMS, Same, exactly

if TYPE_CHECKING:
    from .argument_structures import Arguments
    from .variants import Variant

Entry: TypeAlias = Callable[[tuple[Any, ...], tuple[Any, ...], dict[str, Any]], Any]
"""What an owner, arguments by position and arguments by name go into."""
Layout: TypeAlias = tuple[int, *tuple[str, ...]]

ELSEWHERE: Any = object()
"""What an entry returns for a call that it does not serve."""


class Unmatched(Exception):
    """Arguments of such a kind are looked at in general."""


class Call(NamedTuple):
    """A call as it was written, and how arguments are bound to the function's parameters."""

    owner: tuple[Any, ...]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    bind: Callable[..., BoundArguments]

    @property
    def layout(self) -> Layout:
        """How many arguments are given by position, and the names of the others."""
        return len(self.args), *self.kwargs

    def gives(self, given: Arguments) -> bool:
        """Whether these arguments are what was written, and nothing of it was converted."""
        bound = self.bind(*self.args, **self.kwargs)
        args, kwargs = given.passed
        if len(args) != len(bound.args) or [*kwargs] != [*bound.kwargs]:
            return False
        written, passed = nest.flatten((bound.args, bound.kwargs)), nest.flatten(given.passed)
        return len(written) == len(passed) and all(map(is_, written, passed))

    def places(self) -> BoundArguments:
        """The source for each argument of the function."""
        args = [f"args[{i}]" for i in range(len(self.args))]
        return self.bind(*args, **{name: f"kwargs[{name!r}]" for name in self.kwargs})


def entry(kind: Any, call: Call, variant: Variant) -> Entry | None:
    """The entry to a variant for calls that are written like this one, with arguments of this kind.

    None if there is none for this kind.
    """
    writer = _Writer(*call.layout)
    try:
        writer.match_all(kind, call.places())
    except Unmatched:
        return None
    writer.run(variant)
    return writer.compiled()


class _Writer:
    """Writes the conditions under which arguments are of a kind."""

    def __init__(self, count: int, *names: str) -> None:
        self.values: dict[str, Any] = {
            "ELSEWHERE": ELSEWHERE,
            "Op": Op,
            "Tensor": Tensor,
            "get_ident": get_ident,
            "held": held,
            "is_heard": is_heard,
            "settings": settings,
        }
        self.lines = ["def enter(owner, args, kwargs):"]
        self.arrays: list[str] = []
        by_name = f"tuple(kwargs) == {names!r}" if names else "not kwargs"
        self.require(f"len(args) == {count} and {by_name}")

    def match_all(self, kind: Any, places: BoundArguments) -> None:
        """The owner of a method is of such a kind, and the arguments at these places."""
        owners, (_, *by_place), (_, _, *by_name) = kind
        pairs = [(each, f"owner[{i}]") for i, each in enumerate(owners)]
        pairs += zip(by_place, places.args, strict=True)
        pairs += zip(by_name, places.kwargs.values(), strict=True)
        for each, place in pairs:
            self.match(each, place)
        tensors = [f"id(t{i})" for i in range(len(self.arrays))]
        if len(tensors) > 1:
            self.require(f"len({{{', '.join(tensors)}}}) == {len(tensors)}")

    def match(self, kind: Any, place: str) -> None:
        """What stands at this place is of such a kind."""
        if isinstance(kind, Same):
            self.require(kind.condition(place, self.known))
            return
        cls, *parts = kind
        if isinstance(cls, np.dtype):
            self._match_tensor(kind, place)
        elif cls == "argument":
            self.require(f"{place} is t{parts[0]}")
        elif cls is list or cls is tuple:
            items = self._named(place)
            self.require(f"type({items}) is {cls.__name__} and len({items}) == {len(parts)}")
            for i, part in enumerate(parts):
                self.match(part, f"{items}[{i}]")
        elif cls is dict and all([kind is str for kind, _ in parts[0]]):
            keys = tuple([key for _, key in parts[0]])
            items = self._named(place)
            self.require(f"type({items}) is dict and tuple({items}) == {keys!r}")
            for key, part in zip(keys, parts[1:], strict=True):
                self.match(part, f"{items}[{key!r}]")
        elif cls in ATOMS:
            value = self._named(place)
            self.require(f"type({value}) is {self.known(cls)}")
            self.require(f"{self.known(exactly)}({value}) == {self.known(parts[0])}")
        else:
            raise Unmatched

    def _match_tensor(self, kind: Any, place: str) -> None:
        i = len(self.arrays)
        self.lines.append(f"t{i} = {place}")
        self.require(f"type(t{i}) is Tensor")
        self.lines.append(f"x{i} = held(t{i})")
        dtype, shape = kind
        self.require(f"x{i}.dtype is {self.known(dtype)} and x{i}.shape == {shape!r}")
        self.arrays.append(f"x{i}")

    def require(self, condition: str) -> None:
        """Calls for which this does not hold go elsewhere."""
        self.lines.append(f"if not ({condition}): return ELSEWHERE")

    def known(self, value: Any) -> str:
        """A name for a value."""
        name = f"k{len(self.values)}"
        self.values[name] = value
        return name

    def _named(self, place: str) -> str:
        name = f"g{len(self.lines)}"
        self.lines.append(f"{name} = {place}")
        return name

    def run(self, variant: Variant) -> None:
        """Run the variant on the tensors, if nothing speaks against it."""
        runner = variant.runner
        program = runner.callable.program
        self.values |= {"hold": variant.captures.hold, "run": program.run, "variant": variant}
        self.values |= {"assign": runner.assign, "pack": variant.pack, "wrap_held": wrap_held}
        self.require(
            f"Op.epoch == {Op.epoch} and not settings.run_functions_eagerly "
            "and not is_heard(get_ident()) and hold()"
        )
        read = "{}._held()" if program.knows_devices else "{}._array"
        given = [*self.arrays, *[read.format(self.known(v)) for v in runner.variables]]
        self.lines += [
            "try:",
            f"    found, values = run({', '.join(given)})",
            "except Exception:",
            "    return ELSEWHERE",
            *(["assign(values)"] if runner.assigned else []),
            "variant.calls += 1",
            "return pack([wrap_held(x) for x in found])",
        ]

    def compiled(self) -> Entry:
        """The function, once all is written."""
        exec(compile("\n    ".join(self.lines), "<entry>", "exec"), self.values)
        enter: Entry = self.values["enter"]
        return enter
