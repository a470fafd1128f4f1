"""The module of compiled functions, where it cannot be used."""

import os
import subprocess
import sys


def test_a_module_that_cannot_be_loaded_is_told_of(tmp_path):
    (tmp_path / "cinta_kernels.py").write_text("raise ImportError('undefined symbol: exp')")
    program = "import cinta as tf; print(float(tf.exp(0.0)))"
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    environment.pop("CINTA_KERNELS", None)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1.0\n"
    assert "cannot be loaded: undefined symbol: exp" in done.stderr
