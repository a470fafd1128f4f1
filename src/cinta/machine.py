"""Tune the process for NumPy before NumPy computes, and tell what it runs on.

When a large array is dropped, glibc may hand its memory back to the system, and then the next array
pays for its pages again: up to twice the price of its arithmetic. `tune` asks glibc to keep such
memory. `import cinta` calls it first of all, unless the environment variable `CINTA_TUNE` is `off`.
Where memory does not come from glibc it changes nothing, and `report` says so.

>>> tune()
>>> report().memory.partition(":")[0] in ("kept", "left alone")
True
"""

from __future__ import annotations

import ctypes
import os
import sys
from importlib import import_module
from typing import Any, NamedTuple

# glibc's names for what `mallopt` sets, and the value of both in a fresh process.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_FRESH_THRESHOLD = 128 << 10
# The largest block that glibc agrees to keep. It could be told to keep every block, but then one
# small object behind a dropped array of gigabytes would hold on to all of it.
_LARGEST_KEPT_BLOCK = 32 << 20
_MOST_KEPT = 512 << 20

_AVX512_FLAGS = {"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"}
_AVX512_KERNELS = ("SkylakeX", "Cooperlake", "SapphireRapids")

_untuned_because: str | None = "tune() was not called"


class OpenBlas(NamedTuple):
    """An OpenBLAS in this process: the wheels of NumPy and SciPy bring one each."""

    file: str
    version: str
    kernels: str
    threads: int

    def __str__(self) -> str:
        return _said("{} {}: {} kernels, {} threads").format(*self)


class MachineReport(NamedTuple):
    """The machine of this process, and the effect of `tune`; as text, a line for each part."""

    processor: str
    cores: int
    memory: str
    blas: tuple[OpenBlas, ...]
    advice: str
    versions: dict[str, str]

    def __str__(self) -> str:
        lines = {
            "processor": _said("{}, {} cores for this process").format(self.processor, self.cores),
            "memory": self.memory,
            "blas": "; ".join(map(str, self.blas)) or _said("no OpenBLAS is loaded"),
            "advice": self.advice,
            "versions": ", ".join(f"{name} {version}" for name, version in self.versions.items()),
        }
        return "\n".join(f"{_said(name):<10} {line}" for name, line in lines.items() if line)


def tune() -> None:
    """Keep the memory of dropped arrays for the next ones, unless the environment says otherwise.

    The user's choices for the allocator (`MALLOC_…_`, `GLIBC_TUNABLES`, or another allocator in
    `LD_PRELOAD`) are never overridden.
    """
    global _untuned_because
    _untuned_because = _keep_memory()


def leave_alone() -> None:
    """Undo `tune`: give kept memory back, and later arrays' memory as soon as they are dropped.

    To decline from the start, set the environment variable `CINTA_TUNE=off`.

    >>> leave_alone()
    >>> report().memory
    'left alone: leave_alone() was called'
    """
    global _untuned_because
    libc = _glibc()
    if _untuned_because is None and libc is not None:
        libc.mallopt(_MMAP_THRESHOLD, _FRESH_THRESHOLD)
        libc.mallopt(_TRIM_THRESHOLD, _FRESH_THRESHOLD)
        libc.malloc_trim(0)
    _untuned_because = "leave_alone() was called"


def report() -> MachineReport:
    """Tell what the machine is, which kernels multiply NumPy's matrices, and what was tuned."""
    processor, avx512 = _processor()
    libraries = _loaded_openblas()
    idle = avx512 and any(library.kernels not in _AVX512_KERNELS for library in libraries)
    return MachineReport(
        processor=processor + (" with AVX-512" if avx512 else ""),
        cores=cores(),
        memory=_memory_policy(),
        blas=libraries,
        advice=_advice() if idle else "",
        versions=_versions(),
    )


def cores() -> int:
    """Return how many of the machine's cores this process may use.

    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# --- memory ---------------------------------------------------------------------------------------


def _keep_memory() -> str | None:
    """Ask glibc to keep freed blocks; return why not, when that was not to be done."""
    if not _wanted():
        return "CINTA_TUNE is off"
    if variable := _allocator_chosen_by_user():
        return f"{variable} is set"
    libc = _glibc()
    if libc is None:
        return "memory does not come from glibc"
    # Setting one threshold stops glibc from adapting the other: it is both or neither.
    if not libc.mallopt(_MMAP_THRESHOLD, _LARGEST_KEPT_BLOCK):
        return "glibc refused to keep large blocks"
    libc.mallopt(_TRIM_THRESHOLD, _most_kept())
    return None


def _wanted() -> bool:
    choice = os.environ.get("CINTA_TUNE", "on").strip().lower()
    if choice in ("on", "1", ""):
        return True
    if choice in ("off", "0"):
        return False
    raise ValueError(
        f"The environment variable CINTA_TUNE is {choice!r}; set it to 'on' or 'off', or remove it."
    )


def _allocator_chosen_by_user() -> str | None:
    """Name the environment variable by which the user has already decided about memory."""
    if "glibc.malloc" in os.environ.get("GLIBC_TUNABLES", ""):
        return "GLIBC_TUNABLES"
    if "malloc" in os.environ.get("LD_PRELOAD", ""):  # jemalloc, tcmalloc, mimalloc
        return "LD_PRELOAD"
    thresholds = ("MALLOC_MMAP_THRESHOLD_", "MALLOC_MMAP_MAX_", "MALLOC_TRIM_THRESHOLD_")
    return next((name for name in thresholds if name in os.environ), None)


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "gnu_get_libc_version") else None


def _most_kept() -> int:
    return min(_MOST_KEPT, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8)


def _memory_policy() -> str:
    if _untuned_because:
        return _said("left alone: {}").format(_untuned_because)
    largest, most = _LARGEST_KEPT_BLOCK >> 20, _most_kept() >> 20
    kept = _said("kept: freed blocks of up to {} MiB, up to {} MiB at the end of the heap")
    return kept.format(largest, most)


def free_memory() -> int | None:
    """Return how many bytes this process may still take; None where the system does not tell.

    >>> free_memory() is None or free_memory() > 0
    True
    """
    found = [
        size for size in (_available(), _left_in_group(), _left_to_address()) if size is not None
    ]
    return min(found, default=None)


def _left_to_address() -> int | None:
    """The memory that the limit of this process leaves (``ulimit -v``)."""
    try:
        limits: Any = import_module("resource")
        limit, _ = limits.getrlimit(limits.RLIMIT_AS)
        if limit == limits.RLIM_INFINITY:
            return None
        with open("/proc/self/statm", "rb") as file:
            left: int = limit - int(file.read().split()[0]) * limits.getpagesize()
            return max(left, 0)
    except (ImportError, OSError):  # not a Unix, or not Linux
        return None


def _available() -> int | None:
    """The memory that the machine has available, by Linux's account, or else all of its memory."""
    try:
        with open("/proc/meminfo") as file:
            entries = dict(line.split(":", 1) for line in file)
        return sum(int(entries[name].split()[0]) << 10 for name in ("MemAvailable", "SwapFree"))
    except (OSError, KeyError):
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


