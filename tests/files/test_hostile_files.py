"""Files that say what cannot be: what they say of sizes, steps and kinds is not believed."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import cinta as tf
from cinta.engine.op import registry
from cinta.engine.strided import strided
from cinta.errors import DataLossError, InvalidArgumentError, OpError
from cinta.files.container import Container, write_container
from cinta.saved_model import domains, encode_programs
from cinta.saved_model.saving import FILE, KIND
from tests.saved_model.saving import module

# -- views -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "strides"),
    [((5,), (1,)), ((4, 2), (1, 1)), ((2,), (-1,)), ((2, -1), (1, 1)), ((2**40,), (1,))],
)
def test_views_do_not_reach_beyond_their_array(shape, strides):
    with pytest.raises(ValueError, match="a view"):
        strided(np.arange(4, dtype=np.int8), shape, strides)


def test_views_of_nothing_and_of_turned_arrays():
    assert strided(np.zeros(0), (3, 0), (8, 8)).shape == (3, 0)
    with pytest.raises(ValueError, match="beyond"):
        strided(np.zeros((0, 3)), (1,), (8,))
    assert strided(np.arange(4)[::-1], (2, 2), (-8, -16)).tolist() == [[3, 1], [2, 0]]
    assert not strided(np.arange(4), (2,), (8,)).flags.writeable


@pytest.mark.parametrize(
    "call",
    [
        lambda: registry["Frame"].run(np.ones(4), length=2, step=1, count=9, axis=-1),
        lambda: registry["Frame"].run(np.ones(4), length=2, step=-1, count=2, axis=-1),
        lambda: registry["ScatterRows"].run(np.ones((99, 99)), np.full(99, 10**9), rows=2, rank=2),
        lambda: registry["UniformCandidateSampler"].run(
            np.zeros(3, np.int64), np.zeros((1, 1)), num_sampled=9, unique=True, range_max=2
        ),
    ],
)
def test_kernels_check_what_they_reach_for(call):
    with pytest.raises((ValueError, IndexError)):
        call()


# -- attributes ------------------------------------------------------------------------------------


def test_every_attribute_of_every_op_has_a_domain():
    for op in registry.all():
        assert domains.attributes(op).keys() == {*op.attrs}
    for record in encode_programs.RECORDS.values():
        assert domains.fields(record).keys() == {*record._fields}


IMAGE, SIGNAL = tf.ones([1, 4, 4, 1]), tf.ones([8])
FILTER = tf.ones([2, 2, 1, 1])
FUNCTIONS = {
    "Conv2D": (lambda x: tf.nn.conv2d(x, FILTER, 1, "SAME"), IMAGE),
    "DepthwiseConv2dNative": (
        lambda x: tf.nn.depthwise_conv2d(x, FILTER, [1, 1, 1, 1], "SAME"),
        IMAGE,
    ),
    "MaxPool": (lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"), IMAGE),
    "Frame": (lambda x: tf.signal.frame(x, 4, 2), SIGNAL),
    "ResizeSmooth": (lambda x: tf.image.resize(x, [2, 2]), IMAGE),
    "Sum": (tf.reduce_sum, SIGNAL),
    "Cast": (lambda x: tf.cast(x, tf.float64), SIGNAL),
    "Cumsum": (tf.cumsum, SIGNAL),
}


def with_step(tmp_path, name, change):
    """A saved model whose step of this name has been changed; what its function takes."""
    function, x = FUNCTIONS[name]
    model = module(f=tf.function(function, input_signature=[tf.TensorSpec(x.shape)]))
    tf.saved_model.save(model, tmp_path)
    container = Container(tmp_path / FILE)
    document = container.document
    arrays = {each: container.read(each) for each in container.names()}
    (node,) = [node for node in document["nodes"] if node["kind"] == "function"]
    steps = node["programs"][-1][2]["recording"]["steps"]
    (step,) = [step for step in steps if step[0] == name]
    change(step)
    write_container(tmp_path / FILE, KIND, document, arrays)
    return x


def changed(tmp_path, name, attribute, value):
    """A saved model whose step of this name has another attribute."""

    def change(step):
        place = step[2]
        *way, last = attribute if isinstance(attribute, tuple) else (attribute,)
        for key in way:
            place = place[key]
        place[last] = value

    return with_step(tmp_path, name, change)


@pytest.mark.parametrize(
    ("name", "attribute", "value"),
    [
        ("Conv2D", ("window", "Window", 1), [0, 1]),
        ("Conv2D", ("window", "Window", 1), [-1, 1]),
        ("Conv2D", ("window", "Window", 3), [1.5, 1]),
        ("Conv2D", ("window", "Window", 2), [[1, 2, 3]]),
        ("Conv2D", "window", [2, 2]),
        ("DepthwiseConv2dNative", ("window", "Window", 3), [-(2**40), 1]),
        ("MaxPool", ("window", "Window", 0), [2**70, 2]),
        ("Frame", "count", -1),
        ("Frame", "step", 0),
        ("Frame", "length", True),
        ("Frame", "length", None),
        ("Frame", "axis", "0"),
        ("ResizeSmooth", ("rows", "Scaling", 0), "pickle"),
        ("ResizeSmooth", ("rows", "Scaling", 1), 0),
        ("Sum", "axis", -1),
        ("Sum", "keepdims", 1),
        ("Cast", "dtype", 3),
        ("Cast", "dtype", {"recording": {}}),
        ("Cumsum", "reverse", []),
        ("Cumsum", "other", 1),
    ],
)
def test_attributes_that_no_call_of_an_op_has(tmp_path, name, attribute, value):
    changed(tmp_path, name, attribute, value)
    with pytest.raises(DataLossError, match=f"{tmp_path}.* is damaged: .*(has|have|is not)"):
        tf.saved_model.load(tmp_path)


@pytest.mark.parametrize(
    ("name", "attribute", "value"),
    [
        ("Frame", "count", 10**6),
        ("Frame", "length", 9),
        ("Frame", "step", 2**60),
        ("Frame", "axis", 5),
        ("Conv2D", ("window", "Window", 0), [2**20, 2**20]),
        ("Conv2D", ("window", "Window", 3), [2**40, 2**40]),
        ("DepthwiseConv2dNative", ("window", "Window", 3), [9, 9]),
        ("DepthwiseConv2dNative", ("window", "Window", 2), [[0, 2**50], [0, 0]]),
        ("Sum", "axis", [7]),
    ],
)
def test_attributes_that_do_not_fit_the_arguments_are_refused(tmp_path, name, attribute, value):
    x = changed(tmp_path, name, attribute, value)
    model = tf.saved_model.load(tmp_path)
    with pytest.raises((OpError, ValueError, TypeError)) as caught, tf.GradientTape() as tape:
        tape.watch(x)
        model.f(x)
    assert str(tmp_path) in "".join([str(caught.value), *caught.value.__notes__])


@pytest.mark.parametrize("count", [0, 2, 8])
def test_steps_that_say_what_their_ops_do_not_give(tmp_path, count):
    def change(step):
        step[3] = count

    x = with_step(tmp_path, "Cumsum", change)
    with pytest.raises((ValueError, OpError), match=r"results|is damaged"):
        tf.saved_model.load(tmp_path).f(x)


# -- documents -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 5_000 + "1" + "}" * 5_000,
        "NaN",
        "[Infinity]",
        "9" * 10_000,
        '{"a":1,"a":2}',
        "\x00",
    ],
)
def test_json_that_is_none_or_too_deep(tmp_path, text):
    write_container(tmp_path / "x.safetensors", "cinta.checkpoint", None, {})
    whole = (tmp_path / "x.safetensors").read_bytes()
    length = int.from_bytes(whole[:8], "little")
    header = json.loads(whole[8 : 8 + length])
    for content in (text.encode(), json.dumps({**header, "x": text}).encode()):
        (tmp_path / "x.safetensors").write_bytes(len(content).to_bytes(8, "little") + content)
        with pytest.raises(DataLossError, match=r"x\.safetensors is damaged"):
            tf.train.load_checkpoint(tmp_path / "x")


def test_a_pickle_is_no_file_of_ours(tmp_path):
    class Harm:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "harm"),))

    import pickle

    content = pickle.dumps(Harm())
    for name in ("x.safetensors", "x.index", FILE, "x.data"):
        (tmp_path / name).write_bytes(content)
    for read in (
        lambda: tf.train.load_checkpoint(tmp_path / "x.safetensors"),
        lambda: tf.train.load_checkpoint(tmp_path / "x.index"),
        lambda: tf.saved_model.load(tmp_path),
        lambda: list(tf.data.Dataset.range(2).cache(str(tmp_path / "x"))),
        lambda: tf.io.decode_image(content),
        lambda: tf.io.parse_tensor(content, tf.string),
    ):
        with pytest.raises((DataLossError, InvalidArgumentError)):
            read()
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "sub/x", "x\\0"])
def test_a_state_file_leads_nowhere_else(tmp_path, name):
    folder = tmp_path / "here"
    folder.mkdir()
    write_container(tmp_path / "x.safetensors", "cinta.checkpoint", None, {})
    (folder / "checkpoint").write_text(f'model_checkpoint_path: "{name}"\n')
    with pytest.raises((DataLossError, InvalidArgumentError), match="here"):
        tf.train.latest_checkpoint(folder)


# -- caches ----------------------------------------------------------------------------------------


def words():
    return tf.data.Dataset.from_tensor_slices((["a", "b", "c"], [1.0, 2.0, 3.0]))


def cached(tmp_path):
    return list(words().cache(str(tmp_path / "cache")).as_numpy_iterator())


def test_a_cache_with_any_other_byte_is_refused(tmp_path):
    cached(tmp_path)
    path = tmp_path / "cache.data"
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(DataLossError, match=r"cache\.data"):
            cached(tmp_path)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(DataLossError, match=r"cache\.data"):
            cached(tmp_path)
    path.write_bytes(whole + b"more")
    with pytest.raises(DataLossError, match=r"cache\.data"):
        cached(tmp_path)


def test_a_cache_of_another_dataset_is_refused(tmp_path):
    cached(tmp_path)
    for other, message in (
        (tf.data.Dataset.range(3), "has 2 tensors, not 1"),
        (words().map(lambda word, number: (number, word)), "where it is to have"),
    ):
        with pytest.raises(DataLossError, match=message):
            list(other.cache(str(tmp_path / "cache")))


def test_a_cache_of_elements_without_tensors(tmp_path):
    dataset = tf.data.Dataset.from_tensors(1).repeat(3).map(lambda x: ())
    for _ in range(2):
        assert list(dataset.cache(str(tmp_path / "cache"))) == [(), (), ()]


ON_A_FULL_DISK = """
import resource, signal, sys
import cinta as tf
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
iterator = iter(tf.data.Dataset.range(1000).map(lambda x: tf.zeros([1000])).cache(sys.argv[1]))
for _ in range(2):
    try:
        for _ in iterator: pass
    except tf.errors.ResourceExhaustedError as error:
        print("refused", sys.argv[1] + ".data" in str(error))
"""


def test_a_full_disk_leaves_nothing_of_a_cache(tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", ON_A_FULL_DISK, str(tmp_path / "cache")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "True"] * 2
    assert list(tmp_path.iterdir()) == []


# -- images ----------------------------------------------------------------------------------------


def test_images_of_other_formats_are_not_opened():
    for content in (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", b"P5 1 1 255 a", b""):
        with pytest.raises(InvalidArgumentError, match="not an image that can be decoded"):
            tf.io.decode_image(content)


@pytest.mark.parametrize("side", [20_000, 2**31 - 1])
def test_an_image_that_claims_to_be_huge(side):
    content = bytearray(tf.io.encode_png(tf.zeros([1, 1, 3], tf.uint8)).numpy())
    content[16:24] = side.to_bytes(4, "big") * 2
    with pytest.raises(InvalidArgumentError, match=r"Op:DecodePng"):
        tf.io.decode_png(bytes(content))
