"""The sources of the site: their code runs, translations run the same, pictures are fresh."""

import io
import keyword
import re
import tokenize
from pathlib import Path

import pytest

from tools import gallery, pictures
from tools.website import facts
from tools.website.words import LANGUAGES

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
OURS = re.compile(
    r'https://(?:github|raw\.githubusercontent)\.com/cinta-autodiff/cinta/([^)#\s"]+)'
)
CODE = re.compile(r"`[^`]*`")
NAMED = re.compile(r"[\w./]+", re.ASCII)
PAGES = sorted(DOCS.rglob("*.md"))
TRANSLATIONS = [page for page in PAGES if page.relative_to(DOCS).parts[0] != "en"]
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _name(page):
    return page.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_all_python_of_a_page_is_run(page):
    """Doctest runs the blocks with prompts; code that cannot run here is in a fence of `py`."""
    blocks = FENCE.findall(page.read_text("utf-8"))
    assert [block for block in blocks if not block.startswith(">>>")] == []
    assert [block for block in blocks if not block.endswith("\n\n")] == []  # where doctest stops


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_the_rows_of_a_table_have_the_cells_of_its_heading(page):
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        heading, *rows = [len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()]
        assert rows == [heading] * len(rows), table


def test_a_readme_tells_how_many_programs_the_gallery_has():
    for name in ("README.md", "README.es.md", "README.pt.md"):
        told = re.findall(
            r"(\d+) (?:complete programs|programas)", (ROOT / name).read_text("utf-8")
        )
        assert told == [str(len(gallery.names()))], name


@pytest.mark.parametrize("page", TRANSLATIONS, ids=_name)
def test_a_translation_runs_the_code_of_the_english_page(page):
    english = DOCS / "en" / page.relative_to(DOCS).relative_to(page.relative_to(DOCS).parts[0])
    own, theirs = _code(page), _code(english)
    assert len(own) == len(theirs), "another number of examples"
    names = {}  # the translated names of variables: always the same one for the same
    for ours, original in zip(own, theirs, strict=True):
        mine, others = _tokens(ours), _tokens(original)
        assert [kind for kind, _ in mine] == [kind for kind, _ in others], f"{ours}\n{original}"
        for (kind, word), (_, other) in zip(mine, others, strict=True):
            if kind in {"variable", "attribute"}:
                assert names.setdefault((kind, other), word) == word, f"{other} in {ours}"
            elif kind not in {tokenize.STRING, "text"}:
                assert word == other, ours
    assert len(set(names.items())) == len({(kind, word) for (kind, _), word in names.items()})


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_every_page_is_translated(language):
    def names(folder):
        return {path.relative_to(folder) for path in folder.rglob("*.md")}

    assert names(DOCS / language) == names(DOCS / "en")


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
@pytest.mark.parametrize("page", sorted((DOCS / "en/deviations").glob("*.md")), ids=_name)
def test_differences_are_told_row_by_row_in_every_language(page, language):
    """A row has the same test in every language, and speaks of the same code."""
    english = facts.rows_of_differences(page)
    own = facts.rows_of_differences(DOCS / language / "deviations" / page.name)
    assert [row[4] for row in own] == [row[4] for row in english]
    for mine, original in zip(own, english, strict=True):
        for cell, theirs in zip(mine, original, strict=True):
            assert sorted(CODE.findall(cell)) == sorted(CODE.findall(theirs)), cell


@pytest.mark.parametrize("page", TRANSLATIONS, ids=_name)
def test_a_translation_names_what_the_english_page_names(page):
    english = DOCS / "en" / page.relative_to(DOCS).relative_to(page.relative_to(DOCS).parts[0])
    assert _named(page) == _named(english)
    assert _levels(page) == _levels(english), "another number of headings"


def test_files_that_pages_about_the_inside_name_are_there():
    there = {path.as_posix() for name in ("src", "tests") for path in (ROOT / name).rglob("*.py")}
    pages = [page for page in PAGES if "inside" in page.parts]
    named = {name for page in pages for name in _named(page) if name.endswith(".py")}
    assert named
    assert [name for name in named if not any(file.endswith(f"/{name}") for file in there)] == []


def _prose(page):
    text = page.read_text("utf-8")
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def _named(page):
    """The names, files and folders in the sentences and tables of a page."""
    spans = {span.strip("`") for span in CODE.findall(_prose(page))}
    return {span for span in spans if NAMED.fullmatch(span)}


def _levels(page):
    return [len(marks) for marks in re.findall(r"^(#+) ", _prose(page), re.MULTILINE)]


def _code(page):
    """The examples of a page, without prompts and results."""
    lines = [
        line
        for block in FENCE.findall(page.read_text("utf-8"))
        for line in block.splitlines()
        if line.startswith((">>>", "..."))
    ]
    text = "\n".join(lines)
    return [
        "\n".join(line[4:] for line in example.splitlines())
        for example in re.split(r"\n(?=>>>)", text)
    ]


def _tokens(code):
    """The tokens of code with their kinds, without comments."""
    left_out = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING}
    tokens, before = [], ""
    imports = code.startswith(("import ", "from "))
    for token in tokenize.generate_tokens(io.StringIO(code + "\n").readline):
        if token.type in left_out:
            continue
        kind = token.type
        if kind == tokenize.NAME and not imports and not keyword.iskeyword(token.string):
            kind = "attribute" if before == "." else "variable"
        elif kind == getattr(tokenize, "FSTRING_MIDDLE", None):
            kind = "text"
        tokens.append((kind, token.string))
        before = token.string
    return tokens


def test_pictures_are_up_to_date(capsys):
    assert pictures.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("name", ["README.md", "README.es.md", "README.pt.md", "CONTRIBUTING.md"])
def test_links_of_a_readme_lead_to_files(name):
    links = OURS.findall((ROOT / name).read_text("utf-8"))
    paths = [re.sub(r"^(blob/)?main/", "", link) for link in links if "main/" in link]
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_readme_opens_alike_in_every_language():
    for name in ("README.es.md", "README.pt.md"):
        own = FENCE.findall((ROOT / name).read_text("utf-8"))
        english = FENCE.findall((ROOT / "README.md").read_text("utf-8"))
        assert len(own[0].splitlines()) == len(english[0].splitlines())
        for text in (
            "pip install .",
            "make docs",
            "training_step.svg",
            "deviations/index.md",
        ):
            assert text in (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_modules_in_the_table_of_the_architecture_are_there(language):
    table = (DOCS / language / "inside/architecture.md").read_text("utf-8").split("```")[1]
    lines = [line[:28] for line in table.split("\n")]
    named = {name for line in lines for name in re.findall(r"[a-z_]{2,}", line)}
    outside = {name for line in lines if line[:1] != " " for name in re.findall("[a-z_]{2,}", line)}
    there = {path.stem for path in (ROOT / "src/cinta").rglob("*")}
    assert len(named) > 60
    assert named - there == set()
    assert outside - {path.stem for path in (ROOT / "src/cinta").iterdir()} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_modules_in_the_list_of_the_closed_world_are_there(language):
    text = (DOCS / language / "inside/functions.md").read_text("utf-8")
    named = re.findall(r"^- `(\w+)/?`(?: \w+ `(\w+)`)?", text, re.MULTILINE)
    there = {path.stem for path in (ROOT / "src/cinta/replay/captures").iterdir()}
    assert len(named) > 5
    assert {name for each in named for name in each if name} - there == set()
