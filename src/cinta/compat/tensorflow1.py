"""Functions of TensorFlow 1 that libraries call to this day."""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, NoReturn

from ..engine.convert import as_tensor
from ..engine.primitives import Reshape
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
    NotImplementedError: cinta runs ops when they are called. Decorate functions with @tf.function.
    """
    raise NotImplementedError(
        "cinta runs ops when they are called. Decorate functions with @tf.function."
    )


@public("compat.v1.GPUOptions")
class GPUOptions(SimpleNamespace):
    """Options for graphics processors, which are kept and change nothing here.

    >>> import cinta as tf
    >>> tf.compat.v1.GPUOptions(allow_growth=True).allow_growth
    True
    """


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
    >>> with tf.compat.v1.Session().as_default():
    ...     y = tf.constant(2.0) * 3.0
    >>> y.numpy()
    np.float32(6.0)
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
