"""A manager keeps the latest checkpoints, and goes on where another one stopped."""

import os

import pytest

import cinta as tf
from cinta.checkpoints import manager as manager_module
from cinta.errors import DataLossError, InvalidArgumentError


def manager(path, max_to_keep=2, **options):
    checkpoint = tf.train.Checkpoint(step=tf.Variable(0))
    return tf.train.CheckpointManager(checkpoint, path, max_to_keep, **options)


def stored(path):
    return sorted(name.removesuffix(".safetensors") for name in os.listdir(path))


def named(paths):
    return [os.path.basename(path) for path in paths]


def test_the_oldest_go(tmp_path):
    keeper = manager(tmp_path, 2)
    assert (keeper.latest_checkpoint, keeper.checkpoints) == (None, [])
    for _ in range(3):
        path = keeper.save()
    assert stored(tmp_path) == ["checkpoint", "ckpt-2", "ckpt-3"]
    assert named(keeper.checkpoints) == ["ckpt-2", "ckpt-3"]
    assert keeper.latest_checkpoint == path == tf.train.latest_checkpoint(tmp_path)
    assert keeper.directory == str(tmp_path)
    assert keeper.checkpoint.save_counter.numpy() == 3


def test_another_goes_on(tmp_path):
    first = manager(tmp_path, 2)
    first.checkpoint.step.assign(5)
    paths = [first.save(), first.save()]
    second = manager(tmp_path, 2)
    assert second.checkpoints == paths
    assert second.restore_or_initialize() == paths[1]
    assert second.checkpoint.step.numpy() == 5
    assert named([second.save()]) == ["ckpt-3"]
    assert stored(tmp_path) == ["checkpoint", "ckpt-2", "ckpt-3"]


def test_numbers_of_ones_own(tmp_path):
    keeper = manager(tmp_path, 2, checkpoint_name="model")
    assert named([keeper.save(70), keeper.save(tf.Variable(71)), keeper.save(70)]) == [
        "model-70",
        "model-71",
        "model-70",
    ]
    assert named(keeper.checkpoints) == ["model-71", "model-70"]


def test_all_are_kept_if_there_is_no_limit(tmp_path):
    keeper = manager(tmp_path, None)
    for _ in range(4):
        keeper.save()
    assert len(stored(tmp_path)) == 5
    assert len(manager(tmp_path, None).checkpoints) == 4


def test_one_of_some_hours_is_kept_for_ever(tmp_path, monkeypatch):
    now = [1e9]
    monkeypatch.setattr(manager_module.time, "time", lambda: now[0])
    keeper = manager(tmp_path, 1, keep_checkpoint_every_n_hours=2)
    for _ in range(7):
        keeper.save()
        now[0] += 3600
    assert stored(tmp_path) == ["checkpoint", "ckpt-3", "ckpt-5", "ckpt-7"]
    assert named(keeper.checkpoints) == ["ckpt-7"]
    again = manager(tmp_path, 1, keep_checkpoint_every_n_hours=2)
    again.restore_or_initialize()
    again.save()
    assert stored(tmp_path) == ["checkpoint", "ckpt-3", "ckpt-5", "ckpt-7", "ckpt-8"]


def test_interval_of_steps(tmp_path):
    step = tf.Variable(0)
    keeper = manager(tmp_path, 5, step_counter=step, checkpoint_interval=3)
    saved = []
    for _ in range(8):
        if keeper.save():
            saved.append(int(step))
        step.assign_add(1)
    assert saved == [0, 3, 6]
    assert keeper.checkpoint_interval == 3
    assert keeper.save() is None
    assert keeper.save(check_interval=False) is not None
    assert keeper.save(check_interval=False) is None  # the step is saved


def test_a_step_that_could_not_be_saved_is_saved_later(tmp_path):
    keeper = manager(tmp_path, 5, step_counter=tf.Variable(0), checkpoint_interval=3)
    with pytest.raises(TypeError, match="checkpoint_number"):
        keeper.save(checkpoint_number=1.5)
    assert keeper.save() is not None


