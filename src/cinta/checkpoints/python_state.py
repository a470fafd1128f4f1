"""State of a program's own that checkpoints keep as bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..ops.arguments import instance
from ..public import public


@public("train.experimental.PythonState")
class PythonState(ABC):
    """An object that a checkpoint keeps as the bytes that it makes of itself.

    >>> import cinta as tf
    >>> import tempfile
    >>> class Position(tf.train.experimental.PythonState):
    ...     line = 0
    ...     def serialize(self):
    ...         return str(self.line).encode()
    ...     def deserialize(self, string_value):
    ...         self.line = int(string_value)
    >>> position = Position()
    >>> checkpoint = tf.train.Checkpoint(position=position)
    >>> position.line = 7
    >>> path = checkpoint.save(tempfile.mkdtemp() + "/c")
    >>> position.line = 8
    >>> _ = checkpoint.restore(path)
    >>> position.line
    7
    """

    @abstractmethod
    def serialize(self) -> bytes | str:
        """The bytes that say what is to be kept; a text stands for its bytes."""

    @abstractmethod
    def deserialize(self, string_value: bytes) -> None:
        """Take over what the bytes say.

        Args:
            string_value: What ``serialize`` has returned, as bytes.
        """

    def _checkpoint_state(self) -> bytes:
        state = self.serialize()
        return instance(state.encode() if isinstance(state, str) else state, bytes, "serialize()")

    def _restore_checkpoint_state(self, state: bytes) -> None:
        self.deserialize(instance(state, bytes, "state"))
