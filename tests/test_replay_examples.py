"""Every public function, called as its docstring shows it from a function that is replayed.

Arguments that stand for numbers there are given as tensors, with the numbers shown and with others.
A replay may not keep anything of the first ones.
"""

import ast
import warnings

import numpy as np
import pytest

import cinta as tf
from cinta.ops.random.state import seeds
from tests.examples import shown_calls
from tests.replaying import as_python

LEFT_OUT = {
    # these change the state of the program, or of the machine
    "tf.debugging.disable_check_numerics",
    "tf.debugging.disable_explanations",
    "tf.debugging.enable_check_numerics",
    "tf.debugging.enable_explanations",
    "tf.debugging.set_log_device_placement",
    "tf.debugging.watch",
    "tf.distribute.experimental.PreemptionCheckpointHandler",
    "tf.distribute.experimental_set_strategy",
    "tf.profiler.experimental.start",
    "tf.profiler.experimental.stop",
    "tf.summary.create_file_writer",
    "tf.summary.experimental.set_step",
    "tf.summary.trace_export",
    "tf.summary.trace_off",
    "tf.summary.trace_on",
    "tf.test.main",
    "tf.experimental.enable_numpy_dispatch",
    "tf.experimental.numpy.experimental_enable_numpy_behavior",
    "tf.experimental.numpy.random.seed",
    "tf.config.run_functions_eagerly",
    "tf.no_gradient",
    "tf.random.set_global_generator",
    "tf.random.set_seed",
    # these give another thing in every call
    "tf.experimental.dlpack.from_dlpack",
    "tf.timestamp",
    # these are called in functions alone
    "tf.gradients",
    "tf.hessians",
    # these give functions
    "tf.linearize",
    "tf.vjp",
}

CALLS = {
    name: call
    for name, call in shown_calls(LEFT_OUT).items()
    if not name.startswith(("tf.config.", "tf.io.gfile.", "tf.train.", "tf.saved_model."))
}


class Shown:
    """The call of a docstring, some of whose arguments are tensors that can be others."""

    def __init__(self, function, before, call):
        names = {"tf": tf, "np": np}
        exec(before, names)
        self.function, self.given = function, {}
        places = [*enumerate(call.args), *[(k.arg, k.value) for k in call.keywords]]
        for place, node in places:
            source = ast.unparse(node)
            self.given[place] = eval(source, names)
        self.tensors = {k: t for k, x in self.given.items() if (t := as_numbers(x)) is not None}

    def __call__(self, places, tensors):
        """The call's result with these tensors in these places."""
        given = self.given | dict(zip(places, tensors, strict=True))
        positional = [given[k] for k in given if isinstance(k, int)]
        return self.function(*positional, **{k: given[k] for k in given if isinstance(k, str)})


def as_numbers(value):
    """Numbers as a tensor."""
    if isinstance(value, (bool, str)) or not isinstance(
        value, (int, float, list, np.ndarray, tf.Tensor)
    ):
        return None
    try:
        return tf.constant(value)
    except (TypeError, ValueError):
        return None


def others(tensor):
    """Other tensors of the same dtype and shape."""
    x = tensor.numpy() if tensor.ndim else np.asarray(tensor.numpy())
    kind = x.dtype.kind
    found = [x[::-1]] if x.ndim else []
    if kind == "f":
        found += [-x, x * np.asarray(0.5, x.dtype), x + np.asarray(0.25, x.dtype)]
    elif kind in "iu":
        found += [x + np.asarray(1, x.dtype), np.maximum(x, 1) - np.asarray(1, x.dtype)]
    elif kind == "b":
        found += [~x]
    elif kind == "c":
        found += [x * np.asarray(1j, x.dtype)]
    return [tf.constant(each, tensor.dtype) for each in found]


def outcome(function, *tensors):
    """The arrays that a call gives, or the type of the error that it raises."""
    tf.random.set_seed(1)
    try:
        return [each.numpy() for each in flattened(function(*tensors))]
    except Exception as error:
        return type(error)


def flattened(value):
    if isinstance(value, tf.SparseTensor):
        return [value.indices, value.values, value.dense_shape]
    if isinstance(value, tf.IndexedSlices):
        return [value.values, value.indices]
    if isinstance(value, (list, tuple)):
        return [leaf for part in value for leaf in flattened(part)]
    if isinstance(value, dict):
        return flattened(list(value.values()))
    if isinstance(value, str):
        return [tf.constant(value)]  # as functions return texts
    return [value] if isinstance(value, tf.Tensor) else []


def assert_alike(found, expected, words):
    assert isinstance(found, list) == isinstance(expected, list), words
    if isinstance(expected, list):
        assert len(found) == len(expected), words
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=words, strict=True)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_replays_give_what_the_python_gives(name):
    function, before, call = CALLS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shown = Shown(function, before, call)
        for chosen in [list(shown.tensors), *[[k] for k in shown.tensors]]:
            check(shown, chosen)


def python_of(shown, chosen, tensors):
    """The call in Python; of random numbers, in the Python of a function."""

    def python(*given):
        return shown(chosen, given)

    tf.random.set_seed(1)
    before = seeds.snapshot()
    outcome(python, *tensors)
    return python if seeds.snapshot() == before else as_python(python)


def check(shown, chosen):
    first = [shown.tensors[k] for k in chosen]
    python = python_of(shown, chosen, first)
    expected = outcome(python, *first)
    if not isinstance(expected, list) or not expected:
        return  # it takes no tensors there, or gives none
    replayed = tf.function(lambda *t: shown(chosen, t))
    for _ in range(2):
        assert_alike(outcome(replayed, *first), expected, f"{chosen}")
    for i, tensor in enumerate(first):
        for other in others(tensor):
            given = [*first[:i], other, *first[i + 1 :]]
            words = f"{chosen} {given}"
            assert_alike(outcome(replayed, *given), outcome(python, *given), words)


def test_most_public_functions_are_tried():
    assert len(CALLS) > 600
