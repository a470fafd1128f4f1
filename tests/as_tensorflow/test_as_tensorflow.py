"""Programs that import tensorflow, run as they are."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def python(*words, paths=(), **variables):
    """Run a fresh Python with these words on its command line."""
    known = [str(each) for each in paths] + [each for each in sys.path if each]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(known), **variables}
    return subprocess.run(
        [sys.executable, *map(str, words)], env=environment, capture_output=True, text=True
    )


def run(*words, **options):
    return python("-m", "cinta", "run", *words, **options)


def said(result):
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def answers(program, tmp_path, *words, **options):
    """The dict that a program leaves in ``found``."""
    script = tmp_path / "program.py"
    script.write_text(program + "\nimport json\nprint(json.dumps(found))\n")
    return json.loads(said(run(script, *words, **options))[-1])


def test_a_program_sees_what_it_would_see_of_tensorflow(tmp_path):
    program = """
import importlib.metadata, importlib.util, pickle, sys
import tensorflow as tf
import tensorflow.compat.v2 as tf2
from tensorflow import nn
from tensorflow.python.framework import ops
from tensorflow.python.ops.math_ops import reduce_sum
found = {
    "versions": [tf.__version__, tf.version.VERSION, importlib.metadata.version("tensorflow")],
    "spec": importlib.util.find_spec("tensorflow.nn") is not None,
    "no spec": importlib.util.find_spec("tensorflow.no_such_module"),
    "same": sys.modules["tensorflow"] is tf and tf.nn is nn and tf2.reduce_sum is reduce_sum,
    "modules": [type(x).__module__.partition(".")[0] for x in (
        tf.constant(1), tf.Variable(1), tf.TensorShape([]), tf.float32, tf.TensorSpec([]),
        tf.IndexedSlices(tf.zeros([1]), tf.zeros([1], "int32")), tf.data.Dataset.range(2))],
    "names": [type(tf.constant(1)).__name__, type(tf.Variable(1)).__name__],
    "eager": isinstance(tf.constant(1), ops.EagerTensor),
    "pickled": pickle.loads(pickle.dumps(tf.constant([1, 2]))).numpy().tolist(),
    "version 2": tf2.enable_v2_behavior() is None and not hasattr(tf, "enable_v2_behavior"),
    "shown": {"function", "nn", "Tensor"} <= set(dir(tf)),
    "arguments": sys.argv[1:],
    "main": __name__,
}
"""
    assert answers(program, tmp_path, "-v", "two") == {
        "versions": ["2.21.0"] * 3,
        "spec": True,
        "no spec": None,
        "same": True,
        "modules": ["tensorflow"] * 7,
        "names": ["EagerTensor", "ResourceVariable"],
        "eager": True,
        "pickled": [1, 2],
        "version 2": True,
        "shown": True,
        "arguments": ["-v", "two"],
        "main": "__main__",
    }


def test_keras_is_found_below_tensorflow(tmp_path):
    program = """
import tensorflow.keras.backend as K
from tensorflow import keras
from tensorflow.keras.layers import Dense
from tensorflow.compat.v2.keras import Model
import keras as plain
import tensorflow as tf
layer = Dense(2)
layer(tf.ones([1, 3]))
found = {"same": Dense is tf.keras.layers.Dense is plain.layers.Dense is keras.layers.Dense,
         "epsilon": K.epsilon(), "weights": len(layer.weights), "model": Model is plain.Model,
         "tensor": type(layer(tf.ones([1, 3]))).__name__}
"""
    expected = {"same": True, "epsilon": 1e-7, "weights": 2, "model": True, "tensor": "EagerTensor"}
    assert answers(program, tmp_path) == expected


def test_the_package_of_keras_2_shows_keras_3(tmp_path):
    program = """
import tf_keras
from tf_keras.layers import Dense
from tf_keras import *
import tf_keras.api._v1.keras as v1
import tensorflow as tf
found = {"same": Dense is tf.keras.layers.Dense is v1.layers.Dense is tf_keras.layers.Dense,
         "names": layers is tf_keras.layers, "version": tf_keras.__version__[:2]}
"""
    assert answers(program, tmp_path) == {"same": True, "names": True, "version": "3."}


def test_functions_of_such_programs_are_replayed(tmp_path):
    program = """
import tensorflow as tf
from tensorflow import nn
v = tf.Variable(1.0)
@tf.function
def f(x):
    return nn.relu(x * v) + tf.math.sin(x)
for x in 1.0, 2.0, 3.0, 4.0:
    f(tf.constant(x))
found = {"replays": f.report().replays}
"""
    assert answers(program, tmp_path)["replays"] >= 2


def test_libraries_find_raw_ops_and_sparse_products_inside_of_tensorflow(tmp_path):
    program = """
import tensorflow as tf
from tensorflow.python.ops import gen_sparse_ops
from tensorflow.python.ops.linalg.sparse import sparse
indices, values = gen_sparse_ops.sparse_reorder([[0, 1], [0, 0]], [1.0, 2.0], [2, 2])
a, b = tf.Variable([[1.0, 0.0], [0.0, 2.0]]), tf.Variable([[0.0, 1.0], [1.0, 0.0]])
with tf.GradientTape(persistent=True) as tape:
    both = sparse.matmul(sparse.CSRSparseMatrix(a), sparse.CSRSparseMatrix(b))
    one = sparse.matmul(sparse.CSRSparseMatrix(a), b)
    total = tf.reduce_sum(one)
