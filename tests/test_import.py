"""`import cinta`: the modules that it loads, and the names that it shows."""

import ast
import inspect
import os
import pathlib
import subprocess
import sys
import types

import pytest

import cinta as tf
from tests.namespaces import is_namespace, namespaces, public

NAMESPACES = namespaces()


def run(code):
    """The output of a fresh interpreter for the code."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return result.stdout.split()


def test_import_loads_numpy_and_nothing_heavier():
    code = "import cinta, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    heavy = {"scipy", "jax", "keras", "matplotlib", "PIL", "safetensors", "logging"}
    assert "numpy" in run(code)
    assert heavy.isdisjoint(run(code))


def test_a_program_loads_what_it_uses():
    code = (
        "import sys, cinta as tf\n"
        "def modules():\n"
        "    return {name for name in sys.modules if name.partition('.')[0] == 'cinta'}\n"
        "begin = modules()\n"
        "x = tf.Variable(2.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = tf.reduce_sum(tf.sin(x) * tf.matmul([[1.0]], [[x]]))\n"
        "tape.gradient(y, x)\n"
        "print(len(begin), len(modules() - begin))\n"
        "tf.nn.conv2d\n"
        "print(len(modules() - begin), 'cinta.ops.nn.pooling.functions' in sys.modules)"
    )
    at_start, used, with_convolution, pooling = run(code)
    assert int(at_start) <= 100
    assert int(used) == 0
    assert int(with_convolution) <= 20
    assert pooling == "False"


def test_a_function_loads_no_module_of_python_for_objects_that_a_program_does_not_have():
    code = (
        "import sys, cinta as tf\n"
        "tf.function(lambda x: x + 1)(1.0)\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, 'cinta.protobuf' in sys.modules)"
    )
    loaded = run(code)
    assert {"logging", "decimal", "uuid", "pathlib", "sysconfig", "hashlib"}.isdisjoint(loaded)
    assert loaded[-1] == "False"


def test_a_function_loads_random_numbers_of_numpy_only_after_its_program():
    code = (
        "import sys, cinta as tf\n"
        "tf.function(lambda x: x + 1)(1.0)\n"
        "print('numpy.random' in sys.modules)\n"
        "import numpy as np\n"
        "draws = np.random.default_rng(0)\n"
        "f = tf.function(lambda x: x * draws.normal())\n"
        "print(len({float(f(1.0)) for _ in range(5)}))"
    )
    assert run(code)[-2:] == ["False", "5"]


def test_the_hook_of_a_namespace_goes_when_nothing_is_missing():
    """A module's ``__getattr__`` makes every look at one of its names take longer: ``tf.sin``."""
    code = (
        "import cinta as tf\n"
        "show = print\n"
        "show('__getattr__' in vars(tf))\n"
        "from cinta import *\n"
        "show('__getattr__' in vars(tf), GradientTape is tf.GradientTape)"
    )
    assert run(code) == ["True", "False", "True"]


def test_the_tables_of_public_names_are_fresh():
    tool = pathlib.Path(__file__).parent.parent / "tools" / "namespaces.py"
    subprocess.run([sys.executable, tool, "--check"], check=True)


def test_the_registry_knows_every_op_that_a_module_makes():
    code = (
        "import importlib, pkgutil, cinta\n"
        "from cinta.public_names import OPS\n"
        "known = {name for names in OPS.values() for name in names.split()}\n"
        "for each in pkgutil.walk_packages(cinta.__path__, 'cinta.'):\n"
        "    if 'keras' not in each.name and not each.name.endswith('__main__'):\n"
        "        importlib.import_module(each.name)\n"
        "from cinta.engine.op import registry\n"
        "print(*{each.name for each in registry.all()} ^ known)"
    )
    assert run(code) == []


def test_import_leaves_the_settings_of_numpy_and_of_warnings_about_others_alone():
    code = (
        "import numpy, warnings\n"
        "before = numpy.geterr(), numpy.get_printoptions(), len(warnings.filters)\n"
        "import cinta\n"
        "after = numpy.geterr(), numpy.get_printoptions(), len(warnings.filters) - 1\n"
        "print(before == after, warnings.filters[0][3].pattern)"
    )
    assert run(code) == ["True", "cinta\\."]


@pytest.mark.parametrize("namespace", NAMESPACES.values(), ids=NAMESPACES)
def test_every_public_function_says_what_it_does(namespace):
    for name, value in public(namespace).items():
        if callable(value):
            assert value.__doc__, f"{namespace.__name__}.{name} has no docstring"


@pytest.mark.parametrize("namespace", NAMESPACES.values(), ids=NAMESPACES)
def test_every_public_function_shows_an_example(namespace):
    for name, value in public(namespace).items():
        if inspect.isfunction(value) and not value.__doc__.startswith("Refused"):
            assert ">>>" in value.__doc__, f"{namespace.__name__}.{name} shows no example"


def home(value):
    """The package from which a module, a class or a function comes."""
    module = value.__name__ if isinstance(value, types.ModuleType) else value.__module__
    return module.partition(".")[0]


@pytest.mark.parametrize("name", NAMESPACES)
def test_a_namespace_shows_only_what_is_ours(name):
    ours = {"cinta", "numpy"} if name == "tf.experimental.numpy" else {"cinta"}
    foreign = {
        each
        for each, value in public(NAMESPACES[name]).items()
        if (callable(value) or isinstance(value, types.ModuleType)) and home(value) not in ours
    }
    assert not foreign


