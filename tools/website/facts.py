"""Facts about all that is public: signature, docstring, place, derivatives, differences."""

from __future__ import annotations

import enum
import inspect
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import cinta as tf
from cinta.engine.op import Op
from cinta.source_map import PublicThing, line_number, ops_of, public_things

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = "https://github.com/cinta-autodiff/cinta/blob/main/"
RAW_OPS = "tf.raw_ops"
ADDRESS = re.compile(r"<([\w.]+)[^<>]*? at 0x[0-9a-f]+>")


@dataclass(frozen=True)
class Difference:
    """A row of the pages about differences: the case, TensorFlow's answer and cinta's."""

    page: str
    case: str
    theirs: str
    ours: str


@dataclass
class Thing:
    """Something public, under the shortest of its names."""

    name: str
    aliases: list[str]
    value: Any
    file: Path
    line: int
    ops: list[Op] = field(default_factory=list)

    @property
    def namespace(self) -> str:
        """The namespace whose page shows it."""
        return self.name.rpartition(".")[0]

    @property
    def source(self) -> str:
        """Where it is made."""
        return _place(self.file, self.line)

    @cached_property
    def doc(self) -> str:
        """Its docstring; of values, how Python prints them."""
        documented = callable(self.value) or isinstance(self.value, type)
        return (inspect.getdoc(self.value) or "") if documented else f"`{self.value!r}`"

    @property
    def summary(self) -> str:
        """The first sentence of the docstring."""
        paragraph = " ".join(self.doc.partition("\n\n")[0].split())
        return re.split(r"(?<=[.:])\s(?=[A-Z`])", paragraph)[0].rstrip(":")

    @cached_property
    def signature(self) -> str | None:
        """The call as one writes it, with types."""
        if isinstance(self.value, enum.EnumType) or not callable(self.value):
            return None
        return written_signature(self.name, self.value)

    @property
    def methods(self) -> Iterator[tuple[str, Any]]:
        """The public methods and properties that its class, or a private base of it, defines."""
        if isinstance(self.value, enum.EnumType) or not isinstance(self.value, type):
            return
        seen = set()
        for kind in self.value.__mro__:
            if kind in _inherited(self.value) or not _ours(kind):
                continue
            for name, made in vars(kind).items():
                method = made.__func__ if isinstance(made, staticmethod | classmethod) else made
                overridden = inspect.getattr_static(self.value, name) is not made
                shown = isinstance(method, types.FunctionType | property) and not overridden
                if shown and not name.startswith("_") and name not in seen:
                    seen.add(name)
                    yield name, method


@cache
def _inherited(kind: type) -> frozenset[type]:
    """The public classes that a class is derived from, with all bases of these."""
    bases = [base for base in kind.__mro__[1:] if base in _public_classes()]
    return frozenset(each for base in bases for each in base.__mro__)


def _ours(kind: type) -> bool:
    return kind.__module__.startswith("cinta")


@cache
def _public_classes() -> frozenset[type]:
    return frozenset(each.value for each in things() if isinstance(each.value, type))


@cache
def things() -> list[Thing]:
    """All that is public, in the order of names."""
    return sorted(map(_thing, public_things()), key=lambda each: each.name.lower())


def _thing(found: PublicThing) -> Thing:
    module = import_module(f"cinta.{found.home}")
    file = Path(module.__file__ or "")
    name, *aliases = sorted(found.names, key=lambda each: (each.count("."), len(each), each))
    line = line_number(file, found.attribute)
    value = getattr(module, found.attribute)
    return Thing(name, aliases, value, file, line, ops_of(module, found.attribute))


@cache
def pages_of_names() -> dict[str, str]:
    """The name under which the reference shows each public name, and each method of a class."""
    pages = {name: name for name in raw_ops()}
    for thing in things():
        for name in (thing.name, *thing.aliases):
            pages[name] = thing.name
            pages.update({f"{name}.{each}": f"{thing.name}.{each}" for each, _ in thing.methods})
    return pages


