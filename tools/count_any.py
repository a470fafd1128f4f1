"""Count the annotations that are ``Any``: in all of the source, and on public signatures.

    python tools/count_any.py            # totals
    python tools/count_any.py --by-file  # and how many stand in each file

A public signature is that of a function with a ``@public`` declaration, or of a method that people
call of a class with one. ``list[Any]`` and the like are counted apart.
"""

from __future__ import annotations

import ast
import pathlib
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parent.parent / "src"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Count(NamedTuple):
    """How many annotations are ``Any``, how many of them are public, how many contain it."""

    plain: int
    public: int
    containing: int


def annotations_of(tree: ast.AST) -> Iterator[ast.expr]:
    """The annotations of arguments, results and variables below a node."""
    for node in ast.walk(tree):
        found = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if found is not None:
            yield found


def is_any(node: ast.AST) -> bool:
    """Whether this is the name ``Any``."""
    return isinstance(node, ast.Name) and node.id == "Any"


def signatures(tree: ast.Module) -> Iterator[ast.expr]:
    """The annotations on the functions and methods that people call."""
    for node in tree.body:
        if not any(map(is_declaration, getattr(node, "decorator_list", []))):
            continue
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            name = getattr(function, "name", "")
            if isinstance(function, FUNCTIONS) and (name == "__init__" or name[0] != "_"):
                yield from annotations_of(function.args)
                yield from [function.returns] if function.returns else []


def is_declaration(decorator: ast.expr) -> bool:
    """Whether this is ``@public(...)``."""
    called = getattr(decorator, "func", None)
    return isinstance(called, ast.Name) and called.id == "public"


def counted(tree: ast.Module) -> Count:
    """The counts of one module."""
    found = list(annotations_of(tree))
    return Count(
        sum(map(is_any, found)),
        sum(map(is_any, signatures(tree))),
        sum(any(map(is_any, ast.walk(each))) for each in found),
    )


def main() -> None:
    counts = {
        str(path.relative_to(ROOT)): counted(ast.parse(path.read_text()))
        for path in sorted(ROOT.rglob("*.py"))
    }
    if "--by-file" in sys.argv:
        for name, count in sorted(counts.items(), key=lambda item: -item[1].plain):
            print(f"{count.plain:5} {count.public:5} {count.containing:5}  {name}")
    plain, public, containing = map(sum, zip(*counts.values(), strict=True))
    print(f"{plain} annotations are Any, {public} of them on public signatures;")
    print(f"{containing} are Any or contain it")


if __name__ == "__main__":
    main()
