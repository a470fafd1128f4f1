"""The pages of the reference, written from the facts about all that is public."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import TYPE_CHECKING

from .facts import (
    RAW_OPS,
    ROOT,
    Thing,
    differences,
    pages_of_names,
    place_of_method,
    place_of_op,
    raw_ops,
    things,
    written_signature,
)
from .words import translated

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "reference"
VOCABULARY = ROOT / "src/cinta/engine/annotations.py"
SECTION = re.compile(r"^(Args|Returns|Raises|Attributes):$")
ITEM = re.compile(r"^    (\*{0,2}\w+): ")
CODE = re.compile(r"(``.+?``)", re.DOTALL)
MOST_OPS = 6
LINKED = re.compile(
    r"<a\b.*?</a>|<h[1-6]\b.*?</h[1-6]>|<code>(tf\.[\w.]*\w)(\(\))?</code>", re.DOTALL
)


@cache
def pages(language: str) -> dict[str, str]:
    """The pages of the reference by their paths."""
    found = {f"{FOLDER}/{namespace}.md": _page(namespace, language) for namespace in namespaces()}
    return {
        f"{FOLDER}/index.md": _index(language),
        **found,
        f"{FOLDER}/{RAW_OPS}.md": _raw_ops(language),
        f"{FOLDER}/types.md": _types(language),
    }


@cache
def namespaces() -> dict[str, list[Thing]]:
    """The things on each page, by its namespace."""
    found: dict[str, list[Thing]] = {}
    for thing in things():
        found.setdefault(thing.namespace, []).append(thing)
    return dict(sorted(found.items()))


def linked(html: str, address: str) -> str:
    """A page with a link to the reference at each public name that is written as code."""
    up = "../" * address.count("/")

    def link(found: re.Match[str]) -> str:
        name = pages_of_names().get(found[1] or "")
        if name is None:
            return found[0]
        return f'<a href="{up}{FOLDER}/{_page_of(name)}.html#{name}">{found[0]}</a>'

    return LINKED.sub(link, html)


def _page_of(name: str) -> str:
    """The namespace on whose page a thing or a method stands."""
    namespace = name.rpartition(".")[0]
    return namespace if namespace in {*namespaces(), RAW_OPS} else namespace.rpartition(".")[0]


# -- pages ---------------------------------------------------------------------------------------


def _index(language: str) -> str:
    rows = []
    for name, all_ in namespaces().items():
        some = ", ".join(f"`{each.name}`" for each in all_[:4])
        rows.append(f"| [`{name}`]({name}.md) | {len(all_)} | {some} … |")
    title = translated("Reference", language)
    intro = translated("Every public name, with its types, examples and differences.", language)
    head = " | ".join(translated(each, language) for each in ("namespace", "names", "such as"))
    return "\n".join([f"# {title}", "", intro, "", f"| {head} |", "| --- | -: | --- |", *rows, ""])


def _page(namespace: str, language: str) -> str:
    all_ = namespaces()[namespace]
    rows = [f"| [`{each.name}`](#{each.name}) | {_cell(each.summary)} |" for each in all_]
    head = f"| {translated('name', language)} | {translated('meaning', language)} |"
    lines = [f"# {namespace}", "", head, "| --- | --- |", *rows, ""]
    for thing in all_:
        lines += _thing(thing, language)
    return "\n".join(lines)


def _raw_ops(language: str) -> str:
    about = "TensorFlow's ops by their own names. All arguments are given by name."
    rows = [f'- <span id="{name}"></span>`{call}`' for name, call in raw_ops().items()]
    return "\n".join([f"# {RAW_OPS}", "", translated(about, language), "", *rows, ""])


def _cell(text: str) -> str:
    return _prose(text).replace("|", "\\|")


def _types(language: str) -> str:
    lines = [f"# {translated('Types of arguments and results', language)}", ""]
    for name, (definition, meaning) in vocabulary().items():
        lines += [f"## {name} {{ #{name} }}", "", _prose(meaning), ""]
        lines += ["```py", *definition.splitlines(), "```", ""]
    return "\n".join(lines)


@cache
def vocabulary() -> dict[str, tuple[str, str]]:
    """The types that annotations name, with their definitions and meanings."""
    body = ast.parse(VOCABULARY.read_text("utf-8")).body
    found = {}
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        match node, after:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(meaning))):
                found[name] = ast.unparse(node).replace(": TypeAlias", ""), meaning
            case ast.AnnAssign(target=ast.Name(id=name)), _:
                found[name] = ast.unparse(node).replace(": TypeAlias", ""), ""
            case ast.ClassDef(name=name), _:
                found[name] = f"class {name}: ...", ast.get_docstring(node) or ""
    return dict(sorted(found.items()))


# -- one thing -----------------------------------------------------------------------------------


def _thing(thing: Thing, language: str) -> Iterator[str]:
    yield from (f"## {thing.name} {{ #{thing.name} }}", "")
    if thing.signature:
        yield from _signature(thing.signature)
    yield from (markdown(thing.doc), "")
    yield from _notes(thing, language)
    for name, method in thing.methods:
        yield from (f"### {thing.name}.{name} {{ #{thing.name}.{name} }}", "")
        if not isinstance(method, property):
            yield from _signature(written_signature(f"{name}", method) or f"{name}(…)")
        yield from (markdown((method.__doc__ and _dedented(method.__doc__)) or ""), "")
        place = place_of_method(method)
        if place:
            yield from (f"[{translated('Source', language)}]({place})", "")


def _dedented(doc: str) -> str:
    first, _, rest = doc.partition("\n")
    margin = min((len(x) - len(x.lstrip()) for x in rest.splitlines() if x.strip()), default=0)
    return "\n".join([first.strip(), *[line[margin:] for line in rest.splitlines()]]).strip()


def _signature(text: str) -> Iterator[str]:
    yield from ("```py", text, "```", "")
    types = [name for name in vocabulary() if re.search(rf"\b{name}\b", text)]
    if types:
        links = ", ".join(f"[`{name}`](types.md#{name})" for name in types)
        yield from (links + "\n{ .types }", "")


def _notes(thing: Thing, language: str) -> Iterator[str]:
    """Differences, other names, derivatives and the source."""
    yield from ("<!-- another list than that of the arguments -->", "")
    for each in differences(language).get(thing.name, []):
        link = f"[{translated('Difference', language)}](../deviations/{each.page})"
        yield f"- {link}: {each.case}. TensorFlow: {each.theirs}. cinta: {each.ours}."
    if thing.aliases:
        names = ", ".join(f"<code>{each}</code>" for each in thing.aliases)
        yield f"- {translated('Also', language)}: {names}"
    if thing.ops and not isinstance(thing.value, type):
        yield f"- {translated('Derivative', language)}: {_derivatives(thing, language)}"
    yield from (f"- [{translated('Source', language)}]({thing.source})", "")


def _derivatives(thing: Thing, language: str) -> str:
    shown = []
    for op in thing.ops[:MOST_OPS]:
        by = [name for name in op.inputs if op.joint or name in op.rules]
        if op.differentiable and by:
            how = translated("by", language) + " " + ", ".join(f"`{each}`" for each in by)
        else:
            how = translated("no gradient", language)
        shown.append(f"[`{op.name}`]({place_of_op(op)}) {how}")
    more = len(thing.ops) - len(shown)
    return "; ".join(shown) + (f"; + {more}" if more else "")


# -- docstrings ----------------------------------------------------------------------------------


def markdown(doc: str) -> str:
    """A docstring as Markdown: examples in fences, arguments as lists."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", doc):
        if paragraph.lstrip().startswith(">>>"):
            lines += ["```python", paragraph, "```", ""]
        elif SECTION.match(paragraph.partition("\n")[0]):
            lines += [*_items(paragraph), ""]
        else:
            lines += [_prose(paragraph), ""]
    joined = "\n".join(lines).strip()
    return joined.replace("\n```\n\n```python\n>>>", "\n\n>>>")


def _items(section: str) -> Iterator[str]:
    title, *lines = section.splitlines()
    yield from (f"**{title}**", "")
    for line in lines:
        item = ITEM.match(line)
        yield (
            f"- `{item[1]}`: {_prose(line[item.end() :])}" if item else f"  {_prose(line.strip())}"
        )


def _prose(text: str) -> str:
    """Text whose signs mean nothing to Markdown, but code, which is in double backticks."""
    parts = CODE.split(text)
    return "".join(
        part[1:-1] if part.startswith("``") and len(part) > 4 else _escaped(part) for part in parts
    )


def _escaped(text: str) -> str:
    if "`" in text:
        return text
    return text.replace("<", "&lt;").replace("*", "\\*")
