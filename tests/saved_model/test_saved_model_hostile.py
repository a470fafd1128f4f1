"""Files of saved models that are damaged, foreign, newer, or written to do harm."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cinta as tf
from cinta.errors import DataLossError, NotFoundError, OpError, UnimplementedError
from cinta.files.container import Container, write_container
from cinta.saved_model.saving import FILE, KIND


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """The document and the arrays of a small model."""
    model = tf.Module()
    model.v = tf.Variable([1.0, 2.0])
    model.parts = [model.v, (model.v, 3)]
    spec = tf.TensorSpec([None, 2])
    model.f = tf.function(
        lambda x: x * model.v + 1.0 if float(x[0, 0]) > 0 else x, input_signature=[spec]
    )
    path = tmp_path_factory.mktemp("model")
    tf.saved_model.save(model, path)
    container = Container(path / FILE)
    return container.document, {name: container.read(name) for name in container.names()}


def written(path, content, change, kind=KIND):
    document, arrays = copy.deepcopy(content)
    change(document)
    write_container(path / FILE, kind, document, arrays)
    return path


def function(document):
    return next(node for node in document["nodes"] if node["kind"] == "function")


def steps(document):
    """The steps of the last program of the function."""
    return function(document)["programs"][-1][2]["recording"]["steps"]


def call_of(document, name):
    return next(step for step in steps(document) if step[0] == name)


def test_every_file_that_is_cut_off_is_refused(tmp_path, content):
    written(tmp_path, content, lambda document: None)
    whole = (tmp_path / FILE).read_bytes()
    for length in range(0, len(whole), 97):
        (tmp_path / FILE).write_bytes(whole[:length])
        with pytest.raises(DataLossError, match="is damaged"):
            tf.saved_model.load(tmp_path)


def test_newer_and_foreign_files_are_refused(tmp_path, content):
    written(tmp_path, content, lambda document: document.update(version=2))
    with pytest.raises(UnimplementedError, match="has version 2 of saved models"):
        tf.saved_model.load(tmp_path)
    written(tmp_path, content, lambda document: None, kind="cinta.checkpoint")
    with pytest.raises(DataLossError, match=r"is not a saved model: .* 'cinta\.checkpoint'"):
        tf.saved_model.load(tmp_path)


def test_files_that_are_not_there(tmp_path):
    assert not tf.saved_model.contains_saved_model(tmp_path)
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.saved_model.load(tmp_path)
    (tmp_path / "saved_model.pb").write_bytes(b"")
    with pytest.raises(DataLossError, match=r"saved_model\.pb is damaged: of its 0 graphs"):
        tf.saved_model.load(tmp_path)


def test_an_op_that_is_not_known(tmp_path, content):
    def change(document):
        call_of(document, "Mul")[0] = "MulOfTheFuture"

    with pytest.raises(NotFoundError, match="Op type not registered 'MulOfTheFuture'"):
        tf.saved_model.load(written(tmp_path, content, change))


@pytest.mark.parametrize(
    "name",
    [
        "PyFunc",
        "EagerPyFunc",
        "PrintV2",
        "CustomGradient",
        "WatchStep",
        "Sweeps",
        "TapeStarts",
        "TapeGradient",
    ],
)
def test_no_file_can_name_what_is_to_be_called(tmp_path, content, name):
    def change(document):
        step = call_of(document, "Mul")
        step[0], step[2] = name, {"func": "os.system", "wanted": []}

    with pytest.raises(DataLossError, match=f"is not a call of {name}"):
        tf.saved_model.load(written(tmp_path, content, change))


@pytest.mark.parametrize(
    ("name", "attributes", "message"),
    [
        ("Numbered", {"name": "PyFunc", "attributes": {"dict": []}}, "is not a call of Numbered"),
        (
            "Loop",
            {"body": 1, "turns": 1, "carried": 1, "sliced": 1, "last": 0},
            "Loop cannot have body=1",
        ),
    ],
)
def test_loops_call_nothing_else(tmp_path, content, name, attributes, message):
    def change(document):
        step = call_of(document, "Mul")
        step[0], step[2] = name, attributes

    with pytest.raises(DataLossError, match=message):
        tf.saved_model.load(written(tmp_path, content, change))


def set_value(place, value):
    def change(document):
        *keys, last = place
        for key in keys:
            document = function(document) if key == "f" else document[key]
        document[last] = value

    return change


RECORDING = ("f", "programs", -1, 2, "recording")


@pytest.mark.parametrize(
    "change",
    [
        lambda document: call_of(document, "Mul").__setitem__(1, [0, 99]),
        lambda document: call_of(document, "Mul").__setitem__(1, [-1, 0]),
        lambda document: call_of(document, "Mul").__setitem__(1, [0, 1, 1]),
        lambda document: call_of(document, "Mul").__setitem__(2, {"axis": 1}),
        lambda document: call_of(document, "Mul").__setitem__(3, 10**12),
        lambda document: call_of(document, "Mul").__setitem__(0, ["Mul"]),
        lambda document: call_of(document, "guard").__setitem__(2, "eval"),
        set_value((*RECORDING, "inputs"), 10**15),
        set_value((*RECORDING, "inputs"), True),
        set_value((*RECORDING, "reads"), [99]),
        set_value((*RECORDING, "reads"), ["v"]),
        set_value((*RECORDING, "results"), [{"constant": {"callable": "os.system"}}]),
        set_value((*RECORDING, "results"), [{"constant": {"array": "../../etc/passwd"}}]),
        set_value((*RECORDING, "results"), [{"constant": {"dtype": "pickle"}}]),
        set_value((*RECORDING, "more"), 1),
        set_value(("f", "programs", -1, 2), {"SavedGradient": [1, 2]}),
        set_value(("f", "parameters"), [["x y", "POSITIONAL_OR_KEYWORD"]]),
        set_value(("f", "parameters"), [["x", "__class__"]]),
        set_value(("nodes",), []),
        set_value(("nodes",), None),
        set_value(("nodes", 0, "kind"), "list"),
        set_value(("nodes", 0, "children"), {"f": 99}),
        set_value(("nodes", 0, "children"), {"f": -1}),
        set_value(("nodes", 0, "name"), "no identifier"),
        set_value(("nodes", 0), {"kind": "tuple", "items": [{"object": 0}]}),
        set_value(("signatures",), {"s": {}}),
    ],
)
def test_documents_that_make_no_sense(tmp_path, content, change):
    with pytest.raises((DataLossError, NotFoundError)):
        tf.saved_model.load(written(tmp_path, content, change))


def test_a_variable_whose_value_is_not_there(tmp_path, content):
    def change(document):
        node = next(node for node in document["nodes"] if node["kind"] == "variable")
        node["value"] = "../../../etc/passwd"

    with pytest.raises((DataLossError, NotFoundError)):
        tf.saved_model.load(written(tmp_path, content, change))


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)


@settings(max_examples=300)
@given(data=st.data())
def test_any_change_of_a_document_is_refused_or_harmless(tmp_path_factory, content, data):
    path = tmp_path_factory.mktemp("changed")

    def change(document):
        place = document
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = data.draw(st.sampled_from(keys))
            deeper = isinstance(place[key], (dict, list)) and len(place[key]) > 0
            if not deeper or data.draw(st.integers(0, 9)) == 0:
                place[key] = data.draw(LEAVES | st.just([]) | st.just({}))
                return
            place = place[key]

    written(path, content, change)
    try:
        model = tf.saved_model.load(path)
    except (OpError, OSError):
        return
    assert isinstance(model, tf.Module)


def test_values_of_other_shapes_are_noticed(tmp_path, content):
    document, arrays = copy.deepcopy(content)
    arrays["variables/v"] = np.ones(3, np.float32)
    write_container(tmp_path / FILE, KIND, document, arrays)
    with pytest.raises(DataLossError, match=r"is damaged: .* shape"):
        tf.saved_model.load(tmp_path)
