"""Conversion of Python to graphs, which cinta does without: functions run as they are written."""

from __future__ import annotations

import enum
import inspect
import textwrap
from typing import TYPE_CHECKING, Any, TypeVar

from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable

_F = TypeVar("_F")


@public("autograph.experimental.Feature")
class Feature(enum.Enum):
    """Optional parts of TensorFlow's conversion. Nothing is converted here, so none changes
    anything.

    ``ALL`` stands for all of them. ``AUTO_CONTROL_DEPS`` keeps ops in the order of the program.
    ``ASSERT_STATEMENTS``, ``BUILTIN_FUNCTIONS``, ``EQUALITY_OPERATORS`` and ``LISTS`` convert these
    parts of Python. ``NAME_SCOPES`` names ops after functions.

    >>> import cinta as tf
    >>> tf.autograph.experimental.Feature.ALL.value
    'ALL'
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


@public("autograph.experimental.do_not_convert")
def do_not_convert(func: _F | None = None) -> _F:
    """Leave a function as it is, which cinta does with all of them.

    >>> import cinta as tf
    >>> @tf.autograph.experimental.do_not_convert
    ... def double(x):
    ...     return 2 * x
    >>> double(2)
    4

    Args:
        func: The function; without it, this is returned, to be called with the function.
    """
    return do_not_convert if func is None else func  # type: ignore[return-value]


@public("autograph.experimental.set_loop_options")
def set_loop_options(
    parallel_iterations: object = None,
    swap_memory: object = None,
    maximum_iterations: object = None,
    shape_invariants: object = None,
) -> None:
    """Say how TensorFlow is to build the loop in which this stands; loops here need no options.

    >>> import cinta as tf
    >>> x = tf.zeros([0])
    >>> for i in tf.range(3):
    ...     tf.autograph.experimental.set_loop_options(maximum_iterations=3)
    ...     x = tf.concat([x, [1.0]], 0)
    >>> x.numpy()
    array([1., 1., 1.], dtype=float32)

    Args:
        parallel_iterations: Accepted.
        swap_memory: Accepted.
        maximum_iterations: Accepted.
        shape_invariants: Accepted: a value may change its shape from one iteration to the next.
    """


@public("autograph.to_graph")
def to_graph(
    entity: Callable[..., Any],
    recursive: bool = True,
    experimental_optional_features: object = None,
) -> Callable[..., Any]:
    """The function as it is converted, which is the function itself.

    >>> import cinta as tf
    >>> tf.autograph.to_graph(abs_of := lambda x: x if x > 0 else -x) is abs_of
    True

    Args:
        entity: A function written in Python.
        recursive: Accepted.
        experimental_optional_features: Accepted.

    Raises:
        ValueError: If it is not written in Python.
    """
    _check_has_code(entity)
    return entity


@public("autograph.to_code")
def to_code(
    entity: Callable[..., Any],
    recursive: bool = True,
    experimental_optional_features: object = None,
) -> str:
    """The source code of a function as it runs, which is as it was written.

    >>> import cinta as tf, textwrap
    >>> print(tf.autograph.to_code(textwrap.dedent).splitlines()[0])
    def dedent(text):

    Args:
        entity: A function written in Python.
        recursive: Accepted.
        experimental_optional_features: Accepted.

    Raises:
        ValueError: If it is not written in Python.
    """
    _check_has_code(entity)
    try:
        return textwrap.dedent(inspect.getsource(entity))
    except (OSError, TypeError) as error:
        raise ValueError(f"converting {entity}: `entity` has no source code: {error}") from None


def _check_has_code(entity: object) -> None:
    if not hasattr(entity, "__code__") and not inspect.isclass(entity):
        raise ValueError(
            f"converting {entity}: Cannot apply autograph to a function that doesn't expose a "
            "__code__ object. If this is a @tf.function, try passing f.python_function instead."
        )


@public("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Do nothing: there is no conversion that could be logged; see ``tf.config.set_verbosity``.

    >>> import cinta as tf
    >>> tf.autograph.set_verbosity(0)

    Args:
        level: Accepted.
        alsologtostdout: Accepted.
    """


@public("autograph.trace")
def trace(*args: object) -> None:
    """Print the arguments while a function is recorded, as Python's ``print`` does.

    >>> import cinta as tf
    >>> tf.autograph.trace("a", 1)
    a 1
    """
    print(*args)
