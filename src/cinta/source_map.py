"""Where things stand in the source code: what ``cinta where conv2d`` prints.

>>> from cinta.source_map import where
>>> print(where("nn.relu").splitlines()[0])
tf.nn.relu
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from .engine.op import Op, elementwise
from .engine.registry import registry
from .missing_names import advice
from .public import PACKAGE
from .public_names import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
CLONE = HERE.parent.parent  # where tests and docs are, unless cinta was installed
MOST = 6
"""Files, or lines of a file, of one kind."""
TESTS = "tests/**/test_*.py"
PAGES = "docs/en/[gi]*/*.md"
"""The guides and the pages about the inside; those in other languages say the same."""
DEVIATIONS = "docs/en/deviations/*.md"


class PublicThing(NamedTuple):
    """A public thing: all of its names, the module that makes it, and its name there."""

    names: list[str]
    home: str
    attribute: str


def where(name: str) -> str:
    """Where a public name, a method or an op is made, differentiated, tested and documented."""
    found = [_lines_of_thing(each) for each in public_things() if _is_called(each, name)]
    if not found:
        found = [*_methods(name)]
    if not found and name in registry:
        found = [_lines_of_op(registry[name])]
    if not found:
        namespace, _, last = f"tf.{name.removeprefix('tf.')}".rpartition(".")
        raise ValueError(f"No public name, method or op is {name!r}.{advice(namespace, last)}")
    return "\n\n".join(map("\n".join, found))


def public_things() -> list[PublicThing]:
    """All public things."""
    found: dict[tuple[str, str], PublicThing] = {}
    for namespace, homes in NAMES.items():
        for home, texts in homes.items():
            for text in texts.split():
                name, _, attribute = text.partition("=")
                key = home, attribute or name
                full = ".".join(filter(None, ("tf", namespace, name)))
                found.setdefault(key, PublicThing([], *key)).names.append(full)
    return list(found.values())


def _is_called(thing: PublicThing, name: str) -> bool:
    wanted = name.removeprefix("tf.")
    ends = "" if "." in wanted or name.startswith("tf.") else "."
    return any(f"tf.{wanted}" == n or (ends and n.endswith(f".{wanted}")) for n in thing.names)


def _lines_of_thing(thing: PublicThing) -> Iterator[str]:
    yield ", ".join(sorted(thing.names, key=len))
    module = import_module(f"{PACKAGE}.{thing.home}")
    path = Path(module.__file__ or "")
    yield _line("made", path, line_number(path, thing.attribute))
    for op in ops_of(module, thing.attribute):
        yield from _lines_of_op(op)
    pattern = _any_of(thing.names)
    yield from _lines_with("table row", "tests/op_table/[!_]*.py", pattern)
    yield from _files_with("test", TESTS, pattern)
    yield from _pages_on(thing.names, pattern)


def _methods(name: str) -> Iterator[Iterator[str]]:
    """The lines of each method that is called so, as ``data.Dataset.map``."""
    owner, _, attribute = name.rpartition(".")
    for thing in public_things() if owner else ():
        if _is_called(thing, owner):
            kind = getattr(import_module(f"{PACKAGE}.{thing.home}"), thing.attribute)
            found = getattr(kind, attribute, None)
            method = unwrap(found) if callable(found) else None
            if isinstance(method, FunctionType):
                yield _lines_of_method([f"{each}.{attribute}" for each in thing.names], method)


def _lines_of_method(names: list[str], method: FunctionType) -> Iterator[str]:
    yield ", ".join(sorted(names, key=len))
    yield _line_of("made", method)
    called = rf"\.{method.__name__}\("
    yield from _files_with("test", TESTS, called)
    yield from _pages_on(names, f"{called}|{_any_of(names)}")


def _lines_of_op(op: Op) -> Iterator[str]:
    home = HERE.joinpath(*registry.home(op.name).split(".")).with_suffix(".py")
    lines = home.read_text().splitlines() if home.exists() else []
    made = [number for number, line in enumerate(lines, 1) if f'"{op.name}"' in line]
    if made:
        yield _line(f"op {op.name}", home, made[0])
    if op.kernel.__module__ == elementwise.__module__:
        yield f"  {'  kernel':24} the function of NumPy that is named there"
    elif isinstance(op.kernel, FunctionType):
        yield _line_of("  kernel", op.kernel)
        names = op.kernel.__code__.co_names
        on_xla = vars(op.kernel.__globals__["xla"]) if "xla" in names else {}
        yield from [_line_of("  kernel on XLA", on_xla[name]) for name in names if name in on_xla]
    rules = [op.joint] if op.joint else list(op.rules.values())
    yield from sorted({_line_of("  gradient", rule) for rule in rules})
    if not rules:
        yield f"  {'  gradient':24} none"


def _line_of(what: str, function: Any) -> str:
    code = function.__code__
    return _line(what, Path(code.co_filename), code.co_firstlineno)


def _line(what: str, path: Path, number: int) -> str:
    root = CLONE if path.is_relative_to(CLONE) else HERE.parent
    return f"  {what:24} {path.relative_to(root)}:{number}"


def line_number(path: Path, attribute: str) -> int:
    """The line of a file where something is bound at its top."""
    for node in _top_of(path):
        if attribute in _bound(node):
            return node.lineno
    return 1


@cache
def _top_of(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text()).body


def _bound(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
    return [each.id for each in targets if isinstance(each, ast.Name)]


def ops_of(module: Any, attribute: str) -> list[Op]:
    """The ops that a function calls, itself or through other functions of the ops' folders."""
    found: dict[str, Op] = {}
    waiting, seen = [(vars(module), _words(module, attribute))], set[FunctionType]()
    for scope, words in waiting:
        for value in _called_by(words, scope):
            for op in value.values() if isinstance(value, dict) else (value,):
                if isinstance(op, Op):
                    found[op.name] = op
            if isinstance(value, FunctionType) and value not in seen and len(seen) < 40:
                seen.add(value)
                if _is_helper(value, module.__package__):
                    waiting.append((value.__globals__, list(value.__code__.co_names)))
    return list(found.values())


