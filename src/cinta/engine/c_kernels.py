"""Functions compiled from C, from the distribution cinta-kernels if that is installed.

An op says beside its declaration which of them computes it:

    accelerate(Sigmoid, "sigmoid")

Without cinta-kernels, or with `CINTA_KERNELS=0` in the environment, that changes nothing. They are
for float32, ufuncs also for float16 and bfloat16; arrays of other dtypes, and single numbers, are
left to NumPy. NumPy's own ufuncs of float16 and bfloat16 become faster, and give what they gave.
Eager calls and replays call the same functions, so both give the same numbers, bit by bit.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import when_loaded
from .parallel import in_blocks
from .warning import warn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

    from .annotations import ArrayFunction
    from .operation import Op
    from .tensor import Array

FLOAT32, FLOAT16 = np.dtype(np.float32), np.dtype(np.float16)


def _installed() -> ModuleType | None:
    """The module of compiled functions; None if it is not there, or not wanted."""
    if os.environ.get("CINTA_KERNELS") == "0":
        return None
    try:
        return import_module("cinta_kernels")
    except ModuleNotFoundError:
        return None
    except ImportError as error:
        warn(
            f"The cinta-kernels that are installed cannot be loaded: {error}. NumPy computes in "
            "their place. Install them again: pip install --force-reinstall ./kernels"
        )
        return None


_module = _installed()
_halves: set[np.dtype[Any]] = set()
"""The dtypes of half precision that compiled functions of one number take."""


def _quicken(dtype: np.dtype[Any]) -> None:
    """Let compiled functions take a dtype of half precision, and NumPy compute with it faster."""
    quicken = compiled("quicken")
    if quicken is not None:
        quicken(dtype)
        _halves.add(dtype)


def _line_up() -> None:
    """Let NumPy's arrays begin where a line of the processor's caches does, for faster loops."""
    line_up = getattr(_module, "line_up", None)
    if line_up is not None:
        line_up()


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
    """Whether these are arrays that compiled functions of rows and windows take."""
    return _are_of(FLOAT32, arrays)


def _are_of(dtype: np.dtype[Any], arrays: Sequence[Array]) -> bool:
    for array in arrays:  # a loop takes less time than all() of a few
        if type(array) is not np.ndarray:
            return False
        if array.dtype is not dtype:
            return False
    return True


def _are_taken(arrays: Sequence[Array]) -> bool:
    """Whether compiled functions of one number take these arrays, which are of one dtype."""
    dtype = arrays[0].dtype
    return (dtype is FLOAT32 or dtype in _halves) and _are_of(dtype, arrays)


_quicken(FLOAT16)
when_loaded("bfloat16", _quicken)
_line_up()


_ufuncs: dict[Callable[..., object] | None, Callable[..., Array]] = {}


def accelerate(op: Op, name: str) -> None:
    """Let the compiled ufunc of this name compute an elementwise op of its dtypes."""
    function = compiled(name)
    if function is None:
        return
    plain, plain_into, in_place = op.run, op.into, op.in_place

    def run(*arrays: Array) -> Array:
        if not _are_taken(arrays):
            return plain(*arrays)  # type: ignore[no-any-return]
        done = in_blocks(function, *arrays)
        return function(*arrays) if done is None else done

    def into(*arrays: Array, out: Array) -> None:
        if _are_taken(arrays):
            function(*arrays, out=out)
        elif plain_into is not None:
            plain_into(*arrays, out=out)
        else:
            np.copyto(out, plain(*arrays))

    op.replace(run)
    op.writes(into, in_place=in_place)
    _ufuncs[into] = function


def ufunc_of(into: Callable[..., object] | None) -> Callable[..., Array] | None:
    """The ufunc that does to arrays of float32 what the writer of an op does, if there is one."""
    return into if isinstance(into, np.ufunc) else _ufuncs.get(into)
