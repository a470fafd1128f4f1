"""The benchmark of replicas: both steps are the same training."""

import subprocess
import sys
from pathlib import Path

import pytest

import cinta

pytest.importorskip("jax")

COMPARED = """
import warnings
import cinta as tf
from bench.replicas import compared
warnings.simplefilter("ignore")
(cpu,) = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy()
print(len(compared(strategy, 8, rounds=2)))
print(*[program.is_fit for program in strategy._programs.values()])
"""


def test_both_steps_give_the_same_losses():
    folder = Path(cinta.__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", COMPARED],
        env={"PYTHONPATH": f"{folder / 'src'}:{folder}", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert found.stdout.split() == ["3", "True"], found.stderr
