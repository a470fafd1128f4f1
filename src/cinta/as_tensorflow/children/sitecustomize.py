"""Python runs this at the start of processes below ``cinta run``, and then the one it hides."""

import os
import sys
from contextlib import suppress
from importlib.machinery import PathFinder

with suppress(ImportError):  # by another Python, in which cinta is not installed
    import cinta_startup  # noqa: F401  # which puts cinta in TensorFlow's place

_here = os.path.dirname(os.path.abspath(__file__))
_hidden = PathFinder.find_spec(
    __name__, [path for path in sys.path if os.path.abspath(path) != _here]
)
if _hidden is not None and _hidden.loader is not None:
    _hidden.loader.exec_module(sys.modules[__name__])
