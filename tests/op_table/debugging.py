"""Rows of what checks values as they pass."""

import cinta as tf

from .domains import real
from .row import Row

ROWS = [
    Row(lambda x: tf.debugging.check_numerics(x * x, "x"), real(2, 3), name="check_numerics"),
]