def test_initialization_if_there_is_nothing(tmp_path):
    called = []
    keeper = manager(tmp_path, 1, init_fn=lambda: called.append(1))
    assert keeper.restore_or_initialize() is None
    assert called == [1]
    keeper.save()
    assert keeper.restore_or_initialize() is not None
    assert called == [1]


def test_in_the_background(tmp_path):
    keeper = manager(tmp_path, 1)
    options = tf.train.CheckpointOptions(enable_async=True)
    keeper.save(options=options)
    path = keeper.save(options=options)
    keeper.sync()
    assert keeper.latest_checkpoint == path
    assert stored(tmp_path) == ["checkpoint", "ckpt-2"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_to_keep": 0}, "positive integer or `None`"),
        ({"checkpoint_interval": 2}, "`step_counter` should be passed"),
        ({"checkpoint_name": "../x"}, "names files in `directory`"),
    ],
)
def test_arguments_that_make_no_sense(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        manager(tmp_path, **options)


# -- the file that names the checkpoints ---------------------------------------------------------


def test_state_of_a_directory(tmp_path):
    keeper = manager(tmp_path, 2)
    paths = [keeper.save(), keeper.save()]
    state = tf.train.get_checkpoint_state(tmp_path)
    assert state.model_checkpoint_path == paths[1]
    assert state.all_model_checkpoint_paths == paths
    assert len(state.all_model_checkpoint_timestamps) == 2
    assert tf.train.get_checkpoint_state(tmp_path / "nowhere") is None


def test_strange_names_come_back(tmp_path):
    name = 'a "b"\\ñ\n'
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    path = checkpoint.save(tmp_path / name)
    assert tf.train.latest_checkpoint(tmp_path) == path == str(tmp_path / f"{name}-1")


@pytest.mark.parametrize("name", ["../ckpt-1", "/etc/passwd", "deep/ckpt-1", "..", "a\\000b"])
def test_names_that_lead_elsewhere_are_refused(tmp_path, name):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "checkpoint").write_text(f'model_checkpoint_path: "{name}"\n')
    for ask in (tf.train.latest_checkpoint, manager):
        with pytest.raises(InvalidArgumentError, match="not in its directory"):
            ask(tmp_path / "here")


def test_whole_paths_into_the_directory_are_taken(tmp_path):
    path = manager(tmp_path).save()
    (tmp_path / "checkpoint").write_text(f'model_checkpoint_path: "{path}"\n')
    assert tf.train.latest_checkpoint(tmp_path) == path


@pytest.mark.parametrize(
    "text",
    ["garbage", "model_checkpoint_path: 3", "other: 1", b"\xff\xfe", 'model_checkpoint_path: "'],
)
def test_a_damaged_state_is_told_of(tmp_path, text):
    (tmp_path / "checkpoint").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(DataLossError, match="checkpoint is damaged"):
        tf.train.latest_checkpoint(tmp_path)


def test_a_checkpoint_that_is_gone_is_not_the_latest(tmp_path):
    path = manager(tmp_path).save()
    os.remove(f"{path}.safetensors")
    assert tf.train.latest_checkpoint(tmp_path) is None


def test_checkpoints_that_no_manager_wrote_are_never_deleted(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    own = [checkpoint.save(tmp_path / "own") for _ in range(2)]
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=1)
    assert manager.latest_checkpoint == own[1]
    assert manager.checkpoints == []
    saved = [manager.save() for _ in range(3)]
    assert manager.checkpoints == saved[-1:]
    for path in own:
        checkpoint.restore(path).assert_consumed()


def test_a_state_file_that_names_no_checkpoint(tmp_path):
    (tmp_path / "checkpoint").write_text("")
    with pytest.raises(ValueError, match="Invalid checkpoint state loaded from"):
        tf.train.latest_checkpoint(tmp_path)
