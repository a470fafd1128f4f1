"""Ops that say what their results look like for inputs of which only dtypes and shapes are known.

A function is saved by running it for made up values. Some ops refuse these, such as the one that
reads numbers from strings; and for others they decide how long the results are, so that these
lengths would be taken for those of any call. Such an op has an example of its results, which stands
in for them while the values of its inputs are made up.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from .operation import Op
from .record_calls import record_call
from .recorders import observers, wider
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .shapes import Shape
    from .tensor import Array

    Example = Callable[..., Array | tuple[Array, ...]]

_FIRST = 3
"""The first of the lengths that are made up where none are given."""


class MadeUpLengths:
    """The lengths, one after the other, that values would decide.

    Without ``examples``, ops have the results that go with their inputs, and sizes alone are steps.

    >>> lengths = MadeUpLengths([7])
    >>> lengths(), lengths(), lengths.asked
    (7, 4, 2)
    """

    def __init__(self, given: Sequence[int] = (), *, examples: bool = True) -> None:
        self._given, self.examples = given, examples
        self.asked = self.latest = 0

    def __call__(self) -> int:
        at, self.asked = self.asked, self.asked + 1
        self.latest = self._given[at] if at < len(self._given) else _FIRST + at
        return self.latest


def filler(shape: Shape, dtype: np.dtype[Any]) -> Array:
    """An array of zeros, or of empty strings."""
    return np.full(shape, b"" if dtype.hasobject else 0, dtype)


def made_up_lengths(tensors: Sequence[Tensor]) -> MadeUpLengths | None:
    """The lengths for an example of what comes of these tensors, if their values are made up."""
    lengths = _made_up_for(tensors)
    return lengths if lengths is not None and lengths.examples else None


def are_sizes_steps(tensor: Tensor) -> bool:
    """Whether the sizes of this tensor are steps of a recording for any sizes."""
    return _made_up_for([tensor]) is not None


def _made_up_for(tensors: Sequence[Tensor]) -> MadeUpLengths | None:
    observer = next(iter(observers()), None)
    if observer is None or observer.made_up is None or not any(map(observer.follows, tensors)):
        return None
    return observer.made_up


class OpWithExample(Op):
    """An op with an example of its results for inputs whose values are made up.

    ``example`` takes a ``MadeUpLengths``, then what the kernel takes.
    """

    def __init__(
        self, name: str, kernel: Callable[..., Any], example: Example, **known: Any
    ) -> None:
        super().__init__(name, kernel, **known)
        self._example = example

    def __call__(self, *inputs: Any, **attrs: Any) -> Tensor:
        tracked = [x for x in inputs if type(x) is Tensor and x._recorder is not None]
        lengths = made_up_lengths(tracked) if tracked else None
        if lengths is None:
            return super().__call__(*inputs, **attrs)
        arrays = [x._array if type(x) is Tensor else x for x in inputs]
        out: Any = self._example(lengths, *arrays, **attrs)
        result: Any = tuple(map(wrap, out)) if type(out) is tuple else wrap(out)
        trackers: Any = [x._recorder for x in tracked]
        tracker = functools.reduce(wider, trackers)
        record_call(self, tracker, inputs, arrays, attrs, out, result)
        return result  # type: ignore[no-any-return]
