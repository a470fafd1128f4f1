"""Second derivatives at one call, from the records of one tape.

The gradient is computed while the tape records once more, so it is known how it depends on the
sources; then it is differentiated itself. When all is done the tape forgets the additional records.
"""

from __future__ import annotations

from _thread import get_ident
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine import recorders
from ..engine.convert import as_tensor
from ..engine.indexed_slices import dense
from ..engine.primitives import ConcatV2, Reshape, TakeAlong
from ..engine.sweep import sweep
from ..engine.tensor import Tensor
from .jacobian import batch_jacobian, check_memory, jacobian, stacks
from .recording_tape import RecordingTape
from .tape_arguments import (
    checked,
    checked_one,
    directions,
    finished,
    for_sweep,
    is_known,
    like,
    starting_gradients,
    zeros,
)
from .user_rules import conjugate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..engine.annotations import Nest, Source, TensorLike
    from ..engine.recorders import Recorder
    from ..engine.tensor import Array
    from ..engine.variable import Variable


class SecondOrder(RecordingTape):
    """The second derivatives of a tape.

    Where the target does not depend on a source, or only linearly, they are zeros.
    """

    def hessian(self, target: Source, sources: Source | Nest) -> Any:
        """All second derivatives of a scalar target.

        >>> import cinta as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = x[0] ** 2 * x[1]
        >>> tape.hessian(y, x).numpy()
        array([[4., 2.],
               [2., 0.]], dtype=float32)

        Args:
            target: A scalar tensor or variable.
            sources: A tensor or variable, or a nest of them.

        Returns:
            For one source a tensor of shape ``source.shape + source.shape``; for a nest a nest of
            nests, in which ``hessian["a"]["b"]`` has the derivatives by a and by b.
        """
        _check_scalar(checked_one(target, "target"), "hessian")
        known = [s for s in checked(sources, "sources") if is_known(s)]
        check_memory("Hessian", known, known)
        with self._gradients(target, sources) as (recorder, leaves, gradients):
            rows = [
                [
                    _block(d, g, source)
                    for d, source in zip(
                        jacobian(recorder, g, leaves, keep=True), leaves, strict=True
                    )
                ]
                for g in gradients
            ]
        return like(sources, [like(sources, row) for row in rows])

    def batch_hessian(self, target: Any, source: Any) -> Tensor:
        """The Hessian of each sample in a batch: the second derivatives of target[i] by source[i].

        The samples must not interact.

        >>> import cinta as tf
        >>> x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     y = x[:, 0] ** 2 * x[:, 1]
        >>> tape.batch_hessian(y, x)[1].numpy()
        array([[8., 6.],
               [6., 0.]], dtype=float32)

        Args:
            target: A tensor with one number for each sample.
            source: A tensor or variable with samples along its first axis.

        Raises:
            ValueError: If their first axes are not equally long.
        """
        target, source = checked_one(target, "target"), checked_one(source, "source")
        if target.shape.rank != 1 or source.shape.rank < 2 or target.shape[0] != source.shape[0]:
            raise ValueError(
                "tape.batch_hessian takes one number for each sample, and the samples along the "
                f"first axis of the source; got a target of shape {target.shape} and a source of "
                f"shape {source.shape}."
            )
        check_memory("batch Hessian", [source], [source], len(source._array))
        with self._gradients(target, source) as (recorder, _, (g,)):
            return _block(batch_jacobian(recorder, g, source, keep=True), g, source, batch=True)

    def hessian_diagonal(self, target: Source, sources: Source | Nest) -> Any:
        """The second derivatives of a scalar target by each element twice.

        Takes the time of the whole Hessian, but not its memory.

        >>> import cinta as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = x[0] ** 2 * x[1] ** 3
        >>> tape.hessian_diagonal(y, x).numpy()
        array([16., 12.], dtype=float32)

        Args:
            target: A scalar tensor or variable.
            sources: A tensor or variable, or a nest of them.

        Returns:
            A tensor like each source, in the structure of ``sources``.

        Raises:
            ValueError: If the target is not a scalar.
        """
        _check_scalar(checked_one(target, "target"), "hessian_diagonal")
        with self._gradients(target, sources) as (recorder, leaves, gradients):
            return like(
                sources,
                [
                    _diagonal(recorder, g, source)
                    for g, source in zip(gradients, leaves, strict=True)
                ],
            )

    def hvp(self, target: Source, sources: Source | Nest, vectors: TensorLike | Nest) -> Any:
        """The Hessian of a scalar target times vectors, without the Hessian.

        >>> import cinta as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     y = x[0] ** 2 * x[1]
        >>> tape.hvp(y, x, [1.0, 0.0]).numpy()
        array([4., 2.], dtype=float32)

        Args:
            target: A scalar tensor or variable.
            sources: A tensor or variable, or a nest of them.
            vectors: The vectors to multiply with, in the structure and shapes of the sources.
        """
        _check_scalar(checked_one(target, "target"), "hvp")
        with self._gradients(target, sources) as (recorder, leaves, gradients):
            pairs = zip(gradients, directions(sources, vectors), strict=True)
            seeds = [(g._number, for_sweep(conjugate(v))) for g, v in pairs if is_known(g)]
            found = sweep(recorder, seeds, {s._number for s in leaves if is_known(s)}, keep=True)
            results = [found.get(s._number) if is_known(s) else None for s in leaves]
            return like(
                sources,
                [
                    zeros(s.shape, s.dtype) if d is None else as_tensor(finished(d, s))
                    for d, s in zip(results, leaves, strict=True)
                ],
            )

    def vhp(self, target: Source, sources: Source | Nest, vectors: TensorLike | Nest) -> Any:
        """Vectors times the Hessian of a scalar target: as it is symmetric, the same as ``hvp``.

        >>> import cinta as tf
        >>> x = tf.Variable([1.0, 2.0])
        >>> with tf.GradientTape(persistent=True) as tape:
        ...     y = tf.reduce_sum(x**3)
        >>> tape.vhp(y, x, tf.constant([1.0, 10.0])).numpy()
        array([  6., 120.], dtype=float32)

        Args:
            target: A scalar tensor or variable.
            sources: A tensor or variable, or a nest of them.
            vectors: A tensor like each source, in the structure of ``sources``.

        Raises:
            ValueError: If the target is not a scalar, or if the structures differ.
        """
        return self.hvp(target, sources, vectors)

    @contextmanager
    def _gradients(
        self, target: Source, sources: object
    ) -> Iterator[tuple[Recorder, list[Any], list[Tensor]]]:
        """The recorder, the sources, and gradients of which it knows how they were computed."""
        recorder = self._prepare()
        leaves = checked(sources, "sources")
        self._use(recorder)
        on, count = recorder.owner == get_ident(), len(recorder)
        if not on:
            recorders.start(recorder)
        try:
            gradients = _recorded(recorder, target, leaves)
        finally:
            if not on:
                recorders.stop(recorder)
        try:
            yield recorder, leaves, gradients
        finally:
            if not on:
                del recorder.records[count:]
        self._done(recorder)


