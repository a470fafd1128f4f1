"""Writers of summaries, and which of them is the one that summaries go to."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..engine.recorders import cannot_be_replayed
from ..io.files import local_path
from ..ops.arguments import text, whole_number
from ..public import public
from .event_files import EventFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..engine.annotations import IntLike, NumericLike
    from ..engine.variable import Variable
    from ..io.files import FilePath
    from ..protobuf.event_messages import Event


class _State(threading.local):
    """For each thread the writer, the step, and whether summaries are to be written."""

    writer: SummaryWriter | None = None
    step: IntLike | Variable | None = None
    condition: NumericLike | Callable[[], object] = True


state = _State()


@public("summary.SummaryWriter")
class SummaryWriter:
    """The place that summaries go to; ``tf.summary.create_file_writer`` makes one.

    >>> import cinta as tf
    >>> writer = tf.summary.create_noop_writer()
    >>> writer.init()
    >>> with writer.as_default():
    ...     _ = tf.summary.scalar("loss", 0.5, step=1)
    ...     writer.set_as_default(step=2)  # until the block ends
    >>> writer.flush()
    >>> writer.close()
    """

    def init(self) -> None:
        """Be ready to write, as every writer is from the beginning."""

    def flush(self) -> None:
        """See to it that all that was written can be read."""

    def close(self) -> None:
        """Write what waits, and nothing more from then on."""

    def set_as_default(self, step: IntLike | Variable | None = None) -> None:
        """Let summaries of this thread go here from now on, at this step if it is given."""
        self._check_open()
        state.writer = self
        if step is not None:
            state.step = step

    @contextmanager
    def as_default(self, step: IntLike | Variable | None = None) -> Iterator[SummaryWriter]:
        """Let summaries of a block go here, at this step if it is given."""
        self._check_open()
        before = state.writer, state.step
        state.writer = self
        if step is not None:
            state.step = step
        try:
            yield self
        finally:
            self.flush()
            state.writer, old = before
            if step is not None:
                state.step = old

    def _check_open(self) -> None:
        """Refuse to go on after `close`."""

    def _add(self, event: Event) -> None:
        """Take an event."""


class FileWriter(SummaryWriter):
    """A writer of event files."""

    def __init__(self, file: EventFile) -> None:
        self._file = file

    def flush(self) -> None:
        """See to it that all that was written can be read."""
        if self._file.close.alive:
            self._file.flush()

    def close(self) -> None:
        """Write what waits, and nothing more from then on."""
        self._file.close()

    def _check_open(self) -> None:
        if not self._file.close.alive:
            raise RuntimeError(f"SummaryWriter {self!r} is already closed")

    def _add(self, event: Event) -> None:
        self._check_open()
        self._file.add(event)


@public("summary.create_file_writer")
def create_file_writer(
    logdir: FilePath,
    max_queue: IntLike | None = None,
    flush_millis: IntLike | None = None,
    filename_suffix: str | None = None,
    name: str | None = None,
    experimental_trackable: bool = False,
    experimental_mesh: object = None,
) -> SummaryWriter:
    """A writer of a new event file in this folder, which TensorBoard shows.

    The file is written through after ``max_queue`` events (10) or ``flush_millis`` (two minutes).

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> writer = tf.summary.create_file_writer(folder)
    >>> with writer.as_default():
    ...     for step in range(3):
    ...         _ = tf.summary.scalar("loss", 1 / (1 + step), step=step)
    >>> len(tf.io.gfile.glob(folder + "/events.out.tfevents.*"))
    1

    Args:
        logdir: The folder.
        max_queue: How many events wait at most.
        flush_millis: How long they wait at most.
        filename_suffix: The end of the file's name; ".v2" unless given.
        experimental_trackable: Accepted.
        experimental_mesh: Accepted.
    """
    cannot_be_replayed("it makes a file")
    queue = 10 if max_queue is None else whole_number(max_queue, "max_queue")
    millis = 120_000 if flush_millis is None else whole_number(flush_millis, "flush_millis")
    suffix = ".v2" if filename_suffix is None else text(filename_suffix, "filename_suffix")
    return FileWriter(EventFile(local_path(logdir, "logdir"), queue, millis / 1000, suffix))


@public("summary.create_noop_writer")
def create_noop_writer() -> SummaryWriter:
    """A writer that writes nothing.

    >>> import cinta as tf
    >>> with tf.summary.create_noop_writer().as_default():
    ...     _ = tf.summary.text("note", "unheard", step=0)
    """
    return SummaryWriter()


@public("summary.flush")
def flush(writer: SummaryWriter | None = None, name: str | None = None) -> None:
    """Make everything that a writer, or the default one, has written readable.

    >>> import cinta as tf
    >>> tf.summary.flush()

    Args:
        writer: The writer; None for the default one.

    Raises:
        ValueError: If it is not a writer.
    """
    found = state.writer if writer is None else writer
    if found is not None:
        if not isinstance(found, SummaryWriter):
            raise ValueError(f"`writer` must be a summary writer, got {found!r}.")
        found.flush()
