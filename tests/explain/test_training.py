"""Watching trainings: what is collected, what is told, and that nothing stays behind."""

import tracemalloc
import xml.etree.ElementTree

import numpy as np
import pytest

import cinta as tf
from cinta.explain.training.curves import BinCounts, Curve


def train(watched_variables, loss_of, steps=20, rate=0.01):
    """A loop as people write it; what the watcher tells."""
    with tf.debugging.watch(watched_variables) as watched:
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = loss_of()
            variables = tf.nest.flatten(watched_variables)
            gradients = tape.gradient(loss, variables)
            for v, g in zip(variables, gradients, strict=True):
                if g is not None:
                    v.assign_sub(rate * g)
    return watched


def test_norms_of_each_step_are_collected():
    w = tf.Variable([3.0, 4.0], name="w")
    watched = train([w], lambda: tf.reduce_sum(w**2), steps=3, rate=0.5)
    (course,) = watched.courses
    assert course.name == "w"
    assert watched.loss.points == [25.0, 0.0, 0.0]
    np.testing.assert_allclose(course.values.points, [np.sqrt(12.5), 0.0, 0.0], rtol=1e-6)
    np.testing.assert_allclose(course.gradients.points, [2 * np.sqrt(12.5), 0.0, 0.0], rtol=1e-6)
    assert watched.line.source == "gradients = tape.gradient(loss, variables)"


def test_variables_are_called_as_the_program_calls_them():
    class Net(tf.Module):
        def __init__(self):
            self.first = tf.Variable(1.0)
            self.rest = [tf.Variable(2.0)]

    net = Net()
    kernel = tf.Variable(1.0)
    found = []
    for target in (net, kernel, [tf.Variable(1.0)]):
        with tf.debugging.watch(target) as watched:
            found.append([course.name for course in watched.courses])
    assert found == [["net.first", "net.rest.0"], ["kernel"], ["target.0"]]


def test_a_healthy_training_is_not_spoken_of():
    w = tf.Variable([[3.0, 4.0]])
    watched = train([w], lambda: tf.reduce_sum((tf.tanh(w) - 0.5) ** 2))
    assert watched.findings == []
    assert str(watched) == "Nothing to report in 20 steps."


@pytest.mark.parametrize(
    ("loss_of", "said"),
    [
        (lambda w: tf.reduce_sum(w * 0.0) + 2.0, "The loss has been 2 at each of 20 steps"),
        (lambda w: tf.reduce_sum(tf.math.log(w - 1.0)), "At step 1 loss was not finite"),
        (lambda w: tf.reduce_sum(tf.nn.relu(w * [1.0, 1.0, -1.0]) ** 2), "1 of 3 units of w"),
        (lambda w: tf.reduce_sum(w**2), "The gradient of w explodes"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_trouble_is_told_with_the_line(loss_of, said):
    w = tf.Variable([[1.0, 1.5, 2.0]], name="w")
    rate = -0.5 if "explodes" in said else 0.01
    watched = train([w], lambda: loss_of(w), rate=rate)
    assert any(said in each and "test_training.py:" in each for each in watched.findings)


def test_a_gradient_that_vanishes_is_told():
    a, b = tf.Variable([[2.0]], name="a"), tf.Variable([[1.0]])
    watched = train([a, b], lambda: tf.reduce_sum((tf.tanh(a * 4.0) * 1e-2 * b) ** 2 + b**2))
    assert "The gradient of a vanishes" in " ".join(watched.findings)


def test_a_variable_without_gradients_is_told():
    a, b = tf.Variable([[2.0]], name="a"), tf.Variable([[1.0]])
    watched = train([a, b], lambda: tf.reduce_sum(b**2))
    assert "a has had no gradient at any of 20 steps" in " ".join(watched.findings)


def test_the_first_step_that_is_not_finite_is_told():
    w = tf.Variable(1.0)
    watched = train([w], lambda: tf.exp(w * 10.0), steps=30, rate=-1.0)
    step, what = watched.first_bad
    assert 1 < step < 30
    assert what == "loss"


@pytest.mark.parametrize("jit_compile", [False, True])
def test_functions_and_optimizers_are_watched_in_replays(jit_compile):
    if jit_compile:
        pytest.importorskip("jax")
    w = tf.Variable([1.0, 2.0])
    optimizer = tf.optimizers.SGD(0.1)

    @tf.function(jit_compile=jit_compile)
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w * x) ** 2)
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])
        return loss

    before = w.numpy()
    step(tf.constant(1.0))
    step(tf.constant(1.0))
    with tf.debugging.watch(w) as watched:
        for _ in range(4):
            step(tf.constant(1.0))
        assert step.report().replays >= 3
    step(tf.constant(1.0))
    assert watched.steps == 4
    assert watched.line.source == "optimizer.apply_gradients([(tape.gradient(loss, w), w)])"
    (course,) = watched.courses
    np.testing.assert_allclose(watched.loss.points[0], np.sum((before * 0.64) ** 2), rtol=1e-5)
    lengths = np.linalg.norm(before) * 0.8 ** np.arange(2, 6) / np.sqrt(2)
    np.testing.assert_allclose(course.values.points, lengths, rtol=1e-5)
    np.testing.assert_allclose(course.gradients.points, 2 * lengths, rtol=1e-5)


