"""TensorFlow's questions about graphs, with the answers of eager execution; and the time."""

from __future__ import annotations

import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from .. import nest
from ..engine import recorders
from ..engine.convert import as_tensor, is_tensor
from ..engine.creators import hiding_created
from ..engine.op import op, originate
from ..engine.primitives import StopGradient
from ..engine.tensor import Tensor
from ..engine.with_blocks import FollowedBlock
from ..ops.arguments import listed
from ..ops.random import op_numbering
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager
    from logging import Logger

    from ..engine.annotations import ArrayModule, TensorLike

    T = TypeVar("T")


@public("executing_eagerly")
def executing_eagerly() -> bool:
    """Whether ops run when they are called: always.

    >>> import cinta as tf
    >>> tf.executing_eagerly()
    True
    """
    return True


@public("inside_function")
def inside_function() -> bool:
    """Whether a graph is being built: never.

    >>> import cinta as tf
    >>> tf.inside_function()
    False
    """
    return False


@public("is_symbolic_tensor")
def is_symbolic_tensor(tensor: object) -> bool:
    """Whether this is a tensor without a value, as graphs have them: never.

    >>> import cinta as tf
    >>> tf.is_symbolic_tensor(tf.constant(1.0))
    False

    Args:
        tensor: Anything.
    """
    return False


@public("get_static_value")
def get_static_value(tensor: object, partial: bool = False) -> Any:
    """The value of a tensor for NumPy; None for a variable, whose value may change.

    >>> import cinta as tf
    >>> tf.get_static_value(tf.constant([1, 2]))
    array([1, 2], dtype=int32)

    Args:
        tensor: A tensor, or anything else.
        partial: Accepted: the value of a tensor is always whole.
    """
    if isinstance(tensor, Tensor):
        return tensor.numpy()
    return None if is_tensor(tensor) else tensor


@public("init_scope")
@contextmanager
def init_scope() -> Iterator[None]:
    """Let no tape record in the block.

    >>> import cinta as tf
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     with tf.init_scope():
    ...         y = x * x
    >>> tape.gradient(y, x) is None
    True
    """
    with recorders.paused(observers=False), hiding_created(), op_numbering.outside():
        yield


@public("control_dependencies")
def control_dependencies(control_inputs: object) -> AbstractContextManager[None]:
    """A block that runs after what is listed, as all code does; a callable is called first.

    >>> import cinta as tf
    >>> v = tf.Variable(1.0)
    >>> with tf.control_dependencies([v.assign_add(1.0)]):
    ...     y = v * 2.0
    >>> y.numpy()
    np.float32(4.0)

    Args:
        control_inputs: A list of tensors, ops or functions without arguments.
    """
    if callable(control_inputs):
        control_inputs()
    return FollowedBlock(nullcontext())


@public("group")
def group(*inputs: object, **kwargs: object) -> None:
    """Group ops to run together: they ran when they were written, so this does nothing.

    >>> import cinta as tf
    >>> v = tf.Variable(1.0)
    >>> tf.group(v.assign_add(1.0), v.assign_add(1.0))
    >>> v.numpy()
    np.float32(3.0)

    Args:
        inputs: Ops and tensors, which have been computed already.

    Raises:
        ValueError: If another argument than ``name`` is given by keyword.
    """
    unknown = set(kwargs) - {"name"}
    if unknown:
        raise ValueError(f"tf.group got unknown keyword arguments: {', '.join(sorted(unknown))}")
    nest.flatten(inputs)


@public("tuple")
def tuple(tensors: Iterable[T], control_inputs: object = None, name: str | None = None) -> list[T]:
    """The tensors as a list: all of them are computed already.

    >>> import cinta as tf
    >>> [x.numpy() for x in tf.tuple([tf.constant(1), tf.constant(2)])]
    [np.int32(1), np.int32(2)]

    Args:
        tensors: A list of tensors; None stays None.
        control_inputs: Accepted: what it lists has run already.
    """
    return listed(tensors, "tensors")


@public("no_op")
def no_op(name: str | None = None) -> None:
    """Do nothing.

    >>> import cinta as tf
    >>> tf.no_op()
    """


@public("timestamp")
def timestamp(name: str | None = None) -> Tensor:
    """The seconds since 1970, as a float64.

    >>> import cinta as tf
    >>> bool(tf.timestamp() > 1.7e9)
    True
    """
    now: Tensor = originate(Timestamp)
    return now


@op("Timestamp", effects=True)
def Timestamp(xp: ArrayModule) -> Any:
    """The seconds since 1970."""
    return np.float64(time.time())


Timestamp.no_grad()


@public("guarantee_const")
def guarantee_const(input: TensorLike, name: str | None = None) -> Tensor:
    """The value as a constant, through which no gradient goes.

    >>> import cinta as tf
    >>> tf.guarantee_const(tf.Variable(2.0)).numpy()
    np.float32(2.0)

    Args:
        input: A tensor or a variable.
    """
    constant: Tensor = StopGradient(as_tensor(input))
    return constant


@public("get_logger")
def get_logger() -> Logger:
    """The logger that scripts set the level of; cinta itself warns, and does not log.

    >>> import cinta as tf
    >>> tf.get_logger().setLevel("ERROR")
    """
    import logging  # takes a while, and few programs ask

    return logging.getLogger("cinta")
