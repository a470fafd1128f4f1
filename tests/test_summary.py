"""tf.summary: what stands in event files."""

import glob
import gzip
import json
import threading

import numpy as np
import pytest

import cinta as tf
from cinta.io.tensor_bytes import read_tensor
from cinta.summary.kinds import bucketed

summary = tf.summary


def events(folder):
    """All events of a folder, in the order in which they were written."""
    paths = sorted(glob.glob(f"{folder}/events.out.tfevents.*"))
    records = tf.data.TFRecordDataset(paths).as_numpy_iterator()
    return [tf.compat.v1.Event.FromString(each) for each in records]


def values(folder):
    """The step, the tag and the array of each summary."""
    return [
        (event.step, value.tag, read_tensor(value.tensor.SerializeToString()))
        for event in events(folder)
        for value in event.summary.value
    ]


@pytest.fixture
def writer(tmp_path):
    summary.experimental.set_step(None)
    made = summary.create_file_writer(tmp_path)
    with made.as_default():
        yield made
    made.close()


def test_an_event_file_begins_with_its_version(tmp_path):
    summary.create_file_writer(str(tmp_path), filename_suffix=".mine").close()
    (path,) = tmp_path.iterdir()
    assert path.name.startswith("events.out.tfevents.")
    assert path.name.endswith(".mine")
    (first,) = events(tmp_path)
    assert first.file_version == "brain.Event:2"
    assert first.WhichOneof("what") == "file_version"


def test_numbers_at_their_steps(writer, tmp_path):
    for step in range(3):
        assert bool(summary.scalar("loss", step / 2, step=step, description="how *bad*"))
    writer.flush()
    assert values(tmp_path) == [(0, "loss", 0.0), (1, "loss", 0.5), (2, "loss", 1.0)]
    value = events(tmp_path)[-1].summary.value[0]
    assert value.metadata.plugin_data.plugin_name == "scalars"
    assert value.metadata.summary_description == "how *bad*"
    assert value.tensor.dtype == tf.float32.as_datatype_enum


def test_events_are_seen_when_the_queue_is_full(tmp_path):
    with summary.create_file_writer(tmp_path, max_queue=2).as_default():
        for step in range(3):
            summary.scalar("a", 1, step=step)
        assert len(values(tmp_path)) == 3
        summary.scalar("a", 1, step=3)
        assert len(values(tmp_path)) == 3
        summary.flush()
        assert len(values(tmp_path)) == 4


def test_tags_have_the_scopes_around_them(writer, tmp_path):
    with tf.name_scope("train"):
        summary.text("note", "all is *well*", step=1)
        with summary.experimental.summary_scope("own") as (tag, scope):
            assert (tag, scope) == ("train/own", "train/own/")
    writer.flush()
    assert values(tmp_path) == [(1, "train/note", b"all is *well*")]


def test_the_step_can_be_set(writer, tmp_path):
    with pytest.raises(ValueError, match="No step set"):
        summary.scalar("a", 1)
    count = tf.Variable(5, dtype=tf.int64)
    summary.experimental.set_step(count)
    try:
        summary.scalar("a", 1)
        count.assign(6)
        summary.scalar("a", 1)
        with writer.as_default(step=9):
            summary.scalar("a", 1)
        assert summary.experimental.get_step() is count
    finally:
        summary.experimental.set_step(None)
    writer.flush()
    assert [step for step, _, _ in values(tmp_path)] == [5, 6, 9]


def test_summaries_are_written_only_if_they_are_to_be(writer, tmp_path):
    assert bool(summary.should_record_summaries())
    for condition in (False, lambda: False, tf.constant(False)):
        with summary.record_if(condition):
            assert not bool(summary.should_record_summaries())
            assert not bool(summary.scalar("a", 1, step=1))
    with summary.record_if(lambda: True):
        assert bool(summary.scalar("a", 1, step=1))
    heard = []
    threading.Thread(target=lambda: heard.append(summary.scalar("a", 1, step=1))).run()
    thread = threading.Thread(target=lambda: heard.append(summary.scalar("b", 1, step=1)))
    thread.start()
    thread.join()
    assert [bool(each) for each in heard] == [True, False]


