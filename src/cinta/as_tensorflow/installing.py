"""Put cinta in TensorFlow's place, in this process and in those that it starts."""

from __future__ import annotations

import os
import sys

from ..public import public
from .finder import TensorFlowFinder
from .identity import take_names
from .modules import ROOT

VARIABLE = "CINTA_AS_TENSORFLOW"
"""The environment variable that puts cinta in TensorFlow's place from the start of a process."""


@public("install_as_tensorflow")
def install_as_tensorflow() -> None:
    """Let ``import tensorflow`` give cinta from now on, in this process and those that it starts.

    Call it before anything imports TensorFlow. ``cinta run`` does it for a program as it is.

    >>> import cinta
    >>> cinta.install_as_tensorflow()  # doctest: +SKIP
    >>> import tensorflow as tf  # doctest: +SKIP
    >>> tf.__version__  # doctest: +SKIP
    '2.21.0'
    """
    install()


def install() -> TensorFlowFinder:
    """The same; the finder that answers from then on."""
    for each in sys.meta_path:
        if isinstance(each, TensorFlowFinder):
            return each
    if ROOT in sys.modules:
        raise ImportError(
            "TensorFlow was imported before, and stays what it is as long as the process lives. "
            "Call install_as_tensorflow() first, or start the program by `cinta run`.",
            name=ROOT,
        )
    finder = TensorFlowFinder()
    sys.meta_path.insert(0, finder)
    os.environ[VARIABLE] = "1"
    take_names()
    return finder
