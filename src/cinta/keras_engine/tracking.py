"""Base classes for Keras's layers, models, optimizers and variables.

In TensorFlow these classes tell checkpoints what there is to follow. Here they do the same, and
make Keras's layers and cinta's modules find the variables of each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ..engine.deferred_attributes import Expecting, expect
from ..engine.module import Module, Owner
from ..engine.variable import Variable

if TYPE_CHECKING:
    from collections.abc import Callable


class Trackable(Expecting):
    """An object whose children and variables TensorFlow's checkpoints follow, if it says them."""

    def _track_trackable(self, value: object, name: str, overwrite: bool = False) -> None:
        vars(self).setdefault("_said_children", {})[name] = value

    def _checkpoint_children(self) -> dict[str, Any]:
        children: dict[str, Any] = vars(self).get("_said_children", {})
        return children


class AutoTrackable(Trackable, Owner):
    """The same with attributes that are found by themselves: Keras says which ones."""

    _adopts = True  # whether cinta's variables that it gets are its own from then on

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if isinstance(value, (Variable, Module)) and self._adopts:
            _adopt(self, value)

    def _track_trackable(self, value: object, name: str, overwrite: bool = False) -> None:
        vars(self).setdefault("_tracked_names", set()).add(name)  # past Keras's own __setattr__

    def _checkpoint_children(self) -> dict[str, Any]:
        found = vars(self)
        names = found.get("_tracked_names", ())
        again = _LISTS_OF_LAYERS if "_layers" in found else ()
        return {
            name: value
            for name, value in found.items()
            if name in names or (_is_part(value) and name not in again)
        }


_LISTS_OF_LAYERS = {
    "_layers",
    "_losses",
    "_metrics",
    "_non_trainable_variables",
    "_seed_generators",
    "_trainable_variables",
}
"""Where a layer lists again what is in its attributes; the order differs before it is built."""


def _is_part(value: object) -> bool:
    """Whether it is cinta's own, a list of parts, or a table of them by name."""
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value)
    return isinstance(value, (Variable, Module, list, tuple))


class ListWrapper(list[Any]):
    """TensorFlow's list that is tracked, which is made nowhere."""


class _DictWrapper(dict[Any, Any]):
    """TensorFlow's dict that is tracked, which is made nowhere."""


DictWrapper = _DictWrapper


class TensorType:
    """The base class of Keras's variables."""

    _value: Variable | None = None  # of those that have none yet

    def _checkpoint_variable(self, later: Callable[..., Any] | None = None) -> Variable | None:
        if self._value is None and later is not None:
            expect(cast("Expecting", self), {"_value": lambda value: later(value) or value})
        return self._value


def _adopt(layer: object, owned: Variable | Module) -> None:
    """Let a layer train the variables of cinta that it was given.

    Keras counts its own kind of variable only, which can stand before one of cinta's.
    """
    from keras.src.backend import Variable as KerasVariable
    from keras.src.layers.layer import Layer

    if not isinstance(layer, Layer):
        return
    known = {id(v.value) for v in layer.variables}
    for variable in owned._every_variable() if isinstance(owned, Module) else [owned]:
        if isinstance(variable, Variable) and id(variable) not in known:
            name = variable.name.removesuffix(":0").rpartition("/")[2]
            layer._track_variable(KerasVariable(variable, trainable=variable.trainable, name=name))