def test_without_a_writer_nothing_is_written():
    assert not bool(summary.scalar("a", [1, 2], step=1))
    assert not bool(summary.graph(tf.compat.v1.GraphDef()))
    with summary.create_noop_writer().as_default():
        assert bool(summary.scalar("a", 1, step=1))


def test_a_closed_writer_is_refused(tmp_path):
    writer = summary.create_file_writer(tmp_path)
    writer.close()
    writer.close()
    writer.flush()
    with pytest.raises(RuntimeError, match="already closed"), writer.as_default():
        pass


@pytest.mark.parametrize("jit", [None, True])
def test_functions_write_at_every_call(writer, tmp_path, jit):
    step = tf.Variable(0, dtype=tf.int64)

    @tf.function(jit_compile=jit)
    def train(x):
        y = 2 * x
        summary.scalar("y", y, step=step)
        return y

    for i in range(4):
        step.assign(i)
        train(tf.constant(float(i)))
    writer.flush()
    assert values(tmp_path) == [(i, "y", 2.0 * i) for i in range(4)]


def test_images_and_sound(writer, tmp_path):
    pixels = np.random.default_rng(0).integers(0, 255, [5, 4, 6, 3]).astype(np.uint8)
    summary.image("faces", pixels, step=1, max_outputs=2)
    summary.image("gray", np.full([1, 2, 2, 1], 0.5), step=1)
    sound = np.sin(np.arange(100)).astype(np.float32).reshape(1, -1, 1)
    summary.audio("hum", sound, 8000, step=2)
    summary.audio("none", np.zeros([0, 10, 1], np.float32), 8000, step=2)
    writer.flush()
    (_, _, faces), (_, _, gray), (_, _, hum), (_, _, none) = values(tmp_path)
    assert faces[:2].tolist() == [b"6", b"4"]
    assert np.array_equal(tf.io.decode_png(faces[3]), pixels[1])
    assert len(faces) == 4
    assert tf.io.decode_png(gray[2]).numpy().ravel().tolist() == [127] * 4
    assert hum.shape == (1, 2)
    assert tf.audio.decode_wav(hum[0, 0]).audio.shape == [100, 1]
    assert none.shape == (0, 2)
    plugins = [e.summary.value[0].metadata.plugin_data for e in events(tmp_path)[1:]]
    assert [p.plugin_name for p in plugins] == ["images", "images", "audio", "audio"]
    assert plugins[-1].content == b"\x10\x0b"


def test_histograms(writer, tmp_path):
    assert bucketed(np.float64([0, 1, 2, 3, 10]), 5).tolist() == [
        [0, 2, 2],
        [2, 4, 2],
        [4, 6, 0],
        [6, 8, 0],
        [8, 10, 1],
    ]
    assert bucketed(np.float64([]), 2).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert bucketed(np.float64([2, 2]), 2).tolist() == [[2, 2, 0], [2, 2, 2]]
    assert bucketed(np.float64([1]), 0).shape == (0, 3)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM"):
        summary.histogram("weights", [0.5, 1.5], step=1, buckets=2**45)
    summary.histogram("weights", tf.constant([[1, 2], [3, 4]]), step=1)
    writer.flush()
    ((_, _, found),) = values(tmp_path)
    assert found.shape == (30, 3)
    assert found[:, 2].sum() == 4


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: summary.scalar("a", [1, 2], step=1), ValueError),
        (lambda: summary.scalar("a", "text", step=1), Exception),
        (lambda: summary.text("a", 1.0, step=1), Exception),
        (lambda: summary.image("a", np.zeros([2, 2, 3]), step=1), ValueError),
        (lambda: summary.image("a", np.zeros([1, 2, 2, 3]), step=1, max_outputs=-1), Exception),
        (lambda: summary.audio("a", np.zeros([2, 2]), 8000, step=1), ValueError),
        (lambda: summary.audio("a", np.zeros([1, 2, 1]), 8000, step=1, encoding="mp3"), ValueError),
        (lambda: summary.histogram("a", [1.0, np.nan], step=1), tf.errors.InvalidArgumentError),
        (lambda: summary.write("a", 1, step=1, metadata=3), TypeError),
        (lambda: summary.graph(3), ValueError),
        (lambda: summary.trace_export("a", step=0), ValueError),
    ],
)
@pytest.mark.usefixtures("writer")
def test_what_is_refused(call, error):
    with pytest.raises(error):
        call()


