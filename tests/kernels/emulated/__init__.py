"""The compiled loops for other processors, run here on cases of ours.

NEON runs in QEMU. The source for AVX-512 is compiled for AVX2, where each vector is two: all of it
is tried but the two instructions that are chosen by their names.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sysconfig
from pathlib import Path
from typing import NamedTuple

import cinta_kernels
import numpy as np

HERE = Path(__file__).parent
SOURCES = HERE.parents[2] / "kernels" / "src" / "cinta_kernels"
LINE = re.compile(r'X\((\w+), (\d), \d, (?:NULL|"(.*?)"),')
LOOPS = {
    name: (int(inputs), signature)
    for name, inputs, signature in LINE.findall((SOURCES / "loops.def").read_text())
}
"""By name how many inputs a loop has, and its signature."""


class Processor(NamedTuple):
    """How the loops of a kind are compiled and run."""

    kind: str
    compiler: tuple[str, ...]
    runner: tuple[str, ...] = ()

    @property
    def is_here(self) -> bool:
        return all(shutil.which(each[0]) for each in (self.compiler, self.runner) if each)


WIDE = ("-mavx2", "-mfma", "-Wno-psabi", "-include", str(HERE / "vectors_of_16.h"))
PROCESSORS = {
    "neon": Processor(
        "base", ("aarch64-linux-gnu-gcc",), ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
    ),
    "avx512": Processor("avx512", ("gcc", *WIDE)),
}
OPTIONS = ("-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off")


def built(processor: Processor, folder: Path) -> Path:
    """The program that runs the loops."""
    places = np.get_include(), sysconfig.get_path("include"), SOURCES
    sources = HERE / "driver.c", SOURCES / f"kernels_{processor.kind}.c"
    program = folder / "loops"
    command = [*processor.compiler, *OPTIONS, f"-DKIND={processor.kind}"]
    includes = [f"-I{place}" for place in places]
    subprocess.run([*command, *includes, *sources, "-o", program, "-lm"], check=True)
    return program


def results(processor: Processor, folder: Path, cases: list) -> list:
    """The results of the loops in the cases, which are names of loops with their inputs."""
    expected = [_called(name, inputs) for name, inputs in cases]
    pairs = zip(cases, expected, strict=True)
    written = b"".join([_written(name, inputs, made) for (name, inputs), made in pairs])
    command = [*processor.runner, built(processor, folder)]
    read = subprocess.run(command, input=written, capture_output=True, check=True).stdout
    found, at = [], 0
    for made in expected:
        parts = []
        for array in made:
            parts.append(np.frombuffer(read, array.dtype, array.size, at).reshape(array.shape))
            at += array.nbytes
        found.append(parts)
    assert at == len(read)
    return list(zip(cases, expected, found, strict=True))


def _called(name: str, inputs: list) -> list:
    made = getattr(cinta_kernels, name)(*inputs)
    return [np.asarray(each) for each in (made if isinstance(made, tuple) else (made,))]


def _written(name: str, inputs: list, made: list) -> bytes:
    """A case as the program reads it."""
    arrays = [np.asarray(each, order="C") for each in (*inputs, *made)]
    count, signature = LOOPS[name]
    counts, steps = _layout(arrays, signature)
    head = [[*LOOPS].index(name), len(arrays), len(counts), len(steps), *counts, *steps]
    parts = [struct.pack(f"<{len(head)}q", *head)]
    for i, array in enumerate(arrays):
        parts.append(struct.pack("<qq", array.nbytes, i >= count))
        parts.append(array.tobytes() if i < count else b"")
    return b"".join(parts)


def _layout(arrays: list, signature: str) -> tuple[list, list]:
    """The counts and steps that NumPy gives a loop: one outer axis, then those of the signature."""
    axes = [re.findall(r"\w+", text) for text in re.findall(r"\((.*?)\)", signature)]
    axes = axes or [[] for _ in arrays]
    inner = [array.shape[array.ndim - len(own) :] for array, own in zip(arrays, axes, strict=True)]
    outer = [array.ndim - len(own) for array, own in zip(arrays, axes, strict=True)]
    sizes = {
        name: n
        for own, shape in zip(axes, inner, strict=True)
        for name, n in zip(own, shape, strict=True)
    }
    rows = max(a.shape[0] if extra else 1 for a, extra in zip(arrays, outer, strict=True))
    steps = [a.strides[0] if extra else 0 for a, extra in zip(arrays, outer, strict=True)]
    for array, extra in zip(arrays, outer, strict=True):
        steps += array.strides[extra:]
    return [rows, *sizes.values()], steps
