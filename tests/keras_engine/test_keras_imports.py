"""`import keras` after `import cinta`: which Keras that gives, and what it leaves alone."""

import json
import os
import subprocess
import sys
from unittest import mock

import pytest

import cinta as tf
from cinta.keras_engine import load_keras
from tests.left_out import COMPILERS, TABLES_AND_PLOTS


def run(code, *arguments, without=(TABLES_AND_PLOTS, COMPILERS), **environment):
    """The output of a fresh interpreter for the code."""
    path = os.pathsep.join([*without, *sys.path])
    environment = {**os.environ, "PYTHONPATH": path, **environment}
    environment = {name: value for name, value in environment.items() if value is not None}
    command = [sys.executable, *(arguments or ["-c", code])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


OURS = "print(keras.ops.ones(1).__class__.__module__.partition('.')[0])"


@pytest.mark.parametrize(
    "line",
    [
        "import keras",
        "from keras.layers import Dense; import keras",
        "from keras.src import backend; import keras",
        *[
            pytest.param(line, marks=pytest.mark.long)
            for line in (
                "import keras.layers",
                "from keras import layers; import keras",
                "import importlib; keras = importlib.import_module('keras')",
            )
        ],
    ],
)
def test_keras_computes_with_cinta(line):
    code = f"import cinta as tf; {line}; {OURS}; print(tf.keras.layers is not None)"
    assert run(code, KERAS_BACKEND=None) == ["cinta", "True"]


def test_the_layers_are_those_of_tf_keras():
    import keras
    from keras import layers

    assert layers.Dense is tf.keras.layers.Dense
    assert keras.__version__ == tf.keras.__version__


def test_nothing_of_it_is_loaded_with_cinta():
    code = "import cinta, sys; print([name for name in sys.modules if 'keras' in name.lower()])"
    loaded = run(code)
    assert loaded == ["['cinta.keras_import']"]


def test_asking_where_keras_is_does_not_load_it():
    code = """
import cinta, importlib.util, sys
print(importlib.util.find_spec("keras").origin == None, "keras" in sys.modules)
print(importlib.util.find_spec("tensorflow"), importlib.util.find_spec("keras_hub"))
"""
    assert run(code) == ["False", "False", "None", "None"]


# -- another choice ------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["numpy", "jax"])
def test_another_engine_in_the_environment(engine):
    code = "import cinta, keras; print(keras.config.backend())"
    assert run(code, without=(TABLES_AND_PLOTS,), KERAS_BACKEND=engine) == [engine]


@pytest.mark.parametrize("engine", ["tensorflow", ""])
def test_cinta_stands_in_the_place_of_tensorflow(engine):
    assert run(f"import cinta, keras; {OURS}", KERAS_BACKEND=engine) == ["cinta"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"backend": "numpy"}, "numpy"),
        ({"backend": "tensorflow"}, "tensorflow"),
        ({"floatx": "float64"}, "tensorflow"),
    ],
)
def test_another_engine_in_the_settings_of_keras(settings, expected, tmp_path):
    (tmp_path / "keras.json").write_text(json.dumps(settings))
    code = "import cinta, keras; print(keras.config.backend(), keras.config.floatx())"
    found = run(code, without=(TABLES_AND_PLOTS,), KERAS_BACKEND=None, KERAS_HOME=str(tmp_path))
    assert found == [expected, settings.get("floatx", "float32")]


def test_settings_that_cannot_be_read(tmp_path):
    (tmp_path / "keras.json").write_text("{")
    assert run(f"import cinta, keras; {OURS}", KERAS_BACKEND=None, KERAS_HOME=str(tmp_path)) == [
        "cinta"
    ]


def test_tensorflow_that_was_imported_before(tmp_path):
    """Keras is then TensorFlow's; here a stand-in, of which Keras misses the first name."""
    (tmp_path / "tensorflow.py").write_text("")
    code = """
import sys
sys.path.insert(0, sys.argv[1])
import tensorflow, cinta
try:
    import keras
except ImportError as error:
    print(error.name)
"""
    (tmp_path / "program.py").write_text(code)
    found = run("", str(tmp_path / "program.py"), str(tmp_path), KERAS_BACKEND=None)
    assert found[0].startswith("tensorflow")


def test_asking_for_cinta_by_name_overrides_the_environment():
    code = "from cinta.keras import layers; import keras; print(keras.config.backend())"
    assert run(code, KERAS_BACKEND="jax") == ["tensorflow"]


def test_another_version_says_what_to_do(monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: "2.11.0")
    module = mock.Mock(__name__="keras")
    with pytest.raises(ImportError, match=r"Keras 2\.11\.0 is installed.*KERAS_BACKEND"):
        load_keras.find_spec("keras").loader.exec_module(module)


# -- programs of every kind ----------------------------------------------------------------------


def test_threads_that_import_it_at_once():
    code = f"""
import threading
import cinta as tf
found, start = [], threading.Barrier(4)
def ask(line):
    start.wait()
    names = {{"tf": tf}}
    exec(line, names)
    found.append(names["Dense"])
lines = ["Dense = tf.keras.layers.Dense", "Dense = tf.losses.Loss and tf.keras.layers.Dense",
         "import keras; Dense = keras.layers.Dense",
         "from keras import layers; Dense = layers.Dense"]
threads = [threading.Thread(target=ask, args=[line]) for line in lines]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
import keras
print(len(found), len(set(found)))
{OURS}
"""
    assert run(code, KERAS_BACKEND=None) == ["4", "1", "cinta"]


def test_processes_that_are_spawned(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("""
import multiprocessing
import cinta as tf
import keras

def weights(model):
    return [float(w) for w in model.get_weights()[0][0]]

if __name__ == "__main__":
    model = keras.Sequential([keras.Input([1]), keras.layers.Dense(2)])
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.apply(weights, [model]) == weights(model))
""")
    assert run("", str(program), KERAS_BACKEND=None) == ["True"]


def test_models_that_are_pickled():
    code = """
import pickle
import cinta as tf
import keras
model = keras.Sequential([keras.Input([2]), keras.layers.Dense(3)])
again = pickle.loads(pickle.dumps(model))
x = tf.ones([1, 2])
print(bool(tf.reduce_all(model(x) == again(x))))
"""
    assert run(code, KERAS_BACKEND=None) == ["True"]


def test_tests_that_import_keras(tmp_path):
    (tmp_path / "test_keras.py").write_text("""
import cinta
import keras

def test_it():
    assert keras.ops.ones(1).__class__.__module__.startswith("cinta")
""")
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    found = run("", *arguments, KERAS_BACKEND=None, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert "passed" in found


def test_patches_of_builtins_reach_keras():
    from keras.src.utils import io_utils

    with mock.patch("builtins.input", return_value="n") as asked:
        assert not io_utils.ask_to_proceed_with_overwrite("model.keras")
    asked.assert_called_once()
    with mock.patch("builtins.nonsense", 3, create=True):
        assert load_keras._builtins["nonsense"] == 3
    assert "nonsense" not in load_keras._builtins


def test_patches_of_import_reach_keras():
    patched = mock.patch("builtins.__import__", side_effect=ImportError)
    with patched, pytest.raises(ImportError):
        load_keras._builtins["__import__"]("json")
