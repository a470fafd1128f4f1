"""Puts cinta in TensorFlow's place as soon as a process asks for TensorFlow or for Keras.

Processes whose environment has ``CINTA_AS_TENSORFLOW=1`` import this at their start. It imports
nothing heavy, so that those which need neither of the two pay nothing.
"""

import sys
from importlib.util import find_spec

WAITED_FOR = ("tensorflow", "keras")


class Waiting:
    """Stands before all finders until one of these packages is asked for; then cinta takes over."""

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in WAITED_FOR:
            return None
        self.give_way()
        return find_spec(name)

    def find_distributions(self, context=None):
        if context is not None and context.name == WAITED_FOR[0]:
            self.give_way()
            return sys.meta_path[0].find_distributions(context)
        return []

    def give_way(self):
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        import cinta

        cinta.install_as_tensorflow()


sys.meta_path.insert(0, Waiting())
