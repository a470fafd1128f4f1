"""The hook by which ``import tensorflow`` gives cinta, and by which its version is told."""

from __future__ import annotations

import os
import sys
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.metadata import Distribution, DistributionFinder
from pathlib import Path
from typing import TYPE_CHECKING

from .modules import FOLLOWED, ROOT, complaint, fill, inside, sources, stands_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import ModuleType

_ORIGIN = str(Path(__file__).parents[1] / "__init__.py")
"""The file that the modules name as theirs, by which they are known as cinta's."""

_IMPORTING = "_find_and_load_unlocked"
"""The function of ``importlib`` that asks for a module because a program imports it."""


class TensorFlowFinder(DistributionFinder):
    """Answers the import system's questions about ``tensorflow``, and about nothing else."""

    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not stands_for(fullname):
            return None
        if sources(inside(fullname)) is None:
            if sys._getframe(2).f_code.co_name == _IMPORTING:
                raise ModuleNotFoundError(complaint(fullname), name=fullname)
            return None
        spec = ModuleSpec(fullname, _Loader(), origin=_ORIGIN, is_package=True)
        spec.has_location = True
        return spec

    def find_distributions(
        self, context: DistributionFinder.Context | None = None
    ) -> Iterable[Distribution]:
        wanted = None if context is None else context.name
        return [_Metadata()] if wanted is None or wanted.lower() == ROOT else []


class _Loader(Loader):
    """Fills the modules that programs see."""

    def exec_module(self, module: ModuleType) -> None:
        fill(module)


_TEXTS = {
    "METADATA": f"Metadata-Version: 2.1\nName: {ROOT}\nVersion: {FOLLOWED}\n"
    "Summary: cinta, in TensorFlow's place\n",
    "top_level.txt": f"{ROOT}\n",
}


class _Metadata(Distribution):
    """The metadata of the TensorFlow whose behavior is followed, as a package index has them."""

    def read_text(self, filename: str) -> str | None:
        return _TEXTS.get(filename)

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return Path(_ORIGIN).parents[1] / path
