"""JAX, begun with as many devices as the program sees: it cannot have more of them later."""

from __future__ import annotations

import jax
from jax._src import xla_bridge

from ...engine.devices import logical_devices

if len(logical_devices()) > 1 and not xla_bridge.backends_are_initialized():
    jax.config.update("jax_num_cpu_devices", len(logical_devices()))  # type: ignore[no-untyped-call]


def devices_for(count: int) -> list[jax.Device] | None:
    """A device for each of so many replicas; None if JAX has begun with fewer."""
    found = jax.local_devices()
    return found[:count] if len(found) >= count else None
