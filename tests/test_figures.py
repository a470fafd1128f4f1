"""The figures of speed on pages are those in bench/results, and pictures are drawn from them."""

import json
import re
from pathlib import Path

import pytest

from bench import report, speed

ROOT = Path(__file__).parent.parent
NUMBER = re.compile(r"(\d[\d,]*(?: \d{3})*(?:\.\d+)?)(?: \(([\d.]+)\))?(?: (µs|ms|s|MB/s))?")
COMPILED = "NumPy (?:by hand|a mano|à mão)"


def rows_of(page, heading):
    """The rows of numbers in the table whose first line has such words: figures with ratios."""
    text = (ROOT / page).read_text("utf-8")
    table = next(each for each in text.split("\n\n") if re.search(heading, each.split("\n")[0]))
    for line in table.split("\n")[2:]:
        _, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        yield line, [NUMBER.fullmatch(cell) for cell in cells if cell]


def kept():
    """All rows of times that the benchmarks have written."""
    for file in ("results", "compiled"):
        found = json.loads((report.RESULTS / f"{file}.json").read_text("utf-8"))
        for table in found["tables"] if isinstance(found, dict) else found:
            yield from table["rows"].values()


def is_rounded(shown, measured):
    """Whether a number is what was measured, to the digits that are shown."""
    step = 10.0 ** -len(shown.partition(".")[2])
    return abs(float(shown) - measured) <= 0.51 * step


def agrees(cells, row):
    """Whether each figure of a line is a time of the row, and each ratio one to cinta's."""
    ours = next((row[name] for name in ("cinta", "cinta-replay") if name in row), None)
    for cell in cells:
        times = [time for time in row.values() if is_rounded(cell[1], time)]
        if not times:
            return False
        if cell[2] and not any(is_rounded(cell[2], ours / time) for time in times):
            return False
    return True


@pytest.mark.parametrize(
    ("page", "heading"),
    [
        ("README.md", "NumPy, derivatives by hand"),
        ("README.md", r"^\| \| cinta \| PyTorch \| TensorFlow \| JAX \|"),
        ("README.md", r"^\| \| cinta \| PyTorch \| TensorFlow \|$"),
        ("README.md", "cinta on XLA"),
        ("docs/en/guides/performance.md", f"eager.*{COMPILED}"),
        ("docs/es/guides/performance.md", f"{COMPILED}.*jax.jit"),
        ("docs/pt/guides/performance.md", f"{COMPILED}.*jax.jit"),
    ],
)
def test_figures_in_a_table_were_measured(page, heading):
    rows = [*rows_of(page, heading)]
    assert rows
    assert [line for line, cells in rows if not cells or None in cells] == []
    strange = [line for line, cells in rows if not any(agrees(cells, row) for row in kept())]
    assert strange == []


LANGUAGES = [*speed.WORDS]


def cells_of(language, heading):
    """The cells of a table on the page about performance, row by row, without the titles."""
    text = (ROOT / f"docs/{language}/guides/performance.md").read_text("utf-8")
    table = next(each for each in text.split("\n\n") if re.match(heading, each))
    return [
        [cell.strip() for cell in line.strip("|").split("|")[1:]] for line in table.split("\n")[2:]
    ]


def kept_in(file):
    return json.loads((report.RESULTS / f"{file}.json").read_text("utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_times_of_training_steps_were_measured(language):
    rows = kept_in("training")["table"]["rows"].values()
    shown = cells_of(language, r"\| \| cinta.*jax.jit.*\| l[ií]mite? \|")
    assert len(shown) == len(rows)
    for cells, row in zip(shown, rows, strict=True):
        for cell, time in zip(cells, row.values(), strict=True):
            assert is_rounded(cell, time / 1000), cells


@pytest.mark.parametrize("language", LANGUAGES)
def test_times_of_sparse_derivatives_were_measured(language):
    curves = [*kept_in("sparse_jacobian").values(), *kept_in("sparse_hessian").values()]
    shown = cells_of(language, r"\| \| n = ")
    for cells, curve in zip(shown, curves, strict=True):
        times, milliseconds = {round(n): time for n, time in curve}, (1e3, 1e3, 1e3, 1.0)
        for cell, power, unit in zip(cells, (3, 4, 5, 6), milliseconds, strict=True):
            if cell:
                measured = float(f"{times[10**power] * unit:.2g}")
                assert float(cell.split()[0].replace(" ", "")) == measured, cells


@pytest.mark.parametrize("language", LANGUAGES)
def test_times_of_datasets_were_measured(language):
    tables = kept_in("results")["tables"]
    rows = next(each["rows"] for each in tables if each["title"] == "Datasets").values()
    shown = cells_of(language, r"\| \| cinta \| PyTorch \| TensorFlow \|")
    for cells, row in zip(shown, rows, strict=True):
        times = [row.get(name) for name in ("cinta", "torch", "tensorflow")]
        assert cells == [f"{time / 1000:.0f}" if time else "" for time in times]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rates_of_checkpoints_were_measured(language):
    shown = cells_of(language, ".*`fsync`")
    for cells, row in zip(shown, kept_in("checkpoints").values(), strict=True):
        figures = [*map(int, re.findall(r"\d+", " ".join(cells)))]
        names = ("save", "load", "save memory", "load memory")
        assert figures == [round(row[name]) for name in names]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cost_of_explanations_was_measured(language):
    text = (ROOT / f"docs/{language}/guides/explanations.md").read_text("utf-8")
    stated = re.findall(r"(\d\.\d) (?:times|ve[cz])", text)
    rows = kept_in("explaining")
    measured = [rows[size]["on"] / rows[size]["off"] for size in ("scalars", "10^4", "10^6")]
    assert len(stated) == len(measured)
    assert all(map(is_rounded, stated, measured))


def test_decimals_have_a_point_on_pages_of_all_languages():
    pages = [*(ROOT / "docs").glob("*/*/*.md"), *ROOT.glob("README*.md")]
    texts = [
        (page, re.sub(r"```.*?```|`[^`]*`", "", page.read_text("utf-8"), flags=re.S))
        for page in pages
    ]
    commas = [(page.name, each) for page, text in texts for each in re.findall(r"\d+,\d+", text)]
    assert [each for each in commas if not re.search(r",\d{3}$", each[1])] == []


def test_a_figure_that_was_not_measured_is_found():
    cells = [NUMBER.fullmatch("7.6"), NUMBER.fullmatch("15.8 (0.48)")]
    row = {"cinta": 7.61, "torch": 15.85}
    assert agrees(cells, row)
    assert not agrees(cells, row | {"torch": 25.85})
    assert not agrees([NUMBER.fullmatch("15.8 (0.58)")], row)


@pytest.mark.parametrize("scheme", speed.FRAMES)
@pytest.mark.parametrize("language", speed.WORDS)
def test_pictures_of_speed_are_up_to_date(language, scheme):
    drawn = speed.path(language, scheme).read_text("utf-8")
    assert drawn == speed.picture(language, scheme), "draw them by: python -m bench.speed"


def test_pictures_of_speed_have_words_in_every_language():
    names = {title for _, title in speed.TABLES}.union(*speed.TABLES.values())
    formulas = {"Σ sigmoid·tanh + exp(−x²), 1000×1000"}
    for language in {*speed.WORDS} - {"en"}:
        assert names - formulas <= {*speed.WORDS[language]}
