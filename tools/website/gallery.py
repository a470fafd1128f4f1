"""The pages of the gallery, written from programs; ``tools/gallery.py`` says how those are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools import gallery

from .words import translated

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = "gallery"
SOURCE = "https://github.com/cinta-autodiff/cinta/blob/main/gallery"


def pages(language: str) -> dict[str, str]:
    """The pages of the gallery by their paths."""
    index = {f"{FOLDER}/index.md": _index(language)}
    return index | {f"{FOLDER}/{name}.md": _page(name, language) for name in gallery.names()}


def files(language: str) -> dict[str, str]:
    """The scripts and notebooks that one takes away."""
    return {
        f"{FOLDER}/{name}{suffix}": text
        for name in gallery.names()
        for suffix, text in {
            ".py": gallery.script(name, language),
            ".ipynb": gallery.notebook(name, language),
        }.items()
    }


def _index(language: str) -> str:
    lines = [f"# {translated('Gallery', language)}", ""]
    lines += [translated("Complete programs, each with a picture and its time.", language), ""]
    lines += ['<div class="gallery" markdown>', ""]
    for name in gallery.names():
        title, _, rest = gallery.cells(name, language)[0].source.partition("\n")
        about = rest.strip().partition("\n\n")[0]
        image = f"../pictures/gallery/{gallery.picture(name, 0)}"
        lines += [
            '<div class="program" markdown>',
            "",
            f"[![{title.lstrip('# ')}]({image})]({name}.md)",
            "",
            f"**[{title.lstrip('# ')}]({name}.md)**",
            "",
            about,
            "",
            "</div>",
            "",
        ]
    return "\n".join([*lines, "</div>", ""])


def _page(name: str, language: str) -> str:
    title, *rest = gallery.cells(name, language)
    result = gallery.results()[name]
    takes = translated("It takes {} s on one core.", language).format(f"{result['seconds']:.0f}")
    script, notebook = translated("Script", language), translated("Notebook", language)
    heading, _, text = title.source.partition("\n")
    lines = [heading, "", text, ""]
    lines += [
        f"[{script}]({name}.py){{ download }} · [{notebook}]({name}.ipynb){{ download }} · {takes}",
        "",
    ]
    drawn = 0
    for cell in rest:
        lines += [cell.source, ""] if cell.is_text else ["```python", cell.source, "```", ""]
        for _ in range(0 if cell.is_text else cell.source.count(gallery.SHOWN)):
            image = f"../pictures/gallery/{gallery.picture(name, drawn)}"
            lines += [f"![{heading.lstrip('# ')}]({image})", ""]
            drawn += 1
    return "\n".join([*lines, *_printed(result["printed"][language], language)])


def _printed(text: str, language: str) -> Iterator[str]:
    if text.strip():
        yield from (translated("It prints:", language), "", "```text", text.rstrip(), "```", "")
