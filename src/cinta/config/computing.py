"""How ops compute: on how many threads, and how exactly."""

from __future__ import annotations

from ..engine import parallel, settings
from ..ops.arguments import flag
from ..public import public

_inter_op = 0


@public("config.threading.get_intra_op_parallelism_threads")
def get_intra_op_parallelism_threads() -> int:
    """How many threads share the work of one large op; 0: as many as there are cores.

    >>> import cinta as tf
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    0
    """
    return parallel.chosen_threads()


@public("config.threading.set_intra_op_parallelism_threads")
def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Say how many threads share the work of one large op; 0: as many as there are cores.

    This is about cinta's own threads. NumPy's matrix products have theirs, which the environment
    variable ``OPENBLAS_NUM_THREADS`` sets.

    >>> import cinta as tf
    >>> tf.config.threading.set_intra_op_parallelism_threads(1)
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    1
    >>> tf.config.threading.set_intra_op_parallelism_threads(0)

    Args:
        num_threads: The number of threads, from 0 on.
    """
    parallel.choose_threads(_checked(num_threads))


@public("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """The value last given to ``set_inter_op_parallelism_threads``; 0 in the beginning.

    >>> import cinta as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    0
    """
    return _inter_op


@public("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Note a number: ops run one after the other, as Python calls them, whatever it is.

    >>> import cinta as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)

    Args:
        num_threads: A number from 0 on.
    """
    global _inter_op
    _inter_op = _checked(num_threads)


def _checked(count: int) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(
            f"num_threads, the number of threads, must be an integer from 0 on, got {count!r}."
        )
    return count


@public("config.experimental.enable_op_determinism")
def enable_op_determinism() -> None:
    """Let ops give the same results in every run.

    They do anyway, but for random ops without a seed, and for the last bits of products of
    matrices: where other processes keep the cores busy, these go to one thread of BLAS, which adds
    in another order than several. They keep to the number of threads that there is from now on,
    and random ops need a seed, their own or the program's: without one they raise RuntimeError.

    >>> import cinta as tf
    >>> tf.random.set_seed(1)
    >>> tf.config.experimental.enable_op_determinism()  # doctest: +SKIP
    """
    settings.deterministic = True


@public("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """The value last given to ``enable_tensor_float_32_execution``; True in the beginning.

    >>> import cinta as tf
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    True
    """
    return settings.tensor_float_32


@public("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Note whether products may round their factors, which only some GPUs do.

    >>> import cinta as tf
    >>> tf.config.experimental.enable_tensor_float_32_execution(False)
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    False
    >>> tf.config.experimental.enable_tensor_float_32_execution(True)

    Args:
        enabled: Whether they may.
    """
    settings.tensor_float_32 = flag(enabled, "enabled")
