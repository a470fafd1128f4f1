"""Names of TensorFlow 1, NumPy and PyTorch, and misspelled ones: what is to be written."""

import re

import pytest

import cinta as tf
from cinta import missing_names
from cinta.public import MissingName

KNOWN = {**missing_names._RENAMED, **missing_names._ADVICE}


def named(path):
    """The value at a path below tf; None if there is none."""
    found = tf
    for name in path.split("."):
        found = getattr(found, name, None)
    return found


@pytest.mark.parametrize(
    ("namespace", "name", "words"),
    [
        ("tf", "log", "Use tf.math.log."),
        ("tf", "relu", "Use tf.nn.relu."),
        ("tf", "softmax", "Use tf.nn.softmax."),
        ("tf", "svd", "Use tf.linalg.svd."),
        ("tf", "mean", "Use tf.reduce_mean."),
        ("tf", "sum", "Use tf.reduce_sum."),
        ("tf.math", "sum", "Use tf.reduce_sum."),
        ("tf", "dot", "tf.linalg.matvec"),
        ("tf", "Session", "without a session"),
        ("tf", "placeholder", "Write a function of tensors"),
        ("tf", "contrib", "tf.keras"),
        ("tf.profiler.experimental", "server", "tf.profiler.experimental.start"),
        ("tf", "gradientTape", "Use tf.GradientTape."),
        ("tf.random", "randn", "Use tf.random.normal."),
        ("tf.nn", "Linear", "Use tf.keras.layers.Dense."),
        ("tf.train", "AdamOptimizer", "Use tf.keras.optimizers.Adam."),
        ("tf", "sine", "Did you mean tf.sin?"),
        ("tf.nn", "rellu", "Did you mean tf.nn.relu or tf.nn.relu6?"),
        ("tf", "truncatd_normal", "tf.random.truncated_normal"),
    ],
)
def test_the_name_that_is_meant(namespace, name, words):
    error = MissingName(namespace.replace("tf", "cinta", 1), name)
    assert isinstance(error, AttributeError)
    module = "cinta" + namespace.removeprefix("tf")
    assert str(error).startswith(f"module {module!r} has no attribute {name!r}. ")
    assert words in str(error)


def test_a_name_like_no_other_has_no_advice():
    assert str(MissingName("cinta", "qwerty")) == "module 'cinta' has no attribute 'qwerty'."


def test_what_is_recommended_exists():
    mentioned = {m for text in KNOWN.values() for m in re.findall(r"\btf\.([\w.]*\w)", text)}
    assert len(mentioned) > 80
    assert {path for path in mentioned if named(path) is None} == set()


def test_what_is_said_to_be_missing_is_missing():
    assert {path for path in KNOWN if named(path) is not None} == set()


@pytest.mark.parametrize(
    ("function", "name", "meant"),
    [
        ("reduce_sum", "dim", "axis"),
        ("reduce_sum", "keep_dims", "keepdims"),
        ("reduce_mean", "reduction_indices", "axis"),
        ("clip_by_value", "min", "clip_value_min"),
        ("softmax", "axes", "axis"),
        ("reduce_sum", "color", None),
        ("no_function", "dim", None),
    ],
)
def test_the_argument_that_is_meant(function, name, meant):
    assert missing_names.argument(function, name) == meant
