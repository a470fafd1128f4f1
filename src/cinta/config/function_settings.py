"""How tf.function is to run."""

from __future__ import annotations

import os

from ..engine import settings
from ..ops.arguments import flag
from ..public import public
from ..replay.engines import check_has_jax

_ENGINES = "numpy", "xla", "auto"


@public("config.experimental_run_functions_eagerly", "config.run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Let tf.function run the Python of functions at every call, to debug it.

    >>> import cinta as tf
    >>> tf.config.run_functions_eagerly(True)
    >>> tf.config.functions_run_eagerly()
    True
    >>> tf.config.run_functions_eagerly(False)

    Args:
        run_eagerly: Whether the Python runs at every call.
    """
    settings.run_functions_eagerly = flag(run_eagerly, "run_eagerly")


@public("config.experimental_functions_run_eagerly", "config.functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """The value last given to ``run_functions_eagerly``; False in the beginning.

    >>> import cinta as tf
    >>> tf.config.functions_run_eagerly()
    False
    """
    return settings.run_functions_eagerly


@public("config.set_engine")
def set_engine(name: str) -> None:
    """Choose what runs the recordings of tf.functions; those that have run before stay as they are.

    "numpy" needs nothing else. "xla" compiles them with JAX, "auto" does so if JAX is installed.
    The environment variable ``CINTA_ENGINE`` chooses from the start; a function's own
    ``jit_compile`` counts for more.

    >>> import cinta as tf
    >>> tf.config.set_engine("numpy")
    >>> tf.config.get_engine()
    'numpy'

    Args:
        name: "numpy", "xla" or "auto".

    Raises:
        ValueError: If there is no such engine.
        ImportError: If it is "xla" and JAX is not installed.
    """
    if not isinstance(name, str) or name not in _ENGINES:
        raise ValueError(f"`name` is {name!r}; the engines are {', '.join(_ENGINES)}.")
    if name == "xla":
        check_has_jax()
    settings.engine = name


@public("config.set_verbosity")
def set_verbosity(level: int) -> None:
    """Choose what tf.functions say: 0 nothing; 1 what runs as Python, and why; 2 all that they do.

    The environment variable ``CINTA_VERBOSITY`` chooses from the start.

    >>> import cinta as tf
    >>> tf.config.set_verbosity(1)

    Args:
        level: 0, 1 or 2.

    Raises:
        ValueError: If it is another number.
    """
    if type(level) is not int or not 0 <= level <= 2:
        raise ValueError(f"`level` is {level!r}; it must be 0, 1 or 2.")
    settings.verbosity = level


@public("config.get_verbosity")
def get_verbosity() -> int:
    """The level chosen by ``set_verbosity`` or ``CINTA_VERBOSITY``; 1 in the beginning.

    >>> import cinta as tf
    >>> tf.config.get_verbosity()
    1
    """
    return settings.verbosity


@public("config.get_engine")
def get_engine() -> str:
    """The engine chosen by ``set_engine`` or ``CINTA_ENGINE``; "numpy" in the beginning.

    >>> import cinta as tf
    >>> tf.config.get_engine() in ("numpy", "xla", "auto")
    True
    """
    return settings.engine


def _from_environment() -> None:
    choice = os.environ.get("CINTA_ENGINE", "").strip().lower()
    if choice and choice not in _ENGINES:
        raise ValueError(
            f"The environment variable CINTA_ENGINE is {choice!r}; set it to "
            f"{', '.join(_ENGINES)}, or remove it."
        )
    if choice:
        set_engine(choice)
    level = os.environ.get("CINTA_VERBOSITY", "").strip()
    if level and level not in ("0", "1", "2"):
        raise ValueError(
            f"The environment variable CINTA_VERBOSITY is {level!r}; set it to 0, 1 or 2, or "
            "remove it."
        )
    if level:
        set_verbosity(int(level))


_from_environment()
