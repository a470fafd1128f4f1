"""Reach: the walk from a function over everything that its Python can get at.

A thing is *understood* if ``kinds`` has an entry for its kind, which says what to compare and
what to reach next. Anything else is told as the reason why no recording can stand for the Python.
"""

from __future__ import annotations

import abc
import builtins
import sys
import types
import weakref
from collections import deque
from importlib.util import resolve_name
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.tensor import Tensor
from ...engine.variable import Variable
from .callables import is_shown_by_attrs, of_opaque_library
from .code import SAME, SHOWN, codes_in, names_in
from .converted_arguments import Taken, taken_by
from .guards import MISSING, Guards
from .identities import Identities
from .library_settings import SETTINGS
from .namespaces import Namespace
from .ownership import owner_of
from .uses import FORM, Path, Use

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from ...engine.tensor import Array
    from .code import Names
    from .sites import Site

_CALLING_PYTHON = frozenset(("py_function", "numpy_function", "eager_py_func", "py_func"))
"""Functions that call Python functions in replays too."""

_FORMATTING = frozenset(("format", "format_map"))

_TYPE_TESTS = (Path("global", "isinstance"), Path("global", "issubclass"))

_AS_MADE = {kind: dict(vars(kind)) for kind in (Tensor, Variable)}
"""The attributes of these classes before any program can add to them."""

MOST_LETTERS = 200
MOST_VALUES = 20_000
MOST_CODES = 500
"""How much a function may reach: following more would take longer than running its Python."""

_REFUSED_NAMES = {
    **dict.fromkeys(("__subclasses__", "__globals__", "__builtins__"), "looks at all of a program"),
    **dict.fromkeys(("f_globals", "f_locals", "f_back", "gi_frame", "tb_frame"), "looks at frames"),
    **dict.fromkeys(("__closure__", "cell_contents", "__code__"), "takes functions apart"),
}


class Found(NamedTuple):
    """A value, its label, and the expression that gives what is there at a later call.

    ``kept`` says that the value cannot be another one later, as that of an argument;
    ``only_type_test`` that it is a class of which code only tests whether objects are of it;
    ``taken`` that it is only converted to a tensor, where it was found.
    """

    value: Any
    label: str
    source: str
    kept: bool = False
    only_type_test: bool = False
    taken: Taken | None = None


