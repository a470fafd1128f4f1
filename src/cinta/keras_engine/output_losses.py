"""The losses of single outputs: in ``fit`` and ``evaluate`` all batches count alike.

Keras weights them by the first size of the outputs, where that is known. In TensorFlow's graphs of
these methods it is not: a last batch that is smaller counts as much as the others. Here all sizes
are known, so steps say that they run in such a function.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from .tensorflow import NamesModule

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

_SCOPE = "cinta_batches_of_any_size"
"""The name in Keras's global state of the scope of a step for batches of all sizes."""


def steps(trainer: Any) -> None:
    """Steps of functions are for batches of all sizes; steps that run eagerly see theirs."""
    kind = trainer.TensorFlowTrainer
    make = kind._make_function

    def make_function(self: Any, step: Callable[[Any], Any]) -> Callable[..., Any]:
        made: Callable[..., Any] = make(self, step if self.run_eagerly else _for_all_sizes(step))
        return made

    kind._make_function = make_function


def _for_all_sizes(step: Callable[[Any], Any]) -> Callable[[Any], Any]:
    from keras.src.backend.common.global_state import get_global_attribute, set_global_attribute

    @wraps(step)
    def run(data: object) -> Any:
        before = get_global_attribute(_SCOPE)
        set_global_attribute(_SCOPE, True)
        try:
            return step(data)
        finally:
            set_global_attribute(_SCOPE, before)

    return run


def means(compiling: Any) -> None:
    """The means of losses, which take no weight where the size of a batch is not to be known."""
    metrics: ModuleType = compiling.metrics_module

    class Mean(metrics.Mean):  # type: ignore[misc, name-defined]
        def update_state(self, values: object, sample_weight: object = None) -> object:
            from keras.src.backend.common.global_state import get_global_attribute

            weight = None if get_global_attribute(_SCOPE) else sample_weight
            return super().update_state(values, weight)

    compiling.metrics_module = NamesModule(metrics.__name__, metrics, Mean=Mean)
