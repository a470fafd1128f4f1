"""Puts cinta in TensorFlow's place as soon as a process asks for TensorFlow or for Keras.

Processes whose environment has ``CINTA_AS_TENSORFLOW=1`` import this at their start. It imports
nothing heavy, so that those which need neither of the two pay nothing.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

TYPE_CHECKING = False  # `typing` takes a while to load
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.machinery import ModuleSpec
    from importlib.metadata import Distribution, DistributionFinder
    from types import ModuleType

WAITED_FOR = ("tensorflow", "keras", "tf_keras")


class Waiting:
    """Stands before all finders until one of these packages is asked for; then cinta takes over."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] not in WAITED_FOR:
            return None
        self.give_way()
        return find_spec(name)

    def find_distributions(
        self, context: DistributionFinder.Context | None = None
    ) -> Iterable[Distribution]:
        if context is None or context.name != WAITED_FOR[0]:
            return []
        return self.give_way().find_distributions(context)

    def give_way(self) -> DistributionFinder:
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        from cinta.as_tensorflow.installing import install

        return install()


sys.meta_path.insert(0, Waiting())
