"""The base that the parts of the class `Dataset` share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.composites import Unrecorded
from ..public import public
from .stage import Stage, is_known

if TYPE_CHECKING:
    from collections.abc import Callable

    from .dataset import Dataset

AUTOTUNE = public("data.AUTOTUNE", "data.experimental.AUTOTUNE")(-1)
"""Where a number of threads or a size of a buffer is asked for: leave it to the library."""


class Face(Unrecorded):
    """A dataset is known by its last stage."""

    _stage: Stage

    @staticmethod
    def _of(stage: Stage) -> Dataset:
        """The dataset of a stage."""
        from .dataset import Dataset

        if stage.compared and all(map(is_known, stage.compared)):
            stage.spec()
        return Dataset(stage)

    def _moved(self, change: Callable[[Stage], Stage]) -> Dataset:
        """The dataset with its elements moved about, as `change` does it to a stage."""
        return self._of(self._stage.moved(change))


def stage_of(dataset: object, argument: str) -> Stage:
    """The stage of what must be a dataset."""
    if not isinstance(dataset, Face):
        raise TypeError(f"`{argument}` must be a `tf.data.Dataset`, got {dataset!r}.")
    return dataset._stage


def dataset_of(made: object, function: str) -> Face:
    """The result of a function, which must be a dataset."""
    if not isinstance(made, Face):
        raise TypeError(f"`{function}` must return a `tf.data.Dataset` object. Got {type(made)}.")
    return made
