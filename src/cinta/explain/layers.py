"""Layers of Keras: which one a variable belongs to, and the line that made it."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from ..engine.variable import behind
from ..keras_engine.tracking import AutoTrackable
from ..user_frames import NOWHERE, is_library, user_frame
from .lines import line_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from ..user_frames import CodePlace
    from .lines import Line

_FIRST = "_saved_model_inputs_spec"
"""The attribute that Keras gives a layer first, when it is made."""
_VARIABLES = "_trainable_variables", "_non_trainable_variables"


class Layers:
    """The layers that were made while explanations were on, and where."""

    def __init__(self) -> None:
        self._made: dict[int, tuple[weakref.ref[Any], CodePlace]] = {}  # by identity

    def patches(self) -> Iterator[tuple[Any, str, Callable[[Any], Any]]]:
        """A method to patch: its owner, its name, and a function that makes its replacement."""
        yield AutoTrackable, "__setattr__", self._setting

    def _setting(self, plain: Any) -> Any:
        def setting(layer: AutoTrackable, name: str, value: object) -> None:
            if name == _FIRST:
                known = id(layer)
                there = weakref.ref(layer, lambda _: self._made.pop(known, None))
                self._made[known] = there, _maker(layer)
            plain(layer, name, value)

        return setting

    def line_of(self, variable: object) -> Line | None:
        """The line that made the layer of a variable, if that is known."""
        for layer, place in list(self._made.values()):
            own = (v for name in _VARIABLES for v in getattr(layer(), name, ()))
            if any(behind(v) is variable for v in own):
                return line_at(place)
        return None


def _maker(layer: object) -> CodePlace:
    """Where the program makes a layer: its innermost line that is not in the layer's own class."""
    frame = user_frame(3)
    while frame is not None and (is_library(frame.f_code.co_filename) or _is_method(frame, layer)):
        frame = frame.f_back
    return NOWHERE if frame is None else (frame.f_code, frame.f_lasti)


def _is_method(frame: FrameType, layer: object) -> bool:
    """Whether a frame runs a method of the layer."""
    return any(frame.f_locals.get(name) is layer for name in frame.f_code.co_varnames[:1])
