"""The names of tf.config.threading."""

from __future__ import annotations

from ..engine import parallel
from ..listing import only_public as _only_public

_inter_op = 0


def get_intra_op_parallelism_threads() -> int:
    """How many threads share the work of one large op; 0: as many as there are cores.

    >>> import cinta as tf
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    0
    """
    return parallel.chosen_threads()


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Say how many threads share the work of one large op; 0: as many as there are cores.

    This is about cinta's own threads. NumPy's matrix products have theirs, which the environment
    variable ``OPENBLAS_NUM_THREADS`` sets.

    >>> import cinta as tf
    >>> tf.config.threading.set_intra_op_parallelism_threads(1)
    >>> tf.config.threading.get_intra_op_parallelism_threads()
    1
    >>> tf.config.threading.set_intra_op_parallelism_threads(0)
    """
    parallel.choose_threads(_checked(num_threads))


def get_inter_op_parallelism_threads() -> int:
    """What ``set_inter_op_parallelism_threads`` was told last; 0 in the beginning.

    >>> import cinta as tf
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    0
    """
    return _inter_op


def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Note a number: ops run one after the other, as Python calls them, whatever it is.

    >>> import cinta as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    """
    global _inter_op
    _inter_op = _checked(num_threads)


def _checked(count: int) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or count < 0:
        raise ValueError(
            f"num_threads, the number of threads, must be an integer from 0 on, got {count!r}."
        )
    return count


__dir__ = _only_public(globals())
