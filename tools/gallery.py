"""Runs the programs of the gallery and keeps their pictures and times: `make gallery`.

Usage: python tools/gallery.py [NAME ...]

A program is a script in cells: ``# %%`` opens one of code, ``# %% [markdown]`` one of text. Its
first cell of text opens with the title. A line such as ``STEPS = 2000  # in tests: 20`` has a size
that the tests make smaller. Each ``plt.show()`` is a picture.

``gallery/es`` and ``gallery/pt`` hold the texts of every program, between lines ``%%``, and in
``labels.json`` the words of its pictures and of what it prints.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import time
import warnings
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "gallery"
RESULTS = FOLDER / "results.json"
SMALL = re.compile(r"^(\w+ = )(.+?)  # in tests: (.+)$", re.MULTILINE)
SHOWN = "plt.show()"
LITERAL = re.compile(r'(?<![\w"])(?<!\w\[)(f?)"([^"\n]+)"')
FIELD = re.compile(r"\{[^{}]+\}")


@dataclass(frozen=True)
class Cell:
    """A part of a program: text, as Markdown, or code."""

    is_text: bool
    source: str


@cache
def names() -> list[str]:
    """The programs, in the order of the gallery."""
    order = (FOLDER / "order.txt").read_text("utf-8").split()
    assert sorted(order) == sorted(path.stem for path in FOLDER.glob("*.py"))
    return order


def cells(name: str, language: str = "en") -> list[Cell]:
    """The cells of a program, with its text in a language."""
    found = [
        _cell(kind, body)
        for kind, body in re.findall(r"# %%(.*)\n((?:(?!# %%).*\n)*)", _source(name, language))
    ]
    if language == "en":
        return found
    texts = iter((FOLDER / language / f"{name}.md").read_text("utf-8").split("\n%%\n"))
    translated = [Cell(True, next(texts).strip()) if each.is_text else each for each in found]
    if next(texts, None) is not None:
        raise ValueError(f"gallery/{language}/{name}.md has more texts than gallery/{name}.py")
    return translated


def _source(name: str, language: str, small: bool = False) -> str:
    """The code of a program, with the words that it shows in a language."""
    source = (FOLDER / f"{name}.py").read_text("utf-8")
    source = SMALL.sub(r"\1\3" if small else r"\1\2", source)
    return source if language == "en" else LITERAL.sub(partial(_shown_in, language), source)


def _shown_in(language: str, literal: re.Match[str]) -> str:
    """A string literal of code as it reads in a language; fields stay, in their order."""
    prefix, words = literal.groups()
    fields = iter(FIELD.findall(words) if prefix else ())
    key = FIELD.sub("{}", words) if prefix else words
    told = labels(language).get(key)
    if told is None:
        return literal[0]
    return f'{prefix}"{re.sub("{}", lambda _: next(fields), told)}"'


@cache
def labels(language: str) -> dict[str, str]:
    """The words that programs show, and what they are in a language."""
    return json.loads((FOLDER / language / "labels.json").read_text("utf-8"))


def _cell(kind: str, body: str) -> Cell:
    if kind.strip() != "[markdown]":
        return Cell(False, body.strip())
    return Cell(
        True,
        "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.splitlines()).strip(),
    )


def script(name: str, language: str = "en") -> str:
    """A program as a file, with its text in a language."""
    return "\n\n".join(
        "# %% [markdown]\n"
        + re.sub("^(?=.)", "# ", cell.source, flags=re.M).replace("\n\n", "\n#\n")
        if cell.is_text
        else f"# %%\n{cell.source}"
        for cell in cells(name, language)
    )


def notebook(name: str, language: str = "en") -> str:
    """A program as a notebook, for Jupyter and Colab."""
    install = Cell(False, "# %pip install cinta matplotlib")
    made = [
        {
            "cell_type": "markdown" if cell.is_text else "code",
            "id": f"cell-{number}",
            "metadata": {},
            "source": cell.source.splitlines(keepends=True),
            **({} if cell.is_text else {"execution_count": None, "outputs": []}),
        }
        for number, cell in enumerate([install, *cells(name, language)])
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": made,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def run(name: str, small: bool, folder: Path, language: str = "en") -> tuple[dict[str, Any], str]:
    """The names that a program leaves, and the text that it prints; its pictures go to a folder."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt
    from PIL import Image

    path, drawn = FOLDER / f"{name}.py", 0

    def show() -> None:
        nonlocal drawn
        full = io.BytesIO()
        plt.savefig(full, dpi=100, bbox_inches="tight")
        plt.close("all")
        few_colors = Image.open(full).convert("RGB").quantize(128)
        few_colors.save(folder / picture(name, drawn), optimize=True)
        drawn += 1

    printed, before, plt.show = io.StringIO(), plt.show, show
    left: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    try:
        with contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of forks, in Python 3.12
            exec(compile(_source(name, language, small), str(path), "exec"), left)
    finally:
        plt.show = before
        plt.close("all")
    return left, printed.getvalue()


def picture(name: str, number: int) -> str:
    """The file of a program's picture, of which the first is number 0."""
    return f"{name}.png" if number == 0 else f"{name}_{number}.png"


def results() -> dict[str, Any]:
    """The times and the printed text of all programs, as they were last run in full."""
    return json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}


def pictures(language: str) -> Path:
    """The folder of the pictures in a language."""
    return ROOT / "docs" / language / "pictures/gallery"


def main(chosen: list[str]) -> None:
    """Run programs in full, in every language; the times are those of English."""
    for name in chosen or names():
        start = time.perf_counter()
        printed = {"en": _kept(name, "en")}
        seconds = round(time.perf_counter() - start, 1)
        printed |= {language: _kept(name, language) for language in ("es", "pt")}
        ordered = dict(
            sorted({**results(), name: {"seconds": seconds, "printed": printed}}.items())
        )
        RESULTS.write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", "utf-8")
        print(f"{name}: {seconds} s\n{printed['en']}")


def _kept(name: str, language: str) -> str:
    """Run a program in full and keep its pictures; the text that it prints."""
    folder = pictures(language)
    folder.mkdir(parents=True, exist_ok=True)
    return run(name, small=False, folder=folder, language=language)[1]


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "src")]
    main(sys.argv[1:])
