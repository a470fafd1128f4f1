"""TensorFlow's settings for devices and for ops that run later, which change nothing here."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..engine import settings
from ..ops.arguments import flag
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Iterator

_POLICIES = ("explicit", "warn", "silent", "silent_for_int32")


@public("config.experimental.set_device_policy")
def set_device_policy(device_policy: str | None) -> None:
    """Set what is to happen to a tensor that an op needs on another device: all are on one.

    >>> import cinta as tf
    >>> tf.config.experimental.set_device_policy("silent")

    Args:
        device_policy: "explicit", "warn", "silent" or "silent_for_int32"; None for "silent".

    Raises:
        ValueError: If it is something else.
    """
    wanted = "silent" if device_policy is None else device_policy
    if wanted not in _POLICIES:
        raise ValueError(
            f"Invalid argument `device_policy`: {device_policy!r}. It is one of {_POLICIES}."
        )
    settings.device_policy = wanted


@public("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """The policy that ``set_device_policy`` has set.

    >>> import cinta as tf
    >>> tf.config.experimental.get_device_policy()
    'silent'
    """
    return settings.device_policy


@public("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool | None) -> None:
    """Set whether an op is done when its call returns. With cinta it is, whatever is set.

    >>> import cinta as tf
    >>> tf.config.experimental.set_synchronous_execution(True)

    Args:
        enable: Whether it is; None for True.
    """
    settings.is_synchronous = True if enable is None else flag(enable, "enable")


@public("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """The value that ``set_synchronous_execution`` has set.

    >>> import cinta as tf
    >>> tf.config.experimental.get_synchronous_execution()
    True
    """
    return settings.is_synchronous


@public("experimental.async_scope")
@contextmanager
def async_scope() -> Iterator[None]:
    """A block whose ops may be done later than their calls return: with cinta they are done.

    >>> import cinta as tf
    >>> with tf.experimental.async_scope():
    ...     y = tf.constant(1.0) + 1.0
    >>> y.numpy()
    np.float32(2.0)
    """
    yield


@public("experimental.async_clear_error")
def async_clear_error() -> None:
    """Forget errors of ops that ran later than their calls returned: there are none.

    >>> import cinta as tf
    >>> tf.experimental.async_clear_error()
    """
