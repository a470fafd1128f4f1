"""Gradients that people wrote, as a saved model has them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..engine.convert import as_tensor
from ..errors import InvalidArgumentError
from ..replay.numpy.engine import Changed
from .plain_structures import built
from .run_program import play

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..engine.tensor import Tensor
    from ..replay.recording import Recording


class RecordedGradient(NamedTuple):
    """The recording of a gradient function, and the structure of its result."""

    recording: Recording
    returned: object


class SavedGradient(NamedTuple):
    """A gradient function as recordings of the ways that its Python went.

    They take the tensors that the function enclosed, and then the gradients of the results.
    ``enclosed`` is the number of the former.
    """

    ways: tuple[RecordedGradient, ...]
    enclosed: int

    def enclosing(self, tensors: Sequence[Tensor]) -> Callable[..., Any]:
        """The function with these tensors in place of those that it enclosed."""
        return partial(self._gradients, tensors)

    def _gradients(self, enclosed: Sequence[Tensor], *upstream: Tensor) -> Any:
        tensors = [*enclosed, *map(as_tensor, upstream)]
        for way in self.ways:
            try:
                return built(way.returned, play(way.recording, tensors))
            except Changed:
                continue
        raise InvalidArgumentError(
            "The Python of a custom gradient would look at values and go another way for these "
            "than in any call that was saved, and the Python is not here."
        )


class UnsavedGradient(NamedTuple):
    """Stands for a gradient function that was not saved."""

    def enclosing(self, tensors: Sequence[Tensor]) -> Callable[..., Any]:
        return self._refuse

    def _refuse(self, *upstream: Tensor) -> NoReturn:
        raise LookupError(
            "No gradient defined for operation 'IdentityN' (op type: IdentityN): the function has "
            "a custom gradient, and was saved without it. Save it with "
            "tf.saved_model.SaveOptions(experimental_custom_gradients=True)."
        )
