"""Threads that end together: one asks all to stop, and an error is raised where they join."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import OutOfRangeError
from ..ops.arguments import flag, instance, listed, number
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    Caught = tuple[type[BaseException], BaseException, TracebackType]

_PAUSE = 0.01
"""Seconds between two looks at whether threads have ended."""


@public("train.Coordinator")
class Coordinator:
    """Lets several threads end when one of them asks for it, or fails.

    >>> import threading
    >>> import cinta as tf
    >>> together, turns = tf.train.Coordinator(), []
    >>> def work():
    ...     with together.stop_on_exception():
    ...         while not together.should_stop():
    ...             turns.append(1)
    ...             if len(turns) == 3:
    ...                 together.request_stop()
    >>> thread = threading.Thread(target=work)
    >>> thread.start()
    >>> together.join([thread])
    >>> len(turns), together.joined
    (3, True)

    Args:
        clean_stop_exception_types: Classes of errors that ask to stop and are not raised; None
            for ``tf.errors.OutOfRangeError``.

    Raises:
        TypeError: If they are anything else.
    """

    def __init__(
        self, clean_stop_exception_types: Iterable[type[BaseException]] | None = None
    ) -> None:
        clean: Iterable[type[BaseException]] = (OutOfRangeError,)
        if clean_stop_exception_types is not None:
            clean = listed(clean_stop_exception_types, "clean_stop_exception_types")
        self._clean = tuple(clean)
        for each in self._clean:
            if not (isinstance(each, type) and issubclass(each, BaseException)):
                raise TypeError(
                    f"`clean_stop_exception_types` must be classes of errors, got {each!r}."
                )
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._failure: BaseException | None = None
        self._threads: set[threading.Thread] = set()
        self._joined = False

    @property
    def joined(self) -> bool:
        """Whether `join` has ended since the last `clear_stop`."""
        return self._joined

    def should_stop(self) -> bool:
        """Whether a thread has asked to stop."""
        return self._stopped.is_set()

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Wait until a thread asks to stop.

        >>> import cinta as tf
        >>> tf.train.Coordinator().wait_for_stop(timeout=0)
        False

        Args:
            timeout: The seconds to wait at most; None for as long as it takes.

        Returns:
            Whether one has asked.
        """
        seconds = (
            None if timeout is None else min(number(timeout, "timeout"), threading.TIMEOUT_MAX)
        )
        return self._stopped.wait(seconds)

    def register_thread(self, thread: threading.Thread) -> None:
        """Let `join` wait for a thread too.

        >>> import threading
        >>> import cinta as tf
        >>> together = tf.train.Coordinator()
        >>> thread = threading.Thread(target=together.wait_for_stop)
        >>> together.register_thread(thread)
        >>> thread.start(), together.request_stop(), together.join()
        (None, None, None)

        Args:
            thread: The thread.
        """
        with self._lock:
            self._threads.add(instance(thread, threading.Thread, "thread"))

    def request_stop(self, ex: BaseException | Caught | None = None) -> None:
        """Ask all threads to stop.

        Args:
            ex: The error for which they stop, or what ``sys.exc_info()`` gives; the first one is
                raised by `join`.
        """
        error = ex[1] if isinstance(ex, tuple) and len(ex) == 3 else ex
        if not (error is None or isinstance(error, BaseException)):
            raise TypeError(f"`ex` must be an error, or what sys.exc_info() gives, got {ex!r}.")
        clean = error is None or isinstance(error, self._clean)
        with self._lock:
            if self._joined and error is not None and not clean:
                raise error
            if not self._stopped.is_set():
                self._failure = None if clean else error
                self._stopped.set()

    def clear_stop(self) -> None:
        """Let threads go on again, and forget an error.

        >>> import cinta as tf
        >>> together = tf.train.Coordinator()
        >>> together.request_stop(), together.clear_stop(), together.should_stop()
        (None, None, False)
        """
        with self._lock:
            self._joined, self._failure = False, None
            self._stopped.clear()

    @contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """A block in which an error asks to stop, and is raised by `join` instead of here."""
        try:
            yield
        except BaseException as error:
            self.request_stop(error)

    def raise_requested_exception(self) -> None:
        """Raise the error for which threads stop, if there is one.

        >>> import cinta as tf
        >>> together = tf.train.Coordinator()
        >>> together.request_stop(ValueError("no more"))
        >>> together.raise_requested_exception()
        Traceback (most recent call last):
        ...
        ValueError: no more
        """
        with self._lock:
            if self._failure is not None:
                raise self._failure

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Wait until all threads have ended, and raise the error for which they stop.

        Args:
            threads: Threads to wait for, beside those that are registered.
            stop_grace_period_secs: How long they may take from when one asks to stop.
            ignore_live_threads: Whether threads that do not end are left to themselves.

        Raises:
            RuntimeError: If a thread has not ended in time.
        """
        given = [] if threads is None else listed(threads, "threads")
        patience = number(stop_grace_period_secs, "stop_grace_period_secs")
        ignores = flag(ignore_live_threads, "ignore_live_threads")
        with self._lock:
            known = self._threads.union([instance(x, threading.Thread, "threads") for x in given])
        while any(each.is_alive() for each in known) and not self.wait_for_stop(_PAUSE):
            pass
        end = time.monotonic() + patience
        while any(each.is_alive() for each in known) and time.monotonic() < end:
            time.sleep(_PAUSE)
        alive = sorted(each.name for each in known if each.is_alive())
        with self._lock:
            self._joined, self._threads = True, set()
        self.raise_requested_exception()
        if alive and not ignores:
            raise RuntimeError(f"Coordinator stopped with threads still running: {' '.join(alive)}")
