"""A page of explanations: one file of HTML that needs nothing else."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from .texts import language

if TYPE_CHECKING:
    from .explanation import Explanations

_STYLE = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
pre { font-size: 14px; overflow-x: auto }
"""


def page_of(found: Explanations, title: str) -> str:
    """The explanations as a page."""
    name = html.escape(title)
    return (
        f"<!doctype html>\n<html lang='{language()}'>\n<meta charset='utf-8'>\n"
        "<meta name='viewport' content='width=device-width'>\n"
        f"<title>{name}</title>\n<style>{_STYLE}</style>\n<h1>{name}</h1>\n"
        f"{found._repr_html_()}\n</html>\n"
    )
