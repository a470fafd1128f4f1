"""Functions that XLA compiles, by TensorFlow's older names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ..ops.arguments import checked_callable
from ..public import public
from .function import function

if TYPE_CHECKING:
    from collections.abc import Callable


@public("xla.experimental.compile")
def compile(computation: Callable[..., Any], inputs: Sequence[Any] | None = None) -> list[Any]:
    """Compile a function by XLA, and call it; its results in a list.

    ``tf.function(jit_compile=True)`` makes a function that can be called again.

    >>> import cinta as tf
    >>> if tf.test.is_built_with_xla():
    ...     (y,) = tf.xla.experimental.compile(tf.square, [tf.constant(3.0)])

    Args:
        computation: The function.
        inputs: A list of its arguments; None for none.

    Raises:
        TypeError: If there is no such function, or the arguments are not in a list.
        ImportError: If JAX is not installed.
    """
    given = () if inputs is None else inputs
    if not isinstance(given, Sequence):
        raise TypeError(f"`inputs` must be a list, got {inputs!r}.")
    computation = checked_callable(computation, "computation")
    found = function(computation, jit_compile=True)(*given)
    return list(found) if isinstance(found, (list, tuple)) else [found]


@public("xla.experimental.jit_scope")
def jit_scope(compile_ops: bool = True, separate_compiled_gradients: bool = False) -> NoReturn:
    """Refused: parts of functions are not compiled. Use ``tf.function(jit_compile=True)``."""
    raise RuntimeError(
        "xla.experimental.jit_scope is not supported when eager execution is enabled. Use "
        "tf.function(jit_compile=True)."
    )
