"""GradientTape: records what depends on what it watches, and differentiates it backwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

import numpy as np

from ..engine.arrays import truth
from ..engine.device_values import Spread
from ..engine.sweep import sweep
from ..engine.tensor import Tensor
from ..engine.variable import Variable
from ..public import name_methods, public
from ..tracebacks import note_none
from .inspection import TapeInspection
from .jacobian import batch_jacobian, check_memory, check_samples, jacobian
from .recording_tape import RecordingTape
from .second_order import SecondOrder
from .tape_arguments import (
    UnconnectedGradients,
    check_batches,
    checked,
    checked_one,
    checked_targets,
    finished,
    is_known,
    like,
    own_seeds,
    starting_gradients,
    unconnected,
    wants_zero,
    zeros,
)
from .user_rules import conjugate

if TYPE_CHECKING:
    from ..engine.annotations import Gradient, Nest, Source, TensorLike

    Targets: TypeAlias = Source | Nest
    Seeds: TypeAlias = TensorLike | Nest | None
    Zero: TypeAlias = UnconnectedGradients | str
    K = TypeVar("K")


class _Elsewhere:
    """A name that other libraries have for ``gradient``.

    A ``__getattr__`` would know it too, and slow down each look at the tape's own attributes.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, tape: GradientTape | None, owner: type) -> _Elsewhere:
        if tape is None:
            return self
        raise AttributeError(
            f"{owner.__name__!r} object has no attribute {self.name!r}. Gradients are asked for by "
            "tape.gradient(target, sources)."
        )


