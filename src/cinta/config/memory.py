"""What becomes of the memory of arrays that are dropped."""

from __future__ import annotations

from .. import machine
from ..public import public


@public("config.set_memory_policy")
def set_memory_policy(policy: str) -> None:
    """Choose whether memory is kept for the next arrays ("keep", which is faster) or not ("leave").

    The environment variable ``CINTA_TUNE=off`` chooses "leave" from the start.

    >>> import cinta as tf
    >>> tf.config.set_memory_policy("leave")
    >>> tf.config.get_memory_policy()
    'left alone: leave_alone() was called'
    >>> tf.config.set_memory_policy("keep")
    """
    if not isinstance(policy, str) or policy not in ("keep", "leave"):
        raise ValueError(f"`policy` is {policy!r}; it must be 'keep' or 'leave'.")
    if policy == "keep":
        machine.tune()
    else:
        machine.leave_alone()


@public("config.get_memory_policy")
def get_memory_policy() -> str:
    """What is done, and why if it is not what was wished.

    >>> import cinta as tf
    >>> tf.config.get_memory_policy().partition(":")[0] in ("kept", "left alone")
    True
    """
    return machine.report().memory
