"""Profiles: where the time of a program goes, as traces that Perfetto opens."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from ..engine.recorders import cannot_be_replayed
from ..errors import AlreadyExistsError, UnavailableError
from ..io.files import local_path
from ..ops.arguments import flag, instance, text, whole_number
from ..public import public
from .spans import Profiler

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from ..io.files import FilePath

_running: list[tuple[Profiler, str]] = []
"""The profiler that is on, if any, and the folder of its trace."""


@public("profiler.experimental.ProfilerOptions")
class ProfilerOptions(NamedTuple):
    """How much is kept in a profile.

    >>> import cinta as tf
    >>> tf.profiler.experimental.ProfilerOptions(python_tracer_level=1).host_tracer_level
    2

    Args:
        host_tracer_level: Accepted.
        python_tracer_level: Above 0, all calls of Python functions are kept.
        device_tracer_level: Accepted.
        delay_ms: Accepted.
    """

    host_tracer_level: int = 2
    python_tracer_level: int = 0
    device_tracer_level: int = 1
    delay_ms: int | None = None


@public("profiler.experimental.start")
def start(logdir: FilePath, options: ProfilerOptions | None = None) -> None:
    """Begin to record the calls of ops and functions, until `stop`.

    >>> import cinta as tf, tempfile
    >>> tf.profiler.experimental.start(tempfile.mkdtemp())
    >>> y = tf.sin(1.0)
    >>> tf.profiler.experimental.stop(save=False)

    Args:
        logdir: The folder to write it to.
        options: ``ProfilerOptions``.

    Raises:
        AlreadyExistsError: If a profile has begun.
    """
    cannot_be_replayed("it begins a profile")
    folder = local_path(logdir, "logdir")
    given = ProfilerOptions() if options is None else instance(options, ProfilerOptions, "options")
    if _running:
        raise AlreadyExistsError("Another profiler is running.")
    profiler = Profiler(whole_number(given.python_tracer_level, "python_tracer_level") > 0)
    _running.append((profiler, folder))
    profiler.start()


@public("profiler.experimental.stop")
def stop(save: bool = True) -> None:
    """End a profile, and write it to the folder that `start` was given.

    The file, ``plugins/profile/…/….trace.json.gz``, opens in https://ui.perfetto.dev.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> tf.profiler.experimental.start(folder)
    >>> y = tf.sin(1.0)
    >>> tf.profiler.experimental.stop()
    >>> len(tf.io.gfile.glob(folder + "/plugins/profile/*/*.trace.json.gz"))
    1

    Args:
        save: Whether to write it.

    Raises:
        UnavailableError: If no profile has begun.
    """
    cannot_be_replayed("it ends a profile")
    wanted = flag(save, "save")
    if not _running:
        raise UnavailableError(
            "Cannot export profiling results. No profiler is running. [Op:ProfilerStop]"
        )
    profiler, folder = _running.pop()
    profiler.stop()
    if wanted:
        profiler.write(folder)


@public("profiler.experimental.Profile")
class Profile:
    """A profile of a block.

    >>> import cinta as tf, tempfile
    >>> with tf.profiler.experimental.Profile(tempfile.mkdtemp()):
    ...     y = tf.sin(1.0)

    Args:
        logdir: The folder to write it to.
        options: ``ProfilerOptions``.
    """

    def __init__(self, logdir: FilePath, options: ProfilerOptions | None = None) -> None:
        self._logdir, self._options = local_path(logdir, "logdir"), options

    def __enter__(self) -> None:
        start(self._logdir, self._options)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stop()


@public("profiler.experimental.Trace")
class Trace:
    """A block with a name in the profile, if one is taken; what else is given is shown with it.

    >>> import cinta as tf
    >>> for step in range(2):
    ...     with tf.profiler.experimental.Trace("train", step_num=step) as block:
    ...         y = tf.sin(1.0)
    ...         block.set_metadata(y=float(y))
    """

    def __init__(self, name: str, **kwargs: object) -> None:
        self._name, self._about = text(name, "name"), kwargs
        self._begin = 0

    def __enter__(self) -> Self:
        self._begin = time.perf_counter_ns()
        return self

    def set_metadata(self, **kwargs: object) -> None:
        """Show more with the block."""
        self._about |= kwargs

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for profiler, _ in _running:
            profiler.add(self._name, self._begin, self._about)
