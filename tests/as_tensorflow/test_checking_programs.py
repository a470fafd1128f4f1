"""`cinta check`: the names of TensorFlow that programs use and cinta lacks."""

import json
import os
import subprocess
import sys

PROGRAM = """
import numpy as np
import tensorflow as tf
import tensorflow.keras.layers as kl
from tensorflow import keras, no_such_name
from tensorflow.nn import relu as activation, no_such_relu
from tensorflow.python.framework import ops
from tensorflow.python.autograph.pyct import anno
from tf_keras import losses, no_such_loss

layers = tf.keras.layers
layers.Dense(1), kl.Dense(2), keras.Model, layers.NoSuchLayer
tf.float32.name, tf.constant(1).no_such, np.no_such, ops.Tensor
tf.Variable.no_such_method

def f(x):
    from tensorflow import math as m
    return m.sin(x) + m.no_such_sine(x) + tf.contrib.foo.bar(x) + tf.no_such_name(x)

layers = np
layers.not_of_tensorflow
"""

EXPECTED = {
    "tensorflow.no_such_name": [5, 18],
    "tensorflow.nn.no_such_relu": [6],
    "tensorflow.keras.layers.NoSuchLayer": [12],
    "tensorflow.Variable.no_such_method": [14],
    "tensorflow.math.no_such_sine": [18],
    "tensorflow.contrib": [18],
    "tensorflow.python.autograph.pyct.anno": [8],
    "tf_keras.no_such_loss": [9],
}


def check(*targets, folder):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*filter(None, sys.path)])}
    return subprocess.run(
        [sys.executable, "-m", "cinta", "check", *map(str, targets)],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
    )


def names(result):
    """The lines at which each name is used that is missing."""
    found, lines = {}, []
    for line in result.stdout.splitlines()[:-1]:
        if line.startswith("    "):
            lines.append(int(line.rpartition(":")[2]))
        else:
            lines = found[line.split()[0].rstrip(":")] = []
    return found


def test_names_are_followed_through_imports_and_aliases(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    result = check("program.py", folder=tmp_path)
    assert names(result) == EXPECTED
    assert result.returncode == 1
    assert "tensorflow.contrib: TensorFlow 2 has no contrib either" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("8 names are missing; ")


def test_folders_packages_and_notebooks_are_read(tmp_path):
    package = tmp_path / "some_package"
    (package / "inner").mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('it is not run')")
    (package / "inner" / "module.py").write_text("import tensorflow as tf\ntf.no_such_name")
    (package / "broken.py").write_text("import tensorflow as\n")
    cells = [
        {"cell_type": "markdown", "source": ["# tf.not_code"]},
        {"cell_type": "code", "source": ["!pip install x\n", "import tensorflow as tf\n"]},
        {"cell_type": "code", "source": "if 1:\n    %time tf.not_read\n    tf.no_such_thing"},
    ]
    (package / "book.ipynb").write_text(json.dumps({"cells": cells}))
    for target in "some_package", package:
        result = check(target, folder=tmp_path)
        assert names(result).keys() >= {"tensorflow.no_such_name"}
        assert "broken.py:1: not read" in result.stdout
    assert names(check(package / "book.ipynb", folder=tmp_path)) == {
        "tensorflow.no_such_thing": [5]
    }


def test_environments_and_hidden_folders_are_left_out(tmp_path):
    for folder in "mine", ".hidden", "environment/lib":
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "module.py").write_text("import tensorflow as tf\ntf.no_such_name")
    (tmp_path / "environment" / "pyvenv.cfg").touch()
    result = check(".", folder=tmp_path)
    assert names(result) == {"tensorflow.no_such_name": [2]}
    assert (
        result.stdout.splitlines()[-1]
        == "1 name is missing; 2 names of TensorFlow are used in 1 file."
    )


def test_programs_that_lack_nothing_end_well(tmp_path):
    (tmp_path / "program.py").write_text("import tensorflow as tf\ntf.compat.v2.reduce_sum([1])")
    result = check("program.py", folder=tmp_path)
    assert (names(result), result.returncode) == ({}, 0)
    result = check("no_such_program.py", folder=tmp_path)
    assert result.returncode == 1
    assert "neither a file" in result.stderr
