"""Makes MkDocs build the site in one language of several; ``build.py`` calls it once for each.

Every language has its folder in ``docs``, with the same names of files. Pictures that a language
lacks are those in English.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT)]

from cinta.version import __version__  # noqa: E402
from tools.website import facts, gallery, reference  # noqa: E402
from tools.website.words import LANGUAGES, THEMES, translated  # noqa: E402

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ENGLISH = ROOT / "docs" / "en"
BLANK = re.compile(r"^<BLANKLINE>$", re.MULTILINE)
DIRECTIVE = re.compile(r"  # doctest: .*$", re.MULTILINE)
TEST = re.compile(r"<code>([\w/]*?)(test_\w+\.py)(::\w+)?</code>")
PROMPTED = re.compile(r"^```python(?=[^\n]*\n>>> )", re.MULTILINE)


@event_priority(100)  # before the search plugin, which takes its language from the theme
def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The frame in the language that is built."""
    language = config.extra["language"]
    config.theme["language"] = THEMES[language]
    for scheme in config.theme["palette"]:
        scheme["toggle"]["name"] = translated(scheme["toggle"]["name"], language)
    config.site_description = translated(config.site_description, language)
    config.copyright = f"cinta {__version__} · Apache 2.0"
    config.nav = [_entry(each, language) for each in config.nav]
    config.nav.insert(3, {translated("Gallery", language): [*gallery.pages(language)]})
    config.nav.append({translated("Reference", language): [*reference.pages(language)]})
    return config


def _entry(entry: Any, language: str) -> Any:
    """An entry of the navigation with its section's title translated."""
    if isinstance(entry, str):
        return entry
    ((title, pages),) = entry.items()
    return {translated(title, language): pages}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The pictures that the language lacks, in English; and what is generated."""
    for path in sorted(ENGLISH.rglob("*")):
        name = path.relative_to(ENGLISH).as_posix()
        if path.suffix in {".svg", ".png"} and files.get_file_from_path(name) is None:
            files.append(File(name, str(ENGLISH), config.site_dir, config.use_directory_urls))
    language = config.extra["language"]
    made = reference.pages(language) | gallery.pages(language) | gallery.files(language)
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_pre_page(page: Page, config: MkDocsConfig, files: Files) -> Page:
    """The link to the source of each page leads to the file that it was made from."""
    made_from = page.file.abs_src_path
    if made_from is not None:
        source = Path(made_from).relative_to(ROOT).as_posix()
        page.edit_url = f"{config.repo_url}/edit/main/{source}"
    return page


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Examples with prompts are colored as such."""
    return PROMPTED.sub("```pycon", BLANK.sub("", DIRECTIVE.sub("", markdown)))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Public names in the text lead to the reference, and tests to their source."""
    return TEST.sub(_test, reference.linked(html, page.url))


def _test(found: re.Match[str]) -> str:
    """A test as a link to its file, whose long name may be broken between its words."""
    written = _with_breaks("".join(part or "" for part in found.groups()))
    paths = [*(ROOT / "tests").rglob(f"{found[1]}{found[2]}")]
    if not paths:
        return f"<code>{written}</code>"
    address = f"{facts.SOURCE}{paths[0].relative_to(ROOT).as_posix()}"
    return f'<a href="{address}"><code>{written}</code></a>'


def _with_breaks(name: str) -> str:
    """A name that may be broken after each of its words."""
    return re.sub(r"(_|::|/)", r"\1<wbr>", name)


def on_page_context(context: Any, page: Page, config: MkDocsConfig, nav: Any) -> Any:
    """The switch of languages leads to the same page."""
    context["languages"] = _languages(config, page.url, f"{page.url.count('/') * '../'}")
    return context


def on_template_context(context: Any, template_name: str, config: MkDocsConfig) -> Any:
    """The page for addresses that are not there leads to the first page of each language."""
    context["languages"] = _languages(config, "index.html", "/")
    return context


def _languages(config: MkDocsConfig, address: str, to_root: str) -> list[dict[str, str]]:
    """Links to a page in every language, from a page that reaches its language's root so."""
    up = to_root if config.extra["language"] == "en" or to_root == "/" else to_root + "../"
    return [
        {"name": name, "lang": lang, "link": up + ("" if lang == "en" else f"{lang}/") + address}
        for lang, name in LANGUAGES.items()
    ]
