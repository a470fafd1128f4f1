"""Pictures of functions, models, modules, checkpoints and saved models."""

import time

import numpy as np
import pytest

import cinta as tf
from cinta.__main__ import main
from cinta.explain.pictures.of_files import draw_file
from cinta.explain.pictures.showing import drawings_of
from tests.explain.test_pictures import check_page, titles

keras = pytest.importorskip("keras")


def boxes(graph):
    """All boxes by their titles, those in boxes too."""
    found = {}
    for box in graph.boxes.values():
        found.setdefault(box.title, box)
        for title, each in boxes(box.inner).items():
            found.setdefault(title, each)
    return found


@tf.function
def rolled(x, w):
    for i in range(20):
        x = tf.tanh(x @ w) + tf.cast(i, tf.float32)
    return tf.reduce_sum(x)


def test_arguments_are_called_as_the_parameters_are():
    f = tf.function(lambda state, by: tf.sin(state) * by)
    f(tf.constant([1.0]), tf.constant(2.0))
    (drawing,) = drawings_of(f)
    assert titles(drawing.graph)[:2] == ["state", "by"]


@pytest.mark.filterwarnings("ignore")
def test_of_a_function_that_runs_as_python_it_is_said_why():
    f = tf.function(lambda x: x + time.time())
    for _ in range(2):
        f(tf.constant(1.0))
    with pytest.raises(ValueError, match="Its Python runs at every call: it calls time"):
        drawings_of(f)


@pytest.mark.parametrize("engine", ["NumPy", "XLA"])
def test_a_function_is_drawn_with_its_loop_as_one_box(engine):
    if engine == "XLA":
        pytest.importorskip("jax")
    f = tf.function(rolled.python_function, jit_compile=engine == "XLA")
    with pytest.raises(ValueError, match="has no recording: call it"):
        drawings_of(f)
    f(tf.ones([3, 3]), tf.Variable(tf.ones([3, 3]), name="w"))
    (drawing,) = drawings_of(f)
    assert drawing.title == f"rolled(float32[3,3]) · {engine}"
    loop = boxes(drawing.graph)["Loop × 20"]
    line = boxes(loop.inner)["x = tf.tanh(x @ w) + tf.cast(i, tf.float32)"]
    assert titles(line.inner) == ["MatMul", "Tanh", "AddV2"]
    assert loop.where == line.where
    assert {"argument 0", "w"} <= set(titles(loop.inner))
    result = boxes(drawing.graph)["return tf.reduce_sum(x)"]
    assert (result.role, titles(result.inner)) == ("target", ["Sum"])


def test_steps_of_one_place_share_a_box_and_lines_of_helpers_are_told():
    def layer(x):
        return tf.tanh(x) * 2.0

    @tf.function
    def f(x):
        return layer(tf.exp(layer(x)))

    f(tf.ones([3]))
    (drawing,) = drawings_of(f)
    assert titles(drawing.graph)[1:] == [
        "return tf.tanh(x) * 2.0",
        "return layer(tf.exp(layer(x)))",
    ]
    inner = boxes(drawing.graph)["return tf.tanh(x) * 2.0"].inner
    assert [(box.title, box.facts.count) for box in inner.boxes.values()] == [
        ("Tanh", 2),
        ("Mul", 2),
    ]


def test_a_function_says_which_lines_its_recording_keeps_most_for():
    @tf.function
    def f(x):
        wide = tf.ones([1000, 1]) * x
        return tf.reduce_sum(wide)

    f(tf.ones([10]))
    row, *_ = f.summary().lines
    assert (row.bytes, row.line.source) == (40_000, "wide = tf.ones([1000, 1]) * x")


def test_a_function_with_inputs_is_drawn_by_its_lines():
    w = tf.Variable([[1.0], [2.0]], name="w")

    @tf.function
    def step(x, y):
        error = x @ w - y
        w.assign_add([[1.0], [1.0]])
        return tf.reduce_sum(error * error)

    (drawing,) = drawings_of(step, (tf.ones([3, 2]), tf.zeros([3, 1])))
    assert {"w", "error = x @ w - y", "return tf.reduce_sum(error * error)"} <= set(
        titles(drawing.graph)
    )
    assert boxes(drawing.graph)["w"].facts.norm > 0
    np.testing.assert_array_equal(w.numpy(), [[1.0], [2.0]])


def test_each_recording_of_a_function_is_a_picture():
    f = tf.function(lambda x: tf.exp(x) + 1.0)
    f(tf.ones([2]))
    f(tf.ones([3]))
    data = check_page(str(tf.debugging.show(f, "/dev/null")))
    assert [each["title"].split("(")[1][:10] for each in data["pictures"]] == [
        "float32[2]",
        "float32[3]",
    ]


def test_a_loop_on_values_is_one_box():
    @tf.function
    def grown(x):
        while tf.reduce_sum(x) < 100.0:
            x = x * 2.0 + 1.0
        return x

    grown(tf.ones([3]))
    (drawing,) = drawings_of(grown)
    loop = boxes(drawing.graph)["While"]
    lines = {"x = x * 2.0 + 1.0", "while tf.reduce_sum(x) < 100.0:"}
    assert lines <= set(titles(loop.inner))
    assert {"Mul", "AddV2", "Sum", "Less"} <= set(boxes(loop.inner))
    assert loop.role == "target"


