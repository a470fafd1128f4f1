"""Guards: that what was in reach is still what it was, as one generated Python function.

Each check is an expression; cheap ones, which compare identities, come first. The values that
checks compare with are held weakly where they can be, so that a recording keeps nothing alive that
the program has dropped; when such a value goes, the guards do not hold any more.
"""

from __future__ import annotations

import reprlib
import weakref
from functools import lru_cache, partial
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.arrays import shortened
from ...engine.by_itself import by_itself

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType

MISSING = object()
"""Stands for a value that is missing."""


class Check(NamedTuple):
    """An expression that is to be true, and those that give what is there now, and what was."""

    label: str
    condition: str
    now: str
    was: str


class Let(NamedTuple):
    """A value that later checks use."""

    name: str
    source: str


class Guards:
    """Checks, and the values that they use by name."""

    def __init__(self) -> None:
        self.gone = False
        self._values: dict[str, Any] = {"M": MISSING, "same": same, "is_": is_}
        self._names: dict[int, str] = {}
        self._refs: dict[int, str] = {}
        self._methods: dict[tuple[int, str], str] = {}
        self._early: list[Check | Let] = []
        self._late: list[Check] = []
        self._when_gone: list[Callable[[], None]] = []
        self._function: Callable[[], bool] | None = None
        self._forget = partial(_forget, weakref.ref(self))

    # -- names in checks -----------------------------------------------------------------------

    def bind(self, value: object) -> str:
        """The name of a value, which is held."""
        name = self._names.get(id(value))
        if name is None:
            name = self._names[id(value)] = f"b{len(self._values)}"
            self._values[name] = value
        return name

    def method(self, owner: object, name: str) -> str:
        """The name of a method of an object, which is held."""
        key = id(owner), name
        if key not in self._methods:
            self._methods[key] = self.bind(getattr(owner, name))
        return self._methods[key]

    def weak(self, value: object) -> str:
        """An expression that gives a value, which is not held if Python can follow it."""
        found = self._refs.get(id(value))
        if found is None:
            follow = self.follow(value)
            held = isinstance(follow, weakref.ref)
            found = self._refs[id(value)] = f"{self.bind(follow)}()" if held else self.bind(value)
        return found

    def knows(self, value: object) -> bool:
        """Whether this very object is one to which an expression leads."""
        name = self._refs.get(id(value), "")
        known = self._values.get(name.removesuffix("()"), MISSING)
        return (known() if name.endswith("()") else known) is value

    def follow(self, value: object) -> Callable[[], Any]:
        """An expression for a value, which is not held if Python can follow it."""
        try:
            return weakref.ref(value, self._forget)
        except TypeError:
            return lambda: value

    def let(self, source: str) -> str:
        """A name for the value of an expression, as it is at each call."""
        name = f"v{len(self._early)}"
        self._early.append(Let(name, source))
        return name

    def check(self, label: str, condition: str, now: str, was: str, *, late: bool = False) -> None:
        """Require that a condition holds; late ones are those that cost more."""
        (self._late if late else self._early).append(Check(label, condition, now, was))

    def when_gone(self, do: Callable[[], None]) -> None:
        """Do this when something goes without which the guards cannot hold."""
        self._when_gone.append(do)

    def end(self) -> None:
        """Something has gone without which nothing holds any more."""
        self.gone, self._function = True, _never
        for each in (self._values, self._early, self._late):
            each.clear()
        for do in self._when_gone:
            do()

    # -- the functions that are made of them -----------------------------------------------------

    def hold(self) -> bool:
        """Whether all is as it was."""
        function = self._function
        if function is None:
            function = self._function = self._compiled()
        return function()

    @property
    def labels(self) -> set[str]:
        """The labels that are compared."""
        return {each.label for each in self._checks()}

    def differences(self) -> list[tuple[str, Any, Any]]:
        """The first difference: its label, the old value, and the new one."""
        if self.gone:
            return [("what it refers to", MISSING, MISSING)]
        values, found = dict(self._values), []
        for each in [*self._early, *self._late]:
            try:
                if isinstance(each, Let):
                    values[each.name] = eval(each.source, values)
                elif not eval(each.condition, values):
                    was, now = eval(each.was, values), eval(each.now, values)
                    found.append((each.label, was, now))
            except Exception:  # it is part of something that is not as it was
                continue
        return found

    def _checks(self) -> list[Check]:
        return [each for each in [*self._early, *self._late] if isinstance(each, Check)]

    def _compiled(self) -> Callable[[], bool]:
        """A function of all the checks, which asks of each thing once."""
        lines = ["def holds():", " try:"]
        for each in [*self._early, *self._late]:
            if isinstance(each, Let):
                lines.append(f"  {each.name} = {each.source}")
            else:
                lines.append(f"  if not ({each.condition}): return False")
        lines = [*dict.fromkeys(lines)]  # a value that was found twice is looked at once
        lines += ["  return True", " except Exception: return False"]  # part of it is not there
        made: dict[str, Callable[[], bool]] = {}  # for this thread: others may be compiling as well
        exec(_code("\n".join(lines)), self._values, made)
        return made["holds"]


@lru_cache(maxsize=1000)
def _code(source: str) -> CodeType:
    """Checks as code: those of a method of several objects, or of closures alike, are the same."""
    return compile(source, "<captures>", "exec")


def _never() -> bool:
    return False


def _forget(guards: weakref.ref[Guards], _: object) -> None:
    alive = guards()
    if alive is not None:
        alive.end()


def same(now: object, was: object) -> bool:
    """Whether a value that cannot change is what it was, though it may be another object."""
    if now is was:
        return True
    if type(now) is not type(was) or type(now) is object:
        return False
    try:
        if now == was:
            return repr(now) == repr(was)  # -0.0 is not 0.0
        return now != now and repr(now) == repr(was)
    except Exception:
        return False


def in_words(label: str, was: object, now: object) -> str:
    """That something is not what it was."""
    return f"{label} changed: {_short(was)} → {_short(now)}"


def _short(value: object) -> str:
    with by_itself():
        return shortened("nothing" if value is MISSING else _brief.repr(value))


_brief = reprlib.Repr()  # it comes to an end in lists that are long, deep, or in themselves
_brief.maxstring = _brief.maxother = _brief.maxlong = 60
