"""Layer calls: in which layers of Keras, or modules, ops run; pictures show them as boxes."""

from __future__ import annotations

import sys
from _thread import get_ident
from typing import TYPE_CHECKING, Any

from ..user_frames import here
from .events import Layer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .ledger import Ledger


class LayerCalls:
    """Makes wrappers of ``__call__`` that tell the ledger which layers are at work."""

    def __init__(self, ledger: Ledger, names: Mapping[int, str] | None = None) -> None:
        self._at_work = ledger.layers
        self._names = names or {}  # of modules, by identity

    def patches(self) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
        """A method to patch: its owner, its name, and a function that makes its replacement."""
        keras = sys.modules.get("keras")
        if keras is not None:
            yield keras.Layer, "__call__", self.noting

    def noting(self, plain: Callable[..., Any]) -> Callable[..., object]:
        """The same method, during which its layer is at work."""
        at_work, names = self._at_work, self._names

        def calling(layer: Any, *args: object, **kwargs: object) -> object:
            thread = get_ident()
            outer = at_work.get(thread, ())
            name = names.get(id(layer), layer.name)
            at_work[thread] = *outer, Layer(id(layer), name, type(layer).__name__, here(2))
            try:
                return plain(layer, *args, **kwargs)
            finally:
                at_work[thread] = outer

        return calling
