"""The programs of the gallery run at reduced size, in all languages; notebooks are well formed."""

import json
import os
import re
import sys

import numpy as np
import pytest

from tests.left_out import TABLES_AND_PLOTS
from tools import gallery
from tools.website.words import LANGUAGES

CHECKED = {  # the names that a program leaves, and what must hold of them at any size
    "data_resume": lambda left: left["same"],
    "gaussian_process": lambda left: 0.05 < np.exp(float(left["found"].x["noise"])) < 0.6,
    "hmc": lambda left: left["accepted"] > 0.7 * left["DRAWS"],
    "implicit_layer": lambda left: np.isclose(
        float(sum(left["tf"].nest.flatten(left["products"]))), left["quotient"], rtol=1e-5
    ),
    "matrix_factorization": lambda left: left["error"] < 0.5 * left["truth"].std(),
    "newton_logistic": lambda left: left["history"][-1][1] < 1e-12,
    "optimal_control": lambda left: (
        left["changes"][-1] < 1e-12 and left["matrix"].nnz < 3 * left["N"]
    ),
    "private_gradients": lambda left: all(rights for _, rights in left["found"].values()),
    "sensitivity": lambda left: left["course"].shape == [left["DAYS"]],
    "survives_a_kill": lambda left: left["same"],
    "two_processes": lambda left: np.allclose(left["one"], left["two"], rtol=1e-9),
}


@pytest.mark.filterwarnings("ignore:os.fork")  # of JAX, which the process that is made leaves alone
@pytest.mark.parametrize("name", gallery.names())
def test_a_program_runs_at_reduced_size(name, tmp_path, monkeypatch):
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([TABLES_AND_PLOTS, *sys.path])
    )  # for processes
    left, _ = gallery.run(name, small=True, folder=tmp_path)
    source = (gallery.FOLDER / f"{name}.py").read_text("utf-8")
    assert len([*tmp_path.glob("*.png")]) == source.count(gallery.SHOWN)
    assert CHECKED.get(name, _has_finite_losses)(left)


def _has_finite_losses(left):
    """The results of a training that is too short to have learned anything."""
    named = [left.get(name) for name in ("losses", "means", "distances", "history")]
    lists = [each for each in named if isinstance(each, list | np.ndarray)]
    return lists and all(len(each) and np.isfinite(each).all() for each in lists)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", gallery.names())
def test_a_program_is_a_notebook_in_every_language(name, language):
    nbformat = pytest.importorskip("nbformat")
    text = gallery.notebook(name, language)
    nbformat.validate(nbformat.reads(text, as_version=4))
    cells = json.loads(text)["cells"]
    code = ["".join(each["source"]) for each in cells if each["cell_type"] == "code"]
    assert "import cinta as tf" in "\n".join(code)
    assert "# in tests" not in "\n".join(code)
    assert "".join(cells[1]["source"]).startswith("# ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", gallery.names())
def test_a_program_has_its_pictures_and_its_time(name, language):
    shown = (gallery.FOLDER / f"{name}.py").read_text("utf-8").count(gallery.SHOWN)
    assert shown > 0
    needed = [gallery.pictures(language) / gallery.picture(name, each) for each in range(shown)]
    assert [each for each in needed if not each.exists()] == []
    assert gallery.results()[name]["seconds"] > 0
    assert language in gallery.results()[name]["printed"]


LABEL = re.compile(
    r'(?:(?:label|title)[=(]|print\(\s*(?:".*", )?)f?"([^"\n]*)"'  # shown directly
    r'|(?<=[\[{ (])f?"(\w+(?: \w+)+)"'  # phrases in lists
)


def _shown(name):
    """The words that a program shows, with empty fields."""
    source = (gallery.FOLDER / f"{name}.py").read_text("utf-8")
    code = "\n".join(line for line in source.splitlines() if not line.startswith("#"))
    words = {gallery.FIELD.sub("{}", "".join(each)) for each in LABEL.findall(code)}
    return {each for each in words if re.search("[a-z]{2}", each)} - NOT_SHOWN


NOT_SHOWN = {"at", "upper right", "upper left", "offset points"}


@pytest.mark.parametrize("language", ["es", "pt"])
def test_pictures_and_printed_lines_are_in_every_language(language):
    shown = {each for name in gallery.names() for each in _shown(name)}
    assert shown - gallery.labels(language).keys() == set()
    sources = "".join(path.read_text("utf-8") for path in gallery.FOLDER.glob("*.py"))
    texts = {gallery.FIELD.sub("{}", text) for _, text in gallery.LITERAL.findall(sources)}
    assert gallery.labels(language).keys() - texts == set()


@pytest.mark.parametrize("name", gallery.names())
def test_a_word_that_is_shown_is_no_key_of_the_program(name):
    source = (gallery.FOLDER / f"{name}.py").read_text("utf-8")
    keys = set(re.findall(r'\w\["(\w+)"\]', source))
    words = {text for _, text in gallery.LITERAL.findall(source)}
    assert keys & words & gallery.labels("es").keys() == set()


def test_words_of_a_program_are_replaced_and_keys_and_fields_stay():
    code = gallery.script("rnn", "es")
    assert 'history.history["loss"]' in code
    assert 'print(f"pérdida {losses[0]:.4f} → {losses[-1]:.4f}")' in code
    assert 'plt.plot(time[seen:], told, label="lo que predice la red")' in code