def test_completion_shows_public_names_and_not_the_modules_inside():
    names = dir(tf)
    assert {name.removeprefix("tf.") for name in NAMESPACES if name.count(".") == 1} <= set(names)
    assert {"GradientTape", "constant", "math", "nn"} <= set(names)
    assert {"engine", "derivatives", "programs", "annotations"}.isdisjoint(names)


SHOWN = {**NAMESPACES, "tf.errors": tf.errors, "tf.nest": tf.nest, "tf.optimize": tf.optimize}


@pytest.mark.parametrize("name", [name for name in SHOWN if name != "tf"])
def test_completion_shows_nothing_that_is_inside(name):
    shown = public(SHOWN[name])
    assert shown
    assert {"TYPE_CHECKING", "annotations", "out_of_memory"}.isdisjoint(shown)
    assert all(
        is_namespace(value) for value in shown.values() if isinstance(value, types.ModuleType)
    )


ROOT = pathlib.Path(tf.__file__).parent


@pytest.fixture(scope="module")
def modules():
    """The code of each file of cinta, parsed; a million objects, which are not to stay."""
    return {path: ast.parse(path.read_text()) for path in ROOT.rglob("*.py")}


def test_ops_are_imported_by_name_and_not_looked_up_by_a_string(modules):
    """So the arrows between modules are all imports, which the layers below are checked by."""
    for path, tree in modules.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
                assert ast.unparse(node.value) != "registry", f"{path}:{node.lineno}"


def classes_from_elsewhere(tree):
    """The names of classes, and ops, that a module imports from other modules of cinta."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield from [each.asname or each.name for each in node.names if each.name[:1].isupper()]


def given_attributes(tree):
    """The objects that a module gives attributes to, by an assignment or by ``setattr``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield ast.unparse(node.value), node.attr
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "setattr":
            yield ast.unparse(node.args[0]), ast.unparse(node.args[1])


SWITCHES = {("programs/check_numerics.py", "Plan", "guard")}  # documented where the class is


def test_no_module_gives_attributes_to_classes_of_others(modules):
    found = set()
    for path, tree in modules.items():
        theirs = {*classes_from_elsewhere(tree)}
        for owner, name in given_attributes(tree):
            if owner in theirs:
                found.add((str(path.relative_to(ROOT)), owner, name))
    assert found == SWITCHES


def test_calls_are_heard_in_one_place_and_recorded_by_fast_calls_alone_beside_it(modules):
    appending = set()
    for path, tree in modules.items():
        for node in ast.walk(tree):
            called = node.func if isinstance(node, ast.Call) else None
            if getattr(called, "attr", "") == "append" and ast.unparse(called.value) in (
                "recorder",
                "tape",
            ):
                appending.add(str(path.relative_to(ROOT)))
    assert appending == {"engine/record_calls.py", "engine/fast_calls.py"}


LAYERS = (
    {
        "content",
        "dtypes",
        "errors",
        "few_bits",
        "keras_import",
        "knowing_content",
        "languages",
        "machine",
        "missing_names",
        "nest",
        "progress",
        "public",
        "public_names",
        "text_tables",
        "tracebacks",
        "user_frames",
        "version",
    },
    {"files", "protobuf"},
    {"engine"},
    {"ops"},
    {"derivatives"},
    {"functional"},
    {"sparsity"},
    {"replay"},
    {"optimize", "programs"},
    {"extension_types"},
    {"io"},
    {"checkpoints"},
    {"saved_model"},
    {"export"},
    {"data"},
    {"lookup"},
    {"raw_ops"},
    {"graphs"},
    {"distribute", "dtensor"},
    {"keras_engine"},
    {"explain"},
    {"audio", "compat", "config", "profiler", "quantization", "summary", "test"},
    {"as_tensorflow"},
)
"""The folders and modules of cinta that hold logic, each of which knows those before it."""


EXCEPTIONS = {
    "derivatives.inspection": {"explain"},  # readings of a tape, loaded when they are used
    "programs.inspection": {"explain"},  # and of a function
    "dtypes": {"ops"},  # tf.dtypes.cast and its like, which are looked up when asked for
    "engine.operators": {"ops"},  # `x + y`, which is tf.add, fetched when first used
    "engine.sparse_tensor": {"ops"},  # the same for sparse tensors
    "engine.variable_parts": {"ops"},  # variable.gather_nd, which is tf.gather_nd
    "ops.control.tensor_array": {"programs"},  # the spec of an array, when it is asked for
    "ops.linalg.operators.composites": {"programs"},  # the spec of an operator, for libraries
}
"""Imports from layers above."""


def imported(tree, package):
    """The first names below cinta of all that a module of the package imports, ever.

    That is also in functions, when they are called, and for type checkers.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            inside = [*package[: len(package) + 1 - node.level], *(node.module or "").split(".")]
            yield from [inside[0]] if inside[0] else [each.name for each in node.names]


@pytest.mark.parametrize("layer", range(len(LAYERS)))
def test_imports_run_one_way(layer, modules):
    known = set().union(*LAYERS[: layer + 1])
    for path, tree in modules.items():
        first, *rest = path.relative_to(ROOT).with_suffix("").parts
        if first in LAYERS[layer]:
            package = [first, *rest][:-1]
            above = {*imported(tree, package)} - known
            assert above == EXCEPTIONS.get(".".join([first, *rest]), set()), path
