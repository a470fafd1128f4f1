"""Memory: what becomes of that of dropped arrays, and how much a Jacobian may take."""

from __future__ import annotations

from .. import machine
from ..engine import settings
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

    Args:
        policy: "keep" or "leave".

    Raises:
        ValueError: If it is neither.
    """
    if not isinstance(policy, str) or policy not in ("keep", "leave"):
        raise ValueError(f"`policy` is {policy!r}; it must be 'keep' or 'leave'.")
    if policy == "keep":
        machine.tune()
    else:
        machine.leave_alone()


@public("config.get_memory_policy")
def get_memory_policy() -> str:
    """The policy in force, and the reason if it is not the one that was chosen.

    >>> import cinta as tf
    >>> tf.config.get_memory_policy().partition(":")[0] in ("kept", "left alone")
    True
    """
    return machine.report().memory


@public("config.set_jacobian_memory")
def set_jacobian_memory(size: int) -> None:
    """Say how many bytes the gradients of a Jacobian may take at a time, as far as can be foreseen.

    A Jacobian that needs more is computed in blocks, one after the other. The result is not
    counted; one for which there is neither this much room nor free memory on the machine is refused
    before anything is computed.

    >>> import cinta as tf
    >>> tf.config.set_jacobian_memory(64 << 20)
    >>> tf.config.get_jacobian_memory()
    67108864
    >>> tf.config.set_jacobian_memory(512 << 20)

    Args:
        size: The number of bytes, 512 MiB in the beginning.

    Raises:
        ValueError: If it is not a whole number from 1 on.
    """
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise ValueError(f"set_jacobian_memory takes a number of bytes from 1 on, not {size!r}.")
    settings.jacobian_memory = size


@public("config.get_jacobian_memory")
def get_jacobian_memory() -> int:
    """How many bytes the gradients of a Jacobian may take at a time.

    >>> import cinta as tf
    >>> tf.config.get_jacobian_memory() > 0
    True
    """
    return settings.jacobian_memory
