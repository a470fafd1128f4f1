"""Summaries, pictures and pages."""

import html.parser
import json
import re
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

import cinta as tf
from cinta.explain.layout import layers_of

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
    parser = Balanced()
    parser.feed(text)
    assert parser.open == []
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "§" not in text


def recorded(steps=3):
    w, x = tf.Variable([[1.0, 2.0]], name="weights"), tf.constant([[1.0], [2.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = w @ x
        for _ in range(steps):
            y = tf.tanh(y * 0.5)
        loss = tf.reduce_sum(y)
    return tape, loss, w


def test_a_picture_has_a_box_for_each_line():
    with tf.debugging.explaining():
        tape, _, _ = recorded()
        drawing = tape.draw()
        titles = [(node.title, node.source) for node in drawing.graph.nodes.values()]
    sources = [source for _, source in titles]
    assert sources.count("y = tf.tanh(y * 0.5)") == 1
    assert sources.count("y = w @ x") == 1
    assert "weights" in titles[0][0]
    svg = xml.etree.ElementTree.fromstring(drawing._repr_svg_())
    assert svg.tag.endswith("svg")


def test_arrows_go_down():
    with tf.debugging.explaining():
        tape, _, _ = recorded()
        graph = tape.draw().graph
    depth = {key: i for i, row in enumerate(layers_of(graph)) for key in row}
    assert all(depth[a] < depth[b] for a, b in graph.edges)


def test_a_picture_without_lines_has_a_box_for_each_op(tmp_path):
    tape, _, _ = recorded()
    drawing = tape.draw()
    assert [node.title for node in drawing.graph.nodes.values()][:2] == ["weights", "MatMul"]
    drawing.save(tmp_path / "tape.svg")
    assert (tmp_path / "tape.svg").read_text().startswith("<svg")


def test_many_ops_make_a_small_page(tmp_path):
    tape, _, _ = recorded(5000)
    path = tf.debugging.show(tape, tmp_path / "tape.html")
    text = (tmp_path / "tape.html").read_text()
    assert path == str(tmp_path / "tape.html")
    assert len(text) < 400_000
    check_page(text)
    assert len(tape.draw().graph.nodes) <= 300


@pytest.mark.parametrize("lang", ["en_US.UTF-8", "es_ES.UTF-8", "pt_BR.UTF-8"])
def test_a_page_speaks_the_language_of_its_reader(lang, tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", lang)
    tape, _, _ = recorded()
    tf.debugging.show(tape, tmp_path / "tape.html")
    text = (tmp_path / "tape.html").read_text()
    check_page(text)
    assert {"en": "Search", "es": "Buscar", "pt": "Procurar"}[lang[:2]] in text
    assert f'<html lang="{lang[:2]}">' in text


def test_a_page_of_an_explanation_shows_the_cut(tmp_path):
    w = tf.Variable(2.0)
    with tf.debugging.explaining() as found:
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w * 3.0) * 2.0
        tape.gradient(y, w)
    tf.debugging.show(found[0], tmp_path / "why.html")
    text = (tmp_path / "why.html").read_text()
    check_page(text)
    nodes = json.loads(re.search(r'id="nodes">(.*?)</script>', text, re.S)[1])
    assert [node["source"] for node in nodes[1:-1]] == ["Mul", "StopGradient", "Mul"]
    assert text.count("class='node cut'") == 1


def test_text_of_the_program_is_escaped(tmp_path):
    name = "</script><b>&'\""
    w = tf.Variable(2.0, name=name)
    with tf.GradientTape(persistent=True) as tape:
        tf.exp(w)
    tf.debugging.show(tape, tmp_path / "tape.html")
    text = (tmp_path / "tape.html").read_text()
    check_page(text)
    assert "<b>" not in text


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(TypeError, match="takes a tape, a function"):
        tf.debugging.show(3)


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


def test_the_command_explains_a_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nimport cinta as tf\nw = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n    y = tf.stop_gradient(w)\n"
        "print(tape.gradient(y, w), sys.argv[1:])\n"
    )
    page = tmp_path / "page.html"
    command = [sys.executable, "-m", "cinta", "explain", "--html", page, program, "one", "--two"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("None ['one', '--two']\n")
    assert "program.py:5   y = tf.stop_gradient(w)" in done.stdout
    check_page(page.read_text())


@pytest.mark.parametrize(
    ("last_line", "status", "said"),
    [
        ("w.assign_sub(g)", 1, "CINTA_EXPLAIN=1 says why it is None."),
        ("raise SystemExit(3)", 3, ""),
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
    assert done.stderr.rstrip().endswith(said)
    assert "runpy" not in done.stderr


def test_the_command_explains_no_program_that_is_not_there(tmp_path):
    command = [sys.executable, "-m", "cinta", "explain", tmp_path / "program.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("cinta: ")
