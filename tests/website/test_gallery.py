"""The programs of the gallery run at reduced size, in all languages; notebooks are well formed."""

import json

import numpy as np
import pytest

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
def test_a_program_runs_at_reduced_size(name, tmp_path):
    left, _ = gallery.run(name, small=True, pictures=tmp_path)
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


@pytest.mark.parametrize("name", gallery.names())
def test_a_program_has_its_pictures_and_its_time(name):
    shown = (gallery.FOLDER / f"{name}.py").read_text("utf-8").count(gallery.SHOWN)
    assert shown > 0
    missing = [gallery.picture(name, each) for each in range(shown)]
    assert [each for each in missing if not (gallery.PICTURES / each).exists()] == []
    assert gallery.results()[name]["seconds"] > 0
