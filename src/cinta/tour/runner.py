"""Walk through the stops: show the code, run that very code, show what it printed, say why."""

import contextlib
import io
import os
import shutil
import sys
import textwrap
import tomllib
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

CHAPTERS = ("basics.toml", "lost.toml", "advanced.toml")
COLORS = {"title": "1;36", "result": "32", "aside": "2"}

GO_ON = {
    "en": "[Enter] go on   [q] leave ",
    "es": "[Intro] seguir   [q] salir ",
    "pt": "[Enter] continuar   [q] sair ",
}
DRAWN = {
    "en": "The curves are drawn in",
    "es": "Las curvas están dibujadas en",
    "pt": "As curvas estão desenhadas em",
}


@dataclass(frozen=True)
class Stop:
    """A piece of code and, by language, its title and what to notice in what it prints."""

    name: str
    code: str
    title: Mapping[str, str]
    notice: Mapping[str, str]

    def run(self, names: dict[str, Any]) -> str:
        """Run the code on `names`, as a notebook runs a cell, and return what it printed."""
        with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # messages are recognized below, in any language
            exec(compile(self.code, f"<{self.name}>", "exec"), names)
        return printed.getvalue()


def stops() -> Iterator[Stop]:
    """The stops, in order."""
    for chapter in CHAPTERS:
        text = resources.files(__package__).joinpath(chapter).read_text(encoding="utf-8")
        for stop in tomllib.loads(text)["stop"]:
            yield Stop(**stop)


def run(lang: str, plot: Path, *, pause: bool) -> None:
    """Print the whole tour in the language `lang`, and write the chart it draws to `plot`."""
    check_writable(plot)
    names: dict[str, Any] = {}
    tour = list(stops())
    width = min(88, shutil.get_terminal_size().columns)
    for number, stop in enumerate(tour, start=1):
        if pause and number > 1 and input("\n" + GO_ON[lang]).strip().lower() == "q":
            return
        say("title", f"\n{number}/{len(tour)}  {stop.title[lang]}\n")
        say("code", textwrap.indent(stop.code, "  │ ", predicate=bool))
        say("result", textwrap.indent(stop.run(names), "  → "))
        say("notice", textwrap.fill(stop.notice[lang], width))
    plot.write_text(names["chart"], encoding="utf-8")
    say("aside", f"\n{DRAWN[lang]} {plot.resolve()}")


def check_writable(plot: Path) -> None:
    """Refuse a place for the picture before the tour, not after it."""
    folder = plot.parent
    if not folder.is_dir():
        raise FileNotFoundError(f"there is no folder {folder} to write the picture to.")
    if plot.is_dir():
        raise IsADirectoryError(f"{plot} is a folder; name a file in it for the picture.")
    if not os.access(plot if plot.exists() else folder, os.W_OK):
        raise PermissionError(f"the picture cannot be written to {plot}.")


def say(role: str, text: str) -> None:
    """Print `text`, in the color of its role where standard output shows colors."""
    colorful = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    print(f"\033[{COLORS[role]}m{text}\033[0m" if colorful and role in COLORS else text)
