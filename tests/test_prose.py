"""The language of docstrings, comments and pages: plain sentences with a subject."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

TREE = Path(__file__).parent.parent
FOLDERS = ("bench", "docs", "src", "tests", "tools")

OPENER = re.compile(r"\W*(who|what|whose)\b", re.IGNORECASE)
"""A sentence that opens so has a clause in place of its subject; only questions may."""

NEGATED = re.compile(
    r"(?<!\bthere )\b(is|are|was|were) no (?!longer\b|more than\b)\w+", re.IGNORECASE
)

SUSPICIOUS = re.compile(r"#.*\b(who|what|whose|no)\b", re.IGNORECASE)
"""The lines that may have a comment with a fault."""


def _faults(text):
    """The sentences that are not written as they should be."""
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:>>>|\.\.\.|[-*|#] ))", text):
        if paragraph.lstrip().startswith((">>>", "...")):
            continue
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split())):
            opens = OPENER.match(sentence) and not sentence.endswith("?")
            if opens or NEGATED.search(sentence):
                yield sentence


def _prose(source):
    """The docstrings and comments of Python code."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield text
    if SUSPICIOUS.search(source):  # to find where comments begin takes long
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.string


@pytest.mark.parametrize("folder", FOLDERS)
def test_sentences_of_code_have_a_subject(folder):
    faults = [
        f"{path.relative_to(TREE)}: {fault}"
        for path in sorted((TREE / folder).rglob("*.py"))
        for text in _prose(path.read_text(encoding="utf-8"))
        for fault in _faults(text)
    ]
    assert faults == []


def test_sentences_of_pages_have_a_subject():
    pages = [*TREE.glob("*.md"), *(TREE / "docs").rglob("*.md")]
    texts = [
        (page, re.sub(r"```.*?```|`[^`\n]+`", "", page.read_text(), flags=re.S)) for page in pages
    ]
    faults = [
        f"{page.relative_to(TREE)}: {fault}"
        for page, text in texts
        for fault in _faults(re.sub(r"^#+ .*$", "", text, flags=re.M))
    ]
    assert faults == []


@pytest.mark.parametrize(
    "text",
    ["What it takes.", "It runs. Who asks, waits.", "A view is no array.", "# whose sum is 1"],
)
def test_sentences_without_a_subject_are_found(text):
    assert [*_faults(text)]


@pytest.mark.parametrize(
    "text", ["What records a call?", "There is no op.", "It is no longer kept."]
)
def test_questions_and_ordinary_negations_are_not(text):
    assert not [*_faults(text)]