@public("GradientTape", "autodiff.GradientTape")
class GradientTape(SecondOrder, TapeInspection):
    """Record operations, to differentiate them.

    The gradient of a target that is not a scalar is the gradient of the sum of its elements.

    >>> import cinta as tf
    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x**2
    >>> tape.gradient(y, x)
    <tf.Tensor: shape=(), dtype=float32, numpy=6.0>

    A trainable variable is watched when it is read; a tensor must be watched by hand:

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape(persistent=True) as tape:
    ...     tape.watch(x)
    ...     y = x * x
    ...     z = y * y
    >>> tape.gradient(z, [x, y])[1].numpy()
    np.float32(18.0)

    Args:
        persistent: Keep the records after ``gradient``, so that it can be called again.
        watch_accessed_variables: Watch every trainable variable that is read. If False, watch only
            what ``watch`` is called with.
    """

    if not TYPE_CHECKING:  # a type checker must see which attributes exist
        backward, grad, gradients = _Elsewhere(), _Elsewhere(), _Elsewhere()

        def __dir__(self) -> list[str]:
            return [name for name in super().__dir__() if hasattr(self, name)]

    # -- differentiating ---------------------------------------------------------------------

    @overload
    def gradient(
        self,
        target: Targets,
        sources: Source,
        output_gradients: Seeds = ...,
        unconnected_gradients: Zero = ...,
    ) -> Gradient | None: ...
    @overload
    def gradient(
        self,
        target: Targets,
        sources: list[Source],
        output_gradients: Seeds = ...,
        unconnected_gradients: Zero = ...,
    ) -> list[Gradient | None]: ...
    @overload
    def gradient(
        self,
        target: Targets,
        sources: list[Tensor] | list[Variable],
        output_gradients: Seeds = ...,
        unconnected_gradients: Zero = ...,
    ) -> list[Gradient | None]: ...
    @overload
    def gradient(
        self,
        target: Targets,
        sources: tuple[Source, ...],
        output_gradients: Seeds = ...,
        unconnected_gradients: Zero = ...,
    ) -> tuple[Gradient | None, ...]: ...
    @overload
    def gradient(
        self,
        target: Targets,
        sources: dict[K, Tensor] | dict[K, Variable] | dict[K, Source],
        output_gradients: Seeds = ...,
        unconnected_gradients: Zero = ...,
    ) -> dict[K, Gradient | None]: ...
    @overload
    def gradient(
        self,
        target: Targets,
        sources: Nest,
        output_gradients: Seeds = ...,
        unconnected_gradients: Zero = ...,
    ) -> Any: ...
    def gradient(
        self,
        target: Source | Nest,
        sources: Source | Nest,
        output_gradients: TensorLike | Nest | None = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradient of the sum of the target's elements with respect to each source.

        >>> import cinta as tf
        >>> w, b = tf.Variable([1.0, 2.0]), tf.Variable(5.0)
        >>> with tf.GradientTape() as tape:
        ...     y = tf.reduce_sum(w**2) * b
        >>> found = tape.gradient(y, {"w": w, "b": b})
        >>> found["w"].numpy(), found["b"].numpy()
        (array([10., 20.], dtype=float32), np.float32(5.0))

        Args:
            target: A tensor or variable, or a nest of them, whose gradients are summed.
            sources: A tensor or variable, or a nest of them.
            output_gradients: Factors of the target's elements, applied before they are summed; a
                list if there are several targets. None means ones.
            unconnected_gradients: ``UnconnectedGradients.ZERO`` (or ``"zero"``) gives zeros instead
                of None for a source on which the target does not depend.

        Returns:
            A gradient for each source, in the structure of ``sources``.
        """
        recorder = self._prepare(for_gradient=True)
        targets, leaves = checked_targets(target), checked(sources, "sources")
        zero = wants_zero(unconnected_gradients)
        seeds = starting_gradients(targets, output_gradients)
        started = [
            (t._number, conjugate(g)) for t, g in zip(targets, seeds, strict=True) if is_known(t)
        ]
        wanted = {s._number for s in leaves if is_known(s)}
        spread = any([isinstance(t._array, Spread) for t in targets])
        found = sweep(recorder, started, wanted, keep=self._use(recorder), on_tensors=spread)
        self._done(recorder)
        results = [finished(found.get(s._number) if is_known(s) else None, s) for s in leaves]
        for i, source in enumerate(leaves):
            if results[i] is None:
                results[i] = own_seeds(source, targets, seeds)
                if results[i] is None:
                    results[i] = unconnected(source, targets, zero)
        return like(sources, results)

    def jacobian(
        self,
        target: Source,
        sources: Source | Nest,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
        mode: str = "auto",
    ) -> Any:
        """The derivative of every element of the target by every element of each source.

        >>> import cinta as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = x**2
        >>> tape.jacobian(y, x).numpy()
        array([[2., 0.],
               [0., 4.]], dtype=float32)

        Args:
            target: A tensor or variable.
            sources: A tensor or variable, or a nest of them.
            unconnected_gradients: As in ``gradient``.
            parallel_iterations: How many elements of the target go through the tape at once. None:
                as many as fit in the memory of ``tf.config.set_jacobian_memory``.
            experimental_use_pfor: False lets them go one by one, which needs a persistent tape.
            mode: "reverse" goes through the tape once for each element of the target, "forward"
                once for each element of the sources, "auto" chooses the cheaper one. If a user
                wrote a gradient function, which need not be linear, the mode is always "reverse".

        Returns:
            For each source a tensor of shape ``target.shape + source.shape``.
        """
        recorder = self._prepare()
        block = self._block(parallel_iterations, experimental_use_pfor, "jacobian")
        target = checked_one(target, "target")
        leaves = checked(sources, "sources")
        zero = wants_zero(unconnected_gradients)
        _check_mode(mode)
        if is_known(target):
            check_memory("Jacobian", [target], [s for s in leaves if is_known(s)])
        keep = self._use(recorder)
        found = jacobian(recorder, target, leaves, keep=keep, block=block, mode=mode)
        self._done(recorder)
        results = [finished(d, s) for d, s in zip(found, leaves, strict=True)]
        if zero:
            results = [
                zeros((*target.shape, *s.shape), s.dtype) if r is None else r
                for r, s in zip(results, leaves, strict=True)
            ]
        elif any([r is None for r in results]):
            note_none()
        return like(sources, results)

    def batch_jacobian(
        self,
        target: Source,
        source: Source,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
        check: bool = False,
    ) -> Tensor:
        """The Jacobian of each sample in a batch: the derivative of target[i] by source[i].

        The samples must not interact, as they do in batch normalization: the effect of one sample
        on another would be added to the result. With ``check=True`` a ValueError is raised then.

        >>> import cinta as tf
        >>> x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     y = x**2
        >>> tape.batch_jacobian(y, x).numpy()
        array([[[2., 0.],
                [0., 4.]],
        <BLANKLINE>
               [[6., 0.],
                [0., 8.]]], dtype=float32)

        Args:
            target: A tensor or variable with samples along its first axis.
            source: A tensor or variable with as many samples.
            unconnected_gradients: Changes nothing: a source that is not connected gives zeros.
            parallel_iterations: As in ``jacobian``.
            experimental_use_pfor: As in ``jacobian``.
            check: Raise a ValueError if a sample of the target depends on another sample of the
                source. Takes one more gradient.
        """
        recorder = self._prepare()
        block = self._block(parallel_iterations, experimental_use_pfor, "batch_jacobian")
        target, source = checked_one(target, "target"), checked_one(source, "source")
        check_batches(target, source)
        wants_zero(unconnected_gradients)
        if is_known(target) and is_known(source):
            count = len(target._array)
            check_memory("batch Jacobian", [target], [source], count)
        check = truth(check, "check")
        keep = self._use(recorder) or check
        found = batch_jacobian(recorder, target, source, keep=keep, block=block)
        if check and found is not None:
            check_samples(recorder, target, source, found)
        self._done(recorder)
        if found is None:
            return zeros((*target.shape, *source.shape[1:]), target.dtype)
        result: Tensor = finished(found, source)
        return result

    def _block(self, parallel_iterations: object, vectorized: bool, what: str) -> int | None:
        """How many gradients are to go through the tape at once; None: as many as may."""
        if not truth(vectorized, "experimental_use_pfor"):
            if not self._persistent:
                raise RuntimeError(
                    f"GradientTape must be created with persistent=True to compute the {what} with "
                    "eager execution enabled and with experimental_use_pfor set to False."
                )
            return 1
        if parallel_iterations is None:
            return None
        if not isinstance(parallel_iterations, (int, np.integer)) or parallel_iterations < 1:
            raise ValueError(
                f"parallel_iterations={parallel_iterations!r} given to tape.{what}: it is the "
                "number of gradients that go through the tape at once, a whole number from 1 on."
            )
        return int(parallel_iterations)


name_methods("GradientTape", RecordingTape, SecondOrder, TapeInspection)


def _check_mode(mode: str) -> None:
    if not isinstance(mode, str) or mode not in ("auto", "forward", "reverse"):
        raise ValueError(f"mode is 'auto', 'forward' or 'reverse', not {mode!r}.")
