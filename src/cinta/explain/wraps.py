"""Tensors that no op made, such as ranges and elements of datasets: when they come to be."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..engine.tensor import Tensor, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def wraps_told(tell: Callable[[Any], None]) -> Iterator[None]:
    """Call ``tell`` in the block with each array that becomes a tensor by ``wrap``.

    Many modules have imported that function, so its code is exchanged, and not its name.
    """
    before = wrap.__code__, wrap.__defaults__
    wrap.__defaults__ = (tell,)  # first, as other threads may call it in between
    wrap.__code__ = _wrap.__code__
    try:
        yield
    finally:
        wrap.__code__, wrap.__defaults__ = before


def _wrap(array: Any, tell: Any = None) -> Tensor:
    tensor = Tensor()
    tensor._array = array
    tensor._recorder = None
    tell(array)
    return tensor
