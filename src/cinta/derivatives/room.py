"""Whether all derivatives at once have room in memory: asked before any of them is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import machine
from ..engine import settings
from ..engine.shapes import written
from ..errors import ResourceExhaustedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.tensor import Tensor
    from ..engine.variable import Variable

_COPIES = 2
"""How often a large result is in memory when its blocks are joined."""

JACOBIAN = (
    "If samples do not interact, use tape.batch_jacobian; for products with vectors, tape.gradient "
    "with output_gradients, tf.jvp or tape.hvp; where most of it is zeros, "
    "tf.autodiff.sparse_jacobian."
)
HESSIAN = (
    "For products with vectors use tape.hvp; for its diagonal, tape.hessian_diagonal; where most "
    "of it is zeros, tf.autodiff.sparse_hessian."
)
OF_SAMPLES = "Ask for the samples in parts."


def check_room(
    what: str,
    rows: Sequence[Tensor | Variable],
    columns: Sequence[Tensor | Variable],
    instead: str,
    samples: int = 1,
) -> None:
    """Refuse derivatives of all elements of some by all elements of others that cannot fit.

    With several ``samples`` those of one are derived by those of the same one.
    """
    height = sum(row._array.size for row in rows)
    bytes_of_row = sum(column._array.nbytes for column in columns)
    size = height * bytes_of_row // max(samples, 1)
    if _COPIES * size <= settings.jacobian_memory:
        return
    free = machine.free_memory()
    if free is None or _COPIES * size <= max(free, settings.jacobian_memory):
        return
    shapes = " and ".join([written(row._array.shape) for row in rows[:3]])
    sources = " and ".join([written(column._array.shape) for column in columns[:3]])
    raise ResourceExhaustedError(
        f"The {what} of shape {shapes} by {sources} takes {_in_gb(size)} GB, and as much again "
        f"while it is put together, but {_in_gb(free)} GB of memory are free. {instead} (To try "
        "all the same, allow as much with tf.config.set_jacobian_memory.)"
    )


def _in_gb(size: int) -> str:
    return f"{size / 1e9:,.1f}"