def _recorded(recorder: Recorder, target: Source, leaves: Sequence[Source]) -> list[Tensor]:
    """The gradients of a target, as tensors that the recorder knows."""
    (one,) = starting_gradients([target], None)
    seeds = [(target._number, one)] if is_known(target) else []
    found = sweep(recorder, seeds, {s._number for s in leaves if is_known(s)}, keep=True)
    gradients = []
    for source in leaves:
        d = found.get(source._number) if is_known(source) else None
        d = dense(d)
        gradients.append(zeros(source.shape, source.dtype) if d is None else finished(d, source))
    return gradients


def _block(
    d: Array | Tensor | None, g: Tensor, source: Tensor | Variable, batch: bool = False
) -> Tensor:
    """The derivatives of a gradient by a source, which are zeros if there are none."""
    if d is None:
        return zeros((*g.shape, *source.shape[1 if batch else 0 :]), source.dtype)
    return finished(d, source)


def _diagonal(recorder: Recorder, g: Tensor, source: Tensor | Variable) -> Tensor:
    """The derivative of each element of a gradient by the same element of the source."""
    if not is_known(g) or not is_known(source):
        return zeros(source.shape, source.dtype)
    pieces = []
    for start, (d,) in stacks(recorder, g, [source], keep=True):
        if d is None:
            return zeros(source.shape, source.dtype)
        rows = Reshape(d, shape=(len(d), source._array.size))
        places = np.arange(start, start + len(rows))[:, np.newaxis]
        pieces.append(TakeAlong(rows, places, axis=-1))
    column = ConcatV2(*pieces, axis=-2)
    diagonal: Tensor = finished(Reshape(column, shape=source._array.shape), source)
    return diagonal


def _check_scalar(target: Tensor | Variable, what: str) -> None:
    if target.shape.rank:
        raise ValueError(
            f"tape.{what} takes a scalar target, but got shape {target.shape}. Use tf.reduce_sum, "
            "tape.batch_hessian for one number for each sample, or tape.jacobian of a gradient."
        )
