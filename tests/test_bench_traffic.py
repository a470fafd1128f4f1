"""The bytes that replicas send in a step, as the documentation tells them."""

import subprocess
import sys
from pathlib import Path

import pytest

import cinta as tf
from bench import traffic

TREE = Path(__file__).parent.parent


def test_programs_sum_the_bytes_of_the_model_once():
    pytest.importorskip("jax")
    found = subprocess.run(
        [sys.executable, "-m", "bench.traffic"],
        cwd=TREE,
        env={"PYTHONPATH": str(Path(tf.__file__).parents[1]), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    counted = [line for line in found.stdout.splitlines() if "all-reduce" in line]
    assert counted == [
        f"{n} replicas: 1 all-reduce of 25348 bytes, model 25348" for n in traffic.COMPILED
    ]


def test_all_sums_of_a_text_are_found():
    text = """
  %all-reduce = (f32[3,4]{1,0}, f32[]) all-reduce(%a, %b), to_apply=%add
  %other.1 = s64[2]{0} all-reduce-start(%c), to_apply=%add
  %fusion = f32[9]{0} fusion(%all-reduce)
"""
    assert traffic.sums(text) == [4 * 13, 16]


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_the_guide_has_the_table(language):
    page = (TREE / f"docs/{language}/guides/devices.md").read_text("utf-8")
    assert "\n".join(traffic.rows()) in page
