"""The names of TensorFlow that programs use and cinta lacks: the command ``cinta check``.

Programs are read and not run. A name counts as TensorFlow's if it is reached by attributes from
what an import of ``tensorflow`` binds, in the module or inside of a function.
"""

from __future__ import annotations

import ast
import json
import os
import warnings
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from ..languages.counted import counted
from .absent import Absent
from .installing import install
from .modules import advice_on, stands_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class NameUse(NamedTuple):
    """A name of TensorFlow, and where a program uses it."""

    name: str
    file: Path
    line: int


def check(targets: Sequence[str]) -> int:
    """Print which names of TensorFlow the targets use and cinta lacks; 1 if there are any.

    A target is a Python file, a notebook, a folder, or the name of an installed package.
    """
    install()
    files = [file for target in targets for file in files_of(target)]
    uses = [use for file in files for use in uses_in(file)]
    missing: dict[str, list[NameUse]] = {}
    for use in uses:
        absent = missing_part(use.name)
        if absent is not None:
            missing.setdefault(absent, []).append(use)
    for name, places in sorted(missing.items()):
        advice = advice_on(name)
        print(f"{name}:{advice}" if advice else name)
        for file, line in dict.fromkeys((use.file, use.line) for use in places):
            print(f"    {file}:{line}")
    known = len({use.name for use in uses})
    lacking = f"{counted(len(missing), 'name')} {'is' if len(missing) == 1 else 'are'} missing"
    used = f"{counted(known, 'name')} of TensorFlow {'is' if known == 1 else 'are'} used"
    print(f"{lacking}; {used} in {counted(len(files), 'file')}.")
    return int(bool(missing))


def files_of(target: str) -> list[Path]:
    """The files of Python, and the notebooks, that a target stands for."""
    path = Path(target)
    if path.is_file():
        return [path]
    if path.is_dir():
        return sorted(_files_below(path))
    spec = find_spec(target) if target.isidentifier() else None
    if spec is None:
        raise OSError(f"{target!r} is neither a file, a folder, nor an installed package")
    if spec.submodule_search_locations:
        return [file for place in spec.submodule_search_locations for file in files_of(place)]
    return [Path(spec.origin)] if spec.origin else []


def _files_below(folder: Path) -> Iterator[Path]:
    """The files in a folder, without those in hidden folders and in environments of Python."""
    for home, inner, names in os.walk(folder):
        inner[:] = [
            each
            for each in inner
            if not each.startswith(".") and not Path(home, each, "pyvenv.cfg").exists()
        ]
        yield from [Path(home, each) for each in names if each.endswith((".py", ".ipynb"))]


def uses_in(file: Path) -> list[NameUse]:
    """All uses of TensorFlow's names in a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the program's own texts
        try:
            tree = ast.parse(_source(file), str(file))
        except SyntaxError as error:
            print(f"{file}:{error.lineno}: not read, {error.msg}")
            return []
    reader = _Reader()
    reader.visit(tree)
    return [NameUse(name, file, line) for name, line in reader.found]


def _source(file: Path) -> str:
    text = file.read_text("utf-8", errors="replace")
    if file.suffix != ".ipynb":
        return text
    cells = [each for each in json.loads(text)["cells"] if each["cell_type"] == "code"]
    lines = [line for cell in cells for line in "".join(cell["source"]).splitlines()]
    return "\n".join(_plain(line) for line in lines)


def _plain(line: str) -> str:
    """A line of a cell without what only notebooks know: commands of the shell and of Jupyter."""
    code = line.lstrip()
    return f"{line[: len(line) - len(code)]}pass" if code.startswith(("!", "%")) else line


class _Reader(ast.NodeVisitor):
    """Follows what imports bind through the code of a file."""

    def __init__(self) -> None:
        self.bound: dict[str, str] = {}
        self.found: list[tuple[str, int]] = []

    def visit_Import(self, node: ast.Import) -> None:
        for each in node.names:
            if stands_for(each.name):
                self.found.append((each.name, node.lineno))
                root = each.name.partition(".")[0]
                self.bound[each.asname or root] = each.name if each.asname else root

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level or not stands_for(node.module or ""):
            return
        for each in node.names:
            if each.name == "*":
                self.found.append((str(node.module), node.lineno))
                continue
            name = f"{node.module}.{each.name}"
            self.found.append((name, node.lineno))
            self.bound[each.asname or each.name] = name

    def visit_Assign(self, node: ast.Assign) -> None:
        """An alias: ``layers = tf.keras.layers``."""
        self.generic_visit(node)
        name = self._name_of(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.bound.pop(target.id, None)
                if name is not None:
                    self.bound[target.id] = name

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = self._name_of(node)
        if name is None:
            self.generic_visit(node)
        elif isinstance(node.ctx, ast.Load):
            self.found.append((name, node.lineno))

    def _name_of(self, node: ast.expr) -> str | None:
        """The name of a chain of attributes in TensorFlow; None if it is not part of TensorFlow."""
        if isinstance(node, ast.Name):
            return self.bound.get(node.id)
        if isinstance(node, ast.Attribute):
            outer = self._name_of(node.value)
            return None if outer is None else f"{outer}.{node.attr}"
        return None


def missing_part(name: str) -> str | None:
    """The first part of a dotted name that is not there; None if all of it is, or may be.

    Attributes of namespaces and classes alone are looked up, not ``name`` in ``tf.float32.name``.

    ``tensorflow.nn.no_such.name`` gives ``tensorflow.nn.no_such``.
    """
    so_far, *parts = name.split(".")
    found: object = import_module(so_far)
    for part in parts:
        so_far = f"{so_far}.{part}"
        if not isinstance(found, (ModuleType, type)):
            return None
        inner = getattr(found, part, None)
        if inner is None and not hasattr(found, part):
            inner = _module(so_far) if isinstance(found, ModuleType) else None
            if inner is None:
                return so_far
        if isinstance(inner, Absent):
            return so_far
        found = inner
    return None


def _module(name: str) -> ModuleType | None:
    try:
        return import_module(name)
    except ImportError:
        return None
