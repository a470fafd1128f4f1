"""tf.gradients: gradients between the values of a function, as TensorFlow's graphs have them.

A tape must listen before values are computed. So the Python of a function that asks for gradients
runs once more, with a tape around it, and has such a tape in all later runs.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import ref

from .. import nest
from ..derivatives.tape import GradientTape
from ..derivatives.tape_arguments import UnconnectedGradients
from ..dtypes import is_differentiable
from ..engine.convert import as_tensor, constants_heard
from ..engine.recorders import active
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..ops.arrays.creation import ones_like
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.annotations import Gradient, Nest, Source
    from ..engine.recorders import Recorder

    R = TypeVar("R")


class _InnerTape(GradientTape):
    """A tape that gives gradients while it records, without a warning of what that costs."""

    def _prepare(self, *, for_gradient: bool = False) -> Recorder:
        if not for_gradient:
            self._is_read()
        return self._live()

    @contextmanager
    def constant(self, values: Sequence[Tensor | Variable]) -> Iterator[None]:
        """A block in which gradients take these values for constants, which nothing computed."""
        if values:
            self._is_read()  # and changes
        numbers = {value._number for value in values}
        recorder = self._live()
        records = recorder.records
        recorder.records = [each for each in records if each[2] not in numbers]
        try:
            yield  # the computation of the gradients goes on recording to the other list
        finally:
            recorder.records = records


class _Here(threading.local):
    """The function whose Python runs on this thread, if there is one: the tape around it."""

    running = False
    tape: _InnerTape | None = None


_here = _Here()


def is_in_function() -> bool:
    """Whether the Python of a function runs on this thread."""
    return _here.running


class _Asked(BaseException):
    """A function asks for gradients by values that no tape has watched."""

    def __init__(self, sources: list[Any]) -> None:
        super().__init__()
        self.sources = sources


class OnTape:
    """How the Python of one function runs: on a tape, once it has asked for gradients."""

    def __init__(self) -> None:
        self._asks = False
        self._sources: list[ref[Any]] = []  # of gradients, beside arguments and constants

    def call(self, run: Callable[[], R]) -> R:
        """Call the function, and once more if no tape has watched what it asks gradients by."""
        try:
            return run()
        except _Asked as asked:
            self._watch_from_now_on(asked.sources)
        try:
            return run()
        except _Asked as asked:
            strange = asked.sources
        raise ValueError(
            f"tf.gradients got sources of which no tape knows: {strange}. Give arguments of the "
            "function, variables, tensors from outside of it, what tf.constant makes inside, or "
            "values that are computed from these."
        )

    def _watch_from_now_on(self, sources: list[Any]) -> None:
        self._asks = True
        alive = [each for each in self._sources if each() is not None]
        self._sources = [*alive, *map(ref, sources)]

    def python(
        self, function: Callable[..., R], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> R:
        """Run the Python of the function."""
        outer = _here.running, _here.tape
        with ExitStack() as stack:
            tape = None
            if self._asks:
                tape = stack.enter_context(_InnerTape(persistent=True))
                constants_heard.append(_watch_constant)
                stack.callback(constants_heard.remove, _watch_constant)
                for value in nest.flatten([args, kwargs, [each() for each in self._sources]]):
                    _watch(tape, value)
            try:
                _here.running, _here.tape = True, tape
                return function(*args, **kwargs)
            finally:
                _here.running, _here.tape = outer


def _watch(tape: _InnerTape, value: object) -> None:
    if isinstance(value, (Tensor, Variable)) and is_differentiable(value._array.dtype):
        tape.watch(value)


def _watch_constant(made: Tensor) -> None:
    if _here.tape is not None:
        _watch(_here.tape, made)


@public("AggregationMethod")
class AggregationMethod:
    """How the parts of a gradient are added up: all ways give the same sum, of all parts at once.

    >>> import cinta as tf
    >>> tf.AggregationMethod.DEFAULT == tf.AggregationMethod.ADD_N
    True
    """

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def _check_method(method: object) -> None:
    """Refuse what is not a way to add up gradients."""
    known = (None, *range(AggregationMethod.EXPERIMENTAL_ACCUMULATE_N + 1))
    if method not in known:
        raise ValueError(
            f"Invalid `aggregation_method` specified: {method!r}. It must be one of "
            "tf.AggregationMethod, or None."
        )


@public("gradients")
def gradients(
    ys: Source | Nest,
    xs: Source | Nest,
    grad_ys: Source | Nest | None = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: object = None,
    stop_gradients: Source | Nest | None = None,
    unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
) -> list[Gradient | None]:
    """The gradients of the sum of all ``ys`` by each of ``xs``, inside of a `tf.function`.

    >>> import cinta as tf
    >>> @tf.function
    ... def slope(x):
    ...     y = x**3
    ...     return tf.gradients(y, x)[0]
    >>> slope(tf.constant(2.0)).numpy()
    np.float32(12.0)

    Args:
        ys: A tensor, or a nest of them.
        xs: Arguments of the function, variables, constants, or what is computed from these.
        grad_ys: Factors of the elements of ``ys``; None for ones.
        gate_gradients: Accepted.
        aggregation_method: One of ``tf.AggregationMethod``, which makes no difference.
        stop_gradients: Tensors that are constants for these gradients, whatever they are computed
            from; None for none.
        unconnected_gradients: What stands for the gradient by a value that ``ys`` do not depend on.

    Returns:
        A list with a gradient for each of ``xs``.

    Raises:
        RuntimeError: If it is called outside of a ``tf.function``; use ``tf.GradientTape`` there.
        TypeError: If one of ``xs`` or ``stop_gradients`` is neither a tensor nor a variable.
        ValueError: If one of ``xs`` is made in the function in another way, or there is no such
            method.
    """
    _check_method(aggregation_method)
    tape, sources = _watched("tf.gradients", xs)
    stops = [] if stop_gradients is None else _flat("tf.gradients", stop_gradients)
    targets = [as_tensor(y) for y in nest.flatten(ys)]
    factors = None if grad_ys is None else nest.flatten(grad_ys)
    if factors is not None and len(factors) == len(targets):
        pairs = zip(targets, factors, strict=True)
        factors = [ones_like(y) if factor is None else factor for y, factor in pairs]
    with tape.constant(stops):
        found: list[Gradient | None] = tape.gradient(
            targets, sources, factors, unconnected_gradients
        )
    return found


@public("hessians")
def hessians(
    ys: Source | Nest,
    xs: Source | Nest,
    gate_gradients: bool = False,
    aggregation_method: object = None,
    name: str = "hessians",
) -> list[Tensor]:
    """The matrices of second derivatives of the sum of ``ys``, inside of a `tf.function`.

    >>> import cinta as tf
    >>> @tf.function
    ... def curvature(x):
    ...     return tf.hessians(tf.reduce_sum(x**3), x)[0]
    >>> curvature(tf.constant([1.0, 2.0])).numpy()
    array([[ 6.,  0.],
           [ 0., 12.]], dtype=float32)

    Args:
        ys: A tensor, or a nest of them.
        xs: As those of ``tf.gradients``.
        gate_gradients: Accepted.
        aggregation_method: One of ``tf.AggregationMethod``, which makes no difference.

    Returns:
        A list with the second derivatives by each of ``xs``, whose shape is that of it twice.

    Raises:
        RuntimeError: If it is called outside of a ``tf.function``: use ``tf.hessian`` there.
        ValueError: If there is no such method.
    """
    _check_method(aggregation_method)
    tape, sources = _watched("tf.hessians", xs)
    targets = [as_tensor(y) for y in nest.flatten(ys)]
    zero = UnconnectedGradients.ZERO
    return [
        tape.jacobian(as_tensor(tape.gradient(targets, x, None, zero)), x, zero) for x in sources
    ]


def _watched(function: str, xs: Source | Nest) -> tuple[_InnerTape, list[Any]]:
    """The tape of the function that runs, and the sources of gradients, all of which it knows."""
    tape = _here.tape
    if not _here.running:
        raise RuntimeError(
            f"{function} is not supported when eager execution is enabled. Use tf.GradientTape "
            "instead."
        )
    sources = _flat(function, xs)
    if tape is None:
        raise _Asked([x for x in sources if _may_be_from_outside(x)])
    strange = [x for x in sources if not _is_watched(tape, x)]
    if strange:
        raise _Asked(strange)
    return tape, sources


def _flat(function: str, values: Source | Nest) -> list[Any]:
    """The tensors and variables in a nest."""
    found = nest.flatten(values)
    for each in found:
        if not isinstance(each, (Tensor, Variable)):
            raise TypeError(f"{function} takes gradients by tensors and variables, not {each!r}.")
    return found


def _may_be_from_outside(source: Tensor | Variable) -> bool:
    return isinstance(source, Variable) or source._recorder is None


def _is_watched(tape: _InnerTape, source: Tensor | Variable) -> bool:
    """Whether the tape knows a source, or there is nothing to know, as of whole numbers."""
    if isinstance(source, Variable):
        watched: Sequence[Variable] = tape.watched_variables()
        return any([source is each for each in watched])
    return tape._recorder in active(source._recorder) or not is_differentiable(source._array.dtype)
