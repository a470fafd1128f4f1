"""Whether a bar tells how far a checkpoint is written."""

from __future__ import annotations

from ..engine import settings
from ..public import public


@public("config.get_checkpoint_progress")
def get_checkpoint_progress() -> bool | None:
    """What ``set_checkpoint_progress`` was told last; None in the beginning.

    >>> import cinta as tf
    >>> print(tf.config.get_checkpoint_progress())
    None
    """
    return settings.checkpoint_progress


@public("config.set_checkpoint_progress")
def set_checkpoint_progress(shown: bool | None) -> None:
    """Show a bar on standard error while checkpoints are written, or do not show it.

    None, as in the beginning, means: on a terminal only. It never appears for checkpoints that are
    written within half a second.

    >>> import cinta as tf
    >>> tf.config.set_checkpoint_progress(False)
    >>> tf.config.set_checkpoint_progress(None)
    """
    if shown is not None and not isinstance(shown, bool):
        raise TypeError(f"shown must be True, False or None, got {shown!r}.")
    settings.checkpoint_progress = shown
