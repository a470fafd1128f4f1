"""Checkpoints bring back what was saved, under the same names, now or later."""

import copy
import os
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest

import cinta as tf
from cinta.errors import InvalidArgumentError, NotFoundError, UnimplementedError
from tests.checkpoints.checkpointing import Model, saved


def names(path):
    return [name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for name, _ in listed(path)]


def listed(path):
    return tf.train.list_variables(path)


def test_all_of_a_model_comes_back(tmp_path):
    path = saved(tmp_path, model=Model(1.0), step=tf.Variable(7))
    model, step = Model(), tf.Variable(0)
    tf.train.Checkpoint(model=model, step=step).read(path).assert_consumed()
    assert step.numpy() == 7
    assert len(model.variables) == 6
    for variable in model.variables:
        np.testing.assert_array_equal(variable.numpy(), np.ones(variable.shape))


def test_names_are_those_of_tensorflow(tmp_path):
    assert names(saved(tmp_path, model=Model())) == [
        "model/layers/0/b",
        "model/layers/1/b",
        "model/layers/1/w",
        "model/pair/0",
        "model/pair/1",
        "model/table/a.Sb..c",
    ]


def test_shared_variable_is_saved_once_and_stays_shared(tmp_path):
    v = tf.Variable(1.0)
    path = saved(tmp_path, a=v, b=[v])
    w = tf.Variable(0.0)
    tf.train.Checkpoint(a=w, b=[w]).read(path).assert_consumed()
    assert (w.numpy(), len(listed(path))) == (1.0, 1)
    first, second = tf.Variable(0.0), tf.Variable(0.0)
    status = tf.train.Checkpoint(a=first, b=[second]).read(path)
    assert (first.numpy(), second.numpy()) == (1.0, 0.0)
    with pytest.raises(AssertionError, match="Found 1 Python objects"):
        status.assert_existing_objects_matched()


@pytest.mark.parametrize(
    "value",
    [
        np.float32(1.5),
        np.arange(6, dtype=np.int64).reshape(2, 3),
        np.zeros((0, 3), np.float64),
        np.array([1 + 2j, -3j], np.complex128),
        np.array(1 - 1j, np.complex128),
        np.array([1j], np.complex64),
        np.array([True, False]),
        np.array([0.5, np.nan, np.inf], ml_dtypes.bfloat16),
        np.array([0.5, 2], ml_dtypes.float8_e5m2),
        np.array([0.5, 2], ml_dtypes.float8_e4m3fn),
        np.array([[b"", b"\xff\x00"], ["ñandú".encode(), b"x" * 1000]], object),
        np.array(b"alone", object),
        np.array([], object),
        np.array([2**64 - 1], np.uint64),
        np.arange(12.0).reshape(3, 4).T,
    ],
    ids=lambda value: f"{value.dtype}{list(value.shape)}",
)
def test_every_dtype_and_shape_comes_back(tmp_path, value):
    path = saved(tmp_path, v=tf.Variable(value))
    nothing = b"" if value.dtype == object else np.zeros([], value.dtype)
    v = tf.Variable(np.full(value.shape, nothing, value.dtype))
    tf.train.Checkpoint(v=v).read(path).assert_consumed()
    assert v.dtype == tf.as_dtype(value.dtype)
    assert v.shape == value.shape
    found = v.read_value()._array
    if value.dtype == object:
        assert np.asarray(found).tolist() == value.tolist()
    else:
        assert found.tobytes() == value.tobytes()


def test_root_lends_its_attributes(tmp_path):
    model = Model(1.0)
    path = tf.train.Checkpoint(model, step=tf.Variable(2)).save(tmp_path / "root")
    assert "layers/1/w" in names(path)
    other, step = Model(), tf.Variable(0)
    tf.train.Checkpoint(root=other, step=step).restore(path).assert_consumed()
    assert (step.numpy(), other.layers[1].b.numpy()) == (2, [1.0])


def test_generator_goes_on(tmp_path):
    generator = tf.random.Generator.from_seed(1)
    generator.normal([5])
    path = saved(tmp_path, generator=generator)
    expected = generator.normal([3])
    other = tf.random.Generator.from_seed(99)
    tf.train.Checkpoint(generator=other).read(path).assert_consumed()
    np.testing.assert_array_equal(other.normal([3]), expected)


# -- save and its count --------------------------------------------------------------------------


