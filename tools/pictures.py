"""Draws the pictures of the pages in docs: `make pictures`, or checks that they are up to date.

A page says above a picture what draws it:

    <!-- draw: tape.draw(loss) -->
    ![The way from w to the loss](../pictures/start_tape.svg)

The examples of the page run up to that place, and the expression gives the picture: a drawing of
cinta, or the text of an SVG file. It may call ``line_chart`` of ``cinta.tour.chart``, and
programs in ``drawn``.

Usage: python tools/pictures.py [--check] [PAGE ...]
"""

from __future__ import annotations

import doctest
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from cinta.tour.chart import line_chart  # noqa: E402
from tools import drawn  # noqa: E402

PAGES = ROOT / "docs" / "en"
DRAWN = re.compile(r"^<!-- draw: (.+?) -->\n!\[[^\]]*\]\(([^)]+)\)", re.MULTILINE)


def pictures(page: Path) -> Iterator[tuple[Path, str]]:
    """The pictures of a page, as SVG, with their files."""
    names: dict[str, Any] = {"drawn": drawn, "line_chart": line_chart}
    text, done = page.read_text("utf-8"), 0
    for found in DRAWN.finditer(text):
        _run(text[done : found.start()], names, f"{page.stem}_{done}")
        picture = eval(found[1], names)
        svg = picture if isinstance(picture, str) else picture._repr_svg_()
        yield (page.parent / found[2]).resolve(), svg
        done = found.end()


def _run(text: str, names: dict[str, Any], name: str) -> None:
    """Run the examples of a part of a page, which go on with the names of the parts before."""
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, clear_globs=False, out=lambda _: None)
    names.update(test.globs)


def main(arguments: list[str]) -> int:
    """Write the pictures, or say which ones are out of date."""
    check = "--check" in arguments
    named = [Path(each).resolve() for each in arguments if each != "--check"]
    stale = 0
    for page in named or sorted(PAGES.rglob("*.md")):
        for file, picture in pictures(page):
            if file.exists() and file.read_text("utf-8") == picture:
                continue
            stale += 1
            if check:
                print(f"{file.relative_to(ROOT)} is out of date: make pictures")
            else:
                file.write_text(picture, "utf-8")
                print(f"{file.relative_to(ROOT)} is drawn")
    return stale if check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
