"""Limits and sizes that pages state are those of the code, in every language."""

import re
from pathlib import Path

import pytest

import cinta as tf
from cinta.explain import explain_gradients, ledger
from cinta.explain.pictures import boxes
from cinta.explain.training import curves, sentences
from cinta.languages.choice import LANGUAGES
from cinta.replay import exploring
from cinta.replay.captures import reach
from cinta.saved_model import programs
from tests.junk.kinds import JUNK

DOCS = Path(__file__).parent.parent / "docs"
WORDS = {
    "en": {4: "four", 1_000_000: "a million"},
    "es": {4: "cuatro", 1_000_000: "un millón"},
    "pt": {4: "quatro", 1_000_000: "um milhão"},
}

STATED = [
    ("deviations/arguments", len(JUNK), ""),
    ("guides/functions", reach.MOST_CODES, ""),
    ("guides/explanations", curves._MOST_POINTS, ""),
    ("guides/explanations", sentences._SILENT_STEPS, ""),
    ("guides/explanations", explain_gradients.MUCH_MEMORY // 1_000_000, " MB"),
    ("guides/explanations", ledger._MOST_EVENTS, ""),
    ("guides/explanations", ledger._MOST_OF_TAPES, ""),
    ("guides/pictures", boxes.MOST_BOXES, ""),
    ("guides/saved_models", programs._MOST, ""),
    ("inside/saved_models", exploring._MOST_WAYS, ""),
]


def _numbers_joined(text):
    """A text in which 10 000 and 10,000 are written 10000."""
    return re.sub(r"(?<=\d)[ ,](?=\d{3}\b)", "", text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("page", "limit", "unit"), STATED)
def test_a_limit_is_stated_as_it_is(page, limit, unit, language):
    text = _numbers_joined((DOCS / language / f"{page}.md").read_text("utf-8"))
    word = WORDS[language].get(limit, str(limit))
    assert re.search(rf"\b{word}{unit}\b", text, re.IGNORECASE)


@pytest.fixture
def sizes(tmp_path):
    """The sizes of pages of 10 000 ops in kB: all on one line, and each on a line of its own."""
    program = tmp_path / "program.py"
    lines = [f"    x = x * 1.{i:04d}\n" for i in range(10_000)]
    program.write_text(f"def each(x):\n{''.join(lines)}    return x\n")
    names = {}
    exec(compile(program.read_text(), str(program), "exec"), names)

    def loop(x):
        for _ in range(10_000):
            x = x * 1.0001
        return x

    found = []
    for function in (loop, names["each"]):
        x = tf.Variable(1.0)
        with tf.debugging.explaining():
            with tf.GradientTape(persistent=True) as tape:
                y = function(x)
            page = tmp_path / "page.html"
            tf.debugging.show(tape.draw(y), page)
        found.append(page.stat().st_size / 1000)
    return found


def test_pages_are_no_larger_than_stated(sizes):
    for language in LANGUAGES:
        text = (DOCS / language / "guides/pictures.md").read_text("utf-8")
        stated = [int(number) for number in re.findall(r"(\d+) kB", text)]
        assert len(stated) == len(sizes)
        assert all(bound / 2 < size < bound for size, bound in zip(sizes, stated, strict=True))
