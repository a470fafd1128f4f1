"""Functions that XLA compiles, by TensorFlow's older names."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..ops.arguments import checked_callable
from ..public import public
from .function import function
from .gradients_in_functions import is_in_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


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
@contextmanager
def jit_scope(
    compile_ops: object = True, separate_compiled_gradients: bool = False
) -> Iterator[None]:
    """A block of a function that XLA may compile; ``tf.function(jit_compile=True)`` says it must.

    The block changes no result: the engine of the function computes it as the rest.

    >>> import cinta as tf
    >>> @tf.function
    ... def f(x):
    ...     with tf.xla.experimental.jit_scope():
    ...         return x * x
    >>> f(tf.constant(3.0)).numpy()
    np.float32(9.0)

    Args:
        compile_ops: Accepted, as is ``separate_compiled_gradients``.

    Raises:
        RuntimeError: Outside of functions.
    """
    if not is_in_function():
        raise RuntimeError(
            "xla.experimental.jit_scope is not supported when eager execution is enabled. Use "
            "tf.function(jit_compile=True)."
        )
    yield
