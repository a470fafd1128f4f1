"""Wait for new checkpoints, as a program that evaluates them does."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ..public import public
from .state_file import latest_checkpoint

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

_SECONDS_BETWEEN_LOOKS = 1.0


@public("train.checkpoints_iterator")
def checkpoints_iterator(
    checkpoint_dir: str | os.PathLike[str],
    min_interval_secs: float = 0,
    timeout: float | None = None,
    timeout_fn: Callable[[], bool] | None = None,
) -> Iterator[str]:
    """The latest checkpoint of a directory, again and again whenever there is a new one.

    It ends when none has come for ``timeout`` seconds, unless ``timeout_fn`` says False then.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/model")
    >>> list(tf.train.checkpoints_iterator(folder, timeout=0)) == [path]
    True
    """
    seen = None
    while True:
        found = _new_checkpoint(checkpoint_dir, seen, timeout)
        if found is None:
            if timeout_fn is None or timeout_fn():
                return
            continue
        seen, began = found, time.monotonic()
        yield found
        time.sleep(max(0.0, began + min_interval_secs - time.monotonic()))


def _new_checkpoint(
    checkpoint_dir: str | os.PathLike[str], seen: str | None, timeout: float | None
) -> str | None:
    """A checkpoint that is another than the one that was seen, or None after the timeout."""
    until = None if timeout is None else time.monotonic() + timeout
    while True:
        latest = latest_checkpoint(checkpoint_dir)
        if latest is not None and latest != seen:
            return latest
        if until is not None and time.monotonic() + _SECONDS_BETWEEN_LOOKS > until:
            return None
        time.sleep(_SECONDS_BETWEEN_LOOKS)
