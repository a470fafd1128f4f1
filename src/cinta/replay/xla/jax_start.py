"""JAX, begun with as many devices as the program sees: it cannot have more of them later."""

from __future__ import annotations

import jax
from jax._src import xla_bridge

from ...engine.devices import logical_devices

if len(logical_devices()) > 1 and not xla_bridge.backends_are_initialized():
    jax.config.update("jax_num_cpu_devices", len(logical_devices()))  # type: ignore[no-untyped-call]


def devices_for(count: int, processes: int = 1) -> list[jax.Device] | None:
    """So many devices of each process, in order; None if JAX has begun with fewer."""
    found: list[jax.Device] = []
    for number in range(processes):
        theirs = [each for each in jax.devices() if each.process_index == number]
        if len(theirs) < count:
            return None
        found += theirs[:count]
    return found
