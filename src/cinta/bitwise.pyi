# Written by tools/namespaces.py from the @public declarations; `make namespaces` renews it.

from .ops.elementwise.comparison import bitwise_and as bitwise_and
from .ops.elementwise.comparison import bitwise_or as bitwise_or
from .ops.elementwise.comparison import bitwise_xor as bitwise_xor
from .ops.elementwise.comparison import invert as invert
from .ops.elementwise.comparison import left_shift as left_shift
from .ops.elementwise.comparison import right_shift as right_shift