_GROUP_FILES = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)
"""Where Linux tells how much memory a container may take and has taken, by its version."""


def _left_in_group() -> int | None:
    """The memory that the container of this process may still take, None without a limit."""
    for limit, usage in _GROUP_FILES:
        try:
            with open(limit) as most, open(usage) as taken:
                return max(0, int(most.read()) - int(taken.read()))
        except (OSError, ValueError):  # "max" means no bound
            continue
    return None


# --- NumPy's settings -----------------------------------------------------------------------------


def openblas_functions(*names: str) -> list[tuple[Any, ...]]:
    """For each OpenBLAS in this process its functions `openblas_<name>`; None where it has none."""
    return [tuple(_function(library, name) for name in names) for _, library in _openblas()]


def _openblas() -> list[tuple[str, ctypes.CDLL]]:
    """The files of every OpenBLAS in this process, and their functions."""
    try:
        with open("/proc/self/maps") as file:
            lines = [line.split(maxsplit=5)[5].strip() for line in file if "openblas" in line]
    except OSError:
        return []
    paths = [path for path in dict.fromkeys(lines) if "openblas" in os.path.basename(path)]
    # NOLOAD finds the copy that is in use and never brings in another.
    mode = os.RTLD_NOLOAD | os.RTLD_NOW
    return [(path, ctypes.CDLL(path, mode=mode)) for path in paths if os.path.exists(path)]


def _loaded_openblas() -> tuple[OpenBlas, ...]:
    return tuple(_describe(path, library) for path, library in _openblas())


def _describe(path: str, library: ctypes.CDLL) -> OpenBlas:
    config = (_ask(library, "get_config", ctypes.c_char_p) or b"").decode().split()
    return OpenBlas(
        file=os.path.basename(path),
        version=config[1] if len(config) > 1 else "",
        kernels=(_ask(library, "get_corename", ctypes.c_char_p) or b"unnamed").decode(),
        threads=_ask(library, "get_num_threads", ctypes.c_int) or 0,
    )


def _ask(library: ctypes.CDLL, question: str, answer: type) -> Any:
    function = _function(library, question)
    if function is None:
        return None
    function.restype = answer
    return function()


def _function(library: ctypes.CDLL, name: str) -> Any:
    """`openblas_<name>` under the affixes of the wheels and of the distributions."""
    for spelling in ("scipy_openblas_{}64_", "scipy_openblas_{}", "openblas_{}64_", "openblas_{}"):
        function = getattr(library, spelling.format(name), None)
        if function is not None:
            return function
    return None


def _advice() -> str:
    name = "OPENBLAS_CORETYPE"
    chosen = os.environ.get(name)
    if chosen:
        remedy = _said("remove {}={} from the environment").format(name, chosen)
    else:
        remedy = _said("set {}=SkylakeX in the environment").format(name)
    idle = _said("OpenBLAS leaves AVX-512 idle; {}, and matrix products may take half the time")
    return idle.format(remedy)


def _processor() -> tuple[str, bool]:
    """Return the processor's name, and whether it has the AVX-512 that OpenBLAS can use."""
    try:
        # One page holds the first processor's entry; the whole file grows with every core.
        with open("/proc/cpuinfo", "rb", buffering=0) as file:
            entry = file.read(4096).decode(errors="replace").partition("\n\n")[0]
    except OSError:
        entry = ""
    pairs = (line.partition(":") for line in entry.splitlines())
    fields = {name.strip(): value.strip() for name, _, value in pairs}
    flags = set(fields.get("flags", "").split())
    return fields.get("model name", "unknown processor"), flags >= _AVX512_FLAGS


def _versions() -> dict[str, str]:
    # Only a report needs it, and it is not to delay the import of cinta.
    import platform

    versions = {"python": platform.python_version(), "system": platform.platform(terse=True)}
    loaded = {name: sys.modules.get(name) for name in ("numpy", "scipy", "jax")}
    return versions | {
        name: str(module.__version__) for name, module in loaded.items() if module is not None
    }


def _said(sentence: str) -> str:
    from .languages.phrases import said  # which a report needs, and no other program

    return said(sentence)
