"""Checkpoints: what comes after they were read gets its value then."""

import copy
import gc
import pickle

import numpy as np
import pytest

import cinta as tf
from tests.checkpoints.checkpointing import Dense, Model, saved


def test_what_comes_later_gets_its_value(tmp_path):
    path = saved(tmp_path, model=Model(1.0))
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.read(path)
    with pytest.raises(AssertionError, match=r"Nothing except the root"):
        status.assert_nontrivial_match()
    with pytest.raises(AssertionError, match=r"\(root\)\.model\.table\.a/b\.c"):
        status.assert_consumed()
    checkpoint.model = Model()
    status.assert_consumed().assert_nontrivial_match()
    assert checkpoint.model.layers[1].b.numpy() == [1.0]


def test_an_attribute_is_none_until_it_is_built(tmp_path):
    path = saved(tmp_path, layer=Dense(2, 2, 1.0))

    class Lazy(tf.Module):
        w = None

        def build(self):
            self.w = tf.Variable(tf.zeros([2, 2]))
            self.b = None
            self.b = tf.Variable(tf.zeros([2]))

    lazy = Lazy()
    status = tf.train.Checkpoint(layer=lazy).read(path)
    lazy.build()
    status.assert_consumed()
    assert lazy.b.numpy().tolist() == [1, 1]


def test_only_the_first_that_comes_gets_the_value(tmp_path):
    path = saved(tmp_path, v=tf.Variable(1.0))
    checkpoint = tf.train.Checkpoint()
    checkpoint.read(path)
    checkpoint.v = tf.Variable(0.0)
    assert checkpoint.v.numpy() == 1
    checkpoint.v = tf.Variable(0.0)
    assert checkpoint.v.numpy() == 0


def test_the_latest_restoration_counts(tmp_path):
    old = tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "old")
    new = tf.train.Checkpoint(v=tf.Variable(2.0)).write(tmp_path / "new")
    checkpoint = tf.train.Checkpoint()
    checkpoint.read(old)
    checkpoint.read(new)
    checkpoint.v = tf.Variable(0.0)
    assert checkpoint.v.numpy() == 2


def test_lists_and_dictionaries_wait_for_elements(tmp_path):
    elements = [tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0), tf.Variable(4.0)]
    path = saved(tmp_path, listed=elements[:], mapped=dict(zip("abcd", elements, strict=True)))
    checkpoint = tf.train.Checkpoint(listed=[], mapped={})
    status = checkpoint.read(path)
    zeros = [tf.Variable(0.0) for _ in range(4)]
    checkpoint.listed.append(zeros[0])
    checkpoint.listed.extend(zeros[1:3])
    checkpoint.listed += zeros[3:]
    assert [v.numpy() for v in zeros] == [1, 2, 3, 4]
    mapped = checkpoint.mapped
    mapped["a"] = zeros[0]
    mapped.update({"b": zeros[1]})
    mapped |= {"c": zeros[2]}
    assert mapped.setdefault("d", zeros[3]) is zeros[3]
    status.assert_consumed()
    for waiting, plain in ((checkpoint.listed, list), (mapped, dict)):
        assert type(copy.copy(waiting)) is plain
        assert isinstance(waiting, plain)


def test_a_list_that_arrives_empty_waits_too(tmp_path):
    path = saved(tmp_path, model=Model(1.0))
    checkpoint = tf.train.Checkpoint(model=tf.Module())
    checkpoint.read(path)
    checkpoint.model.layers = []
    checkpoint.model.layers.append(Dense(2, 3))
    assert checkpoint.model.layers[0].b.numpy().tolist() == [1, 1, 1]


def test_what_waits_can_be_copied_and_pickled(tmp_path):
    path = saved(tmp_path, model=Model(1.0))
    module = tf.Module()
    tf.train.Checkpoint(model=module).read(path)
    module.layers = []
    for other in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        other.layers.append(Dense(2, 3))
        assert other.layers[0].b.numpy().tolist() == [0, 0, 0]


def test_a_checkpoint_that_is_dropped_is_silent(tmp_path, capfd, recwarn):
    path = saved(tmp_path, v=tf.Variable(1.0))
    status = tf.train.Checkpoint().read(path)
    gc.collect()
    assert capfd.readouterr() == ("", "")
    assert list(recwarn) == []
    with pytest.raises(AssertionError):
        status.assert_consumed()


def test_what_waits_goes_with_its_owner(tmp_path):
    from cinta.engine import deferred_attributes

    path = saved(tmp_path, v=tf.Variable(1.0))
    before = len(deferred_attributes._expected)
    checkpoint = tf.train.Checkpoint()
    checkpoint.read(path)
    assert len(deferred_attributes._expected) == before + 1
    del checkpoint
    assert len(deferred_attributes._expected) == before


def test_values_come_from_the_file_that_was_restored(tmp_path):
    path = saved(tmp_path, v=tf.Variable(1.0))
    checkpoint = tf.train.Checkpoint()
    checkpoint.read(path)
    tf.train.Checkpoint(v=tf.Variable(2.0)).write(path)
    checkpoint.v = tf.Variable(0.0)
    assert checkpoint.v.numpy() == 1


def zeros(size, dtype):
    return tf.Variable(0 * tf.ones([size], dtype))  # an array that nobody else holds


def place(variable):
    return variable._array.__array_interface__["data"][0]


def test_large_variables_are_restored_where_they_are(tmp_path, monkeypatch):
    monkeypatch.setattr("cinta.checkpoints.restoring._LARGE", 8)
    values = {"a": np.arange(6.0), "b": np.array([1j, 2]), "s": np.array([b"x", b""], object)}
    path = saved(tmp_path, **{name: tf.Variable(value) for name, value in values.items()})
    checkpoint = tf.train.Checkpoint(
        a=zeros(6, tf.float64), b=zeros(2, tf.complex128), s=tf.Variable(["", ""])
    )
    places = place(checkpoint.a), place(checkpoint.b)
    seen = checkpoint.a.read_value()
    checkpoint.read(path).assert_consumed()
    for name, value in values.items():
        np.testing.assert_array_equal(getattr(checkpoint, name).numpy(), value)
    assert seen.numpy().tolist() == [0] * 6  # whoever has read the variable keeps what it was
    assert place(checkpoint.a) != places[0]
    assert place(checkpoint.b) == places[1]


def test_a_large_variable_keeps_its_value_if_the_file_is_damaged(tmp_path, monkeypatch):
    monkeypatch.setattr("cinta.checkpoints.restoring._LARGE", 8)
    path = saved(tmp_path, v=tf.Variable(np.arange(6.0)))
    content = bytearray((tmp_path / "ckpt.safetensors").read_bytes())
    content[-20] ^= 1
    (tmp_path / "ckpt.safetensors").write_bytes(content)
    v = zeros(6, tf.float64)
    with pytest.raises(tf.errors.DataLossError, match="another checksum"):
        tf.train.Checkpoint(v=v).read(path)
    assert v.numpy().tolist() == [0] * 6
