"""Watch the result of every op, and every gradient of one, for infinities and nans."""

from __future__ import annotations

import linecache
import threading
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import dtypes
from ..engine.gradient_plan import Plan
from ..engine.indexed_slices import GradientRows
from ..engine.op import Op, registry
from ..engine.shapes import written
from ..engine.tensor import Tensor
from ..errors import InvalidArgumentError
from ..public import public
from .called_from import Calls, program_frames

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.tensor import Array

_PASSING_ON = ("Identity", "Maximum", "Minimum")
"""Ops beside those that move elements that bring forth no infinity or nan but their inputs'."""


class _Pulling(threading.local):
    """Whether a gradient is computed on this thread: its steps may be infinite, its result not."""

    on = False


_pulling = _Pulling()


class _Checked:
    """The kernel of an op, followed by a check of its results."""

    def __init__(self, op: Op, run: Callable[..., Any], limits: _Limits) -> None:
        self.op, self.run, self.limits = op, run, limits

    def __call__(self, *arrays: Any, **attrs: Any) -> Any:
        out = self.run(*arrays, **attrs)
        if not _pulling.on:
            parts = out if type(out) is tuple else (out,)
            for i, part in enumerate(parts):
                if _is_bad(part):
                    raise self._error(i, part, arrays) from None
            self.limits.calls.note(self.op.name, (*arrays, *parts))
        return out

    def _error(self, position: int, part: Array, arrays: Sequence[Any]) -> InvalidArgumentError:
        lines = [f"  input {i}: {_shown(array)}" for i, array in enumerate(arrays)]
        return _error(f'output {position} of op "{self.op.name}"', part, lines, self.limits)


class _Limits:
    """How much of the stack an error shows; and where ops were called, for their gradients."""

    def __init__(self, height: int, length: int) -> None:
        self.height, self.length = height, length
        self.calls = Calls()

    def guarded(self, op: Op, pull: Callable[..., Any]) -> Callable[..., Any]:
        """A pull with a look at the gradients that it gives."""

        def checked(g: object, saved: object, *wanted: object) -> Any:
            before, _pulling.on = _pulling.on, True
            try:
                found = pull(g, saved, *wanted)
            finally:
                _pulling.on = before
            for part in found if isinstance(found, (list, tuple)) else (found,):
                for array in _arrays(part):
                    if _is_bad(array):
                        lines = self._called_from(op.name, saved)
                        raise _error(f'the gradient of op "{op.name}"', array, lines, self)
            return found

        return checked

    def _called_from(self, op: str, saved: object) -> list[str]:
        """The lines that called an op forward, as far as what its rule has kept shows them."""
        found = self.calls.of(op, _saved_arrays(saved))
        return [f"  computed {self.shown(*line)}" for line in found]

    def shown(self, path: str, number: int, function: str) -> str:
        """A line of the program as errors show it."""
        code = linecache.getline(path, number).strip()
        short = path if self.length is None else path[-self.length :]
        return f"at {short}:{number}, in {function}: {code}"


@public("debugging.enable_check_numerics")
def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """Raise an error as soon as an op, or the gradient of one, gives an infinity or a nan.

    The error names the op and the line that called it; the error about a gradient also names the
    line that computed forward ("computed at"). All ops become slower. Ops that only move elements
    are not checked, nor are complex numbers.

    >>> import cinta as tf
    >>> tf.debugging.enable_check_numerics()
    >>> try:
    ...     tf.math.log([1.0, 0.0])
    ... except tf.errors.InvalidArgumentError as error:
    ...     print(str(error).partition("  at")[0])
    Detected Infinity or NaN in output 0 of op "Log" (-inf: 1)
      shape: [2], dtype: float32
      input 0: [1. 0.]
    <BLANKLINE>
    >>> tf.debugging.disable_check_numerics()

    Args:
        stack_height_limit: How many lines of the program, the innermost first, the error shows.
        path_length_limit: How many characters of the path of a file it shows; None shows all.
    """
    disable_check_numerics()
    limits = _Limits(stack_height_limit, path_length_limit)
    Plan.guard = limits.guarded
    for op in registry.all():
        if (op.moves and op.linear) or op.name in _PASSING_ON:
            op.forget_plans()
        else:
            op.replace(_Checked(op, op.run, limits))


@public("debugging.disable_check_numerics")
def disable_check_numerics() -> None:
    """Undo ``enable_check_numerics``.

    >>> import cinta as tf
    >>> tf.debugging.enable_check_numerics()
    >>> tf.debugging.disable_check_numerics()
    >>> tf.math.log(0.0).numpy()
    np.float32(-inf)
    """
    Plan.guard = None
    for op in registry.all():
        op.replace(op.run.run if isinstance(op.run, _Checked) else op.run)


def _saved_arrays(saved: object) -> Iterator[Any]:
    """The arrays among what a record has saved."""
    for x in saved if type(saved) is tuple else (saved,):
        yield x._array if isinstance(x, Tensor) else x


def _arrays(gradient: object) -> Iterator[Any]:
    """The arrays in what a rule gives for an input."""
    if isinstance(gradient, GradientRows):
        for values, _ in gradient.pieces:
            yield from _arrays(values)
    elif isinstance(gradient, Tensor):
        yield gradient._array
    elif gradient is not None:
        yield gradient


def _is_bad(array: Array) -> bool:
    """Whether there is an infinity or a nan in an array of real numbers."""
    if not hasattr(array, "dtype") or array.dtype.kind not in "fV":
        return False
    return not np.isfinite(array).all()


def _error(where: str, array: Array, lines: list[str], limits: _Limits) -> InvalidArgumentError:
    counts = {
        "-inf": np.isneginf(array).sum(),
        "+inf": np.isposinf(array).sum(),
        "nan": np.isnan(array).sum(),
    }
    found = ", ".join(f"{kind}: {count}" for kind, count in counts.items() if count)
    return InvalidArgumentError(
        "\n".join(
            [
                f"Detected Infinity or NaN in {where} ({found})",
                f"  shape: {written(array.shape)}, dtype: {dtypes.of(array.dtype).name}",
                *lines,
                *_callers(limits),
            ]
        )
    )


def _shown(value: object) -> str:
    """A value in one line, abridged if it is long."""
    if not hasattr(value, "shape"):
        return repr(value)
    return np.array2string(np.asarray(value), threshold=8, edgeitems=2).replace("\n", "")


def _callers(limits: _Limits) -> list[str]:
    """The lines of the program that led here, the innermost first, without those of cinta."""
    return [
        f"  {limits.shown(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)}"
        for frame in islice(program_frames(), limits.height)
    ]
