"""%load_ext cinta in a real kernel: what %%explain and %%tape run, keep and show."""

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")

CELLS = {
    "load": "%load_ext cinta\nimport cinta as tf\nw = tf.Variable([1.0, -2.0], name='w')",
    "explain": (
        "%%explain\n"
        "with tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(tf.stop_gradient(w) * 3.0)\n"
        "tape.gradient(loss, w) is None"
    ),
    "tape": "%%tape\nloss = tf.reduce_sum(tf.exp(w))",
    "gradient": "print(tape.gradient(loss, w)[0].item() == tf.exp(w[0]).item())",
    "named": "%%tape t\ny = w * w",
    "by name": "print(t.gradient(y, w).numpy().tolist())",
    "tensor": "tf.constant([3.0, 4.0])",
    "raising": "%%explain\nlog = tf.math.log(w)\nraise KeyError('gone')",
}


@pytest.fixture(scope="module")
def shown():
    """The outputs of each cell; the last one fails."""
    cells = [nbformat.v4.new_code_cell(each) for each in CELLS.values()]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = nbclient.NotebookClient(notebook, timeout=900, startup_timeout=900)
    with pytest.raises(nbclient.exceptions.CellExecutionError):
        client.execute()
    assert [bool(cell.outputs) for cell in cells[1:]] == [True] * (len(cells) - 1)
    return dict(zip(CELLS, (cell.outputs for cell in cells), strict=True))


def texts(outputs, kind):
    return [each["data"][kind] for each in outputs if kind in each.get("data", {})]


def test_a_cell_is_explained_at_its_line(shown):
    value, explanation = shown["explain"]
    assert value["data"]["text/plain"] == "True"
    html = explanation["data"]["text/html"]
    assert "<code>w</code> is None." in html
    assert "<small>cell:2</small>" in html
    assert "tf.stop_gradient(w)</mark> * 3.0)" in html


def test_a_cell_is_recorded_on_a_tape_that_is_shown_and_stays(shown):
    (html,) = texts(shown["tape"], "text/html")
    assert "w:0" in html
    assert "loss = tf.reduce_sum(tf.exp(w))" in html
    assert shown["gradient"][0]["text"] == "True\n"
    assert shown["by name"][0]["text"] == "[2.0, -4.0]\n"


def test_a_tensor_is_shown_with_its_facts(shown):
    (html,) = texts(shown["tensor"], "text/html")
    assert html.startswith("<table>")


def test_a_cell_that_raises_shows_its_error_once_and_ends_the_run(shown):
    error, after = shown["raising"]
    assert error["ename"] == "KeyError"
    assert after["text"] == "UsageError: the cell ended with the error above.\n"
