"""Initializers by their names and as dictionaries, as Keras writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ...public import public
from . import keras_initializers as scaled
from . import v2_initializers as simple

Initializing: TypeAlias = Callable[..., Any]

_CLASSES: dict[str, Any] = {
    "Constant": scaled.Constant,
    "GlorotNormal": scaled.GlorotNormal,
    "GlorotUniform": scaled.GlorotUniform,
    "HeNormal": scaled.HeNormal,
    "HeUniform": scaled.HeUniform,
    "Identity": scaled.IdentityInitializer,
    "LecunNormal": scaled.LecunNormal,
    "LecunUniform": scaled.LecunUniform,
    "Ones": simple.ones_initializer,
    "Orthogonal": scaled.Orthogonal,
    "RandomNormal": simple.random_normal_initializer,
    "RandomUniform": simple.random_uniform_initializer,
    "TruncatedNormal": scaled.TruncatedNormal,
    "VarianceScaling": scaled.VarianceScaling,
    "Zeros": simple.zeros_initializer,
}
_OTHER_NAMES = {
    "IdentityInitializer": "Identity",
    "OrthogonalInitializer": "Orthogonal",
    "normal": "RandomNormal",
    "one": "Ones",
    "uniform": "RandomUniform",
    "zero": "Zeros",
}
_MODULE = "keras.initializers"


@public("initializers.get")
def get(identifier: str | Mapping[str, object] | Initializing | None) -> Initializing | None:
    """The initializer of a name, a dictionary or a class; an object is taken as it is.

    >>> import cinta as tf
    >>> tf.initializers.get("glorot_uniform").get_config()
    {'seed': None}
    >>> tf.initializers.get({"class_name": "Constant", "config": {"value": 3.0}})([2]).numpy()
    array([3., 3.], dtype=float32)

    Args:
        identifier: Any of these; None stays None.

    Raises:
        ValueError: If there is no such initializer.
    """
    if identifier is None:
        return None
    if isinstance(identifier, Mapping):
        return deserialize(identifier)
    found = _classes().get(identifier) if isinstance(identifier, str) else identifier
    if not callable(found):
        raise ValueError(f"Could not interpret initializer identifier: {identifier}")
    made: Initializing = found() if isinstance(found, type) else found
    return made


@public("initializers.serialize")
def serialize(initializer: simple.Initializer) -> dict[str, object]:
    """A dictionary of plain values that ``deserialize`` takes.

    >>> import cinta as tf
    >>> tf.initializers.serialize(tf.initializers.Constant(2.0))["config"]
    {'value': 2.0}

    Args:
        initializer: The initializer.
    """
    kind = type(initializer)
    names = [name for name, each in _CLASSES.items() if each is kind]
    return {
        "module": _MODULE if names else kind.__module__,
        "class_name": names[0] if names else kind.__name__,
        "config": initializer.get_config(),
        "registered_name": None if names else kind.__name__,
    }


@public("initializers.deserialize")
def deserialize(
    config: Mapping[str, object], custom_objects: Mapping[str, type] | None = None
) -> Initializing:
    """The initializer that a dictionary describes.

    >>> import cinta as tf
    >>> config = tf.initializers.serialize(tf.initializers.HeNormal(seed=3))
    >>> tf.initializers.deserialize(config).get_config()
    {'seed': 3}

    Args:
        config: The dictionary.
        custom_objects: Classes of the program, by their names.

    Raises:
        ValueError: If the class is not known.
        TypeError: If its configuration is not a dictionary.
    """
    name = config.get("class_name")
    kind = {**_classes(), **(custom_objects or {})}.get(str(name))
    if kind is None:
        raise ValueError(
            f"Could not interpret initializer identifier: {dict(config)}. A class of the program's "
            "is given by custom_objects={name: class}."
        )
    given = config.get("config", {})
    if not isinstance(given, Mapping):
        raise TypeError(f"The config of an initializer is a dictionary, got {given!r}.")
    made: Initializing = (
        kind.from_config({**given}) if hasattr(kind, "from_config") else kind(**given)
    )
    return made


def _classes() -> dict[str, Any]:
    """All classes by all of their names."""
    others = {name: _CLASSES[first] for name, first in _OTHER_NAMES.items()}
    return _CLASSES | {_in_small_letters(n): each for n, each in _CLASSES.items()} | others


def _in_small_letters(name: str) -> str:
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
