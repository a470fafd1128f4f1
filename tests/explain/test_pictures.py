"""Pictures: which boxes there are, how they stand, and what files they make."""

import base64
import gzip
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import types
import xml.etree.ElementTree

import numpy as np
import pytest

import cinta as tf
from cinta.explain.pictures.box_placement import layout_of
from cinta.explain.pictures.boxes import MOST_BOXES, folded
from cinta.explain.pictures.showing import drawings_of

ROOT = pathlib.Path(__file__).parents[2]
VOID = {"meta", "input", "link", "br", "hr"}


class Balanced(html.parser.HTMLParser):
    """Checks that every tag that is opened is closed."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def check_page(text):
    """The page is whole, and refers to nothing outside of itself; its data."""
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert "http" not in text
    assert "§" not in text
    packed = re.search(r'id="data">(.*?)</script>', text, re.S)[1]
    return json.loads(gzip.decompress(base64.b64decode(packed)))


def recorded(steps=3):
    w, x = tf.Variable([[1.0, 2.0]], name="weights"), tf.constant([[1.0], [2.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = w @ x
        for _ in range(steps):
            y = tf.tanh(y * 0.5)
        loss = tf.reduce_sum(y)
    return tape, loss, w


def explained_drawing(steps=3):
    with tf.debugging.explaining():
        tape, loss, w = recorded(steps)
        return tape.draw(), tape.gradient(loss, w)


def titles(graph):
    return [box.title for box in graph.boxes.values()]


def test_a_picture_has_a_box_for_each_line_with_its_ops_inside():
    drawing, _ = explained_drawing()
    shown = titles(drawing.graph)
    assert shown.count("y = tf.tanh(y * 0.5)") == 1
    assert shown.count("y = w @ x") == 1
    assert "weights" in shown
    loop = next(box for box in drawing.graph.boxes.values() if "tanh" in box.title)
    assert [(box.title, box.facts.count) for box in loop.inner.boxes.values()] == [
        ("Mul", 3),
        ("Tanh", 3),
    ]
    assert (loop.facts.count, loop.result) == (6, "float32[1,1]")
    svg = xml.etree.ElementTree.fromstring(drawing._repr_svg_())
    assert svg.tag.endswith("svg")


def test_a_picture_shows_the_norms_of_gradients():
    drawing, gradient = explained_drawing()
    roles = {box.role: box for box in drawing.graph.boxes.values()}
    assert roles["source"].facts.norm == pytest.approx(np.linalg.norm(gradient.numpy()))
    assert roles["target"].facts.norm == 1.0
    assert roles["data"].facts.norm is None


def test_the_norm_of_a_line_is_the_largest_of_its_ops():
    w = tf.Variable(2.0)
    with tf.debugging.explaining(), tf.GradientTape(persistent=True) as tape:
        y = w * 1.0
        for _ in range(3):
            y = y * 10.0
    norms = [box.facts.norm for box in tape.draw(y).graph.boxes.values()]
    assert norms == pytest.approx([1000.0, 1000.0, 100.0])


def test_arrows_go_down():
    drawing, _ = explained_drawing()
    depth = {key: i for i, row in enumerate(layout_of(drawing.graph).rows) for key in row}
    assert all(depth[a] < depth[b] for a, b in drawing.graph.arrows)


def test_long_arrows_have_a_way_past_each_row():
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = tf.sin(tf.cos(tf.exp(x))) * x
    rows, ways = layout_of(tape.draw(y).graph)
    assert sorted(len(each) for each in ways.values()) == [0, 0, 0, 0, 3]
    assert [len(row) for row in rows] == [1, 2, 2, 2, 1]


def test_a_picture_without_lines_has_a_box_for_each_op(tmp_path):
    tape, _, _ = recorded()
    drawing = tape.draw()
    assert titles(drawing.graph)[:2] == ["weights", "MatMul"]
    drawing.save(tmp_path / "tape.svg")
    assert (tmp_path / "tape.svg").read_text().startswith("<svg")


def test_a_picture_without_lines_has_gradients_of_the_target_that_is_given():
    tape, loss, w = recorded()
    assert all(box.facts.norm is None for box in tape.draw().graph.boxes.values())
    drawing = tape.draw(loss)
    expected = np.linalg.norm(tape.gradient(loss, w).numpy())
    assert drawing.graph.boxes["source", w._number].facts.norm == pytest.approx(expected)


def test_values_that_the_tape_has_not_computed_are_drawn_as_lost():
    w = tf.Variable([1.0, 2.0])
    with tf.debugging.explaining(), tf.GradientTape(persistent=True) as tape:
        with tape.stop_recording():
            mean = tf.reduce_mean(w)
        y = w - mean
        drawing = tape.draw(y)
    assert [(box.title, box.role) for box in drawing.graph.boxes.values()] == [
        ("Variable", "source"),
        ("mean = tf.reduce_mean(w)", "lost"),
        ("y = w - mean", "target"),
    ]


def test_steps_of_a_training_are_one_picture():
    w = tf.Variable(3.0, name="w")
    drawings = []
    with tf.debugging.explaining():
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = w * w
                if step == 1:
                    loss += 1.0
            drawings.append(tape.draw(loss))
            w.assign_sub(0.25 * tape.gradient(loss, w))
    page = tf.debugging.show(drawings, "/dev/null")
    boxes = check_page(str(page))["pictures"][0]["graph"]["boxes"]
    norms = {box["title"]: [step and step[3] for step in box["steps"]] for box in boxes}
    assert norms["w"] == [6.0, 3.0, 1.5]
    assert norms["loss = w * w"] == [1.0, 1.0, 1.0]
    assert norms["loss += 1.0"] == [None, 1.0, None]


def test_many_ops_make_a_small_page(tmp_path):
    tape, loss, _ = recorded(5000)
    page = tf.debugging.show(tape.draw(loss), tmp_path / "tape.html")
    text = (tmp_path / "tape.html").read_text()
    assert (str(page), page.__fspath__()) == (text, str(tmp_path / "tape.html"))
    assert len(text) < 400_000
    graph = check_page(text)["pictures"][0]["graph"]
    assert len(graph["boxes"]) <= MOST_BOXES
    assert sum(len(box["inner"]["boxes"]) for box in graph["boxes"]) == 10_003


def test_folding_keeps_what_is_measured():
    tape, loss, _ = recorded(500)
    graph = tape.draw(loss).graph
    small = folded(graph)
    assert len(small.boxes) <= MOST_BOXES < len(graph.boxes)
    for name in ("count", "bytes"):
        total = [sum(getattr(box.facts, name) for box in g.boxes.values()) for g in (graph, small)]
        assert total[0] == total[1]


@pytest.mark.parametrize("lang", ["en_US.UTF-8", "es_ES.UTF-8", "pt_BR.UTF-8"])
def test_a_page_speaks_the_language_of_its_reader(lang, tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", lang)
    tape, _, _ = recorded()
    text = str(tf.debugging.show(tape, tmp_path / "tape.html"))
    assert f'<html lang="{lang[:2]}">' in text
    words = check_page(text)["words"]
    assert all(set(each) == {"en", "es", "pt"} for each in words.values())


def test_a_page_of_an_explanation_shows_the_cut_at_the_line(tmp_path):
    w = tf.Variable(2.0)
    with tf.debugging.explaining() as found:
        with tf.GradientTape() as tape:
            x = w * 3.0
            y = tf.stop_gradient(x * 2.0) * 2.0
        tape.gradient(y, w)
    data = check_page(str(tf.debugging.show(found, tmp_path / "why.html")))
    boxes = data["pictures"][0]["graph"]["boxes"]
    assert [(box["title"], box.get("role")) for box in boxes] == [
        ("w", "source"),
        ("x = w * 3.0", None),
        ("y = tf.stop_gradient(x * 2.0) * 2.0", "cut"),
        ("y", "target"),
    ]
    inner = [(box["title"], box.get("role")) for box in boxes[2]["inner"]["boxes"]]
    assert inner == [("Mul", None), ("StopGradient", "cut"), ("Mul", "lost")]
    assert "El gradiente" in data["panels"]["es"]
    assert "of <code>y</code> with respect to <code>w</code> is None" in data["panels"]["en"]
    assert "y = <mark" in data["panels"]["en"]


def test_a_picture_shows_where_a_nan_began():
    x = tf.Variable([0.0, 1.0])
    with tf.debugging.explaining() as found:
        with tf.GradientTape() as tape:
            y = tf.sqrt(x)
        tape.gradient(y, x)
    (drawing,) = drawings_of(found)
    assert [(box.title, box.role) for box in drawing.graph.boxes.values()] == [
        ("x", "source"),
        ("y = tf.sqrt(x)", "spot"),
        ("y", "target"),
    ]


def test_a_picture_shows_why_a_function_was_recorded_again():
    with tf.debugging.explaining() as found:
        doubled = tf.function(lambda x, n: x * n)
        doubled(tf.ones([2]), 2)
        doubled(tf.ones([2]), 3)
    (drawing,) = drawings_of(found)
    assert [box.role for box in drawing.graph.boxes.values()] == ["spot", "target"]


def test_a_page_has_a_picture_for_each_explanation():
    w = tf.Variable(2.0)
    with tf.debugging.explaining() as found:
        with tf.GradientTape(persistent=True) as tape:
            y = tf.stop_gradient(w)
            z = tf.round(w) * 1.0
        tape.gradient(y, w)
        tape.gradient(z, w)
    data = check_page(str(tf.debugging.show(found, "/dev/null")))
    assert len(data["pictures"]) == len(found) == 2


def test_text_of_the_program_is_escaped(tmp_path):
    name = "</script><b>&'\""
    w = tf.Variable(2.0, name=name)
    with tf.GradientTape(persistent=True) as tape:
        tf.exp(w)
    check_page(str(tf.debugging.show(tape, tmp_path / "tape.html")))
    text = tape.draw()._repr_svg_()
    assert "<b>" not in text
    xml.etree.ElementTree.fromstring(text)


@pytest.mark.parametrize("thing", [3, [], [3]])
def test_what_cannot_be_drawn_is_refused(thing):
    with pytest.raises(TypeError, match="takes a tape, a function"):
        tf.debugging.show(thing)


def test_files_of_other_kinds_are_refused(tmp_path):
    tape, _, _ = recorded()
    with pytest.raises(ValueError, match=r"writes .svg, .html or .json"):
        tape.draw().save(tmp_path / "tape.png")


def test_a_timeline_has_all_ops_in_order(tmp_path):
    drawing, _ = explained_drawing()
    drawing.save(tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    names = [event["name"] for event in events]
    assert names == ["MatMul", *["Mul", "Tanh"] * 3, "Sum", "Sum", *["Tanh", "Mul"] * 3, "MatMul"]
    assert [event["cat"] for event in events] == ["forward"] * 8 + ["backward"] * 8
    assert [event["ts"] for event in events] == sorted(event["ts"] for event in events)
    assert all(event["dur"] >= 0 and event["ph"] == "X" for event in events)


def test_notebooks_show_pages_and_pictures():
    tape, _, _ = recorded()
    page = tf.debugging.show(tape, "/dev/null")
    assert page._repr_html_().startswith("<iframe")
    assert "srcdoc='&lt;!doctype html&gt;" in page._repr_html_()


def test_the_pictures_of_the_documentation_are_up_to_date():
    command = [sys.executable, ROOT / "tools" / "pictures.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "")


class ZMQInteractiveShell:
    __module__ = "ipykernel.zmqshell"


@pytest.mark.parametrize("is_notebook", [False, True])
def test_a_page_without_a_path_is_opened_or_shown_by_the_notebook(is_notebook, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    shell = types.SimpleNamespace(get_ipython=ZMQInteractiveShell if is_notebook else type(None))
    monkeypatch.setitem(sys.modules, "IPython", shell)
    tape, _, _ = recorded()
    page = tf.debugging.show(tape)
    if is_notebook:
        assert opened == []
        with pytest.raises(ValueError, match=r"call save\(path\)"):
            os.fspath(page)
    else:
        assert opened == [pathlib.Path(page).as_uri()]
        assert pathlib.Path(page).read_text() == str(page)
        os.remove(page)


def test_a_summary_counts_each_buffer_once():
    x = tf.Variable(np.ones(1000, np.float32))
    with tf.debugging.explaining():
        with tf.GradientTape() as tape:
            y = tf.exp(x)
            z = y * y
            tf.reduce_sum(z * 2.0)
        found = tape.summary()
    assert found.bytes == 4000
    assert found.lines[0].line.source == "y = tf.exp(x)"
    assert found.lines[0].share == 1.0
    assert found.ops == 4
    assert "recompute_grad" in str(found)
    assert "<table>" in found._repr_html_()


@pytest.mark.parametrize("at", [0, 1, 3])
def test_the_command_explains_a_program(tmp_path, at):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nimport cinta as tf\nw = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n    y = tf.stop_gradient(w)\n"
        "print(tape.gradient(y, w), sys.argv[1:])\n"
    )
    page = tmp_path / "page.html"
    words = [program, "one", "--two"]
    command = [sys.executable, "-m", "cinta", "explain", *words[:at], "--html", page, *words[at:]]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("None ['one', '--two']\n")
    assert done.stdout.endswith(f"The page is {page}.\n")
    assert "program.py:5   y = tf.stop_gradient(w)" in done.stdout
    check_page(page.read_text())


def test_a_program_may_have_an_option_of_that_name(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys\nprint(sys.argv[1:])\n")
    command = [sys.executable, "-m", "cinta", "explain", program, "one", "--", "--html", "mine"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("['one', '--html', 'mine']\n")


@pytest.mark.parametrize(
    ("last_line", "status", "said"),
    [
        ("w.assign_sub(g)", 1, "CINTA_EXPLAIN=1 says why it is None."),
        ("raise SystemExit(3)", 3, ""),
        ("import tensorflow", 1, "on cinta: CINTA_EXPLAIN=1 cinta run {program}"),
    ],
)
def test_the_command_explains_a_program_that_fails(tmp_path, last_line, status, said):
    program = tmp_path / "program.py"
    program.write_text(
        "import cinta as tf\nw = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n    y = tf.stop_gradient(w)\n"
        f"g = tape.gradient(y, w)\n{last_line}\n"
    )
    command = [sys.executable, "-m", "cinta", "explain", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "program.py:4   y = tf.stop_gradient(w)" in done.stdout
    assert done.stderr.rstrip().endswith(said.format(program=program))
    assert "runpy" not in done.stderr


def test_the_command_explains_no_program_that_is_not_there(tmp_path):
    command = [sys.executable, "-m", "cinta", "explain", tmp_path / "program.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("cinta: ")
