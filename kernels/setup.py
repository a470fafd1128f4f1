"""The loops are compiled once for each kind of processor; the module chooses one at its start."""

import platform
import sys
import sysconfig
from pathlib import Path

import numpy as np
from setuptools import Extension, setup
from setuptools.command.build_clib import build_clib
from setuptools.command.build_ext import build_ext

INCLUDE = [np.get_include(), sysconfig.get_path("include"), "src/cinta_kernels"]
# NaN, infinities and signed zeros are kept; products are rounded where the source rounds them.
if sys.platform == "win32":
    OPTIMIZED = ["/O2", "/clang:-fno-math-errno", "/clang:-ffp-contract=off"]
else:
    OPTIMIZED = ["-O3", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"]
HEADERS = sorted(map(str, Path("src/cinta_kernels").glob("*.[hd]*")))  # and the list of loops
X86 = platform.machine().lower() in {"x86_64", "amd64"}
KINDS = {"base": []}
if X86:
    wide = [
        "-mavx512f",
        "-mavx512vl",
        "-mavx512dq",
        "-mavx512bw",
        "-mf16c",
        "-mprefer-vector-width=512",
    ]
    KINDS |= {"avx2": ["-mavx2", "-mfma", "-mf16c"], "avx512": ["-mfma", *wide]}


def library(kind: str, flags: list[str]) -> tuple[str, dict[str, list[str]]]:
    """The loops for one kind of processor."""
    source = f"src/cinta_kernels/kernels_{kind}.c"
    build = {"sources": [source], "include_dirs": INCLUDE, "cflags": [*OPTIMIZED, *flags]}
    return f"cinta_kernels_{kind}", build | {"obj_deps": {"": HEADERS}}


class LibrariesByClang(build_clib):
    """On Windows, where Microsoft's compiler knows no vectors, Clang's twin of it builds all."""

    def build_libraries(self, libraries: list) -> None:
        by_clang(self.compiler)
        super().build_libraries(libraries)


class ExtensionsByClang(build_ext):
    """The same for the module."""

    def build_extensions(self) -> None:
        by_clang(self.compiler)
        super().build_extensions()


def by_clang(compiler: object) -> None:
    if sys.platform == "win32":
        compiler.initialize()
        compiler.cc = "clang-cl"


setup(
    cmdclass={"build_clib": LibrariesByClang, "build_ext": ExtensionsByClang},
    libraries=[library(kind, flags) for kind, flags in KINDS.items()],
    ext_modules=[
        Extension(
            "cinta_kernels._kernels",
            ["src/cinta_kernels/module.c"],
            include_dirs=INCLUDE,
            depends=HEADERS,
            define_macros=[("WITH_X86_KINDS", "1")] if X86 else [],
        )
    ],
)
