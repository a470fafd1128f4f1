"""Functions compiled from C, from the distribution cinta-kernels if that is installed.

An op says beside its declaration which of them computes it:

    accelerate(Sigmoid, "sigmoid")

Without cinta-kernels, or with `CINTA_KERNELS=0` in the environment, that changes nothing. They are
for float32; arrays of other dtypes, and single numbers, are left to NumPy. Eager calls
and replays call the same functions, so both give the same numbers, bit by bit.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from .parallel import in_blocks
from .warning import warn

if TYPE_CHECKING:
    from types import ModuleType

    from .annotations import ArrayFunction
    from .operation import Op
    from .tensor import Array

FLOAT32 = np.dtype(np.float32)


def _installed() -> ModuleType | None:
    """The module of compiled functions; None if it is not there, or not wanted."""
    if os.environ.get("CINTA_KERNELS") == "0":
        return None
    try:
        return import_module("cinta_kernels")
    except ModuleNotFoundError:
        return None


_module = _installed()


def processor() -> str | None:
    """The kind of processor that the compiled functions were chosen for; None without them."""
    return None if _module is None else str(_module.processor)


def compiled(name: str) -> ArrayFunction | None:
    """The compiled function of this name, if there is one and it is the fastest there is."""
    if _module is None or (name in _NUMPY_IS_FASTER and _module.processor == "avx512"):
        return None
    function: ArrayFunction | None = getattr(_module, name, None)
    if function is None:
        _tell_of_old_module()
    return function


@cache
def _tell_of_old_module() -> None:
    warn(
        "The cinta-kernels that are installed are older than this cinta, and lack functions: NumPy "
        "computes in their place. Install them again: pip install ./kernels"
    )


_NUMPY_IS_FASTER = {"exp", "log", "log1p", "tanh"}
"""Functions that NumPy has loops for that use AVX-512, but only slow ones for other processors."""


def fits(*arrays: Array) -> bool:
    """Whether these are arrays that compiled functions take."""
    for array in arrays:
        if type(array) is not np.ndarray or array.dtype is not FLOAT32:
            return False
    return True


def accelerate(op: Op, name: str) -> None:
    """Let the compiled ufunc of this name compute an elementwise op of float32 arrays."""
    function = compiled(name)
    if function is None:
        return
    plain, plain_into, in_place = op.run, op.into, op.in_place

    def run(*arrays: Array) -> Array:
        if not fits(*arrays):
            return plain(*arrays)  # type: ignore[no-any-return]
        done = in_blocks(function, *arrays)
        return function(*arrays) if done is None else done

    def into(*arrays: Array, out: Array) -> None:
        if fits(*arrays):
            function(*arrays, out=out)
        elif plain_into is not None:
            plain_into(*arrays, out=out)
        else:
            np.copyto(out, plain(*arrays))

    op.replace(run)
    op.writes(into, in_place=in_place)
