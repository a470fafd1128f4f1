"""Summaries: values under a tag at a step, written if they are to be written."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..engine.convert import as_tensor
from ..engine.name_scopes import get_current_name_scope, name_scope
from ..engine.recorders import cannot_be_replayed
from ..engine.tensor import Tensor, wrap
from ..io.tensor_bytes import written_tensor
from ..ops.arguments import text
from ..programs.py_function import numpy_function
from ..protobuf.event_messages import Event, Summary, SummaryMetadata, Value
from ..protobuf.tensor_messages import TensorProto
from ..public import public
from .writers import SummaryWriter, state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.annotations import IntLike, NumericLike, TensorLike
    from ..engine.tensor import Array
    from ..engine.variable import Variable

    Step: TypeAlias = IntLike | Variable | None

_BOOL = np.dtype(bool)


# -- whether and when ------------------------------------------------------------------------------


@public("summary.should_record_summaries")
def should_record_summaries() -> Tensor:
    """Whether summaries are written here: there is a writer, and `record_if` allows it.

    >>> import cinta as tf
    >>> bool(tf.summary.should_record_summaries())
    False
    """
    if state.writer is None:
        return as_tensor(False)
    condition = state.condition
    return as_tensor(condition() if callable(condition) else condition)


@public("summary.record_if")
@contextmanager
def record_if(condition: NumericLike | Callable[[], object]) -> Iterator[None]:
    """Write summaries of a block only if the condition, or what it returns, is true.

    >>> import cinta as tf
    >>> with tf.summary.record_if(False):
    ...     print(bool(tf.summary.scalar("loss", 1.0, step=0)))
    False
    """
    before = state.condition
    state.condition = condition if callable(condition) else as_tensor(condition)
    try:
        yield
    finally:
        state.condition = before


@public("summary.experimental.get_step")
def get_step() -> Step:
    """The step of summaries that name none; None if it was not set.

    >>> import cinta as tf
    >>> tf.summary.experimental.set_step(5)
    >>> tf.summary.experimental.get_step()
    5
    >>> tf.summary.experimental.set_step(None)
    """
    return state.step


@public("summary.experimental.set_step")
def set_step(step: Step) -> None:
    """Set the step of summaries that name none; a variable may count it.

    >>> import cinta as tf
    >>> tf.summary.experimental.set_step(7)
    >>> tf.summary.experimental.set_step(None)
    """
    state.step = step


@public("summary.experimental.summary_scope")
@contextmanager
def summary_scope(
    name: str, default_name: str = "summary", values: object = None
) -> Iterator[tuple[str, str]]:
    """The tag of a summary of this name, with the name scopes around it, and the scope.

    >>> import cinta as tf
    >>> with tf.name_scope("train"), tf.summary.experimental.summary_scope("loss") as (tag, _):
    ...     print(tag)
    train/loss

    Args:
        default_name: The name in place of an empty one.
        values: Accepted.
    """
    own = text(name, "name") or default_name
    around = get_current_name_scope()
    with name_scope(own.rstrip("/") or default_name) as scope:
        yield (f"{around}/{own}" if around else own), scope


# -- writing ---------------------------------------------------------------------------------------


@public("summary.write")
def write(
    tag: str,
    tensor: TensorLike | Callable[[], TensorLike],
    step: Step = None,
    metadata: SummaryMetadata | bytes | None = None,
    name: str | None = None,
) -> Tensor:
    """Write a tensor, or what a function makes, under a tag; True if it was written.

    ``metadata`` tells TensorBoard how to show it. In a ``tf.function`` each call writes.

    >>> import cinta as tf
    >>> bool(tf.summary.write("numbers", [1.0, 2.0], step=0))  # there is no writer
    False
    """
    text(tag, "tag")
    if (found := _here(step)) is None:
        return as_tensor(False)
    writer, at = found
    how = _metadata(metadata)

    def written(step: Array, array: Array) -> np.bool_:
        proto = TensorProto.FromString(written_tensor(np.asarray(array, kind)))
        value = Value(tag=tag, tensor=proto, metadata=how)
        writer._add(Event(step=int(step), summary=Summary(value=[value])))
        return np.True_

    value = as_tensor(tensor() if callable(tensor) else tensor)
    kind = value.dtype.dtype
    told: Tensor = numpy_function(written, [at, value], _BOOL)
    return told


@public("summary.experimental.write_raw_pb")
def write_raw_pb(tensor: TensorLike, step: Step = None, name: str | None = None) -> Tensor:
    """Write a serialized ``Summary``; True if it was written.

    >>> import cinta as tf
    >>> summary = tf.compat.v1.Summary()
    >>> bool(tf.summary.experimental.write_raw_pb(summary.SerializeToString(), step=0))
    False

    Args:
        tensor: The bytes.
        step: The step; None for ``tf.summary.experimental.get_step()``.
    """
    if (found := _here(step)) is None:
        return as_tensor(False)
    writer, at = found

    def written(step: Array, content: bytes) -> np.bool_:
        writer._add(Event(step=int(step), summary=Summary.FromString(bytes(content))))
        return np.True_

    told: Tensor = numpy_function(written, [at, as_tensor(tensor)], _BOOL)
    return told


def add_event(event: Event) -> Tensor:
    """Write an event that is not a summary; True if it was written."""
    cannot_be_replayed("it writes an event")
    if state.writer is None or not bool(should_record_summaries()):
        return as_tensor(False)
    state.writer._add(event)
    return wrap(np.True_)


def _here(step: Step) -> tuple[SummaryWriter, Tensor] | None:
    """The writer and the step, if a summary is to be written here."""
    if step is not None:
        _checked(step)
    if state.writer is None or not bool(should_record_summaries()):
        return None
    at = state.step if step is None else step
    if at is None:
        raise ValueError(
            "No step set. Please specify one either through the `step` argument or through "
            "tf.summary.experimental.set_step()"
        )
    return state.writer, _checked(at)


def _checked(step: Step) -> Tensor:
    """A step, which is one whole number."""
    given = as_tensor(step)
    if given._array.ndim or given._array.dtype.kind not in "iu":
        raise ValueError(f"`step` must be one whole number, got {step!r}.")
    return given


def _metadata(given: object) -> SummaryMetadata:
    if given is None:
        return SummaryMetadata()
    if isinstance(given, SummaryMetadata):
        return given
    serialized = getattr(given, "SerializeToString", None)
    content = serialized() if serialized is not None else given
    if not isinstance(content, bytes):
        raise TypeError(f"`metadata` must be a SummaryMetadata or its bytes, got {given!r}.")
    return SummaryMetadata.FromString(content)
