"""The error of functions that need dense tensors and were given ragged ones."""

from __future__ import annotations


class NotDense(ValueError):
    """A ragged tensor was given where a dense one is needed.

    The text is made when it is read: functions that take ragged tensors find out by this error.
    """

    __module__, __qualname__ = "builtins", "ValueError"  # which is how tracebacks show it

    def __str__(self) -> str:
        (given,) = self.args
        return (
            f"Attempt to convert a value ({given!r}) with an unsupported type ({type(given)}) to "
            "a Tensor. Use x.to_tensor(), or a function that takes ragged tensors."
        )