found = {
    "reordered": [indices.numpy().tolist(), values.numpy().tolist()],
    "both": tf.sparse.to_dense(both.to_sparse_tensor()).numpy().tolist(),
    "one": one.numpy().tolist(),
    "gradient": tape.gradient(total, b).numpy().tolist(),
}
"""
    assert answers(program, tmp_path) == {
        "reordered": [[[0, 0], [0, 1]], [2.0, 1.0]],
        "both": [[0.0, 1.0], [2.0, 0.0]],
        "one": [[0.0, 1.0], [2.0, 0.0]],
        "gradient": [[1.0, 1.0], [2.0, 2.0]],
    }


MISSING = {
    "tf.compat.v1.nn.dropout": "AttributeError",  # its second argument means the opposite
    "tf.compat.v1.losses": "AttributeError",
    "tf.no_such_name": "AttributeError",
    "tf.nn.no_such_name": "AttributeError",
    "from tensorflow import estimator": "ImportError",
    "import tensorflow.estimator": "ModuleNotFoundError",
    "import tensorflow.python.no_such_module": "ModuleNotFoundError",
}


def test_a_missing_name_says_where_it_was_asked_for(tmp_path):
    program = "import tensorflow as tf\nfound = {}\n"
    for i, text in enumerate(MISSING):
        program += f"try:\n    {text}\n"
        program += f"except Exception as e:\n    found[{i}] = [type(e).__qualname__, str(e)]\n"
    found = answers(program, tmp_path)
    for i, (text, kind) in enumerate(MISSING.items()):
        name = text.replace("tf.", "tensorflow.").split()[-1]
        given, message = found[str(i)]
        assert given == kind
        assert name.split(".")[-1] in message
        assert f"program.py:{4 * i + 4}" in message
    assert "tf.keras.Model" in found["4"][1]


FAKE = {
    "tensorflow/__init__.py": "__version__ = 'another'\n",
    "tensorflow-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tensorflow\nVersion: 1.0\n",
    "sitecustomize.py": "import os\nos.environ['BY_THE_USER'] = 'yes'\n",
}


@pytest.fixture
def installed(tmp_path):
    """A folder where another TensorFlow is installed."""
    for name, text in FAKE.items():
        file = tmp_path / "installed" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "installed"


ASKING = """
import importlib.metadata, os, tensorflow
version = importlib.metadata.version("tensorflow")
print(tensorflow.__version__, version, os.environ.get("BY_THE_USER"))
"""


def test_an_installed_tensorflow_is_left_alone_outside_of_such_runs(installed):
    assert said(python("-c", ASKING, paths=[installed])) == ["another 1.0 yes"]
    assert said(run("-c", ASKING, paths=[installed])) == ["2.21.0 2.21.0 yes"]


def test_processes_below_see_the_same(installed, tmp_path):
    program = f"""
import multiprocessing, subprocess, sys
def version(_):
    import tensorflow as tf
    return tf.__version__
if __name__ == "__main__":
    print(subprocess.run([sys.executable, "-c", {ASKING!r}], capture_output=True, text=True).stdout)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(version, [1]))
"""
    script = tmp_path / "parent.py"
    script.write_text(program)
    lines = said(run(script, paths=[installed]))
    assert lines == ["2.21.0 2.21.0 yes", "", "['2.21.0']"]


def test_a_process_that_needs_no_tensorflow_does_not_load_cinta():
    code = "import sys, json; print('cinta_startup' in sys.modules, 'cinta' in sys.modules)"
    assert said(run("-c", code)) == ["True False"]


def test_modules_run_and_the_exit_status_is_theirs(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import tensorflow as tf\n"
        "def test_good():\n    assert tf.reduce_sum([1, 2]) == 3\n"
        "def test_bad():\n    assert tf.__version__ == '1'\n"
    )
    result = run("-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path)
    assert result.returncode == 1
    assert "1 failed, 1 passed" in result.stdout
    assert run("-c", "raise SystemExit(7)").returncode == 7
    assert "usage: cinta run" in said(run("--help"))[0]


def test_install_as_tensorflow_in_code(installed):
    code = (
        "import cinta\ncinta.install_as_tensorflow()\ncinta.install_as_tensorflow()\n"
        "import tensorflow as tf\nprint(tf.__version__, tf.constant is cinta.constant)"
    )
    assert said(python("-c", code, paths=[installed])) == ["2.21.0 True"]
    late = python("-c", f"import tensorflow\n{code}", paths=[installed])
    assert "ImportError: TensorFlow was imported before" in late.stderr


NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"cell{i}",
            "metadata": {},
            "outputs": [],
            "source": text,
        }
        for i, text in enumerate(
            ["import tensorflow as tf\nprint(tf.__version__)", "1 / 0", "tf.constant(3) * 2"]
        )
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.mark.parametrize("options", [[], ["--keep-going"]])
def test_notebooks_run_cell_by_cell(tmp_path, options):
    pytest.importorskip("nbclient")
    notebook, output = tmp_path / "in.ipynb", tmp_path / "out.ipynb"
    notebook.write_text(json.dumps(NOTEBOOK))
    result = run(notebook, "-o", output, *options)
    assert result.returncode == 1  # a cell has failed
    assert result.stdout.startswith("2.21.0\n")
    assert ("numpy=6" in result.stdout) == bool(options)
    kinds = [[each["output_type"] for each in c["outputs"]] for c in _cells(output)]
    assert kinds[:2] == [["stream"], ["error"]]
    assert kinds[2] == (["execute_result"] if options else [])


def _cells(path):
    return json.loads(path.read_text())["cells"]
