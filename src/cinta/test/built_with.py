"""Queries of tests about the machine."""

from __future__ import annotations

import functools
import platform
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from ..config.device_lists import list_physical_devices
from ..ops.arguments import text
from ..public import public

if TYPE_CHECKING:
    import unittest
    from collections.abc import Callable

T = TypeVar("T")


@public("test.is_gpu_available")
def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: object = None) -> bool:
    """Whether a graphics processor is there.

    >>> import cinta as tf
    >>> tf.test.is_gpu_available() == bool(tf.config.list_physical_devices("GPU"))
    True

    Args:
        cuda_only: Accepted.
        min_cuda_compute_capability: Accepted.
    """
    return bool(list_physical_devices("GPU"))


@public("test.gpu_device_name")
def gpu_device_name() -> str:
    """The name of the first graphics processor, or an empty text.

    >>> import cinta as tf
    >>> isinstance(tf.test.gpu_device_name(), str)
    True
    """
    return "/device:GPU:0" if is_gpu_available() else ""


@public("test.is_built_with_cuda", "test.is_built_with_rocm", "test.is_built_with_gpu_support")
def is_built_with_cuda() -> bool:
    """Whether ops have kernels for graphics processors: they have not.

    >>> import cinta as tf
    >>> tf.test.is_built_with_cuda()
    False
    """
    return False


@public("test.is_built_with_xla")
def is_built_with_xla() -> bool:
    """Whether functions can be compiled by XLA, for which JAX must be installed.

    >>> import cinta as tf
    >>> isinstance(tf.test.is_built_with_xla(), bool)
    True
    """
    return find_spec("jax") is not None


@public("test.is_cpu_target_available")
def is_cpu_target_available(target: str) -> bool:
    """Whether code for this kind of processor can be made: for that of this machine.

    >>> import cinta as tf
    >>> tf.test.is_cpu_target_available("no_such_processor")
    False

    Args:
        target: The name of the kind, such as "x86_64".
    """
    own = platform.machine().lower()
    return text(target, "target") in (own, {"amd64": "x86_64", "arm64": "aarch64"}.get(own, own))


@public("test.disable_with_predicate")
def disable_with_predicate(
    pred: Callable[[], bool], skip_message: str
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Skip a test, a method of a ``TestCase``, if the predicate holds when it is run.

    >>> import cinta as tf
    >>> class Tests(tf.test.TestCase):
    ...     @tf.test.disable_with_predicate(lambda: True, "not here")
    ...     def test_it(self):
    ...         self.fail()

    Args:
        pred: The predicate, a function without arguments.
        skip_message: The reason that is told.
    """

    def decorator(method: Callable[..., T]) -> Callable[..., T]:
        @functools.wraps(method)
        def skipping(self: unittest.TestCase, *args: object, **kwargs: object) -> T:
            if pred():
                self.skipTest(skip_message)
            return method(self, *args, **kwargs)

        return skipping

    return decorator


@public("test.with_eager_op_as_function")
def with_eager_op_as_function(cls: T | None = None, only_as_function: bool = False) -> object:
    """A class of tests as it is: ops that are called alone are never functions.

    Without a class it gives a decorator.

    >>> import cinta as tf
    >>> tf.test.with_eager_op_as_function(tf.test.TestCase) is tf.test.TestCase
    True

    Args:
        cls: A class of tests; None for a decorator.
        only_as_function: Accepted.
    """
    return _unchanged if cls is None else cls


def _unchanged(cls: T) -> T:
    return cls


@public("test.experimental.sync_devices")
def sync_devices() -> None:
    """Wait for what runs on devices: ops are done when their calls return.

    >>> import cinta as tf
    >>> tf.test.experimental.sync_devices()
    """
