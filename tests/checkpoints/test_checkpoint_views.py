"""The objects of checkpoints and of programs, as people look at them."""

import numpy as np
import pytest

import cinta as tf


def tree(**parts):
    module = tf.Module()
    for name, part in parts.items():
        setattr(module, name, part)
    return module


@pytest.fixture
def saved(tmp_path):
    root = tree(one=tree(w=tf.Variable(1.0), v=tf.Variable(2.0)), two=tree(w=tf.Variable(3.0)))
    return tf.train.Checkpoint(root=root).save(tmp_path / "ckpt")


def test_objects_are_numbered_from_the_root(saved):
    view = tf.train.CheckpointView(saved)
    assert view.children(0) == {"one": 1, "two": 2, "save_counter": 3}
    assert sorted(view.children(1)) == ["v", "w"]
    assert view.descendants() == [*range(7)]
    with pytest.raises(ValueError, match="no object of node_id 7"):
        view.children(7)


def test_objects_match_by_their_names(saved):
    root = tree(one=tree(w=tf.Variable(0.0)), two=tree(w=tf.Variable(0.0), u=tf.Variable(0.0)))
    matching, only_saved, only_here = tf.train.CheckpointView(saved).diff(root)
    assert matching[0] is root
    assert matching[1] is root.one
    assert matching[2] is root.two
    found = {id(x) for x in matching.values()}
    assert {id(root.one.w), id(root.two.w)} <= found
    assert len(matching) == 5
    assert 3 in only_saved
    assert len(only_saved) == 2
    assert [id(x) for x in only_here] == [id(root.two.u)]
    assert tf.train.CheckpointView(saved).match(root).keys() == matching.keys()


def test_two_objects_in_the_place_of_one_are_told(tmp_path):
    both = tf.Variable(1.0)
    path = tf.train.Checkpoint(root=tree(a=both, b=both)).write(tmp_path / "ckpt")
    other = tree(a=tf.Variable(1.0), b=tf.Variable(1.0))
    with pytest.warns(UserWarning, match="Inconsistent references when matching"):
        found = tf.train.CheckpointView(path).match(other)
    assert found[1] is other.a


def test_values_alone_have_no_objects(tmp_path):
    save_file = pytest.importorskip("safetensors.numpy").save_file
    save_file({"x": np.zeros(2)}, tmp_path / "other.safetensors")
    with pytest.raises(tf.errors.DataLossError, match="no graph of objects"):
        tf.train.CheckpointView(tmp_path / "other.safetensors")
    with pytest.raises(tf.errors.NotFoundError):
        tf.train.CheckpointView(tmp_path / "nowhere")


def test_objects_of_a_program():
    root = tree(a=tree(w=tf.Variable(1.0)))
    view = tf.train.TrackableView(root)
    assert view.root is root
    assert [id(x) for x in view.descendants()] == [id(root), id(root.a), id(root.a.w)]
    assert [*view.children(root)] == ["a"]
