"""Functions that one thread at a time runs."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING, Any

from .. import nest
from ..engine.convert import as_tensor
from ..engine.recorders import cannot_be_replayed
from ..ops.arguments import checked_callable, flag, text
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable


class _Lock:
    """A lock that knows the thread that holds it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.holder: int | None = None


_shared: weakref.WeakValueDictionary[str, _Lock] = weakref.WeakValueDictionary()
_finding = threading.Lock()


@public("CriticalSection")
class CriticalSection:
    """A lock around functions: while one of them runs, in whichever thread, no other one does.

    >>> import cinta as tf
    >>> section, v = tf.CriticalSection(), tf.Variable(0.0)
    >>> def add():
    ...     before = v.read_value()
    ...     v.assign_add(2.0)
    ...     return before
    >>> [section.execute(add).numpy().item() for _ in range(3)]
    [0.0, 2.0, 4.0]

    A ``tf.function`` that executes one runs as Python at each call, since the lock has to be taken.

    Args:
        name: For people to read.
        shared_name: Sections of the same ``shared_name`` have one lock.
    """

    def __init__(self, name: str | None = None, shared_name: str | None = None) -> None:
        self.name = text(name or "critical_section", "name")
        if shared_name is None:
            self._lock = _Lock()
        else:
            with _finding:
                self._lock = _shared.setdefault(text(shared_name, "shared_name"), _Lock())

    def __repr__(self) -> str:
        return f"<tf.CriticalSection {self.name!r}>"

    def execute(
        self,
        fn: Callable[[], object],
        exclusive_resource_access: bool = True,
        name: str | None = None,
    ) -> Any:
        """The result of a function, in tensors, which runs while no other one does.

        Args:
            fn: A function without arguments.
            exclusive_resource_access: Checked only: variables have locks of their own.
            name: Not used.

        Raises:
            ValueError: A function that the section runs executes the section again.
        """
        checked_callable(fn, "fn")
        flag(exclusive_resource_access, "exclusive_resource_access")
        cannot_be_replayed(f"it executes {self!r}")
        lock, thread = self._lock, threading.get_ident()
        if lock.holder == thread:
            raise ValueError(
                f"Attempting to lock a CriticalSection ({self.name!r}) in which we are already "
                "running: this would wait forever. Call the function without the section there."
            )
        with lock.lock:
            lock.holder = thread
            try:
                result = fn()
            finally:
                lock.holder = None
        return nest.map_structure(lambda x: None if x is None else as_tensor(x), result)
