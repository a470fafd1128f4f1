"""A row of the op table."""

from __future__ import annotations

from typing import Any

import numpy as np


class Row:
    """A function of tensors, and inputs on which it is smooth.

    ``inputs`` are arrays in double precision; those that are not floating are constants. ``order``
    is the highest derivative that is checked. ``dtypes`` are the other floating dtypes in which the
    function works; ``loose`` widens the tolerance of its gradients.
    """

    def __init__(
        self,
        function: Any,
        *inputs: Any,
        name: str | None = None,
        order: int = 3,
        dtypes: tuple[str, ...] = ("float32", "float16", "bfloat16"),
        loose: float = 1.0,
    ) -> None:
        self.function = function
        self.inputs = [np.asarray(x) for x in inputs]
        self.name = name or function.__name__
        self.order = order
        self.dtypes = dtypes
        self.loose = loose
        for x in self.inputs:
            x.flags.writeable = False
        if self.name == "<lambda>":
            raise TypeError("a row with a lambda needs a name=")

    def __repr__(self) -> str:
        return self.name
