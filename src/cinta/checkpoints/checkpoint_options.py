"""How checkpoints are written: CheckpointOptions, and whether a bar shows the progress."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from ..engine import settings
from ..errors import UnimplementedError
from ..ops.arguments import checked_callable, flag, instance, listed
from ..public import public

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@public("train.CheckpointOptions")
class CheckpointOptions:
    """How a checkpoint is written: in the background or not, and the callbacks to call.

    >>> import cinta as tf, tempfile
    >>> told = [lambda: print("written")]
    >>> options = tf.train.CheckpointOptions(experimental_write_callbacks=told)
    >>> path = tf.train.Checkpoint().write(tempfile.mkdtemp() + "/ckpt", options)
    written

    Args:
        experimental_io_device: Accepted; there is one device.
        experimental_enable_async_checkpoint: The same as ``enable_async``.
        experimental_write_callbacks: Functions that are called when a checkpoint has been written,
            with its path if they take an argument.
        enable_async: Write in the background. The values are those of the moment of the call.
        experimental_skip_slot_variables: Accepted; there are no slot variables.
        experimental_sharding_callback: Refused; a checkpoint is one file.
    """

    def __init__(
        self,
        experimental_io_device: str | None = None,
        experimental_enable_async_checkpoint: bool = False,
        experimental_write_callbacks: Sequence[Callable[..., object]] | None = None,
        enable_async: bool = False,
        experimental_skip_slot_variables: bool = False,
        experimental_sharding_callback: object = None,
    ) -> None:
        if experimental_sharding_callback is not None:
            raise UnimplementedError(
                "experimental_sharding_callback: a checkpoint is one file here, so it cannot be "
                "told how to distribute variables among several. Leave it out."
            )
        self.experimental_io_device = experimental_io_device
        self.enable_async = flag(enable_async, "enable_async") or flag(
            experimental_enable_async_checkpoint, "experimental_enable_async_checkpoint"
        )
        self.experimental_enable_async_checkpoint = self.enable_async
        self.experimental_write_callbacks = [
            checked_callable(each, "experimental_write_callbacks")
            for each in listed(
                () if experimental_write_callbacks is None else experimental_write_callbacks,
                "experimental_write_callbacks",
            )
        ]
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = None

        for callback in self.experimental_write_callbacks:
            if _needed(callback) > 1:
                raise AssertionError(
                    "experimental_write_callbacks get the path of the checkpoint, or nothing: "
                    f"{callback!r} needs {_needed(callback)} arguments."
                )

    def __copy__(self) -> CheckpointOptions:
        copied = object.__new__(type(self))
        vars(copied).update(vars(self))
        copied.experimental_write_callbacks = [*self.experimental_write_callbacks]
        return copied

    def _telling(self, callback: Callable[[str], object]) -> CheckpointOptions:
        """The same options with one more callback, called before the others."""
        return CheckpointOptions(
            experimental_io_device=self.experimental_io_device,
            experimental_write_callbacks=[callback, *self.experimental_write_callbacks],
            enable_async=self.enable_async,
            experimental_skip_slot_variables=self.experimental_skip_slot_variables,
        )

    def _tell(self, path: str) -> None:
        """Call the callbacks for a checkpoint that has been written."""
        for callback in self.experimental_write_callbacks:
            if inspect.signature(callback).parameters:
                callback(path)
            else:
                callback()


def _needed(callback: Callable[..., object]) -> int:
    """How many arguments a function cannot do without."""
    parameters = inspect.signature(callback).parameters.values()
    kinds = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    return sum(1 for p in parameters if p.default is p.empty and p.kind in kinds)


def as_options(options: CheckpointOptions | None) -> CheckpointOptions:
    """The options that were given, or those that stand for nothing."""
    if options is None:
        return CheckpointOptions()
    return instance(options, CheckpointOptions, "options")


@public("config.get_checkpoint_progress")
def get_checkpoint_progress() -> bool | None:
    """The value last given to ``set_checkpoint_progress``; None in the beginning.

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

    Args:
        shown: True, False or None.

    Raises:
        TypeError: If it is something else.
    """
    if shown is not None and not isinstance(shown, bool):
        raise TypeError(f"shown must be True, False or None, got {shown!r}.")
    settings.checkpoint_progress = shown
