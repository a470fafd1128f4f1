"""The names of tf.random."""

from .ops.random import normal as normal
from .ops.random import uniform as uniform
from .ops.random_state import set_seed as set_seed