class Reach:
    """Everything found from some functions and objects, and the guards that came of it."""

    def __init__(
        self,
        roots: Collection[Any],
        apart: Collection[types.CodeType] = (),
        reads_arrays: bool = False,
    ) -> None:
        self.guards = Guards()
        self.by_content = Identities()
        self.reads_arrays = reads_arrays  # where they are only converted to tensors
        self.refused: str | None = None
        self.catches = False  # whether the Python may catch errors
        self.calls_python = False  # whether py_function and its kin are named
        self.names: set[str] = set()  # attributes that any code in reach names
        self._taken: dict[str, set[Taken | None]] = {}  # how, of those that are only converted
        self.any_attribute = False
        self.makes_generators = False  # of random numbers, perhaps without a seed
        self.system_attributes = set[str]()  # those that ask the system, of things in reach
        self.tensors: list[weakref.ref[Tensor]] = []
        self.arrays: list[Any] = []  # which recordings read at each call
        self.sites: dict[Site, Array] = {}  # of operators that take them, each with an array
        self.bytes_compared = 0
        self.generators: dict[str, Any] = {}  # of random numbers, by their labels
        self.containers: dict[tuple[int, Taken | None], str] = {}  # their names in guards
        self.seen: dict[
            tuple[int, str], Any
        ] = {}  # kept while walking, so that identities stay unique
        self._apart = set(apart)
        self._spaces: dict[tuple[int, str], Namespace] = {}
        self._waiting: deque[Found] = deque()
        self._places: set[tuple[str, bool, Taken | None]] = set()
        self._codes: set[types.CodeType] = set()
        for root in roots:
            named = root if isinstance(root, types.FunctionType) else type(root)
            self.add(self.found(root, named.__name__, self.guards.weak(root), kept=True))

    def refuse(self, why: str) -> None:
        """Remember the first reason why no recording can stand for the Python."""
        self.refused = self.refused or why

    def found(self, value: object, label: str, source: str, *, kept: bool = False) -> Found:
        """A value that was found; labels of what lies very deep are cut."""
        return Found(value, label if len(label) < MOST_LETTERS else "…", source, kept)

    def add_item(self, of: Found, key: object, value: object, label: str, source: str) -> None:
        """Look at an item of something that was found, unless code only takes another one."""
        found, taken = self.found(value, label, source), of.taken
        if taken is None or not taken.keys:
            self.add(found)
        elif taken.keys[0] == key:
            self.add(found._replace(taken=taken._replace(keys=taken.keys[1:])))

    def first(self, value: object, role: str = "") -> bool:
        """Whether a value is met for the first time in this role."""
        key = id(value), role
        new = key not in self.seen
        self.seen[key] = value
        return new

    def watch(self, tensor: Tensor) -> None:
        """Remember a tensor that tapes may know."""
        self.tensors.append(weakref.ref(tensor))

    def count_registrations(self, kind: type) -> None:
        """Check that no class was registered as one of an abstract class since."""
        if isinstance(kind, abc.ABCMeta) and self.first(abc.get_cache_token):
            count, was = self.guards.bind(abc.get_cache_token), abc.get_cache_token()
            label = "what abstract classes stand for"
            self.guards.check(label, f"{count}() == {was}", f"{count}()", str(was))

    def depend(self, package: str) -> None:
        """Check the settings of a library of which something is in reach."""
        if package in SETTINGS and self.first(SETTINGS[package].look, "setting"):
            self.unchanged(*SETTINGS[package])

    def unchanged(self, label: str, look: Callable[[], Any]) -> None:
        """Check that a function without arguments gives what it gives now."""
        now, was = f"{self.guards.bind(look)}()", self.guards.bind(look())
        self.guards.check(label, f"{now} == {was}", now, was, late=True)

    def of_library(self, thing: object) -> bool:
        """Whether a thing is not of the program."""
        return owner_of(thing) is not None

    def add(self, found: Found) -> None:
        """Look at a value later: things may be nested deeper than Python calls."""
        place = found.source, found.only_type_test, found.taken
        if place not in self._places:
            self._places.add(place)
            self._waiting.append(found)

    def walk(self, look: Callable[[Reach, Found], None]) -> None:
        """Look at everything until nothing new is in reach, or it is clear that it is in vain."""
        self._patches()
        self._follow(look)
        for space in self._all():
            space.rest(self)
        self._follow(look)
        if "numpy" in self.names:
            self.depend("numpy")
        if SHOWN in self.names:
            self.depend("texts")
        if SAME in self.names:
            self.by_content.check(self.guards)
        for name in self.names & self.system_attributes:
            self.refuse(f"it calls {name}(), which may answer otherwise at each call")
        for space in self._all():
            space.close(self)

    def _patches(self) -> None:
        """Reach for what programs have put into the classes of tensors and variables."""
        for kind, before in _AS_MADE.items():
            for name, value in vars(kind).items():
                if before.get(name, MISSING) is value:
                    continue
                if of_opaque_library(value):
                    before[name] = value
                else:
                    space = self.space(kind, vars(kind), kind.__name__)
                    self.add(space.get(self, name, value))

    def _follow(self, look: Callable[[Reach, Found], None]) -> None:
        while self._waiting and self.refused is None:
            look(self, self._waiting.popleft())
            if len(self.seen) > MOST_VALUES or len(self._codes) > MOST_CODES:
                self.refuse("it reaches more of the program than can be compared at each call")
            if not self._waiting:
                for space in self._all():
                    space.look(self)

    def _all(self) -> list[Namespace]:
        return list(self._spaces.values()) if self.refused is None else []

    def space(self, owner: Any, names: Any, label: str, role: str = "") -> Namespace:
        """The namespace of a module, a class or an object; each is looked at once."""
        key = id(owner), role
        if key not in self._spaces:
            self.first(owner, "namespace")
            self._spaces[key] = Namespace(names, label)
        return self._spaces[key]

    # -- code ----------------------------------------------------------------------------------

    def read(self, function: types.FunctionType, label: str) -> None:
        """Reach for what the code of a function names."""
        code = function.__code__
        if code in self._apart:
            return
        self._codes.add(code)
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        apart = self._apart | _called_by_replays(function)
        for inner in codes_in(code, apart):
            self.catches = self.catches or bool(inner.co_exceptiontable)
            names = names_in(inner)
            self._note(names)
            for use in names.uses:
                path, taken = use.path, taken_by(use, inner, function.__globals__)
                if path.kind == "global":
                    self._global(use, taken, function)
                elif path.kind == "import":
                    self._import(path, function.__globals__)
                elif path.kind == "attribute":
                    self._attribute(path.name, taken)
                elif path.name in cells:
                    self._enclosed(use, taken, cells[path.name])
                if path.kind == "enclosed" and (path.name not in cells or inner is not code):
                    self._of_local(path.attributes, taken)

    def _of_local(self, attributes: tuple[str, ...], taken: Taken | None) -> None:
        """Attributes are asked of what may be a local variable of the function around."""
        if attributes:
            self.named(attributes[:-1])
            self._attribute(attributes[-1], taken)

    def _note(self, names: Names) -> None:
        self.name(names.attributes)
        self.any_attribute = self.any_attribute or names.any_attribute

    def named(self, attributes: tuple[str, ...]) -> None:
        """Attributes are asked of a value that may be a text, which itself names some to format."""
        self.any_attribute = self.any_attribute or not _FORMATTING.isdisjoint(attributes)
        self.name(attributes)

    def _attribute(self, name: str, taken: Taken | None) -> None:
        """An attribute is asked of what is not known, and goes to what may convert it."""
        if taken is None or (name in self.names and name not in self._taken):
            return self.named((name,))
        ways = {*self._taken.get(name, ()), taken}
        self.name((name,))
        self._taken[name] = ways
        return None

    def ways(self, name: str) -> Collection[Taken | None]:
        """How code takes an attribute of this name."""
        return (None,) if self.any_attribute else self._taken.get(name, (None,))

    def name(self, attributes: Collection[str]) -> None:
        """Attributes are asked of what is not known: any object in reach may have them."""
        self.names.update(attributes)
        for name in self._taken.keys() & attributes:
            del self._taken[name]
        for name in _REFUSED_NAMES.keys() & attributes:
            self.refuse(f"its code names {name}, which {_REFUSED_NAMES[name]}")

    def _global(self, use: Use, taken: Taken | None, function: types.FunctionType) -> None:
        path = use.path
        if path.name == "id" and is_shown_by_attrs(function):
            return None
        names = function.__globals__
        space = self.space(names, names, "")
        value = names.get(path.name, MISSING)
        if value is MISSING:
            space.absent(path.name)
            space = self.space(builtins, vars(builtins), "")
            value = vars(builtins).get(path.name, MISSING)
            if value is MISSING:
                return space.absent(path.name)
        self.calls_python = self.calls_python or path.name in _CALLING_PYTHON
        self.follow(space.get(self, path.name, value), use, taken)
        return None

    def _enclosed(self, use: Use, taken: Taken | None, cell: types.CellType) -> None:
        path = use.path
        name = self.guards.bind(cell)
        try:
            value = cell.cell_contents
        except ValueError:  # nothing yet
            held = f"{self.guards.bind(_content)}({name}) is M"
            self.guards.check(path.name, held, f"{self.guards.bind(_content)}({name})", "M")
            return
        found = self.found(value, path.name, f"{name}.cell_contents")
        self.follow(found, use, taken)

    def _import(self, path: Path, names: dict[str, Any]) -> None:
        space = self.space(sys.modules, sys.modules, "")
        try:
            name = resolve_name(path.name, names.get("__package__"))
        except ImportError:
            return
        for each in {name, name.partition(".")[0]}:
            found = space.get(self, each, sys.modules.get(each, MISSING))
            self.follow(found, Use(path if each == name else path._replace(attributes=())))

    def follow(self, found: Found, use: Use, taken: Taken | None = None) -> None:
        """Go on along a path: attributes of modules are known, those of others are not."""
        attributes = use.path.attributes
        while attributes and type(found.value) is types.ModuleType:
            name, *rest = attributes
            attributes = tuple(rest)
            self.calls_python = self.calls_python or name in _CALLING_PYTHON
            self.module_itself(found)
            asked = self.attribute_of_module(found, name)
            if asked is None:
                return
            found = asked
        if not attributes:
            only_type_test = use.taker in _TYPE_TESTS and not use.keys
            self.add(found._replace(only_type_test=only_type_test, taken=taken))
        elif attributes[0] in FORM:
            self.named(attributes)
            self.add(found._replace(taken=Taken()))
        else:
            self.named(attributes[:-1])
            self._attribute(attributes[-1], taken)
            self.add(found)

    def module_itself(self, found: Found) -> None:
        """Check that it is the same module."""
        module = self.guards.weak(found.value)
        self.guards.check(found.label, f"{found.source} is {module}", found.source, module)

    def attribute_of_module(self, found: Found, name: str) -> Found | None:
        """The value of a name in a module; some modules make it when it is read."""
        module = found.value
        value = vars(module).get(name, MISSING)
        if value is MISSING and "__getattr__" in vars(module):
            return self._made_by_module(found, name)
        space = self.space(vars(module), vars(module), found.label)
        if value is MISSING:
            space.absent(name)
            space.absent("__getattr__")
            return None
        return space.get(self, name, value)

    def _made_by_module(self, found: Found, name: str) -> Found | None:
        module = found.value
        if not of_opaque_library(module) and owner_of(module) is None:
            self.refuse(f"{found.label} is a module that makes {name} in its __getattr__")
            return None
        try:
            value = getattr(module, name)
        except AttributeError:
            return None
        if name not in vars(module):  # it stands elsewhere
            return self.found(value, f"{found.label}.{name}", self.guards.weak(value), kept=True)
        return self.space(vars(module), vars(module), found.label).get(self, name, value)


def _called_by_replays(function: types.FunctionType) -> set[types.CodeType]:
    """The code of functions that are made for ``tf.py_function`` and its kin."""
    handed = [each for code in codes_in(function.__code__) for each in names_in(code).handed]
    return {code for path, code in handed if _calls_python(path, function.__globals__)}


def _calls_python(path: Path, names: dict[str, Any]) -> bool:
    """Whether a path leads to what calls Python functions in replays too."""
    called: object = names.get(path.name)
    for name in path.attributes:
        called = vars(called).get(name) if isinstance(called, types.ModuleType) else None
    named = path.kind == "global" and getattr(called, "__name__", None) in _CALLING_PYTHON
    return named and of_opaque_library(called)


def _content(cell: types.CellType) -> object:
    """The value of a variable of an enclosing function."""
    try:
        return cell.cell_contents
    except ValueError:  # nothing
        return MISSING
