"""Files that go into saved models."""

import os

import pytest
from saving import loaded, module

import cinta as tf
from cinta.files.container import Container, write_container
from cinta.saved_model.saving import FILE, KIND


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("alpha\nbeta\n")
    return path


def reading(asset):
    return module(words=asset, read=tf.function(lambda: tf.io.read_file(asset), input_signature=[]))


def test_the_copy_is_read_wherever_the_model_is_moved(tmp_path, words):
    tf.saved_model.save(reading(tf.saved_model.Asset(words)), tmp_path / "model")
    words.unlink()
    (tmp_path / "model").rename(tmp_path / "moved")
    model = tf.saved_model.load(tmp_path / "moved")
    assert model.read().numpy() == b"alpha\nbeta\n"
    assert os.fspath(model.words) == str(tmp_path / "moved" / "assets" / "words.txt")
    assert os.listdir(tmp_path / "moved" / "assets") == ["words.txt"]


def test_a_loaded_model_can_be_saved_again(tmp_path, words):
    once = loaded(tmp_path / "one", reading(tf.saved_model.Asset(str(words))))
    twice = loaded(tmp_path / "two", once)
    assert twice.read().numpy() == b"alpha\nbeta\n"
    assert twice.words.asset_path.numpy().decode().startswith(str(tmp_path / "two"))


def test_saving_over_the_directory_that_was_loaded_from_keeps_the_file(tmp_path, words):
    once = loaded(tmp_path, reading(tf.saved_model.Asset(words)))
    assert loaded(tmp_path, once).read().numpy() == b"alpha\nbeta\n"


def test_each_file_is_copied_once_and_same_names_are_told_apart(tmp_path, words):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "words.txt").write_text("gamma")
    assets = [tf.saved_model.Asset(p) for p in (words, words, tmp_path / "other" / "words.txt")]
    model = loaded(tmp_path, module(assets=assets))
    first, again, other = [os.fspath(asset) for asset in model.assets]
    assert first == again
    assert os.path.basename(other) == "words.txt_1"
    assert tf.io.read_file(model.assets[2]).numpy() == b"gamma"


def test_a_changed_file_is_read_anew(tmp_path, words):
    asset = tf.saved_model.Asset(words)
    assert loaded(tmp_path, reading(asset)).read().numpy() == b"alpha\nbeta\n"
    words.write_text("new")
    assert loaded(tmp_path, reading(asset)).read().numpy() == b"new"


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="nowhere"):
        loaded(tmp_path, module(asset=tf.saved_model.Asset("/nowhere/words.txt")))


def test_checkpoints_leave_the_path_out(tmp_path, words):
    asset = tf.saved_model.Asset(words)
    path = tf.train.Checkpoint(asset=asset, step=tf.Variable(1)).save(tmp_path / "ckpt")
    assert all("asset" not in name for name, _ in tf.train.list_variables(path))


def test_a_file_that_names_an_asset_outside_of_its_directory_is_refused(tmp_path, words):
    loaded(tmp_path, module(asset=tf.saved_model.Asset(words)))
    path = tmp_path / "model" / FILE
    document = Container(path).document
    (node,) = [node for node in document["nodes"] if node["kind"] == "asset"]
    node["file"] = "../words.txt"
    write_container(path, KIND, document, {})
    with pytest.raises(tf.errors.DataLossError, match="not in the directory"):
        tf.saved_model.load(tmp_path / "model")


def test_it_is_not_written_for_tensorflow(tmp_path, words):
    with pytest.raises(tf.errors.UnimplementedError, match=r"words\.txt"):
        loaded(tmp_path, module(asset=tf.saved_model.Asset(words)), format="tensorflow")
