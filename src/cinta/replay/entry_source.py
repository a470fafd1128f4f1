"""The source of entries: whether the arguments of a call are of a kind; then run a recording."""

from __future__ import annotations

from _thread import get_ident
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..engine import settings
from ..engine.committing import commit, commit_arrays, values_of
from ..engine.distributed_values import PerReplica
from ..engine.listeners import has_listener
from ..engine.op import Op
from ..engine.tensor import Tensor, held, wrap, wrap_held
from .argument_structures import ATOMS, Same, exactly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .variant import Runner, Variant

Enter: TypeAlias = Callable[[tuple[Any, ...], tuple[Any, ...], dict[str, Any]], Any]
"""A function of an owner, of arguments by position and of arguments by name."""

ELSEWHERE: Any = object()
"""The return value of an entry for a call that it does not serve."""


class Unmatched(Exception):
    """Arguments of such a kind are looked at in general."""


class Writer:
    """Writes the source of a function, with the conditions under which arguments are of a kind."""

    def __init__(self, count: int, *names: str) -> None:
        self._count, self._names = count, names
        self.values: dict[str, Any] = {
            "ELSEWHERE": ELSEWHERE,
            "Op": Op,
            "Tensor": Tensor,
            "get_ident": get_ident,
            "held": held,
            "has_listener": has_listener,
            "settings": settings,
        }
        self.lines = ["def enter(owner, args, kwargs):"]
        self.arrays: list[str] = []
        by_name = f"tuple(kwargs) == {names!r}" if names else "not kwargs"
        self.require(f"len(args) == {count} and {by_name}")

    def match_all(self, kind: Any, args: Iterable[str], kwargs: Iterable[str]) -> None:
        """The owner of a method is of such a kind, and the arguments at these places."""
        owners, (_, *by_place), (_, _, *by_name) = kind
        pairs = [(each, f"owner[{i}]") for i, each in enumerate(owners)]
        pairs += zip(by_place, args, strict=True)
        pairs += zip(by_name, kwargs, strict=True)
        for each, place in pairs:
            self.match(each, place)
        tensors = [f"id(t{i})" for i in range(len(self.arrays))]
        if len(tensors) > 1:
            self.require(f"len({{{', '.join(tensors)}}}) == {len(tensors)}")

    def match(self, kind: Any, place: str) -> None:
        """The argument at this place is of such a kind."""
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
            self.require(f"type({items}) is {cls.__name__}")
            self._match_items(parts, items)
        elif cls is PerReplica:
            whole = self._named(place)
            self.require(f"type({whole}) is {self.known(PerReplica)}")
            self._match_items(parts, self._named(f"{whole}._values"))
        elif cls is dict and all([type(key) is tuple and key[0] is str for key in parts[0]]):
            keys = tuple([key for _, key in parts[0]])
            items = self._named(place)
            self.require(f"type({items}) is dict and tuple({items}) == {keys!r}")
            self.require(f"{{*map(type, {items})}} <= {{str}}")
            for key, part in zip(keys, parts[1:], strict=True):
                self.match(part, f"{items}[{key!r}]")
        elif cls in ATOMS:
            value = self._named(place)
            self.require(f"type({value}) is {self.known(cls)}")
            self.require(f"{self.known(exactly)}({value}) == {self.known(parts[0])}")
        else:
            raise Unmatched

    def _match_items(self, kinds: Sequence[Any], items: str) -> None:
        self.require(f"len({items}) == {len(kinds)}")
        for i, kind in enumerate(kinds):
            self.match(kind, f"{items}[{i}]")

    def _match_tensor(self, kind: Any, place: str) -> None:
        if len(kind) > 2:  # on a mesh of devices
            raise Unmatched
        i = len(self.arrays)
        self.lines.append(f"t{i} = {place}")
        self.require(f"type(t{i}) is Tensor and not t{i}.__dict__")
        self.lines.append(f"x{i} = held(t{i})")
        dtype, shape = kind
        self.require(f"x{i}.dtype is {self.known(dtype)} and x{i}.shape == {shape!r}")
        self.arrays.append(f"x{i}")

    def require(self, condition: str) -> None:
        """Calls for which this does not hold go elsewhere."""
        self.lines.append(f"if not ({condition}): return ELSEWHERE")

    def known(self, value: object) -> str:
        """A name for a value."""
        name = f"k{len(self.values)}"
        self.values[name] = value
        return name

    def _named(self, place: str) -> str:
        name = f"g{len(self.lines)}"
        self.lines.append(f"{name} = {place}")
        return name

    def running(self, variant: Variant) -> list[str]:
        """The lines that run the variant on the tensors, if nothing speaks against it."""
        runner = variant.runner
        program = runner.callable.program
        self.values |= {"hold": variant.captures.hold, "run": program.run, "variant": variant}
        far = program.knows_devices
        self.values |= {"pack": variant.pack, "wrapped": wrap_held if far else wrap}
        read = self._reading(runner, far)
        computed = f"    found, _ = run({', '.join([*self.arrays, *read])})"
        if runner.assigned:  # its variables are held until it has assigned them
            self._write_step(runner, read, commit if far else commit_arrays)
            computed = f"    found = alone({', '.join(['step', *self.arrays])})"
        return [
            f"if Op.epoch != {Op.epoch} or settings.run_functions_eagerly: return ELSEWHERE",
            "if has_listener(get_ident()) or not hold(): return ELSEWHERE",
            "try:",
            computed,
            "except Exception:",
            "    return ELSEWHERE",
            "variant.calls += 1",
            "return pack([wrapped(x) for x in found])",
        ]

    def _reading(self, runner: Runner, far: bool) -> list[str]:
        """The expressions, if any, that give what variables hold, as further arguments."""
        made, program = runner.callable.recording, runner.callable.program
        names = [(self.known(variable), n) for variable, n in made.reads]
        if not far:
            return [f"{name}._array" for name, _ in names]
        near = program.wants_on_host
        if near.isdisjoint([n for _, n in names]):
            self.values["values_of"] = values_of
            return [f"*values_of({self.known(runner.variables)})"] if names else []
        return [f"{name}._array" if n in near else f"{name}._held()" for name, n in names]

    def _write_step(self, runner: Runner, read: Sequence[str], commit: Callable[..., None]) -> None:
        """Write the function that reads variables, runs, and assigns; old values live on in it."""
        lines = [
            f"def step({', '.join(self.arrays)}):",
            f"old = [{', '.join(read)}]",
            f"found, values = run({', '.join([*self.arrays, '*old'])})",
            "commit(assigned, values)",
            "return found",
        ]
        self.values |= {"alone": runner.holding.call, "commit": commit}
        self.values |= {"assigned": runner.assigned}
        exec(compile("\n    ".join(lines), "<step>", "exec"), self.values)

    def compiled(self, *lines: str) -> Enter:
        """The function that goes on with these lines where all conditions hold."""
        exec(compile("\n    ".join([*self.lines, *lines]), "<entry>", "exec"), self.values)
        enter: Enter = self.values["enter"]
        return enter

    def written(self, values: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """A call with these values at their places."""
        args = tuple([values[f"args[{i}]"] for i in range(self._count)])
        return args, {name: values[f"kwargs[{name!r}]"] for name in self._names}
