"""Collect the public names that functions declare, for the namespaces and for type checkers.

    python tools/namespaces.py           # write src/cinta/public_names.py and the stubs
    python tools/namespaces.py --check   # say what is not up to date

It reads the source code and imports nothing of it. A declaration is a decorator or a call:

    @public("math.sinc", "sinc")         maximum = public("math.maximum", "maximum")(binary(...))
"""

from __future__ import annotations

import ast
import pathlib
import sys
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parent.parent / "src" / "cinta"
NOTE = "Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it."
NAMESPACE = "The names of tf."  # the beginning of the docstrings of namespaces
SHORT = {"tnp": "experimental.numpy"}
"""Short forms that declarations may write for a namespace."""

PLAIN = ("dtypes", "errors", "keras", "machine", "nest", "raw_ops", "version")
"""Modules that are public as they are."""


class Name(NamedTuple):
    """One public name, where its thing is made, and under which name."""

    home: str
    name: str
    attribute: str


def collected() -> dict[str, list[Name]]:
    """The public names of each namespace, sorted."""
    found: dict[str, list[Name]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for namespace, name in declared_in(path):
            found[namespace].append(name)
    for namespace, names in found.items():
        names.sort()
        check_modules(namespace, {each.name for each in names})
        once = {each.name for each in names}
        if len(once) < len(names):
            twice = sorted(n for n in once if sum(each.name == n for each in names) > 1)
            raise SystemExit(f"tf.{namespace} has several things named {', '.join(twice)}")
    return found


def declared_in(path: pathlib.Path) -> Iterator[tuple[str, Name]]:
    """The public names that a module declares, each with its namespace."""
    for node in ast.parse(path.read_text()).body:
        for attribute, declared in declarations(node):
            for full in declared:
                namespace, _, name = full.rpartition(".")
                first, dot, inner = namespace.partition(".")
                yield SHORT.get(first, first) + dot + inner, Name(home_of(path), name, attribute)


def check_modules(namespace: str, names: set[str]) -> None:
    """Refuse modules that stand where a namespace has names: an import would hide these."""
    folder = ROOT.joinpath(*namespace.split(".")) if namespace else ROOT
    hidden = names & {path.stem for path in folder.glob("*") if path.suffix in ("", ".py")}
    if hidden:
        raise SystemExit(f"modules in {folder} hide the public names {sorted(hidden)}; rename them")


def declarations(node: ast.stmt) -> list[tuple[str, list[str]]]:
    """The declaration in a statement: the attribute of its module, and the public names of that."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        calls, attribute = node.decorator_list, node.name
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Call):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        calls, attribute = [node.value.func], ast.unparse(target)
    else:
        return []
    return [
        (attribute, [ast.literal_eval(name) for name in call.args])
        for call in calls
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "public"
    ]


def ops() -> dict[str, list[str]]:
    """The modules that make ops, and the names of these: those that a registry has to find."""
    found: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        if names := made_in(path):
            found[home_of(path)] = sorted(names)
    return found


def made_in(path: pathlib.Path) -> list[str]:
    """The names of the ops that a module makes."""
    return [name for node in ast.parse(path.read_text()).body for name in made(node)]


def made(node: ast.stmt) -> list[str]:
    """The names of the ops that a statement makes: `@op("Exp")`, or `Exp = elementwise("Exp")`."""
    if isinstance(node, ast.FunctionDef):
        calls, count = [each for each in node.decorator_list if isinstance(each, ast.Call)], 1
        calls = [each for each in calls if ast.unparse(each.func) == "op"]
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
        target = node.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        if not all(ast.unparse(each)[0].isupper() for each in names):
            return []
        if ast.unparse(node.value.func) in ("TypeVar", "TypeVarTuple", "ParamSpec"):
            return []
        calls, count = [node.value], len(names)
    else:
        return []
    return [text for call in calls for text in first_texts(call)[:count]]


def first_texts(call: ast.Call) -> list[str]:
    """The texts among the arguments of a call, or of the call whose result it is a method of."""
    while isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call):
        call = call.func.value
    values = [each.value for each in call.args if isinstance(each, ast.Constant)]
    return [value for value in values if isinstance(value, str)]


def home_of(path: pathlib.Path) -> str:
    """The name of a module below cinta."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def namespaces() -> dict[str, list[str]]:
    """The namespaces by their modules, and the namespaces inside each."""
    found = {"", *PLAIN}
    for path in {*ROOT.rglob("*.py")} - {ROOT / "__init__.py"}:
        text = path.read_text()
        if text.startswith(f'"""{NAMESPACE}') or "namespace(__name__" in text:
            found.add(home_of(path))
    inside: dict[str, list[str]] = {namespace: [] for namespace in found}
    for namespace in sorted(found - {""}):
        outer, _, name = namespace.rpartition(".")
        inside[outer].append(name)
    return inside


def table(names: dict[str, list[Name]], inside: dict[str, list[str]]) -> str:
    """The text of public_names.py."""
    lines = [
        f'"""Which public names there are, and the modules that declare them.\n\n{NOTE}',
        '"""',
    ]
    lines += ["", "NAMESPACES = {"]
    lines += [f'    "{n}": "{" ".join(inner)}",' for n, inner in sorted(inside.items()) if inner]
    lines += ["}", '"""The namespaces inside of each namespace."""', "", "NAMES = {"]
    for namespace in sorted(names):
        by_home: dict[str, list[str]] = defaultdict(list)
        for home, name, attribute in names[namespace]:
            by_home[home].append(name if name == attribute else f"{name}={attribute}")
        lines += [f'    "{namespace}": {{']
        lines += [
            f'        "{home}": "{" ".join(each)}",' for home, each in sorted(by_home.items())
        ]
        lines += ["    },"]
    lines += ["}", '"""The names of each namespace, by the modules that declare them."""']
    lines += [
        "",
        "OPS = {",
        *[f'    "{home}": "{" ".join(made)}",' for home, made in ops().items()],
    ]
    return "\n".join([*lines, "}", '"""The ops, by the modules that make them."""', ""])


def stub(namespace: str, names: list[Name], inner: list[str]) -> str:
    """The stub of a namespace, for type checkers."""
    path = file_of(namespace)
    depth = len(path.relative_to(ROOT).parts)
    lines = [f"# {NOTE}", ""]
    lines += [f"from . import {name} as {name}" for name in inner]
    for home, name, attribute in sorted(names):
        source = f"from {'.' * depth}{home} import {attribute} as"
        same = name == attribute  # only then is an import taken for an export
        lines += [f"{source} {name}"] if same else [f"{source} _{name}", f"{name} = _{name}"]
    return "\n".join([*lines, *written_by_hand(path), ""])


def written_by_hand(path: pathlib.Path) -> list[str]:
    """The imports of a namespace that give it names of things that cannot declare their own."""
    return [
        f"from {'.' * node.level}{node.module} import {each.name} as {each.name}"
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ImportFrom)
        for each in node.names
        if each.name == each.asname
    ]


def file_of(namespace: str) -> pathlib.Path:
    """The module of a namespace."""
    folder = ROOT.joinpath(*namespace.split(".")) if namespace else ROOT
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def outputs() -> dict[pathlib.Path, str]:
    """The files to write, each with its text."""
    names, inside = collected(), namespaces()
    files = {ROOT / "public_names.py": table(names, inside)}
    for namespace in names:
        text = stub(namespace, names[namespace], inside.get(namespace, []))
        files[file_of(namespace).with_suffix(".pyi")] = text
    return files


def main() -> None:
    """Write what is not up to date, or with --check only say so."""
    old = [
        path for path, text in outputs().items() if not path.exists() or path.read_text() != text
    ]
    if "--check" in sys.argv and old:
        raise SystemExit(f"not up to date: {', '.join(map(str, old))}; run `make namespaces`")
    for path in old:
        path.write_text(outputs()[path])


if __name__ == "__main__":
    main()