@cache
def raw_ops() -> dict[str, str]:
    """The calls of TensorFlow's raw ops, by their public names."""
    found = {}
    for name in tf.raw_ops.names():
        signature = str(inspect.signature(getattr(tf.raw_ops, name)))
        found[f"{RAW_OPS}.{name}"] = f"{name}{signature.replace('(*, ', '(')}"
    return found


def written_signature(name: str, function: Any) -> str | None:
    """A call with its parameters, on one line if it fits."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    parameters, previous = [], None
    for each in signature.parameters.values():
        if each.name == "self":
            continue
        if each.kind is each.KEYWORD_ONLY and previous not in {
            each.KEYWORD_ONLY,
            each.VAR_POSITIONAL,
        }:
            parameters.append("*")
        if previous is each.POSITIONAL_ONLY and each.kind is not each.POSITIONAL_ONLY:
            parameters.append("/")
        parameters.append(_parameter(each))
        previous = each.kind
    given = signature.return_annotation
    result = "" if given is signature.empty or isinstance(function, type) else f" -> {_type(given)}"
    line = f"{name}({', '.join(parameters)}){result}"
    if len(line) <= 80:
        return line
    return "\n".join([f"{name}(", *[f"    {each}," for each in parameters], f"){result}"])


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    text = stars + parameter.name
    typed = parameter.annotation is not parameter.empty
    if typed:
        text += f": {_type(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        default = ADDRESS.sub(r"<\1>", repr(parameter.default))
        text += f" = {default}" if typed else f"={default}"
    return text


def _type(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"[\"']([A-Z]\w*)[\"']", r"\1", text)


def place_of_op(op: Op) -> str:
    """Where the kernel of an op is written."""
    code = inspect.unwrap(op.kernel).__code__
    return _place(Path(code.co_filename), code.co_firstlineno)


def place_of_method(method: Any) -> str | None:
    """Where a method is written; None if code was made for it."""
    function = inspect.unwrap(method.fget if isinstance(method, property) else method)
    code = getattr(function, "__code__", None)
    if code is None or not Path(code.co_filename).is_relative_to(ROOT):
        return None
    return _place(Path(code.co_filename), code.co_firstlineno)


def _place(file: Path, line: int) -> str:
    return f"{SOURCE}{file.relative_to(ROOT).as_posix()}#L{line}"


@cache
def differences(language: str = "en") -> dict[str, list[Difference]]:
    """The differences from TensorFlow, in a language, by the public name that they are about."""
    by_end: dict[str, list[str]] = {}
    for thing in things():
        by_end.setdefault(thing.name.rpartition(".")[2], []).append(thing.name)
    found: dict[str, list[Difference]] = {}
    for page in sorted((ROOT / "docs/en/deviations").glob("*.md")):
        about = page.read_text("utf-8").partition("| case |")[0]
        told = rows_of_differences(ROOT / "docs" / language / "deviations" / page.name)
        for english, own in zip(rows_of_differences(page), told, strict=True):
            for name in _named(english[0], about, by_end):
                found.setdefault(name, []).append(Difference(page.name, *own[:3]))
    return found


def rows_of_differences(page: Path) -> list[list[str]]:
    """The rows of a page about differences: case, TensorFlow, cinta, reason and test."""
    lines = re.findall(r"^\| (?!---)(.+) \|$", page.read_text("utf-8"), re.MULTILINE)
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)] for line in lines]
    return [row for row in rows if len(row) == 5][1:]


def _named(case: str, about: str, by_end: dict[str, list[str]]) -> set[str]:
    """The public names in the description of a case on a page about some namespaces."""
    names = set()
    for word in re.findall(r"`(?:tf\.)?([A-Za-z_][\w.]*)", case):
        candidates = by_end.get(word.rpartition(".")[2], [])
        if len(candidates) > 1 or "." in word:
            exact = [each for each in candidates if each.endswith(f".{word}") and "." in word]
            spoken_of = [each for each in candidates if f"`{each.rpartition('.')[0]}`" in about]
            candidates = exact or ([] if "." in word else spoken_of)
        names.update(candidates)
    return names
