"""Tables of arrays, and what notebooks show of tensors, variables, tapes, functions, datasets."""

import re

import numpy as np
import pytest

import cinta as tf
from cinta.text_tables import FACTS, Histogram, Table, facts


def text_of(html):
    return re.sub(r"<[^>]+>", " ", html)


def test_a_histogram_counts_every_finite_value_once():
    rng = np.random.default_rng(0)
    for values in (
        rng.normal(size=1000),
        np.array([1e308, -1e308, 3.0]),
        np.array([5e-324, 0.0]),
        np.array([1.0, 1.0 + 2e-16]),
        np.full(7, -3.0),
        np.zeros(4),
        np.array([np.nan, np.inf, 1.0, 2.0]),
        np.zeros(0),
    ):
        counts = Histogram(values).counts
        assert counts.sum() == np.isfinite(values).sum()
        assert len(counts) == 16


def test_a_histogram_agrees_with_that_of_numpy():
    values = np.random.default_rng(1).normal(size=5000)
    assert (Histogram(values).counts == np.histogram(values, 16)[0]).all()
    assert len(str(Histogram(values))) == 16


def test_a_histogram_of_very_many_values_looks_at_about_a_million():
    assert 500_000 <= Histogram(np.zeros(3_500_000)).counts.sum() <= 1_000_000


def test_rare_values_can_be_seen():
    values = np.append(np.zeros(10_000), 1.0)
    assert str(Histogram(values))[-1] == "▁"
    assert "height='1'" in Histogram(values)._repr_html_()


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[3.0], [4.0]], np.float32), ["(2, 1)", "float32", "3", "3.5", "4", "5"]),
        (np.array([1, 2, 2], np.int64), ["(3,)", "int64", "1", "1.67", "2", "3"]),
        (np.array([True, False]), ["(2,)", "bool", "0", "0.5", "1", "1"]),
        (np.array([3j, 4 + 0j]), ["(2,)", "complex128", "", "", "", "5"]),
        (np.array([1.0, np.nan]), ["(2,)", "float64", "nan", "nan", "nan", "nan"]),
        (np.zeros([0, 3]), ["(0, 3)", "float64", "", "", "", "0"]),
        (np.array([b"a"], object), ["(1,)", "string", "", "", "", ""]),
    ],
    ids=["float32", "int64", "bool", "complex", "nan", "empty", "strings"],
)
def test_the_facts_of_an_array(array, expected):
    told = facts(array)
    assert len(told) == len(FACTS)
    assert told[:6] == expected


def test_text_in_tables_is_not_taken_for_html():
    html = Table(("a<b",), [("<script>",)])._repr_html_()
    assert "a&lt;b" in html
    assert "<script>" not in html


def test_notebooks_show_facts_of_tensors_and_variables_above_their_text():
    for given in (tf.constant([3.0, 4.0]), tf.Variable([3.0, 4.0], name="<w>")):
        text = text_of(given._repr_html_())
        assert "(2,)" in text
        assert " 5 " in text
        assert "numpy=array([3., 4.], dtype=float32)" in text
    assert "&lt;w&gt;:0" in tf.Variable([3.0, 4.0], name="<w>")._repr_html_()


def test_the_text_of_one_number_and_of_strings_tells_all():
    assert tf.constant(3.0)._repr_html_() is None
    assert tf.Variable(3.0)._repr_html_() is None
    assert tf.constant(["a", "b"])._repr_html_() is None


def test_notebooks_show_what_a_tape_watched_and_what_it_keeps():
    w = tf.Variable(tf.ones([3]), name="w")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.exp(w))
    text = text_of(tape._repr_html_())
    assert "2 records" in text
    assert "w:0" in text
    assert "Exp" in text
    tape.gradient(loss, w)
    assert "used up" in text_of(tape._repr_html_())
    assert "not entered yet" in text_of(tf.GradientTape()._repr_html_())


def test_notebooks_show_the_recordings_of_a_function():
    @tf.function
    def doubled(x):
        return x * 2.0

    assert "0 calls" in text_of(doubled._repr_html_())
    for n in (2, 3, 3):
        doubled(tf.ones([n]))
    text = text_of(doubled._repr_html_())
    assert "doubled(x)&gt;: 3 calls, 1 of them replayed" in text
    assert "shape=(3,)" in text


def test_notebooks_show_the_stages_and_parts_of_a_dataset():
    data = tf.data.Dataset.from_tensor_slices({"x": tf.ones([6, 2]), "y": tf.range(6)})
    text = text_of(data.batch(2).repeat()._repr_html_())
    assert "without end" in text
    assert "Batch → Repeat" in text
    assert re.search(r"x +TensorSpec +\(None, 2\) +float32", text)
    assert "of 3:" in data.batch(2)._repr_html_()


def test_a_dataset_is_shown_without_calling_its_functions():
    called = []
    data = tf.data.Dataset.range(3).map(lambda x: called.append(1) or x)
    assert "of 3: Range → Map" in data._repr_html_()
    assert called == []


def test_variables_and_their_gradients_are_a_table():
    table = tf.Variable(tf.ones([4, 2]), name="rows")
    unused = tf.Variable([1.0, 2.0], name="unused")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(table, [1, 1]))
    variables = {"a": table, "b": unused}
    found = tf.debugging.table(variables, tape.gradient(loss, variables))
    assert [row[0] for row in found.rows] == ["rows:0", "unused:0"]
    assert found.rows[0][5] == f"{8**0.5:.3g}"  # rows that were taken twice are summed
    assert found.rows[1][5:] == ("None", "")
    assert [len(line) > 20 for line in str(found).splitlines()] == [True] * 3
    assert [row[0] for row in tf.debugging.table({"p": {"q": tf.ones([2])}}).rows] == ["p/q"]


def test_a_model_is_a_table_of_its_variables():
    module = tf.Module()
    module.w = tf.Variable([1.0, 2.0], name="w")
    assert [row[0] for row in tf.debugging.table(module).rows] == ["w:0"]


def test_a_model_of_keras_is_a_table_of_its_variables():
    keras = pytest.importorskip("keras")
    assert tf.keras is not None
    model = keras.Sequential([keras.Input([3]), keras.layers.Dense(2, name="last")])
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones([1, 3])) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    found = tf.debugging.table(model, gradients)
    assert [row[0].rpartition("/")[2] for row in found.rows] == ["kernel", "bias"]


def test_gradients_must_be_as_many_as_variables():
    with pytest.raises(ValueError, match="2 variables have 1 gradients"):
        tf.debugging.table([tf.Variable(1.0), tf.Variable(2.0)], [None])


def test_frames_of_pandas_take_variables_as_numbers():
    pandas = pytest.importorskip("pandas")
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    for frame in (
        pandas.DataFrame(w),
        pandas.DataFrame({"a": w[:, 0], "b": tf.Variable([2.0, 4.0])}),
    ):
        assert frame.sum().tolist() == [4.0, 6.0]
        assert {str(kind) for kind in frame.dtypes} == {"float32"}
    scalars = pandas.DataFrame({"a": [tf.Variable(1.0), tf.Variable(2.0)]})
    assert scalars.sum().tolist() == [3.0]  # of a list, pandas takes the elements as objects
    assert scalars.astype("float32")["a"].tolist() == [1.0, 2.0]
