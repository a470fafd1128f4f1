"""Lookups in tables that never change, in functions that are saved."""

import contextlib
import copy

import numpy as np
import pytest

import cinta as tf
from cinta.files.container import Container, write_container
from cinta.lookup import finding
from cinta.saved_model.saving import FILE, KIND
from tests.saved_model.saving import loaded, module

STRINGS = tf.TensorSpec([None], tf.string)
WORDS = tf.constant(["b", "zz", "a"])


def table(keys=("a", "b"), values=(1.0, 2.0), default=-1.0):
    return tf.lookup.StaticHashTable(
        tf.lookup.KeyValueTensorInitializer([*keys], [*values]), default
    )


def saved(tmp_path, function, *specs):
    return loaded(tmp_path, module(f=tf.function(function, input_signature=[*specs]))).f


def test_a_lookup_is_saved(tmp_path):
    found = saved(tmp_path, table().lookup, STRINGS)
    assert found(WORDS).numpy().tolist() == [2.0, -1.0, 1.0]
    assert found(tf.constant(["a"])).numpy().tolist() == [1.0]


def test_keys_that_are_numbers_and_values_that_are_strings(tmp_path):
    names = table([10, 20], ["ten", "twenty"], "many")
    found = saved(tmp_path, names.lookup, tf.TensorSpec([None, 2], tf.int32))
    assert found(tf.constant([[20, 1]])).numpy().tolist() == [[b"twenty", b"many"]]


def test_what_is_known_of_a_table_is_saved(tmp_path):
    known = table()
    found = saved(
        tmp_path, lambda x: (x + tf.cast(known.size(), tf.float32), known.export()), FLOAT
    )
    total, (keys, values) = found(1.0)
    assert (total.numpy(), keys.numpy().tolist()) == (3.0, [b"a", b"b"])
    assert values.numpy().tolist() == [1.0, 2.0]


FLOAT = tf.TensorSpec([])


@pytest.mark.parametrize("compiled", [False, True])
def test_one_recording_serves_all_keys(compiled):
    numbers = table([1, 2], [10.0, 20.0])

    @tf.function(jit_compile=compiled)
    def found(keys):
        return 2.0 * numbers.lookup(keys + 1)

    assert [found(tf.constant([n])).numpy()[0] for n in (0, 1, 5, 7)] == [20.0, 40.0, -2.0, -2.0]
    assert found.experimental_get_tracing_count() == 1


def test_the_keys_are_put_in_order_once_and_not_kept(monkeypatch):
    words = table()
    for _ in range(2):
        words.lookup(WORDS)
    keys, _ = words._filled
    assert finding._places[id(keys)] == {b"a": 0, b"b": 1}
    known, place = len(finding._places), id(keys)
    del words, keys
    assert place not in finding._places
    assert len(finding._places) == known - 1


def test_layers_of_keras_are_saved(tmp_path):
    k = tf.keras.layers
    words = k.StringLookup()
    words.adapt([["a", "b"], ["a", "c"]])
    found = saved(tmp_path, words, STRINGS)
    np.testing.assert_array_equal(found(WORDS), words(WORDS))
    numbers = k.IntegerLookup(vocabulary=[4, 7], output_mode="one_hot")
    found = saved(tmp_path, numbers, tf.TensorSpec([None], tf.int64))
    given = tf.constant([7, 1, 4], tf.int64)
    np.testing.assert_array_equal(found(given), numbers(given))


def test_other_values_for_the_same_table_are_refused():
    known = table([1], [float("nan")])
    tf.lookup.KeyValueTensorInitializer([1], [float("nan")]).initialize(known)
    for keys, values in ([1], [2.0]), ([1, 2], [float("nan"), 2.0]):
        with pytest.raises(tf.errors.FailedPreconditionError, match="with different data"):
            tf.lookup.KeyValueTensorInitializer(keys, values).initialize(known)


def test_tables_that_change_are_refused_by_name(tmp_path):
    changing = tf.lookup.experimental.MutableHashTable(tf.string, tf.float32, 0.0)
    with pytest.raises(ValueError, match=r"PyFunc calls .*no file can hold Python"):
        saved(tmp_path, changing.lookup, STRINGS)


@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize("other", [1.0, [1.0], [[1.0, 2.0]], [1.0, 2.0, 3.0], ["a", "b"]])
def test_files_with_other_tables_raise_errors_of_tensorflow(tmp_path, place, other):
    saved(tmp_path, table().lookup, STRINGS)
    container = Container(tmp_path / "model" / FILE)
    document = copy.deepcopy(container.document)
    arrays = {name: container.read(name) for name in container.names()}
    node = next(each for each in document["nodes"] if each["kind"] == "function")
    (step,) = node["programs"][-1][2]["recording"]["steps"]
    arrays["other"] = tf.constant(other)._array
    step[1][place] = {"constant": {"array": "other"}}
    write_container(tmp_path / "model" / FILE, KIND, document, arrays)
    changed = tf.saved_model.load(tmp_path / "model").f
    with contextlib.suppress(tf.errors.InvalidArgumentError):
        assert changed(WORDS).shape == [3]
