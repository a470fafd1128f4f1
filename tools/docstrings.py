"""Says what the docstrings of public names lack: words, arguments, errors, an example.

Usage: python tools/docstrings.py         all that is lacking
       python tools/docstrings.py tf.nn   under one name

A property needs no example: its sentence says what it is. The example of a class may show its
members.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
import sys
import textwrap
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from tools.website import facts  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

SAID_BY_ALL = {"self", "cls", "name"}
"""Parameters that mean the same everywhere: ``name`` is taken for TensorFlow's sake."""
TELLS_ERRORS = re.compile(r"Raises|\braises?\b|\brefuse[sd]?\b|Error\b|Exception\b", re.IGNORECASE)


def lacking() -> dict[str, list[str]]:
    """The faults of each public name and member; complete ones are left out."""
    found = {}
    for thing in facts.things():
        if not callable(thing.value) or getattr(thing.value, "__module__", None) == "numpy":
            continue
        found[thing.name] = [*_lacks(thing.value, thing.doc, thing.doc)]
        for member, made in thing.methods:
            doc = inspect.getdoc(getattr(thing.value, member)) or ""
            shown = thing.doc if re.search(rf"(\.|\bdef ){member}\b", _examples(thing.doc)) else doc
            found[f"{thing.name}.{member}"] = [*_lacks(made, doc, shown)]
    return {name: lacks for name, lacks in found.items() if lacks}


def _lacks(value: Any, doc: str, shown: str) -> Iterator[str]:
    """The faults of a docstring, beside another that may show examples in its place."""
    if not doc.strip():
        yield "words"
    if _never_returns(value):
        return
    unsaid = [each for each in _parameters(value) if not re.search(rf"\b{each}\b", doc)]
    if unsaid:
        yield f"arguments {', '.join(unsaid)}"
    if _raises(value) and not TELLS_ERRORS.search(doc):
        yield "errors"
    if not isinstance(value, property) and not _examples(shown):
        yield "an example"


def _never_returns(value: Any) -> bool:
    """Whether a call is refused whatever it is given."""
    annotations = getattr(_code_of(value), "__annotations__", {})
    return annotations.get("return") == "NoReturn"


def _parameters(value: Any) -> list[str]:
    """The parameters of a call, or the members of an enum, that a docstring has to tell."""
    if isinstance(value, enum.EnumType):
        return [*value.__members__]
    if isinstance(value, property):
        return []
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    starred = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    return [
        each.name
        for each in parameters
        if each.kind not in starred and each.name not in SAID_BY_ALL and each.name[0] != "_"
    ]


@cache
def _raises(value: Any) -> bool:
    """Whether an error is raised in the code of a function, of a property or of a class's start."""
    function = _code_of(value)
    if not inspect.isfunction(function) or function.__module__ == "typing":  # as protocols have it
        return False
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):  # of functions that a program has written
        return False
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in ast.walk(tree))


def _code_of(value: Any) -> Any:
    """The function that a call runs first: of properties the getter, of classes the start."""
    function = value.fget if isinstance(value, property) else value
    function = function.__init__ if isinstance(function, type) else function
    return inspect.unwrap(function) if callable(function) else None


def _examples(doc: str) -> str:
    return "\n".join(re.findall(r"^\s*(?:>>>|\.\.\.).*$", doc, re.MULTILINE))


def main(arguments: list[str]) -> None:
    """Print what is lacking, under one name or everywhere."""
    prefix = arguments[0] if arguments else "tf"
    for name, lacks in lacking().items():
        if name == prefix or name.startswith(f"{prefix}."):
            print(f"{name}: {'; '.join(lacks)}")


if __name__ == "__main__":
    main(sys.argv[1:])