def test_a_variable_without_gradient_and_rows_are_watched_in_replays():
    table, other = tf.Variable(tf.ones([5, 2])), tf.Variable(1.0)

    @tf.function
    def step(rows):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.nn.embedding_lookup(table, rows))
        return tape.gradient(loss, [table, other])[0].values

    with tf.debugging.watch([table, other]) as watched:
        for _ in range(3):
            step(tf.constant([1, 1, 4]))
    assert step.report().python_calls == 1
    of_table, of_other = watched.courses
    assert of_table.gradients.points == [1.0, 1.0, 1.0]
    assert of_other.gradients.points == [0.0, 0.0, 0.0]


def test_functions_forget_the_watcher_when_it_ends():
    w = tf.Variable([1.0, 2.0])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w**2)
        return tape.gradient(loss, w)

    with tf.debugging.watch(w):
        step()
    step()
    ops = {call.op.name for variant in step._variants for call in variant.recording.calls}
    assert ops
    assert "WatchStep" not in ops


def test_keras_is_watched_while_it_fits():
    keras = pytest.importorskip("keras")
    model = keras.Sequential([keras.layers.Dense(3, "relu", name="hidden"), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    with tf.debugging.watch(model) as watched:
        model.fit(np.ones((8, 2)), np.ones((8, 1)), batch_size=2, epochs=3, verbose=0)
    assert watched.steps == 12
    assert any("hidden/kernel" in course.name for course in watched.courses)
    assert len(watched.courses) == 4


@pytest.mark.filterwarnings("ignore")
def test_the_line_that_made_a_layer_is_told_with_explanations():
    keras = pytest.importorskip("keras")
    bias = keras.initializers.Constant(-10.0)
    with tf.debugging.explaining():
        hidden = keras.layers.Dense(2, "relu", bias_initializer=bias)  # here
        model = keras.Sequential([hidden, keras.layers.Dense(1)])
        model.compile("sgd", "mse")
        with tf.debugging.watch(model) as watched:
            model.fit(np.ones((8, 2)), np.ones((8, 1)), batch_size=2, epochs=4, verbose=0)
    course = next(each for each in watched.courses if each.variable is hidden.kernel.value)
    assert course.made.source.endswith("# here")


def test_all_is_put_back():
    before = tf.GradientTape.gradient, tf.config.functions_run_eagerly()
    with pytest.raises(ZeroDivisionError), tf.debugging.watch(tf.Variable(1.0)):
        assert tf.GradientTape.gradient is not before[0]
        raise ZeroDivisionError
    assert (tf.GradientTape.gradient, tf.config.functions_run_eagerly()) == before


def test_all_is_put_back_in_any_order():
    before = tf.GradientTape.gradient
    watched = tf.debugging.watch(tf.Variable(1.0))
    with tf.debugging.explaining():
        inner = tf.debugging.watch(tf.Variable(1.0))
        watched.stop()
        assert tf.GradientTape.gradient is not before
    inner.stop()
    inner.stop()
    assert tf.GradientTape.gradient is before
    assert not tf.config.functions_run_eagerly()


def test_what_has_no_variables_is_refused():
    with pytest.raises(TypeError, match="takes a model, a module or variables"):
        tf.debugging.watch(3)


def test_memory_does_not_grow_with_the_steps():
    w = tf.Variable([1.0, 2.0])

    def steps(count):
        for _ in range(count):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
            tape.gradient(loss, w)

    with tf.debugging.watch(w) as watched:
        steps(600)
        tracemalloc.start()
        steps(1200)
        grown = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    assert grown < 30_000
    assert len(watched.loss.points) <= 256
    assert watched.steps == 1800


def test_a_long_curve_keeps_its_mean():
    curve = Curve()
    for i in range(1024):
        curve.add(float(i))
    assert len(curve.points) < 256
    assert np.mean(curve.points) == pytest.approx(511.5, rel=0.01)


def test_histograms_count_what_is_finite():
    found = BinCounts.of(np.array([0.0, 1.0, 1.0, np.nan, np.inf]))
    assert (found.low, found.high, sum(found.counts)) == (0.0, 1.0, 3)
    assert BinCounts.of(np.array([np.nan])).counts == ()


@pytest.mark.parametrize("lang", ["en_US.UTF-8", "es_ES.UTF-8", "pt_BR.UTF-8"])
def test_the_picture_is_svg_in_the_language_of_its_reader(lang, monkeypatch, tmp_path):
    monkeypatch.setenv("LC_ALL", lang)
    w = tf.Variable([[1.0, 2.0]], name="<w>")
    v = tf.Variable([0.0])
    watched = train([w, v], lambda: tf.reduce_sum(w**2) + 0.0 * tf.reduce_sum(v), steps=12)
    watched.save(tmp_path / "curves.svg")
    text = (tmp_path / "curves.svg").read_text("utf-8")
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag.endswith("svg")
    assert {"en": "gradients", "es": "gradientes", "pt": "gradientes"}[lang[:2]] in text
    assert text == watched._repr_html_()
    assert text.count("class='bars value'") == 2
