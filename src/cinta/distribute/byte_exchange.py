"""Bytes that go from each process of a program to all, by the collectives of JAX.

JAX's table of keys, through which processes see each other's signs of life, has no public name:
this is the one module that uses it.
"""

from __future__ import annotations

import contextlib
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import jax
import numpy as np
from jax._src import distributed as jax_distributed
from jax.sharding import Mesh, NamedSharding, PartitionSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")

_SMALL, _LARGE = 1 << 10, 1 << 22
"""The sizes of the blocks that are sent: powers of two between, so that few are compiled."""

_HEAD = 8
"""Bytes in front of a message, which say how long it is."""

_FOREVER = 1 << 30
"""Seconds. JAX ends a process without a word about which other one is silent: we look ourselves."""


def is_running() -> bool:
    """Whether JAX has begun to compute, after which no process can join."""
    from jax._src import xla_bridge

    return bool(xla_bridge.backends_are_initialized())


def join(address: str, count: int, number: int, devices: int, limit: float) -> None:
    """Join the processes of a program. All must do so within the limit of seconds."""
    # JAX would listen for SIGTERM, for a service that is not used here, and not end any more
    jax.config.update("jax_enable_preemption_service", False)  # type: ignore[no-untyped-call]
    if devices > 1:
        jax.config.update("jax_num_cpu_devices", devices)  # type: ignore[no-untyped-call]
    jax.distributed.initialize(
        address,
        num_processes=count,
        process_id=number,
        cluster_detection_method="deactivate",
        initialization_timeout=max(1, round(limit)),
        heartbeat_timeout_seconds=_FOREVER,
    )


def _table() -> Any:
    """JAX's table of keys, which all processes see."""
    return jax_distributed.global_state.client


def set_key(key: str, value: str) -> None:
    """Write something for all processes to see. Raises if the first process is gone."""
    _table().key_value_set(key, value, allow_overwrite=True)


def key(name: str) -> str | None:
    """The text under a key; None where there is none, or the first process is gone."""
    with contextlib.suppress(Exception):
        return str(_table().key_value_try_get(name))
    return None


def ready(results: T) -> T:
    """The results of a program, when they have come."""
    found: T = jax.block_until_ready(results)  # type: ignore[no-untyped-call]
    return found


def gathered(message: bytes) -> list[bytes]:
    """The messages of all processes, in their order. It waits for all of them."""
    head = len(message).to_bytes(_HEAD, "little")
    blocks = _gather(np.frombuffer((head + message)[:_SMALL].ljust(_SMALL, b"\0"), np.uint8))
    lengths = [int.from_bytes(block[:_HEAD].tobytes(), "little") for block in blocks]
    parts = [[block[_HEAD:].tobytes()] for block in blocks]
    sent, longest = _SMALL - _HEAD, max(lengths)
    while sent < longest:
        size = min(_LARGE, 1 << (longest - sent - 1).bit_length())
        block = message[sent : sent + size].ljust(size, b"\0")
        for part, more in zip(parts, _gather(np.frombuffer(block, np.uint8)), strict=True):
            part.append(more.tobytes())
        sent += size
    return [b"".join(part)[:length] for part, length in zip(parts, lengths, strict=True)]


def _gather(block: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The blocks of all processes, one below the other."""
    program, sharding = _gathering()
    given = jax.make_array_from_process_local_data(  # type: ignore[no-untyped-call]
        sharding, block[None]
    )
    return np.asarray(program(given).addressable_shards[0].data)


@cache
def _gathering() -> tuple[Any, NamedSharding]:
    """The program that gathers, with one device of each process, and how its argument lies."""
    divided, whole = PartitionSpec("process"), PartitionSpec()  # type: ignore[no-untyped-call]
    mesh = Mesh(np.array(_one_of_each(jax.devices())), ("process",))
    gather = jax.shard_map(
        lambda block: jax.lax.all_gather(block[0], "process"),
        mesh=mesh,
        in_specs=divided,
        out_specs=whole,
        check_vma=False,
    )
    return jax.jit(gather), NamedSharding(mesh, divided)


def _one_of_each(devices: Sequence[jax.Device]) -> list[jax.Device]:
    firsts: dict[int, jax.Device] = {}
    for device in devices:
        firsts.setdefault(device.process_index, device)
    return [firsts[i] for i in sorted(firsts)]
