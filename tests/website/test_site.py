"""The built site: every link leads somewhere, and nothing is fetched from elsewhere."""

import functools
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.website.building import SITE_IS_BUILT, built
from tools.website import facts, reference
from tools.website.words import LANGUAGES

pytestmark = SITE_IS_BUILT
ROOT = Path(__file__).parent.parent.parent
OURS = re.compile(r"https://github\.com/cinta-autodiff/cinta/(?:blob|edit|tree)/main/([^#?]+)")
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """The links of a page, what it fetches, its anchors and its language."""

    def __init__(self, path):
        super().__init__()
        self.links, self.fetched, self.anchors, self.unlabeled = [], [], set(), []
        self.lang = None
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.update(filter(None, [given.get("id"), given.get("name")]))
        if tag == "html":
            self.lang = given.get("lang")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        fetched = given.get(FETCHED.get(tag))
        if fetched and not (tag == "link" and given.get("rel") in {"canonical", "alternate"}):
            self.fetched.append(fetched)
        elif fetched:
            self.links.append(fetched)
        if tag == "img" and not given.get("alt"):
            self.unlabeled.append(given.get("src"))


@pytest.fixture(scope="module")
def pages():
    return {path: Page(path) for path in sorted(built().rglob("*.html"))}


def test_no_link_is_dead(pages):
    dead = [
        f"{path.relative_to(built())}: {link}"
        for path, page in pages.items()
        for link in [*page.links, *page.fetched]
        if not _leads_somewhere(path, link, pages)
    ]
    assert dead == []


def _leads_somewhere(path, link, pages):
    if ours := OURS.match(link):
        return _exists(ROOT / unquote(ours[1]))
    url = urlsplit(link)
    if url.scheme or url.netloc:
        return True
    target = Path(os.path.normpath(path.parent / unquote(url.path))) if url.path else path
    if path.name == "404.html":  # it is shown at any address, so its links start at the root
        target = built() / unquote(url.path).lstrip("/")
    if _is_folder(target):
        target /= "index.html"
    if url.fragment and target in pages:
        return unquote(url.fragment) in pages[target].anchors or url.fragment.startswith("__")
    return _exists(target)


_exists = functools.cache(Path.exists)
_is_folder = functools.cache(Path.is_dir)


def test_nothing_is_fetched_from_elsewhere(pages):
    elsewhere = {link for page in pages.values() for link in page.fetched if urlsplit(link).netloc}
    assert elsewhere == set()


def test_pictures_have_words_for_those_who_do_not_see_them(pages):
    assert {str(path): page.unlabeled for path, page in pages.items() if page.unlabeled} == {}


def test_every_page_is_there_in_every_language(pages):
    english = {
        path.relative_to(built())
        for path in pages
        if path.relative_to(built()).parts[0] not in LANGUAGES
    }
    for language in set(LANGUAGES) - {"en"}:
        folder = built() / language
        there = {path.relative_to(folder) for path in pages if path.is_relative_to(folder)}
        assert there == english
        assert {pages[folder / name].lang[:2] for name in there} == {language}


def test_every_public_name_is_in_the_reference(pages):
    for language in LANGUAGES:
        folder = built() / ("" if language == "en" else language) / "reference"
        anchors = {
            anchor for path in pages if path.parent == folder for anchor in pages[path].anchors
        }
        assert {each.name for each in facts.things()} <= anchors
        assert {*facts.raw_ops()} <= anchors


def test_names_in_the_text_lead_to_the_reference():
    html = reference.linked(
        "<p><code>tf.nn.relu</code> <code>tf.nothing</code></p>", "guides/a.html"
    )
    assert html == (
        '<p><a href="../reference/tf.nn.html#tf.nn.relu"><code>tf.nn.relu</code></a> '
        "<code>tf.nothing</code></p>"
    )


def test_the_reference_of_a_function_tells_all_about_it():
    text = reference.pages("es")["reference/tf.nn.md"].partition("## tf.nn.softsign")[2]
    text = text.partition("\n## ")[0]
    for part in (
        "tf.nn.softsign(features: NumericLike, name: str | None = None) -> Tensor",
        "types.md#NumericLike",
        "array([-0.5 ,  0.75], dtype=float32)",
        "Diferencia",
        "<code>tf.math.softsign</code>",
        "respecto de `features`",
        "src/cinta/ops/nn/",
    ):
        assert part in text


def test_a_docstring_becomes_markdown():
    doc = "Two ``a*b`` * 2.\n\n>>> f(1)\n2\n\nArgs:\n    x: The first\n        of them."
    assert reference.markdown(doc).split("\n\n") == [
        "Two `a*b` \\* 2.",
        "```python\n>>> f(1)\n2\n```",
        "**Args:**",
        "- `x`: The first\n  of them.",
    ]
