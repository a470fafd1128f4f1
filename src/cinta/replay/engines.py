"""Which engine runs the recordings of a function: NumPy or XLA."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from ..engine import settings
from ..engine.warning import warn
from .numpy.engine import NumpyProgram

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..engine.device_values import Held
    from .recording import Recording

INSTALL = "JAX, which is not installed: pip install 'cinta[xla]'"


class Program(Protocol):
    """A recording, ready to run on arrays.

    ``knows_devices`` says that variables' values may stay on a device, and come from there;
    ``wants_on_host`` are the numbers of inputs that are better fetched before.
    ``compile_seconds`` and ``bytes_kept`` tell what it took to make it, and what it takes.
    """

    knows_devices: bool
    wants_on_host: frozenset[int]
    recording: Recording
    compile_seconds: float
    run: Callable[..., tuple[list[Held], list[Held]]]
    """The same as a call, for values one by one, but errors are not yet in words."""

    @property
    def bytes_kept(self) -> int: ...

    def __call__(self, arrays: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The results and the new values of variables, for the inputs and the variables' values.

        Raises ``Changed`` at the first guard that does not hold.
        """
        ...


def compiler(jit_compile: bool | None) -> Callable[[Recording], Program]:
    """The compiler that a function chooses, or else the settings."""
    if jit_compile and not has_jax():
        jit_compile = False
        warn(f"XLA needs {INSTALL}. The function runs on NumPy.")

    def compiled(recording: Recording) -> Program:
        if recording.place is not None:
            from .xla.meshes import MeshProgram

            return MeshProgram(recording)
        if _wanted(jit_compile):
            from .xla import XlaProgram  # JAX is imported when it is first needed

            return XlaProgram(recording)
        return NumpyProgram(recording)

    return compiled


def _wanted(jit_compile: bool | None) -> bool:
    """Whether XLA is to compile a function that chose this."""
    if jit_compile is None:
        return settings.engine == "xla" or (settings.engine == "auto" and has_jax())
    return jit_compile and has_jax()


_for_xla: ContextVar[bool] = ContextVar("for_xla", default=False)
"""Whether the Python of a function runs that XLA is to compile."""


@contextmanager
def python_of(jit_compile: bool | None) -> Iterator[None]:
    """Let the block be the Python of a function that chose this."""
    before = _for_xla.set(_wanted(jit_compile))
    try:
        yield
    finally:
        _for_xla.reset(before)


def compiles_with_xla() -> bool:
    """Whether the function whose Python runs now is for XLA."""
    return _for_xla.get()


def check_has_jax(needed_by: str = "XLA needs") -> None:
    """Raise where JAX is asked for what nothing else can give, and is not there."""
    if not has_jax():
        raise ModuleNotFoundError(f"{needed_by} {INSTALL}")


@cache
def has_jax() -> bool:
    """Whether JAX is installed."""
    return find_spec("jax") is not None