def _called_by(words: list[str], scope: dict[str, Any]) -> Iterator[Any]:
    """The things that these words of a function may mean: names, and names in modules."""
    for word in words:
        value = scope.get(word)
        yield value
        if isinstance(value, ModuleType) and value.__name__.startswith(PACKAGE):
            yield from [vars(value)[each] for each in words if each in vars(value)]


def _is_helper(function: FunctionType, package: str) -> bool:
    """Whether a function is a private part of what is made in this package."""
    home, name = function.__module__, function.__name__
    beside = home.rpartition(".")[0] == package
    return name.startswith("_") or (beside and (home, name) not in _public_attributes())


@cache
def _public_attributes() -> frozenset[tuple[str, str]]:
    return frozenset((f"{PACKAGE}.{each.home}", each.attribute) for each in public_things())


def _words(module: Any, attribute: str) -> list[str]:
    for node in _top_of(Path(module.__file__)):
        if attribute in _bound(node):
            return [word for each in ast.walk(node) for word in _word(each)]
    return []


def _word(node: ast.AST) -> list[str]:
    name = getattr(node, "id", None) or getattr(node, "attr", None)
    return [name] if isinstance(name, str) else []


def _any_of(names: list[str]) -> str:
    """A pattern of public names, also without ``tf.``: tests import ``tf.nn`` as ``nn``."""
    short = [name.removeprefix("tf.") for name in names]
    known = [*names, *[name for name in short if "." in name]]
    return "|".join(rf"(?<![\w.]){re.escape(name)}(?!\w)" for name in known)


def _pages_on(names: list[str], pattern: str) -> Iterator[str]:
    """The rows of deviations whose case names a thing, and the pages that mention it."""
    last = "|".join({re.escape(name.rpartition(".")[2]) for name in names})
    in_case = rf"^\|[^|]*(?:{pattern}|`(?:[\w.]*\.)?(?:{last})[`(])"
    yield from _lines_with("deviation", DEVIATIONS, in_case)
    yield from _files_with("documented", PAGES, pattern)


def _lines_with(what: str, files: str, pattern: str) -> Iterator[str]:
    found = _mentions(files, pattern)
    yield from [_line(what, *place) for place in found[:MOST]]
    if len(found) > MOST:
        yield f"  {'':24} and {len(found) - MOST} more"


def _files_with(what: str, files: str, pattern: str) -> Iterator[str]:
    """The first line of each file, that with the most lines first."""
    found = _mentions(files, pattern)
    counts, first = Counter(path for path, _ in found), dict(reversed(found))
    for path, count in counts.most_common(MOST):
        yield _line(what, path, first[path]) + (f" and {count - 1} more" if count > 1 else "")
    if len(counts) > MOST:
        yield f"  {'':24} and {len(counts) - MOST} more files"


def _mentions(files: str, pattern: str) -> list[tuple[Path, int]]:
    """The lines that mention something, by file and number."""
    wanted = re.compile(pattern)
    return [
        (path, number)
        for path in sorted(CLONE.glob(files))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if wanted.search(line)
    ]
