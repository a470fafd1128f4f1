"""Tensors handed to other libraries, and taken from them, by the DLPack protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..engine.arrays import array_of
from ..engine.convert import as_tensor
from ..engine.tensor import seen, wrap
from ..errors import InvalidArgumentError
from ..public import public

if TYPE_CHECKING:
    from typing import Any

    from ..engine.tensor import Tensor


class _Holder:
    """Something in the processor's memory, as other libraries hand it over."""

    def __init__(self, capsule: object) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: object) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # the processor


@public("experimental.dlpack.to_dlpack")
def to_dlpack(tf_tensor: Tensor) -> Any:
    """A capsule with the values of a tensor, for another library; it holds a copy.

    >>> import cinta as tf
    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1.0, 2.0]))
    >>> tf.experimental.dlpack.from_dlpack(capsule).numpy()
    array([1., 2.], dtype=float32)

    Args:
        tf_tensor: The tensor.

    Raises:
        InvalidArgumentError: If DLPack has not its dtype, as with strings.
    """
    array = np.array(seen(as_tensor(tf_tensor)))
    if array.dtype.kind not in "biufc":
        raise InvalidArgumentError(f"tf_tensor is of a dtype that DLPack has not: {tf_tensor!r}")
    return array.__dlpack__()


@public("experimental.dlpack.from_dlpack")
def from_dlpack(dlcapsule: object) -> Tensor:
    """The tensor in a capsule, or in an array of another library that lives on the processor.

    >>> import cinta as tf
    >>> capsule = tf.experimental.dlpack.to_dlpack(tf.constant([1.0, 2.0]))
    >>> tf.experimental.dlpack.from_dlpack(capsule).numpy()
    array([1., 2.], dtype=float32)

    Args:
        dlcapsule: The capsule or the array.

    Raises:
        TypeError: If it is neither.
        InvalidArgumentError: If a capsule was read before.
    """
    if not hasattr(dlcapsule, "__dlpack__") and type(dlcapsule).__name__ != "PyCapsule":
        raise TypeError(
            f"dlcapsule must be a DLPack capsule, or an array that makes them, got {dlcapsule!r}."
        )
    given = dlcapsule if hasattr(dlcapsule, "__dlpack__") else _Holder(dlcapsule)
    try:
        array = np.from_dlpack(given)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise InvalidArgumentError(
            f"dlcapsule holds no tensor that can be read, or was read before: {error}"
        ) from error
    return wrap(array_of(np.array(array), None))
