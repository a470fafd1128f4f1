"""The op table: every op with inputs on which it is smooth. The tests over it are in test_op_table.

Add a row for each op to the module of its family: a function of tensors and its inputs.

    Row(tf.sin, real(2, 3)),
    Row(lambda x: tf.reduce_sum(x, axis=-1), real(2, 3), name="reduce_sum axis=-1"),
"""

from __future__ import annotations

import importlib
import pkgutil

from .row import Row


def rows() -> list[Row]:
    """The rows of all families."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        if module.name not in ("coverage", "domains", "row"):
            found += importlib.import_module(f"{__name__}.{module.name}").ROWS
    return found
