"""Bad input: whatever stands in place of an argument, the package itself says what is wrong.

Every public function is called as its docstring shows, with one argument replaced by something that
is not meant for it. The call may work; what it may not do is fail inside NumPy or Python, with an
exception that nobody here has written.
"""

import ast
import inspect
import linecache
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import cinta as tf
from cinta.engine import parallel, settings
from tests.examples import shown_calls

PACKAGE = Path(tf.__file__).parent

NASTY = (
    "None",
    "object()",
    "'nonsense'",
    "True",
    "1.5",
    "-1",
    "-7",
    "7",
    "0",
    "[]",
    "[[]]",
    "[1, [2]]",
    "[0, 0]",
    "[1.5]",
    "['a']",
    "[None]",
    "(1, 2, 3, 4, 5)",
    "[[1, 2], [3, 4]]",
    "np.nan",
    "1j",
    "tf.float32",
    "tf.constant(['a'])",
    "tf.constant([True])",
    "tf.constant(1)",
    "tf.constant([-1, 5])",
    "tf.zeros([0])",
    "tf.zeros([2, 1, 2, 1, 2, 1])",
    "tf.constant([1.0, 2.0], tf.float64)",
    "tf.constant([[1j]])",
    "tf.constant([1.0], tf.float16)",
    "tf.Variable([1.0, 2.0])",
    "np.array([1.5, 2.5])",
    "np.zeros([2, 0, 3], np.float32)",
    "lambda *given, **named: None",
)

KINDS = (TypeError, ValueError, AttributeError, IndexError, LookupError, RuntimeError)
KINDS += (NotImplementedError, AssertionError, StopIteration, OSError, tf.errors.OpError)

GENERAL = ("[Op:", "cast", "convert", "dimension", "dtype", "indices", "input", "shape")
GENERAL += (
    "between the bounds",
    "checkpoint",
    "directory",
    "frame",
    "mel_bins",
    "SavedModel",
    "string",
    "structure",
    "truth value",
)
"""What a message speaks of, where it does not name the argument."""

OPEN = {
    # these change the state of the program
    "tf.config.set_checkpoint_progress",
    "tf.config.set_verbosity",
    "tf.debugging.disable_check_numerics",
    "tf.debugging.enable_check_numerics",
    "tf.experimental.enable_numpy_dispatch",
    "tf.experimental.numpy.experimental_enable_numpy_behavior",
    "tf.no_gradient",
    "tf.random.set_global_generator",
    # these try at random until they find what they need, which may take long
    "tf.random.experimental.index_shuffle",
    "tf.random.all_candidate_sampler",
    "tf.random.fixed_unigram_candidate_sampler",
    "tf.random.learned_unigram_candidate_sampler",
    "tf.random.log_uniform_candidate_sampler",
    "tf.random.uniform_candidate_sampler",
    # this takes twice as long for every order
    "tf.check_grads",
    # these call what people give them, or take any object for what it is
    "tf.config.set_visible_devices",
    "tf.nn.with_space_to_batch",
    "tf.autodiff.sparse_hessian_plan",
    "tf.autodiff.sparse_jacobian_plan",
    "tf.numpy_function",
    "tf.py_function",
    "tf.GradientTape",
    "tf.IndexedSlices",
    "tf.Module",
    "tf.Tensor",
    "tf.while_loop",
    "tf.print",
}


CALLS = shown_calls(OPEN)


def variants(function, call):
    """The call with every argument in turn replaced, or given where it was left out."""
    parameters = [
        p
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "name"
    ]
    given = {keyword.arg for keyword in call.keywords}
    for source in NASTY:
        value = ast.parse(source, mode="eval").body
        for place in range(len(call.args)):
            arguments = [*call.args[:place], value, *call.args[place + 1 :]]
            yield ast.Call(call.func, arguments, call.keywords)
        for parameter in parameters[len(call.args) :]:
            others = [k for k in call.keywords if k.arg != parameter.name]
            if parameter.name in given or parameter.default is not parameter.empty:
                keywords = [*others, ast.keyword(parameter.name, value)]
                yield ast.Call(call.func, call.args, keywords)


@cache
def raising(path):
    """The lines of a file on which something is raised."""
    tree = ast.parse("".join(linecache.getlines(path)))
    raises = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    return {line for node in raises for line in range(node.lineno, node.end_lineno + 1)}


def is_raised_here(error):
    """Whether a ``raise`` of the package was the last thing that ran."""
    last = error.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    path = Path(last.tb_frame.f_code.co_filename)
    return PACKAGE in path.parents and last.tb_lineno in raising(str(path))


def complaint(function, source, names):
    """What is wrong with how a call fails; None if it works, or says what it should."""
    try:
        eval(source, names)
    except KINDS as error:
        words = [*GENERAL, function.__name__, *inspect.signature(function).parameters]
        if str(error).endswith("object is not callable"):
            return None  # which says it as clearly as can be
        if not is_raised_here(error):
            return f"{source} reaches too deep: {error!r}"
        if not any(word.lower() in str(error).lower() for word in words):
            return f"{source} names neither op nor argument: {error!r}"
    except Exception as error:
        return f"{source} raises an error of a strange kind: {error!r}"
    return None


@pytest.fixture(autouse=True)
def calls_change_nothing_outside(monkeypatch, tmp_path):
    """Some of the calls change settings or write files, and some of what they are given is good."""
    monkeypatch.chdir(tmp_path)
    for name, value in vars(settings).items():
        if not name.startswith("__"):
            monkeypatch.setattr(settings, name, value)
    yield
    parallel.choose_threads(0)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_bad_arguments_are_refused_by_the_package_itself(name):
    function, before, call = CALLS[name]
    names = {"tf": tf, "np": np}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tf.random.set_seed(1)
        exec(before, names)
        sources = [ast.unparse(ast.fix_missing_locations(v)) for v in variants(function, call)]
        complaints = [complaint(function, source, names) for source in sources]
    assert not list(filter(None, complaints))


def test_most_public_functions_are_tried():
    assert len(CALLS) > 800