def test_graphs_of_functions(writer, tmp_path):
    double = tf.function(lambda x: tf.sin(2 * x))
    double(tf.constant(1.0))
    summary.trace_on()
    double(tf.constant(1.0))
    summary.trace_export("double", step=3)
    summary.graph(double.get_concrete_function(tf.TensorSpec([], tf.float32)).graph)
    writer.flush()
    traced, graph = events(tmp_path)[1:]
    value = traced.summary.value[0]
    assert (traced.step, value.tag) == (3, "double")
    assert value.metadata.plugin_data.plugin_name == "graph_run_metadata_graph"
    (content,) = value.tensor.string_val
    (found,) = tf.compat.v1.RunMetadata.FromString(content).function_graphs
    assert [node.op for node in found.pre_optimization_graph.node][-2:] == ["Sin", "Identity"]
    nodes = tf.compat.v1.GraphDef.FromString(graph.graph_def).node
    assert {"Placeholder", "Mul", "Sin"} <= {node.op for node in nodes}


def test_summaries_of_other_libraries(writer, tmp_path):
    made = tf.compat.v1.Summary()
    made.value.add(tag="own", simple_value=2.5)
    summary.experimental.write_raw_pb(made.SerializeToString(), step=4)
    writer.flush()
    (event,) = events(tmp_path)[1:]
    assert (event.step, event.summary) == (4, made)


def test_the_callback_of_keras(tmp_path):
    model = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    callback = tf.keras.callbacks.TensorBoard(tmp_path, histogram_freq=1, profile_batch=0)
    x, y = np.ones([8, 2]), np.ones([8, 1])
    model.fit(x, y, epochs=2, verbose=0, validation_split=0.5, callbacks=[callback])
    found = values(tmp_path / "train")
    assert [step for step, tag, _ in found if tag == "epoch_loss"] == [0, 1]
    assert any(tag.endswith("kernel/histogram") for _, tag, _ in found)
    assert [step for step, tag, _ in values(tmp_path / "validation") if tag == "epoch_loss"] == [
        0,
        1,
    ]


# -- profiles --------------------------------------------------------------------------------------


def trace_in(folder):
    (path,) = folder.glob("plugins/profile/*/*.trace.json.gz")
    with gzip.open(path, "rt") as file:
        return json.load(file)["traceEvents"]


def test_a_profile_has_calls_and_blocks(tmp_path):
    profiler = tf.profiler.experimental
    with profiler.Profile(tmp_path), profiler.Trace("train", step_num=3) as block:
        block.set_metadata(more="yes")
        tf.linalg.matmul([[1.0]], [[2.0]])
    found = {event["name"]: event for event in trace_in(tmp_path)}
    outer, inner = found["train"], found["matmul"]
    assert outer["args"] == {"step_num": "3", "more": "yes"}
    assert outer["ts"] <= inner["ts"]
    assert inner["ts"] + inner["dur"] <= outer["ts"] + outer["dur"]
    assert not any(name.startswith("as_tensor") for name in found)


def test_one_profile_is_taken_at_a_time(tmp_path):
    profiler = tf.profiler.experimental
    with pytest.raises(tf.errors.UnavailableError, match="No profiler is running"):
        profiler.stop()
    profiler.start(tmp_path, profiler.ProfilerOptions(python_tracer_level=1))
    try:
        with pytest.raises(tf.errors.AlreadyExistsError, match="Another profiler"):
            profiler.start(tmp_path)
    finally:
        profiler.stop(save=False)
    assert not list(tmp_path.iterdir())


def test_a_trace_of_graphs_can_have_a_profile(writer, tmp_path):
    with pytest.raises(ValueError, match="profiler_outdir"):
        summary.trace_on(profiler=True)
    summary.trace_on(profiler=True, profiler_outdir=tmp_path)
    tf.sin(1.0)
    summary.trace_export("graphs", step=0)
    assert any(event["name"] == "Sin" for event in trace_in(tmp_path))
