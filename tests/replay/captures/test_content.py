"""Digests of objects: alike for what is alike, in any process, and different for what differs."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import cinta
from cinta.content import digest_of
from cinta.experimental import dtensor
from cinta.replay.fingerprints import fingerprint
from tests.replaying import recordings

MAKING = """
import enum
import numpy as np

class Kind(enum.Enum):
    ONE, TWO = 1, 2

class Way:
    def __init__(self, size):
        self.size, self.names = size, {"a", "b", "c"}

def scaled(by):
    return lambda x: x * by if x in {"k", "l"} else x

MADE = {
    "slices": [slice(0, 1), slice(1, 2), slice(0, 1, 2)],
    "functions": [np.add, np.subtract, len, max, scaled(1), scaled(2), int, Kind],
    "objects": [Way(1), Way(2), Kind.ONE, Kind.TWO, {"x", "y"}, {"x", "z"}, ..., None],
    "arrays": [np.zeros(2), np.ones(2), np.zeros(2, "f4"), np.zeros((1, 2)), 0.0, -0.0, 0],
}
"""
made = {"__name__": __name__}
exec(MAKING, made)
MADE = made["MADE"]


@pytest.mark.parametrize("made", MADE.values(), ids=MADE)
def test_what_differs_has_another_digest(made):
    assert len({*map(digest_of, made)}) == len(made)
    assert [*map(digest_of, made)] == [*map(digest_of, made)]


def test_digests_are_the_same_in_all_processes():
    program = f"{MAKING}\nfrom cinta.content import digest_of\n"
    program += "print(*[digest_of(each).hex() for made in MADE.values() for each in made])"
    root = str(Path(cinta.__file__).parents[1])
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONPATH": root, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_recordings_that_differ_in_attributes_have_other_fingerprints():
    def recorded(function):
        made = cinta.function(function)
        made(cinta.constant([1.0, 2.0, 3.0]))
        (recording,) = recordings(made)
        return fingerprint(recording)

    found = [
        recorded(lambda x: x[0:2]),
        recorded(lambda x: x[1:3]),
        recorded(lambda x: cinta.math.cumsum(x, reverse=True)),
        recorded(lambda x: cinta.math.cumsum(x)),
    ]
    assert len({*found}) == len(found)
    assert recorded(lambda x: x[0:2]) == found[0]


def test_a_mesh_is_the_same_to_all_its_processes():
    def layout(here, names):
        mesh = dtensor.Mesh(["x"], np.arange(4), [here], [f"CPU:{here}"], mesh_name="m")
        return dtensor.Layout(names, mesh)

    assert digest_of(layout(0, ["x"])) == digest_of(layout(1, ["x"]))
    assert digest_of(layout(0, ["x"])) != digest_of(layout(0, ["unsharded"]))
