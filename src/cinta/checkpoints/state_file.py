"""The file named ``checkpoint`` of a directory: which checkpoints there are, and the latest.

It is TensorFlow's, in the text form of protocol buffers. It can only name what lies in its own
directory: a file from a stranger must not lead anywhere else.
"""

from __future__ import annotations

import os
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..engine.recorders import cannot_be_replayed
from ..errors import DataLossError, InvalidArgumentError, NotFoundError
from ..files.atomic import path_of, replacing, write
from ..files.system_errors import translated
from ..public import public
from . import value_sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    PathLike = str | os.PathLike[str]


FILE_NAME = "checkpoint"
_LONGEST = 16 << 20
_LINE = re.compile(r'\s*(\w+):\s*(?:"((?:[^"\\\n]|\\.)*)"|([-+.0-9eE]+))\s*')
_ESCAPE = re.compile(rb"\\([0-7]{1,3}|x[0-9a-fA-F]{1,2}|.)", re.DOTALL)
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b'"': b'"', b"'": b"'", b"\\": b"\\"}


@dataclass
class CheckpointState:
    """The latest checkpoint of a directory, all that are kept there, and when they were written."""

    model_checkpoint_path: str = ""
    all_model_checkpoint_paths: list[str] = field(default_factory=list)
    all_model_checkpoint_timestamps: list[float] = field(default_factory=list)
    last_preserved_timestamp: float = 0.0


@public("train.get_checkpoint_state")
def get_checkpoint_state(
    checkpoint_dir: PathLike, latest_filename: str | None = None
) -> CheckpointState | None:
    """The content of the directory's file ``checkpoint``, with whole paths; None without one.

    >>> import cinta as tf, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(folder + "/model")
    >>> tf.train.get_checkpoint_state(folder).model_checkpoint_path == path
    True

    Args:
        checkpoint_dir: The directory.
        latest_filename: Another name of the file.

    Raises:
        DataLossError: If the file is damaged.
        ValueError: If it names no checkpoint.
        TypeError: If its name is not a string.
    """
    directory = path_of(checkpoint_dir, "checkpoint_dir")
    if latest_filename is not None and not isinstance(latest_filename, str):
        raise TypeError(f"`latest_filename` must be a string, got {latest_filename!r}.")
    path = os.path.join(directory, latest_filename or FILE_NAME)
    try:
        with translated(path), open(path, "rb") as file:
            text = file.read(_LONGEST + 1)
    except NotFoundError:
        return None
    try:
        state = _parsed(text)
    except ValueError as error:
        raise DataLossError(f"{path} is damaged: {error}.") from None
    if not state.model_checkpoint_path:
        raise ValueError(
            f"Invalid checkpoint state loaded from {directory}: {path} has no "
            "model_checkpoint_path, which names the latest checkpoint."
        )
    inside = [_inside(directory, name, path) for name in state.all_model_checkpoint_paths]
    state.all_model_checkpoint_paths = inside
    state.model_checkpoint_path = _inside(directory, state.model_checkpoint_path, path)
    return state


@public("train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir: PathLike, latest_filename: str | None = None) -> str | None:
    """The path of the latest checkpoint of a directory, or None.

    >>> import tempfile
    >>> import cinta as tf
    >>> directory = tempfile.mkdtemp()
    >>> print(tf.train.latest_checkpoint(directory))
    None
    >>> path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(directory + "/ckpt")
    >>> tf.train.latest_checkpoint(directory) == path
    True

    Args:
        checkpoint_dir: The folder.
        latest_filename: The name of the file that names the latest one; None for "checkpoint".
    """
    cannot_be_replayed("it looks for checkpoints")
    state = get_checkpoint_state(checkpoint_dir, latest_filename)
    if state is None or not value_sources.exists(state.model_checkpoint_path):
        return None
    return state.model_checkpoint_path


def update_checkpoint_state(
    directory: PathLike,
    latest: str,
    everything: Iterable[str],
    timestamps: Iterable[float] = (),
    last_preserved: float | None = None,
) -> None:
    """Write the file, with paths relative to the directory."""
    lines = [f"model_checkpoint_path: {_quoted(directory, latest)}"]
    lines += [f"all_model_checkpoint_paths: {_quoted(directory, path)}" for path in everything]
    lines += [f"all_model_checkpoint_timestamps: {time!r}" for time in timestamps]
    if last_preserved is not None:
        lines.append(f"last_preserved_timestamp: {last_preserved!r}")
    with replacing(os.path.join(directory, FILE_NAME)) as file:
        write(file, memoryview("".join(f"{line}\n" for line in lines).encode()))


def _inside(directory: str, name: str, path: str) -> str:
    """The path that a state file names, if it stays in the directory of the file."""
    whole = os.path.join(directory, name)
    here, there = os.path.abspath(directory), os.path.abspath(whole)
    if os.path.dirname(there) != here or "\0" in name:
        raise InvalidArgumentError(
            f"{path} names the checkpoint {name!r}, which is not in its directory. If it is to be "
            "trusted, restore that path itself."
        )
    return whole


def _quoted(directory: PathLike, path: str) -> str:
    name = os.path.relpath(path, directory or ".")
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _parsed(text: bytes) -> CheckpointState:
    if len(text) > _LONGEST:
        raise ValueError(f"it is longer than {_LONGEST} bytes")
    state = CheckpointState()
    for line in text.decode("utf-8").split("\n"):
        match = _LINE.fullmatch(line)
        if match:
            _set(state, *match.groups())
        elif line.strip():
            raise ValueError(f"{line[:100]!r} is not a field of the state of checkpoints")
    return state


def _set(state: CheckpointState, name: str, quoted: str | None, number: str | None) -> None:
    kind: object = {
        "model_checkpoint_path": str,
        "all_model_checkpoint_paths": str,
        "all_model_checkpoint_timestamps": float,
        "last_preserved_timestamp": float,
    }.get(name)
    text = quoted if kind is str else number
    if kind is None or text is None:
        raise ValueError(f"{name!r} is not a field of the state of checkpoints, or of another kind")
    value = _unescaped(text) if kind is str else float(text)
    if name.startswith("all_"):
        getattr(state, name).append(value)
    else:
        setattr(state, name, value)


def _unescaped(text: str) -> str:
    def replaced(match: re.Match[bytes]) -> bytes:
        code = match[1]
        if code[:1] in b"01234567":
            return bytes([int(code, 8) % 256])
        if code[:1] == b"x" and len(code) > 1:
            return bytes([int(code[1:], 16)])
        return _LETTERS.get(code, code)

    return _ESCAPE.sub(replaced, text.encode()).decode("utf-8")


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

    Args:
        checkpoint_dir: The folder.
        min_interval_secs: How many seconds to let pass between two checkpoints at least.
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
