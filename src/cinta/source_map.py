"""Where things stand in the source code: what ``cinta where conv2d`` prints.

>>> from cinta.source_map import where
>>> print(where("nn.relu").splitlines()[0])
tf.nn.relu
"""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from inspect import unwrap
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

from .engine.op import Op
from .engine.registry import registry
from .public import PACKAGE
from .public_names import NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
CLONE = HERE.parent.parent  # where tests and docs are, unless cinta was installed
MOST = 8  # lines of one kind


class Found(NamedTuple):
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
        raise ValueError(f"nothing public and no op is called {name!r}; see dir(tf) and dir(tf.nn)")
    return "\n\n".join(map("\n".join, found))


def public_things() -> list[Found]:
    """All public things."""
    found: dict[tuple[str, str], Found] = {}
    for namespace, homes in NAMES.items():
        for home, texts in homes.items():
            for text in texts.split():
                name, _, attribute = text.partition("=")
                key = home, attribute or name
                full = ".".join(filter(None, ("tf", namespace, name)))
                found.setdefault(key, Found([], *key)).names.append(full)
    return list(found.values())


def _is_called(thing: Found, name: str) -> bool:
    wanted = name.removeprefix("tf.")
    ends = "" if "." in wanted or name.startswith("tf.") else "."
    return any(f"tf.{wanted}" == n or (ends and n.endswith(f".{wanted}")) for n in thing.names)


def _lines_of_thing(thing: Found) -> Iterator[str]:
    yield ", ".join(sorted(thing.names, key=len))
    module = import_module(f"{PACKAGE}.{thing.home}")
    path = Path(module.__file__ or "")
    yield _line("made", path, line_number(path, thing.attribute))
    for op in ops_of(module, thing.attribute):
        yield from _lines_of_op(op)
    pattern = _any_of(thing.names)
    yield from _mentions("table row", "tests/op_table/[!_]*.py", pattern)
    yield from _mentions("test", "tests/test_*.py", pattern)
    yield from _mentions("documented", "docs/**/*.md", pattern)


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
    code = method.__code__
    yield _line("made", Path(code.co_filename), code.co_firstlineno)
    called = rf"\.{method.__name__}\("
    yield from _mentions("test", "tests/test_*.py", called)
    yield from _mentions("documented", "docs/**/*.md", f"{called}|{_any_of(names)}")


def _lines_of_op(op: Op) -> Iterator[str]:
    home = HERE.joinpath(*registry.home(op.name).split(".")).with_suffix(".py")
    lines = home.read_text().splitlines() if home.exists() else []
    made = [number for number, line in enumerate(lines, 1) if f'"{op.name}"' in line]
    if made:
        yield _line(f"op {op.name}", home, made[0])
    code = getattr(op.kernel, "__code__", None)
    if code and op.kernel.__module__ != Op.__module__:
        yield _line("  kernel", Path(code.co_filename), code.co_firstlineno)
    rules = [op.joint] if op.joint else list(op.rules.values())
    for file, line in sorted({(r.__code__.co_filename, r.__code__.co_firstlineno) for r in rules}):
        yield _line("  gradient", Path(file), line)


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
        for value in [scope[word] for word in words if word in scope]:
            for op in value.values() if isinstance(value, dict) else (value,):
                if isinstance(op, Op):
                    found[op.name] = op
            if isinstance(value, FunctionType) and value not in seen and len(seen) < 40:
                seen.add(value)
                if _is_helper(value, module.__package__):
                    waiting.append((value.__globals__, list(value.__code__.co_names)))
    return list(found.values())


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
            return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    return []


def _any_of(names: list[str]) -> str:
    """A pattern of public names, also without ``tf.``: tests import ``tf.nn`` as ``nn``."""
    short = [name.removeprefix("tf.") for name in names]
    known = [*names, *[name for name in short if "." in name]]
    return "|".join(rf"(?<![\w.]){re.escape(name)}(?!\w)" for name in known)


def _mentions(what: str, files: str, pattern: str) -> Iterator[str]:
    wanted = re.compile(pattern)
    lines = [
        _line(what, path, number)
        for path in sorted(CLONE.glob(files))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if wanted.search(line)
    ]
    yield from lines[:MOST]
    if len(lines) > MOST:
        yield f"  {'':24} and {len(lines) - MOST} more in {files}"
