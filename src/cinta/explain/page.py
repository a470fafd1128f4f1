"""A page with a picture to walk about in, and explanations: one file that needs nothing else."""

from __future__ import annotations

import html
import json
import os
import string
import tempfile
import webbrowser
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..public import public
from .explanation import Explanation, Explanations
from .graph import Graph, graph_of
from .summary import written_bytes
from .svg import svg_of
from .texts import language, words

if TYPE_CHECKING:
    from .graph import Node


@public("debugging.show")
def show(thing: object, path: str | os.PathLike[str] | None = None) -> str:
    """Show a tape, a function or an explanation as a page to walk about in, and give its path.

    The page is one file and needs no network. Without a ``path`` it is written to a temporary
    file and opened in the browser.

    >>> import cinta as tf, os, tempfile
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     y = x * x
    >>> page = tf.debugging.show(tape, os.path.join(tempfile.mkdtemp(), "tape.html"))
    >>> os.path.basename(page)
    'tape.html'
    """
    if not isinstance(path, (str, os.PathLike, type(None))):
        raise TypeError(f"path is the name of a file to write, got {path!r}.")
    text = page_of(thing)
    if path is not None:
        Path(path).write_text(text, "utf-8")
        return str(path)
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(text)
    webbrowser.open(Path(file.name).as_uri())
    return file.name


class _Page(string.Template):
    """A page with places to fill; the sign is one that scripts and styles do not use."""

    delimiter = "§"


def page_of(thing: object, title: str | None = None) -> str:
    """The text of a page about something that can be drawn, or about explanations."""
    if isinstance(thing, Explanations):
        graph = graph_of(thing[0]) if thing else Graph("")
        panel = thing._repr_html_()
    else:
        graph = graph_of(thing)
        panel = thing._repr_html_() if isinstance(thing, Explanation) else ""
    graph = graph.folded()
    template = _Page(resources.files(__package__).joinpath("page.html").read_text("utf-8"))
    nodes = json.dumps([_facts(node) for node in graph.nodes.values()], ensure_ascii=False)
    return template.substitute(
        {f"word_{name}": html.escape(text) for name, text in words().items()},
        language=language(),
        title=html.escape(title or graph.title or "cinta"),
        svg=svg_of(graph),
        panel=panel or f"<p>{html.escape(words()['hint'])}</p>",
        nodes=nodes.replace("<", "\\u003c"),
    )


def _facts(node: Node) -> dict[str, Any]:
    """The facts of a node that the page shows."""
    facts = [f"{node.count} ops" if node.count > 1 else ""]
    facts += [written_bytes(node.bytes)] if node.bytes else []
    facts += [f"{node.seconds * 1e6:.0f} µs"] if node.seconds else []
    return {
        "title": node.title,
        "source": node.source,
        "ops": [[op.name, op.result, op.count] for op in node.ops],
        "facts": " · ".join(filter(None, facts)),
        "bytes": node.bytes,
        "seconds": round(node.seconds, 7),
        "count": node.count,
    }