def test_save_counts_and_notes_the_latest(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    paths = [checkpoint.save(tmp_path / "deep" / "ckpt") for _ in range(2)]
    assert paths == [str(tmp_path / "deep" / f"ckpt-{i}") for i in (1, 2)]
    assert tf.train.latest_checkpoint(tmp_path / "deep") == paths[1]
    other = tf.train.Checkpoint(v=tf.Variable(0.0))
    other.restore(paths[0]).assert_consumed()
    assert other.save_counter.numpy() == 1


def test_a_save_that_fails_does_not_count(tmp_path):
    (tmp_path / "file").write_text("")
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    with pytest.raises(tf.errors.OpError, match="file"):
        checkpoint.save(tmp_path / "file" / "ckpt")
    assert checkpoint.save_counter.numpy() == 0


def test_what_write_wrote_has_no_counter(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    path = checkpoint.write(tmp_path / "plain")
    checkpoint.read(path).assert_consumed()
    with pytest.raises(AssertionError, match="save_counter"):
        checkpoint.restore(path).assert_consumed()


@pytest.mark.parametrize("name", ["restore", "read"])
def test_restore_of_nothing(name):
    status = getattr(tf.train.Checkpoint(v=tf.Variable(1.0)), name)(None)
    assert status.expect_partial() is status
    status.initialize_or_restore()
    for check in (
        status.assert_consumed,
        status.assert_existing_objects_matched,
        status.assert_nontrivial_match,
        status.run_restore_ops,
    ):
        with pytest.raises(AssertionError, match="No checkpoint specified"):
            check()


def test_in_the_background_the_values_are_those_of_the_call(tmp_path):
    v = tf.Variable(np.ones(1 << 20, np.float32))
    checkpoint = tf.train.Checkpoint(v=v)
    told, threads = [], []
    options = tf.train.CheckpointOptions(
        enable_async=True,
        experimental_write_callbacks=[
            told.append,
            lambda: threads.append(threading.current_thread().name),
        ],
    )
    path = checkpoint.save(tmp_path / "ckpt", options)
    v.assign_add(tf.ones_like(v))
    checkpoint.sync()
    assert (told, threads[0].startswith("checkpoint")) == ([path], True)
    other = tf.train.Checkpoint(v=tf.Variable(np.zeros(1 << 20, np.float32)))
    other.restore(path).assert_consumed()
    assert other.v.numpy().max() == 1


def test_an_error_in_the_background_is_raised_by_the_next_call(tmp_path):
    (tmp_path / "file").write_text("")
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    options = tf.train.CheckpointOptions(enable_async=True)
    checkpoint.write(tmp_path / "file" / "ckpt", options)
    with pytest.raises(tf.errors.OpError, match="file"):
        checkpoint.sync()
    checkpoint.sync()


# -- refusals ------------------------------------------------------------------------------------


def test_missing_objects_are_named(tmp_path):
    path = saved(tmp_path, v=tf.Variable(1.0))
    checkpoint = tf.train.Checkpoint(v=tf.Variable(0.0), other=tf.Variable(5.0, name="other"))
    status = checkpoint.read(path)
    assert checkpoint.v.numpy() == 1
    with pytest.raises(AssertionError, match=r"unmatched objects: \[.*other:0"):
        status.assert_consumed()
    assert status.expect_partial() is status


def test_shape_and_dtype_must_be_the_same(tmp_path):
    path = saved(tmp_path, v=tf.Variable([1.0, 2.0]))
    with pytest.raises(ValueError, match=r"shape \(2,\) .* shape \(3,\) and name v:0"):
        tf.train.Checkpoint(v=tf.Variable([0.0, 0.0, 0.0], name="v")).read(path)
    with pytest.raises(
        InvalidArgumentError, match=r"expected dtype double .* original dtype float"
    ):
        tf.train.Checkpoint(v=tf.Variable([0.0, 0.0], dtype=tf.float64)).read(path)
    free = tf.Variable([0.0], shape=[None])
    tf.train.Checkpoint(v=free).read(path).assert_consumed()
    assert free.numpy().tolist() == [1, 2]


def test_only_what_can_be_followed_is_taken():
    with pytest.raises(ValueError, match="expecting a to be a trackable object"):
        tf.train.Checkpoint(a=3)
    with pytest.raises(ValueError, match="expecting root to be a trackable object"):
        tf.train.Checkpoint(3)
    with pytest.raises(ValueError, match=r"root\.layers already exists"):
        tf.train.Checkpoint(Model(), layers=[])
    with pytest.raises(AttributeError, match="no 'nothing'"):
        _ = tf.train.Checkpoint(a=[]).nothing


def test_keys_that_are_no_strings(tmp_path):
    module = tf.Module()
    module.table = {1: 2}
    assert listed(saved(tmp_path, module=module)) == []
    module.table = {1: tf.Variable(1.0)}
    with pytest.raises(ValueError, match="strings for keys, and 1 is not one"):
        saved(tmp_path, module=module)


def test_paths_that_are_none(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    with pytest.raises(NotFoundError, match="without its suffix, but with its number"):
        checkpoint.restore(tmp_path / "ckpt")
    with pytest.raises(InvalidArgumentError, match="must end with a name"):
        checkpoint.write(f"{tmp_path}{os.sep}")
    with pytest.raises(UnimplementedError, match="one file"):
        tf.train.CheckpointOptions(experimental_sharding_callback=print)


# -- objects that say what is to be kept of them --------------------------------------------------


class Iterator:
    """Has a position, a table of its own kind and a variable."""

    def __init__(self):
        self.state = None
        self.inner = tf.Variable(0.0)

    def _checkpoint_children(self):
        return {"inner": self.inner}

    def _checkpoint_state(self):
        return self.state

    def _restore_checkpoint_state(self, state):
        self.state = state


STATE = {
    "position": 2**70,
    "epoch": -1,
    "rate": float("inf"),
    "share": 0.1,
    "name": "ñandú",
    "raw": b"\x00\xff",
    "shuffled": True,
    "nothing": None,
    "buffer": [np.arange(3.0), {"deep": np.float32(2.5)}],
    "words": np.array([b"a", b""], object),
}


def test_state_comes_back_as_it_was(tmp_path):
    iterator = Iterator()
    iterator.state = STATE
    iterator.inner.assign(3.0)
    path = saved(tmp_path, iterator=iterator)
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.read(path)
    checkpoint.iterator = Iterator()
    status.assert_consumed()
    np.testing.assert_equal(checkpoint.iterator.state, STATE)
    assert checkpoint.iterator.inner.numpy() == 3
    assert type(checkpoint.iterator.state["shuffled"]) is bool


def test_state_must_be_data(tmp_path):
    iterator = Iterator()
    iterator.state = {"function": print}
    with pytest.raises(TypeError, match="a state is made of"):
        saved(tmp_path, iterator=iterator)


# -- looking into checkpoints --------------------------------------------------------------------


def test_reader(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable([1, 2])).save(tmp_path / "ckpt")
    reader = tf.train.load_checkpoint(tmp_path)
    key = "v/.ATTRIBUTES/VARIABLE_VALUE"
    assert reader.has_tensor(key)
    assert not reader.has_tensor("v")
    assert reader.get_variable_to_shape_map()[key] == [2]
    assert reader.get_variable_to_dtype_map()[key] is tf.int32
    assert tf.train.load_variable(path, f"{key}:0").tolist() == [1, 2]
    with pytest.raises(NotFoundError, match="Key nothing not found"):
        reader.get_tensor("nothing")
    with pytest.raises(ValueError, match="Couldn't find 'checkpoint' file"):
        tf.train.load_checkpoint(tmp_path / "..")


def test_new_checkpoints_are_waited_for(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    path = checkpoint.save(tmp_path / "ckpt")
    asked = []
    found = tf.train.checkpoints_iterator(
        tmp_path, timeout=0, timeout_fn=lambda: asked.append(1) or len(asked) == 2
    )
    assert next(found) == path
    assert list(found) == []
    assert len(asked) == 2


def test_an_iterator_over_a_dataset_goes_on(tmp_path):
    dataset = tf.data.Dataset.range(100).shuffle(20, seed=3).batch(5)
    iterator = iter(dataset)
    for _ in range(7):
        next(iterator)
    path = saved(tmp_path, iterator=iterator)
    other = iter(dataset)
    tf.train.Checkpoint(iterator=other).read(path).assert_consumed()
    for expected in iterator:
        np.testing.assert_array_equal(next(other), expected)


def test_functions_may_be_in_a_checkpoint(tmp_path):
    function, v = tf.function(lambda x: x * 2.0), tf.Variable(1.0)
    concrete = function.get_concrete_function(tf.TensorSpec([]))
    made = tf.train.Checkpoint(f=function, g=concrete, v=v)
    path = made.write(tmp_path / "of")
    v.assign(5.0)
    made.read(path).assert_consumed()
    assert float(v) == 1.0
    with pytest.raises(ValueError, match="expecting f to be a trackable object"):
        tf.train.Checkpoint(f=lambda x: x)


def test_paths_may_be_tensors(tmp_path):
    made = tf.train.Checkpoint(v=tf.Variable(1.0))
    path = str(tmp_path / "of")
    assert made.write(tf.constant(path)) == path
    assert made.save(tf.constant(path)) == f"{path}-1"
    for wrong in (tf.constant(3), tf.constant([path])):
        with pytest.raises(ValueError, match="a scalar tensor of a string"):
            made.write(wrong)


def test_the_root_of_a_checkpoint_may_be_held_weakly(tmp_path):
    model = tf.Module()
    model.v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(root=weakref.ref(model))
    path = checkpoint.save(str(tmp_path / "ckpt"))
    model.v.assign(2.0)
    checkpoint.restore(path)
    assert model.v == 1.0
    held = weakref.ref(model)
    del model
    assert held() is None


def test_options_are_copied_and_check_their_callbacks():
    options = tf.train.CheckpointOptions(experimental_write_callbacks=[print])
    copied = copy.copy(options)
    copied.experimental_write_callbacks.append(len)
    assert options.experimental_write_callbacks == [print]
    with pytest.raises(AssertionError, match="needs 2 arguments"):
        tf.train.CheckpointOptions(experimental_write_callbacks=[lambda path, more: None])


def test_internal_trackables_follow_what_they_are_told_to(tmp_path):
    from cinta.keras_engine.tracking import Trackable

    first, second = Trackable(), Trackable()
    first._track_trackable(tf.Variable(1.0), "v")
    target = tf.Variable(0.0)
    second._track_trackable(target, "v")
    path = tf.train.Checkpoint(model=first).save(str(tmp_path / "ckpt"))
    tf.train.Checkpoint(model=second).restore(path).assert_consumed()
    assert target == 1.0
