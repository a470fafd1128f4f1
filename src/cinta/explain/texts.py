"""Texts: what explanations say, by cause, in the user's language; they stand in ``texts.toml``."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

from ..languages.choice import get_language

if TYPE_CHECKING:
    from collections.abc import Mapping


@functools.cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("texts.toml").read_text("utf-8"))


class _Names(dict[str, str]):
    """Names to fill in; one that is not known stays as it is written."""

    def __missing__(self, name: str) -> str:
        return name


def headline_of(kind: str, cause: str, names: Mapping[str, str]) -> str:
    """One or two sentences that say what happened; ``opening`` among the names tells the first."""
    spoken = get_language()
    opening = _texts()["openings"].get(names.get("opening", kind), {}).get(spoken, "")
    text = _texts()["causes"][cause][spoken]
    return _filled(f"{opening} {text}".strip(), names)


def hint_of(cause: str, names: Mapping[str, str]) -> str:
    """The code to write instead."""
    return _filled(_texts()["causes"][cause]["advice"][get_language()], names)


def saving_of(lines: str, function: str, size: str) -> str:
    """Which change would free most memory."""
    text = str(_texts()["saving"][get_language()])
    return text.format(lines=lines, function=function, bytes=size)


def watched_text(what: str, **names: str) -> str:
    """A sentence about the curves of a training, and the words beside them."""
    text = str(_texts()["watched"][what][get_language()])
    return text.format(**names).replace(" ()", "")


def _filled(text: str, names: Mapping[str, str]) -> str:
    """A text with names; where the program has none, with a word that is not marked as code."""
    for role, word in _texts()["nameless"].items():
        if not names.get(role):
            text = text.replace(f"`{{{role}}}`", word[get_language()]).replace(f"{{{role}}}", "x")
    text = text.format_map(_Names(names))
    return text[:1].upper() + text[1:]


def layer_made_here() -> str:
    """The sentence before the line that made a layer."""
    return str(_texts()["layer"][get_language()])