def test_a_keras_model_is_drawn_as_layers():
    layers = keras.layers
    inputs = keras.Input((6,))
    hidden = layers.Dense(4, activation="relu", name="hidden")(inputs)
    joined = layers.Add(name="joined")([hidden, layers.Dense(4, name="side")(inputs)])
    model = keras.Model(inputs, layers.Dense(1, name="out")(joined), name="net")
    before = [w.numpy().copy() for w in model.weights]
    (drawing,) = drawings_of(model)
    assert drawing.title == "net (Functional)"
    assert set(titles(drawing.graph)) == {"input", "hidden", "side", "joined", "out"}
    found = boxes(drawing.graph)
    hidden = found["hidden"]
    assert (hidden.where, hidden.result, hidden.parameters) == ("Dense", "float32[1,4]", 28)
    assert {"kernel", "bias", "MatMul", "Relu"} <= set(titles(hidden.inner))
    assert found["out"].role == "target"
    assert hidden.facts.norm > 0
    assert sum(box.parameters for box in drawing.graph.boxes.values()) == model.count_params()
    for value, w in zip(before, model.weights, strict=True):
        np.testing.assert_array_equal(value, w.numpy())


class Twice(keras.Model):
    def __init__(self):
        super().__init__(name="twice")
        self.block = keras.Sequential([keras.layers.Dense(3), keras.layers.Dense(3)], name="block")

    def call(self, x):
        x = self.block(x)
        return tf.nn.relu(self.block(x))


def test_a_model_of_ones_own_is_drawn_by_the_lines_of_call():
    model = Twice()
    with pytest.raises(ValueError, match="inputs=x"):
        drawings_of(model)
    (drawing,) = drawings_of(model, tf.ones([2, 3]))
    assert set(titles(drawing.graph)) == {
        "input",
        "x = self.block(x)",
        "return tf.nn.relu(self.block(x))",
    }
    (line,) = [box for box in drawing.graph.boxes.values() if box.title == "x = self.block(x)"]
    (block,) = line.inner.boxes.values()
    assert (block.title, block.parameters, len(block.inner.boxes)) == ("block", 24, 2)
    assert len(drawings_of(model)) == 1  # now its shape is known


def test_a_tape_shows_the_layers_of_keras_in_the_line_that_calls_them():
    model = keras.Sequential([keras.layers.Dense(3, name="one"), keras.layers.Dense(1, name="two")])
    x = tf.ones([2, 4])
    model(x)
    with tf.debugging.explaining(), tf.GradientTape() as tape:
        y = model(x)
        drawing = tape.draw(y)
    (line,) = [box for box in drawing.graph.boxes.values() if box.title == "y = model(x)"]
    (inner,) = line.inner.boxes.values()
    assert titles(inner.inner) == ["one", "two"]
    assert keras.Layer.__call__.__name__ == "__call__"
    assert "noting" not in keras.Layer.__call__.__qualname__


class Affine(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.w = tf.Variable(tf.ones([size, size]))

    def __call__(self, x):
        return tf.tanh(x @ self.w)


class Stack(tf.Module):
    def __init__(self):
        super().__init__(name="stack")
        self.first, self.second = Affine(3), Affine(3)

    def __call__(self, x):
        return self.second(self.first(x))


def test_a_module_is_drawn_by_its_modules():
    plain = Affine.__call__
    (drawing,) = drawings_of(Stack(), tf.ones([2, 3]))
    found = boxes(drawing.graph)
    assert {"first", "second", "w", "MatMul", "Tanh"} <= set(found)
    assert (found["first"].where, found["first"].parameters) == ("Affine", 9)
    assert Affine.__call__ is plain


def test_a_module_without_inputs_is_drawn_by_its_variables():
    (drawing,) = drawings_of(Stack())
    assert titles(drawing.graph) == ["first", "second"]
    first = drawing.graph.boxes["first"]
    assert (first.parameters, first.facts.bytes, titles(first.inner)) == (9, 36, ["w"])


def test_what_is_in_a_checkpoint_is_drawn(tmp_path, capsys):
    model = Stack()
    path = tf.train.Checkpoint(model=model, step=tf.Variable(3)).write(str(tmp_path / "ckpt"))
    (drawing,) = draw_file(path)
    found = boxes(drawing.graph)
    assert {"model", "first", "second", "step"} <= set(found)
    assert (found["model"].parameters, found["step"].result) == (18, "int32[]")
    assert main(["show", "--html", str(tmp_path / "page.html"), path]) == 0
    said = capsys.readouterr().out
    assert "step" in said
    assert said.endswith(f"The page is {tmp_path / 'page.html'}.\n")
    data = check_page((tmp_path / "page.html").read_text())
    assert len(data["pictures"]) == 1


def test_functions_of_a_saved_model_are_drawn(tmp_path):
    module = tf.Module()
    module.w = tf.Variable([1.0, 2.0])
    module.f = tf.function(
        lambda x: tf.exp(x) * module.w, input_signature=[tf.TensorSpec([2], tf.float32)]
    )
    tf.saved_model.save(module, str(tmp_path / "saved"))
    arrays, *functions = draw_file(tmp_path / "saved")
    assert "w" in boxes(arrays.graph)
    assert all({"Exp", "Mul"} <= set(titles(each.graph)) for each in functions)
    assert functions
