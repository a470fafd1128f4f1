"""A page with pictures to walk about in, and explanations: one file that needs nothing else."""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import string
import sys
import tempfile
import tomllib
import webbrowser
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...files.system_errors import translated
from ...languages.choice import LANGUAGES, get_language, speaking
from ...public import public
from .box_placement import layout_of
from .boxes import folded
from .showing import drawings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from .boxes import Box, BoxGraph, BoxMeasurements
    from .drawing import Drawing

_MICRO = 1e6
_SCRIPTS = "drawing.js", "moving.js", "timeline.js", "page.js"
_LEVEL = 7
"""How hard data are compressed: at 9 they are 4 % smaller, and take three times as long."""


@public("debugging.show")
def show(thing: object, path: str | os.PathLike[str] | None = None, inputs: object = None) -> Page:
    """Show a tape, a function, a model or an explanation as a page to explore.

    The page is one file and needs no network. Without a ``path`` notebooks show it in place;
    elsewhere it is written to a temporary file and opened in the browser. A list of tapes, or of
    drawings by ``tape.draw()``, is shown as steps of a training, with a slider.

    >>> import cinta as tf, os, tempfile
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = x * x
    >>> page = tf.debugging.show(tape, os.path.join(tempfile.mkdtemp(), "tape.html"))
    >>> os.path.basename(page)
    'tape.html'

    Args:
        thing: A ``GradientTape``, a ``tf.function`` that was called, a Keras model, a
            ``tf.Module``, an explanation or what ``tf.debugging.explaining()`` found, a drawing; or
            a list of tapes or drawings.
        path: The name of the file to write.
        inputs: What to call a model, module or function with, a tuple if it takes several
            arguments. The call has no lasting effect. Keras mostly knows the inputs of a model; a
            function with inputs is drawn with the lines of its Python code.

    Raises:
        TypeError: If there is no page of such a thing, or the path is not a name.
    """
    if not isinstance(path, (str, os.PathLike, type(None))):
        raise TypeError(f"path is the name of a file to write, got {path!r}.")
    page = page_of(thing, inputs=inputs)
    if path is not None:
        page.save(path)
    elif not _is_notebook():
        with tempfile.NamedTemporaryFile(suffix=".html", delete=False) as file:
            page.save(file.name)
        webbrowser.open(Path(file.name).as_uri())
    return page


def page_of(thing: object, title: str = "", inputs: object = None) -> Page:
    """The page of what can be drawn, or of explanations."""
    from ..explanation import Explanation, Explanations

    found = Explanations([thing]) if isinstance(thing, Explanation) else thing
    panel = found._repr_html_ if isinstance(found, Explanations) else None
    return Page(drawings_of(thing, inputs), title, panel)


class Page:
    """A page as text; notebooks show it, ``save`` writes it, and ``os.fspath`` tells where to."""

    def __init__(
        self, drawings: Sequence[Drawing], title: str = "", panel: Callable[[], str] | None = None
    ) -> None:
        self.drawings = drawings
        self.title = title or (drawings[0].title if drawings else "cinta")
        self._panel = panel or str
        self._path: str | None = None

    def __repr__(self) -> str:
        where = "" if self._path is None else f" at {self._path}"
        return f"<Page {self.title!r}{where}>"

    def __str__(self) -> str:
        """The text of the page."""
        return _Template(_file("page.html")).substitute(
            language=get_language(),
            title=html.escape(self.title),
            css=_file("page.css"),
            data=_packed(self._data()),
            js="\n".join(map(_file, _SCRIPTS)),
        )

    def __fspath__(self) -> str:
        if self._path is None:
            raise ValueError("The page is in no file yet: call save(path).")
        return self._path

    def _repr_html_(self) -> str:
        frame = "width:100%;height:640px;border:0;border-radius:8px"
        return f"<iframe style='{frame}' srcdoc='{html.escape(str(self), quote=True)}'></iframe>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file."""
        with translated(path):
            Path(path).write_text(str(self), "utf-8")
        self._path = os.fspath(path)

    def _data(self) -> dict[str, Any]:
        panels = {}
        for spoken in LANGUAGES:
            with speaking(spoken):
                panels[spoken] = self._panel()
        return {
            "words": tomllib.loads(_file("words.toml")),
            "panels": panels,
            "pictures": [_picture(drawing) for drawing in self.drawings],
        }


def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


class _Template(string.Template):
    """A page with places to fill; the sign is one that scripts and styles do not use."""

    delimiter = "§"


def _packed(data: object) -> str:
    """Data as letters: compressed, for pages of many ops are to stay small."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), _LEVEL, mtime=0)).decode()


def _picture(drawing: Drawing) -> dict[str, Any]:
    keys = {}
    graph = folded(drawing.graph)
    for i, (key, box) in enumerate(graph.boxes.items()):
        keys[key] = i
        keys.update(dict.fromkeys(box.inner.boxes, i))  # of a group
    start = min([each.begin for each in drawing.moments], default=0.0)
    names = sorted({each.name for each in drawing.moments})
    return {
        "kind": drawing.kind,
        "title": drawing.title,
        "graph": _graph(graph),
        "names": names,
        "moments": [
            [
                round((each.begin - start) * _MICRO, 1),
                round(each.seconds * _MICRO, 1),
                names.index(each.name),
                keys[each.key],
                int(each.backward),
            ]
            for each in drawing.moments
        ],
    }


def _graph(graph: BoxGraph) -> dict[str, Any]:
    """The boxes; the numbers of boxes, and of ways (below zero), in each row; and the arrows."""
    rows, ways = layout_of(graph)
    number: dict[Hashable, int] = {key: i for i, key in enumerate(graph.boxes)}
    number.update(
        {way: -1 - i for i, way in enumerate(way for each in ways.values() for way in each)}
    )
    return {
        "boxes": [_box(box) for box in graph.boxes.values()],
        "rows": [[number[key] for key in row] for row in rows],
        "arrows": [
            [number[a], number[b], count, [number[way] for way in ways.get((a, b), ())]]
            for (a, b), count in graph.arrows.items()
        ],
    }


def _box(box: Box) -> dict[str, Any]:
    found: dict[str, Any] = {"title": box.title, "steps": [_facts(each) for each in box.steps]}
    for name in ("where", "role", "result", "parameters"):
        if getattr(box, name):
            found[name] = getattr(box, name)
    if box.inner.boxes:
        found["inner"] = _graph(box.inner)
    return found


def _facts(facts: BoxMeasurements | None) -> list[float | int | None] | None:
    """The facts of a box in a step, if it occurs there, in the order that the page knows."""
    if facts is None:
        return None
    seconds, pulled = (round(x * _MICRO, 1) for x in (facts.seconds, facts.pull_seconds))
    norm = None if facts.norm is None else float(f"{facts.norm:.4g}")
    if norm is not None and not abs(norm) < float("inf"):
        norm = 1e308  # JSON has neither infinities nor NaN; the page shows it as such
    return [facts.count, facts.bytes, seconds, norm, pulled]


def _is_notebook() -> bool:
    """Whether a notebook will show what a cell ends with."""
    shell = sys.modules.get("IPython")
    return shell is not None and "zmqshell" in str(type(shell.get_ipython()))
