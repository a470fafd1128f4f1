"""TensorFlow's settings for its optimizer of graphs."""

from __future__ import annotations

from typing import Any

from ..engine import settings
from ..ops.arguments import flag, instance
from ..public import public
from .function_settings import set_engine

_CLUSTERING = "autoclustering"
_options: dict[str, Any] = {"disable_model_pruning": False, "disable_meta_optimizer": False}


@public("config.optimizer.set_jit")
def set_jit(enabled: bool | str) -> None:
    """Compile functions by XLA if JAX is installed: ``set_engine("auto")``, or ``"numpy"``.

    >>> import cinta as tf
    >>> tf.config.optimizer.set_jit(False)
    >>> tf.config.get_engine()
    'numpy'

    Args:
        enabled: True or "autoclustering" for "auto"; False or "" for "numpy".

    Raises:
        ValueError: If it is another text.
        TypeError: If it is something else.
    """
    wanted = enabled if isinstance(enabled, str) else flag(enabled, "enabled")
    if wanted not in (True, False, _CLUSTERING, ""):
        raise ValueError(f"`enabled` is True, False or {_CLUSTERING!r}, got {enabled!r}.")
    set_engine("auto" if wanted else "numpy")


@public("config.optimizer.get_jit")
def get_jit() -> str:
    """``autoclustering`` if functions are compiled by XLA where that can be, else an empty text.

    >>> import cinta as tf
    >>> tf.config.optimizer.get_jit()
    ''
    """
    return "" if settings.engine == "numpy" else _CLUSTERING


@public("config.optimizer.set_experimental_options")
def set_experimental_options(options: dict[str, Any]) -> None:
    """Keep options of TensorFlow's optimizer of graphs, which cinta does not have.

    >>> import cinta as tf
    >>> tf.config.optimizer.set_experimental_options({"constant_folding": True})
    >>> tf.config.optimizer.get_experimental_options()["constant_folding"]
    True
    """
    _options.update(instance(options, dict, "options"))


@public("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict[str, Any]:
    """The options that were given, which change nothing here.

    >>> import cinta as tf
    >>> tf.config.optimizer.get_experimental_options()["disable_model_pruning"]
    False
    """
    return dict(_options)


@public("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Ask to be told on which device each op runs, which is the processor.

    >>> import cinta as tf
    >>> tf.debugging.set_log_device_placement(True)
    >>> tf.debugging.get_log_device_placement()
    True
    >>> tf.debugging.set_log_device_placement(False)

    Args:
        enabled: Whether to be told.
    """
    settings.log_device_placement = flag(enabled, "enabled")


@public("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """The value last given to ``set_log_device_placement``.

    >>> import cinta as tf
    >>> tf.debugging.get_log_device_placement()
    False
    """
    return settings.log_device_placement
