"""The names of tf.bitwise."""

from .ops.comparison import bitwise_and as bitwise_and
from .ops.comparison import bitwise_or as bitwise_or
from .ops.comparison import bitwise_xor as bitwise_xor
from .ops.comparison import invert as invert
from .ops.comparison import left_shift as left_shift
from .ops.comparison import right_shift as right_shift
