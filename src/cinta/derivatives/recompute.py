"""recompute_grad: trade time for memory."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from .. import nest
from ..engine import recorders
from ..engine.convert import as_tensor
from ..engine.primitives import Identity
from ..public import public
from .custom import custom_gradient
from .tape import GradientTape
from .tape_arguments import UnconnectedGradients

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.tensor import Tensor
    from ..engine.variable import Variable

    P = ParamSpec("P")
    R = TypeVar("R")


@public("recompute_grad")
def recompute_grad(f: Callable[P, R]) -> Callable[P, R]:
    """The function, of which tapes keep only the arguments, and compute the rest again.

    Going forward nothing that it computes is kept. Going backward it is run again, so it takes
    twice the time, and a long chain of such functions needs the memory of one.

    >>> import cinta as tf
    >>> layer = tf.recompute_grad(lambda x: tf.sin(tf.exp(x)))
    >>> x = tf.Variable(0.0)
    >>> with tf.GradientTape() as tape:
    ...     y = layer(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(0.5403023)

    Args:
        f: The function, of tensors.
    """

    @functools.wraps(f)
    def recomputed(*args: P.args, **kwargs: P.kwargs) -> tuple[R, Callable[..., Any]]:
        with recorders.paused(observers=False):
            results = f(*args, **kwargs)

        def gradient(*upstream: Tensor, variables: Sequence[Variable] = ()) -> object:
            inputs = [Identity(as_tensor(x)) for x in nest.flatten(args)]
            with GradientTape() as tape:
                tape.watch([x for x in inputs if x.dtype.is_floating or x.dtype.is_complex])
                again: Any = f(*nest.pack_sequence_as(args, inputs), **kwargs)
            sources: list[Any] = [*inputs, *variables]
            found = tape.gradient(again, sources, list(upstream), UnconnectedGradients.ZERO)
            arguments = found[: len(inputs)]
            return (arguments, found[len(inputs) :]) if variables else arguments

        return results, gradient

    made = custom_gradient(recomputed)
    made.__wrapped__ = f  # type: ignore[attr-defined]
    return made
