"""Functions of TensorFlow 1 that libraries call to this day."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, NoReturn

from ..engine.convert import as_tensor
from ..engine.primitives import Identity, Reshape
from ..engine.shapes import TensorShape
from ..ops.arrays.selecting import where as broadcasting_where
from ..public import public

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..engine.annotations import TensorLike
    from ..engine.tensor import Tensor


@public("compat.v1.where")
def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """``x`` where the condition holds and ``y`` elsewhere; a row of conditions chooses among rows.

    >>> import cinta as tf
    >>> tf.compat.v1.where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]]).numpy()
    array([[1, 2],
           [7, 8]], dtype=int32)
    """
    if x is None or y is None:
        return broadcasting_where(condition, x, y)
    choice, rank = as_tensor(condition), as_tensor(x)._array.ndim
    if choice._array.ndim == 1 and rank > 1:
        choice = Reshape(choice, shape=choice._array.shape + (1,) * (rank - 1))
    return broadcasting_where(choice, x, y)


@public("compat.v1.enable_v2_behavior", "compat.v1.enable_eager_execution")
def enable_v2_behavior() -> None:
    """Behave as TensorFlow 2, as always.

    >>> import cinta as tf
    >>> tf.compat.v1.enable_v2_behavior()
    """


@public("compat.v1.disable_v2_behavior", "compat.v1.disable_eager_execution")
def disable_v2_behavior() -> None:
    """Refused: ops run when they are called, and no graph is built.

    >>> import cinta as tf
    >>> tf.compat.v1.disable_v2_behavior()
    Traceback (most recent call last):
    ...
    NotImplementedError: disable_eager_execution: ops run when they are called; use @tf.function.
    """
    raise NotImplementedError(
        "disable_eager_execution: ops run when they are called; use @tf.function."
    )


@public("compat.v1.GPUOptions")
class GPUOptions(SimpleNamespace):
    """Options for graphics processors, which are kept and change nothing here.

    >>> import cinta as tf
    >>> tf.compat.v1.GPUOptions(allow_growth=True).allow_growth
    True
    """

    def __init__(self, **options: object) -> None:
        super().__init__(**options)


@public("compat.v1.ConfigProto")
class ConfigProto(SimpleNamespace):
    """Options for a session, which are kept and change nothing here.

    >>> import cinta as tf
    >>> config = tf.compat.v1.ConfigProto()
    >>> config.gpu_options.allow_growth = True
    """

    def __init__(self, gpu_options: GPUOptions | None = None, **options: object) -> None:
        super().__init__(**options)
        self.gpu_options = GPUOptions() if gpu_options is None else gpu_options


@public("compat.v1.Session")
class Session:
    """A session around code that runs its ops when they are called, as everywhere.

    >>> import cinta as tf
    >>> session = tf.compat.v1.Session()
    >>> with session.as_default():
    ...     y = tf.constant(2.0) * 3.0
    >>> y.numpy()
    np.float32(6.0)
    >>> session.close()

    Args:
        target: Accepted.
        graph: None.
        config: Accepted.

    Raises:
        NotImplementedError: If a graph is given.
    """

    def __init__(self, target: str = "", graph: object = None, config: object = None) -> None:
        if graph is not None:
            raise NotImplementedError("There is no graph to run. Call functions: @tf.function.")

    def as_default(self) -> AbstractContextManager[Session]:
        """A block in which this is the session."""
        return nullcontext(self)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the session, which holds nothing."""

    def run(self, fetches: object, feed_dict: object = None) -> NoReturn:
        """Refused: ops ran when they were called, and their tensors have values."""
        raise RuntimeError(
            "The Session graph is empty: ops run when they are called. Read a value by y.numpy()."
        )


@public("compat.v1.placeholder_with_default")
def placeholder_with_default(input: TensorLike, shape: object, name: str | None = None) -> Tensor:
    """The value, which nothing else can be fed in place of; its shape must be a possible one.

    >>> import cinta as tf
    >>> tf.compat.v1.placeholder_with_default([1.0, 2.0], [None]).numpy()
    array([1., 2.], dtype=float32)

    Args:
        input: The value.
        shape: A shape that may have unknown lengths.

    Raises:
        ValueError: If the value has another shape.
    """
    given = Identity(as_tensor(input))
    wanted = TensorShape(shape)
    if not wanted.is_compatible_with(given.shape):
        raise ValueError(f"Shapes {given.shape} and {wanted} are incompatible")
    return given


@public("compat.v1.global_variables_initializer", "compat.v1.initialize_all_variables")
def global_variables_initializer() -> None:
    """Nothing: variables have their values as soon as they are made.

    >>> import cinta as tf
    >>> tf.compat.v1.global_variables_initializer()
    """


@public("compat.v1.reset_default_graph")
def reset_default_graph() -> None:
    """Nothing: there is no graph that ops are added to.

    >>> import cinta as tf
    >>> tf.compat.v1.reset_default_graph()
    """


@public("compat.v1.enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    """Have loops and branches as in TensorFlow 2, as always.

    >>> import cinta as tf
    >>> tf.compat.v1.enable_control_flow_v2()
    """


@public("compat.v1.control_flow_v2_enabled", "compat.v1.executing_eagerly_outside_functions")
def behaves_as_version_2() -> bool:
    """Whether loops are functions, and whether ops run when they are called: always.

    >>> import cinta as tf
    >>> tf.compat.v1.control_flow_v2_enabled()
    True
    """
    return True


@public("compat.v1.colocate_with")
def colocate_with(op: object, ignore_existing: bool = False) -> AbstractContextManager[None]:
    """A block of ops that run where another one ran: all run on the processor.

    >>> import cinta as tf
    >>> with tf.compat.v1.colocate_with(tf.constant(1.0)):
    ...     y = tf.constant(2.0)

    Args:
        op: The op; it changes nothing.
        ignore_existing: Accepted; changes no result.
    """
    return nullcontext()
