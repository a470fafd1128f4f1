"""Event files: records of what happened at which step, which TensorBoard reads."""

from __future__ import annotations

import itertools
import os
import socket
import threading
import time
import weakref
from typing import TYPE_CHECKING

from ..files.system_errors import translated
from ..io.records import written_record
from ..protobuf.event_messages import Event, SourceMetadata

if TYPE_CHECKING:
    from io import BufferedWriter

_numbers = itertools.count()
"""The numbers of the files of this process: several may be made within a second."""


class EventFile:
    """A file of events, which is written through after so many of them or so much time."""

    def __init__(self, folder: str, max_queue: int, flush_seconds: float, suffix: str) -> None:
        self.folder, self.most, self.longest = folder, max_queue, flush_seconds
        name = (
            f"events.out.tfevents.{int(time.time())}.{socket.gethostname()}.{os.getpid()}."
            f"{next(_numbers)}{suffix}"
        )
        self.path = os.path.join(folder, name)
        with translated(folder):
            os.makedirs(folder, exist_ok=True)
            self.file: BufferedWriter = open(self.path, "xb")  # noqa: SIM115  # see `close`
        self.close = weakref.finalize(self, self.file.close)  # also at the end of the program
        self.lock = threading.Lock()
        self.waiting, self.flushed = 0, time.monotonic()
        source = SourceMetadata(writer="cinta")
        self.add(Event(file_version="brain.Event:2", source_metadata=source))
        self.flush()

    def add(self, event: Event) -> None:
        """Write an event, which happens now."""
        event.wall_time = time.time()
        record = written_record(event.SerializeToString())
        with self.lock, translated(self.path):
            self.file.write(record)
            self.waiting += 1
            late = time.monotonic() - self.flushed > self.longest
            if self.waiting > self.most or late:
                self._through()

    def flush(self) -> None:
        """See to it that all events can be read."""
        with self.lock, translated(self.path):
            self._through()

    def _through(self) -> None:
        self.file.flush()
        self.waiting, self.flushed = 0, time.monotonic()
