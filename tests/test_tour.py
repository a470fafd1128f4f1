"""The tour runs, in every language, and prints what the guides promise."""

import importlib.metadata
import io
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import cinta
from cinta import doctor, machine, tour
from cinta.__main__ import main
from cinta.languages.choice import LANGUAGES

STOPS = list(tour.stops())
SVG = "{http://www.w3.org/2000/svg}"

PRINTED = {
    "square": "6.0",
    "matrix": "(3, 2) (3, 2)\n(2,) (2,)",
    "dict": "{'w': TensorShape([3, 2]), 'b': TensorShape([2])}",
    "model": "bias:0, shape: (2,)\nkernel:0, shape: (3, 2)",
    "watched": "tf.Tensor(6.0, shape=(), dtype=float32)\nNone\nNone\nNone\n['x0:0']",
    "watch": "6.0",
    "choose": "dy/dx0: None\ndy/dx1: 0.9999546",
    "intermediate": "18.0",
    "persistent": "[  4. 108.]\n[2. 6.]",
    "targets": "4.0\n-0.25\n3.75",
    "vector": "7.0",
    "if": "tf.Tensor(1.0, shape=(), dtype=float32)\nNone\nNone",
    "loop": "[12.0, 12.0, 4.0]",
    "unconnected": "None",
    "replaced": "Variable : tf.Tensor(1.0, shape=(), dtype=float32)\nTensor : None",
    "numpy": "None",
    "integers": "None",
    "state": "None",
    "zeros": "tf.Tensor([0. 0.], shape=(2,), dtype=float32)",
    "stop_recording": "dz/dx: tf.Tensor(4.0, shape=(), dtype=float32)\ndz/dy: None",
    "reset": "dz/dx: tf.Tensor(4.0, shape=(), dtype=float32)\ndz/dy: None",
    "stop_gradient": "dz/dx: tf.Tensor(4.0, shape=(), dtype=float32)\ndz/dy: None",
    "custom": "tf.Tensor(2.0, shape=(), dtype=float32)",
    "tapes": "1.0\n0.25",
    "second": "dy_dx: 3.0\nd2y_dx2: 6.0",
    "input_gradient": "[TensorShape([10]), TensorShape([5, 10])]",
    "jacobian": "(7, 10) (5, 10)\n(7, 10, 5, 10)",
    "batch": "(7, 10, 7, 5) (7, 10, 5)\nTrue",
    "hessian": "[[0. 3. 2.]\n [3. 0. 1.]\n [2. 1. 0.]]",
    "sigmoid": "max dy/dx: 0.25",
}
BEGINNING = {
    "imports": "cinta ",
    "unregistered": "LookupError: gradient registry has no entry for: AdjustContrastv2",
}


@pytest.fixture(scope="module")
def printed():
    names = {}
    return {stop.name: stop.run(names).strip() for stop in STOPS}


@pytest.mark.parametrize("name", [stop.name for stop in STOPS])
def test_stop_prints_what_tensorflow_prints(printed, name):
    if name in BEGINNING:
        assert printed[name].startswith(BEGINNING[name])
    else:
        assert printed[name] == PRINTED[name]


@pytest.mark.parametrize("stop", STOPS, ids=lambda stop: stop.name)
def test_stop_is_told_in_every_language(stop):
    for texts in (stop.title, stop.notice):
        assert set(texts) == set(LANGUAGES)
        assert all(texts.values())
        assert len(set(texts.values())) == len(LANGUAGES)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_command_shows_code_result_and_notice(lang, tmp_path, capsys):
    picture = tmp_path / "picture.svg"

    assert main(["tour", "--lang", lang, "--plot", str(picture)]) == 0

    shown = capsys.readouterr().out
    words = " ".join(shown.split())
    for stop in STOPS:
        assert stop.title[lang] in shown
        assert " ".join(stop.notice[lang].split()) in words
        assert stop.code.splitlines()[0] in shown
    assert "  → dy/dx1: 0.9999546\n" in shown
    assert str(picture) in shown
    assert "\033" not in shown


def test_picture_has_both_curves(tmp_path, capsys):
    picture = tmp_path / "picture.svg"
    main(["--plot", str(picture)])

    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    curves = [line.get("points").split() for line in root.iter(f"{SVG}polyline")]
    words = [text.text for text in root.iter(f"{SVG}text")]
    y, slope = ([float(point.split(",")[1]) for point in curve] for curve in curves)

    assert len(y) == len(slope) == 201
    assert y == sorted(y, reverse=True)  # the sigmoid climbs, and SVG counts downwards
    assert slope.index(min(slope)) == 100
    assert {"y", "dy/dx", "x", "-10", "0", "10", "1"} <= set(words)
    capsys.readouterr()


def test_picture_that_cannot_be_written(tmp_path, capsys):
    assert main(["--plot", str(tmp_path / "missing" / "picture.svg")]) == 1
    shown = capsys.readouterr()
    assert "missing" in shown.err
    assert not shown.out  # it is noticed before the tour begins
    assert main(["--plot", str(tmp_path)]) == 1
    assert "name a file in it" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self):
        return True


def sit_down(monkeypatch, typed):
    """Put a person at a terminal who types this; return what the person sees."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(sys, "stdin", Terminal(typed))
    return screen


def test_terminal_gets_colors_and_pauses(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = sit_down(monkeypatch, "\nq\n")
    assert main([]) == 0
    assert "\033[" in screen.getvalue()
    assert f"2/{len(STOPS)}" in screen.getvalue()
    assert f"3/{len(STOPS)}" not in screen.getvalue()  # q was the answer to the second question


def test_no_pause_no_color(monkeypatch, tmp_path):
    monkeypatch.setenv("NO_COLOR", "1")
    screen = sit_down(monkeypatch, "q\n")
    assert main(["--no-pause", "--plot", str(tmp_path / "picture.svg")]) == 0
    assert f"{len(STOPS)}/{len(STOPS)}" in screen.getvalue()
    assert "\033" not in screen.getvalue()


def test_end_of_input_ends_the_tour(monkeypatch):
    screen = sit_down(monkeypatch, "")
    assert main([]) == 0
    assert f"2/{len(STOPS)}" not in screen.getvalue()


def test_version(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"cinta {cinta.__version__}\n"


def test_doctor_names_the_pip_line_of_what_is_missing(monkeypatch):
    def nothing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", nothing)
    shown = doctor.report()
    assert "no keras (pip install 'cinta[keras]')" in shown
    assert "no pillow (pip install 'cinta[image]')" in shown


def test_unknown_command(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["turo"])
    complaint = capsys.readouterr().err
    assert "'turo'" in complaint
    assert "doctor" in complaint


def test_doctor(capsys):
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(str(machine.report()))
    assert [line.split()[0] for line in shown.splitlines()[-6:]] == [
        "engine",
        "kernels",
        "xla",
        "threads",
        "products",
        "optional",
    ]


def test_chart_of_a_constant_has_an_axis():
    chart = tour.line_chart([0, 1], {"a < b": np.zeros(2)})
    root = ElementTree.fromstring(chart)
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert "a < b" in words
    assert "nan" not in chart


def test_a_reader_that_has_seen_enough_is_no_error():
    code = "import sys; from cinta.__main__ import main; sys.exit(main(['tour']))"
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    pipe, error = subprocess.PIPE, subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=error, env=environment) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 0)
