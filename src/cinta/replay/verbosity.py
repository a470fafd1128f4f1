"""Messages about work that takes long, for programs that ask for them."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..engine import settings

if TYPE_CHECKING:
    from collections.abc import Iterator


def tell(what: str) -> None:
    """Say on standard error what happened."""
    if settings.verbosity > 1:
        print(what, file=sys.stderr, flush=True)


@contextmanager
def told(what: str) -> Iterator[None]:
    """Say on standard error what is done in the block, and then how long it took."""
    if settings.verbosity < 2:
        yield
        return
    started = time.perf_counter()
    print(f"{what} ...", end="", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print(f" {time.perf_counter() - started:.2f} s", file=sys.stderr, flush=True)
