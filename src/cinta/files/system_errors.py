"""The errors of the system as those that ops raise."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .. import errors

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS: dict[type[OSError], type[errors.OpError]] = {
    FileExistsError: errors.AlreadyExistsError,
    FileNotFoundError: errors.NotFoundError,
    NotADirectoryError: errors.FailedPreconditionError,
    IsADirectoryError: errors.FailedPreconditionError,
    PermissionError: errors.PermissionDeniedError,
}
_REASONS: dict[int | None, type[errors.OpError]] = {
    errno.EROFS: errors.PermissionDeniedError,
    errno.ENOSPC: errors.ResourceExhaustedError,
    errno.EDQUOT: errors.ResourceExhaustedError,
    errno.EFBIG: errors.ResourceExhaustedError,
    errno.ENAMETOOLONG: errors.InvalidArgumentError,
}
"""Those for which Python has no class."""


@contextmanager
def translated(path: str | os.PathLike[str], op: str | None = None) -> Iterator[None]:
    """Turn errors of the system into those that ops raise, with the path, and the op if any."""
    try:
        yield
    except OSError as error:
        kind = _KINDS.get(type(error)) or _REASONS.get(error.errno, errors.UnknownError)
        name, why = os.fspath(path), error.strerror or error
        raise kind(f"{name}: {why}" if op is None else f"{name}; {why} [Op:{op}]") from error
