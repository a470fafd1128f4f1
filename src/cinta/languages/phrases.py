"""Sentences for people: those of ``phrases.toml``, and of ``errors.toml`` what errors mean."""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources
from typing import TypeAlias

from .choice import get_language

Translations: TypeAlias = dict[str, dict[str, str]]


@functools.cache
def translations(file: str) -> Translations:
    """The translations in a file, by the English sentence or the pattern of a message."""
    text = resources.files(__package__).joinpath(f"{file}.toml").read_text("utf-8")
    return tomllib.loads(text)


def said(sentence: str) -> str:
    """An English sentence in the language of the user."""
    language = get_language()
    return sentence if language == "en" else translations("phrases")[sentence][language]


def meaning(message: str) -> str:
    """The meaning of an error with this message, in the user's language; empty if not known."""
    language = get_language()
    if language == "en":
        return ""
    for pattern, texts in translations("errors").items():
        if found := re.search(pattern, message):
            return texts[language].format(*found.groups())
    return ""
